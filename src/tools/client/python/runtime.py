class SwapBrokerError(Exception):
    """The root of every error of this client, but for bad arguments."""


class RequestFailed(SwapBrokerError):
    """What is known of a request that failed."""

    def __init__(self, detail: str, operation: str, attempts: int, idempotency_key: Optional[str],
                 is_outcome_unknown: bool) -> None:
        super().__init__(f"{operation}: {detail}")
        self.operation = operation
        self.attempts = attempts
        #: The key that the request was sent under: sent again under it, it opens nothing twice.
        self.idempotency_key = idempotency_key
        #: Whether the request may have been carried out nevertheless.
        self.is_outcome_unknown = is_outcome_unknown


class ProblemError(RequestFailed):
    """The service refused the request, or failed: `problem` says why (RFC 7807), `code` where it comes from upstream."""

    def __init__(self, problem: Dict[str, Any], retry_after: Optional[int], **request: Any) -> None:
        super().__init__(f"{problem['title']}: {problem['detail']} (trace {problem['traceId']})", **request)
        self.problem = problem
        self.status: int = problem["status"]
        code = problem.get("code")
        #: One of PROBLEM_CODES; None where there is none, or one that is newer than this client (`problem["code"]`).
        self.code: Optional[str] = code if code in PROBLEM_CODES else None
        #: After how many seconds the service wants to be asked again.
        self.retry_after = retry_after


class NoAnswer(RequestFailed):
    """No answer of the service came, or not in time, or it is nothing that this client can read."""


class SignatureRejected(SwapBrokerError):
    """An answer or a case file that is not as the service signed it: pay to nothing that it names."""


class WebhookRejected(SwapBrokerError):
    """A message that did not come from the service, or not now: answer it with 400."""


def to_native(amount: Union[str, Decimal], decimals: int) -> int:
    """A plain decimal in the smallest unit of an asset, exactly; ValueError where digits would be lost."""
    found = re.fullmatch(r"(-?)([0-9]+)(?:\.([0-9]+))?", amount if isinstance(amount, str) else format(amount, "f"))
    if found is None:
        raise ValueError(f"{amount!r} is no plain decimal such as '0.25'")
    sign, whole, fraction = found[1], found[2], found[3] or ""
    if len(fraction) > decimals:
        raise ValueError(f"{amount} has more than {decimals} decimals")
    return int(sign + whole + fraction.ljust(decimals, "0"))


def from_native(native: int, decimals: int) -> Decimal:
    """An amount in the smallest unit as a decimal."""
    return Decimal((0 if native >= 0 else 1, tuple(int(digit) for digit in str(abs(native))), -decimals))


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _exact(value: Any, shape: Any) -> Any:
    """Makes the exact numbers of a body out of what JSON has, by its shape; ValueError where they are none."""
    if value is None or shape is None:
        return value
    if shape == "n":
        if isinstance(value, bool) or not re.fullmatch(r"-?[0-9]+", str(value)):
            raise ValueError(f"{value!r} is no native amount")
        return int(value)
    if shape == "d":
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
            raise ValueError(f"{value!r} is no decimal")
        return Decimal(value)
    inner = _SHAPES.get(shape) if isinstance(shape, str) else shape
    if inner is not None and "[]" in inner:
        if not isinstance(value, list):
            raise ValueError("not a list")
        return [_exact(item, inner["[]"]) for item in value]
    if isinstance(value, dict) and inner is not None:
        return {name: _exact(member, inner.get(name)) for name, member in value.items()}
    return value


def _read_json(text: str, shape: Any) -> Any:
    return _exact(json.loads(text, parse_float=Decimal, parse_constant=_no_constant), shape)


def _text_of(value: Any) -> str:
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float, which loses digits: give a Decimal or text")
    if isinstance(value, bool):
        return "true" if value else "false"
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _json_of(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _json_of(member, key) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_of(item) for item in value]
    is_exact = isinstance(value, (Decimal, float)) or (name.endswith("Native") and isinstance(value, int))
    return _text_of(value) if is_exact else value


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key to somebody else."""

    def redirect_request(self, *_: Any) -> None:
        return None


_TEMPORARY = (408, 429, 502, 503, 504)

#: How the service signs what begins a swap (RFC 9421).
_SIGNATURE_INPUT = re.compile(
    r'(?:^|, )swap=(\(([^()]*)\);created=([0-9]{1,12});keyid="([A-Za-z0-9_-]{43})";alg="ed25519";tag="swap-broker")(?=,|\Z)')
_SIGNATURE = re.compile(r'(?:^|, )swap=:([A-Za-z0-9+/]{86}==):(?=,|\Z)')


def _digest(body: bytes) -> str:
    return "sha-256=:" + base64.b64encode(hashlib.sha256(body).digest()).decode() + ":"


def _is_signed(keys: Iterable[Mapping[str, Any]], key_id: str, signature: bytes, signed: bytes) -> bool:
    key = next((key for key in keys if key["kid"] == key_id), None)
    if key is None:
        raise SignatureRejected(f"No key that is trusted has the id {key_id}")
    return verify_ed25519(base64.urlsafe_b64decode(key["x"] + "="), signature, signed)


def verify_answer(*, method: str, target: str, sent: bytes, key_id: str, idempotency_key: Optional[str], status: int,
                  headers: Mapping[str, str], received: bytes, keys: Iterable[Mapping[str, Any]],
                  now: Optional[float] = None) -> None:
    """
    Checks that an answer is the one that the service gave to this request of the API key with this id under this
    `Idempotency-Key` (None: none was sent), within five minutes of now. `Swap-Signature`, all that services before 2.0.0
    send, does not count: somebody on the way could take the other one away.
    """
    found = _SIGNATURE_INPUT.search(headers.get("signature-input") or "")
    signature = _SIGNATURE.search(headers.get("signature") or "")
    if found is None or signature is None:
        alone = " but with Swap-Signature alone (a service before 2.0.0, or a header was removed)"
        raise SignatureRejected(f"The answer is not signed{alone if 'swap-signature' in headers else ', or in another form'}")
    given, listed, created, case_key_id = found.groups()
    if abs((time.time() if now is None else now) - int(created)) > 300:
        raise SignatureRejected("The answer was signed more than five minutes before or after now")
    own = {"content-digest": _digest(received), "swap-key-id": key_id, "swap-request-digest": _digest(sent)}
    parts = [('"@status"', str(status)), *((f'"{name}"', value) for name, value in own.items()),
             ('"@method";req', method), ('"@request-target";req', target)]
    if idempotency_key is not None:
        parts.append(('"idempotency-key";req', idempotency_key.strip()))
    signed = "\n".join(f"{name}: {value}" for name, value in [*parts, ('"@signature-params"', given)])
    is_ours = _is_signed(keys, case_key_id, base64.b64decode(signature[1]), signed.encode())
    is_own = listed == " ".join(name for name, _ in parts) and all(headers.get(name) == value for name, value in own.items())
    if not is_ours or not is_own:
        raise SignatureRejected(
            "The answer or the request was changed on the way, or the answer is another request's or another API key's")


def verify_case_file(file: str, keys: Iterable[Mapping[str, Any]]) -> None:
    """Checks the text of a case file, as it came."""
    first, line, second = file.partition("\n")
    form = r'"signature":\{"algorithm":"Ed25519","keyId":"([A-Za-z0-9_-]{43})","value":"([0-9a-f]{128})"\}\}\n?'
    found = re.fullmatch(form, second)
    if found is None:
        raise SignatureRejected("The text is no case file of two lines")
    if not _is_signed(keys, found[1], bytes.fromhex(found[2]), (first + line).encode()):
        raise SignatureRejected("The case file was changed")


def verify_webhook(headers: Mapping[str, str], body: Union[str, bytes], secrets: Iterable[str],
                   tolerance: float = 300, now: Optional[float] = None) -> Tuple[str, WebhookMessage]:
    """
    The id and the message of what came to a webhook, after its signature (Standard Webhooks 1.0) and its time were
    checked. `body` is what was sent, byte for byte. The same id comes again where a message is sent again.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    message_id, sent_at, given = (lower.get(f"webhook-{name}") or "" for name in ("id", "timestamp", "signature"))
    if not (message_id and sent_at and given):
        raise WebhookRejected("The message lacks a header")
    data = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{sent_at}.".encode() + data
    matches = False
    for secret in secrets:
        if not secret.startswith("whsec_"):
            raise TypeError("A secret of a webhook begins with whsec_")
        key = base64.b64decode(secret[len("whsec_"):], validate=True)
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        for one in given.split(" "):
            matches |= hmac.compare_digest(one.encode(), expected.encode())
    if not matches:
        raise WebhookRejected("The message is signed with none of the secrets")
    current = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,12}", sent_at) or abs(current - int(sent_at)) > tolerance:
        raise WebhookRejected(f"The message is of another time: {sent_at}")
    try:
        message = _read_json(data.decode(), "WebhookMessage")
        if isinstance(message["type"], str):
            return message_id, message
    except (ValueError, KeyError, TypeError):
        pass
    raise WebhookRejected("The message has no type")


# Ed25519 (RFC 8032, 5.1.7), verification alone: what it works on is public, so its time may tell of it.
_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_Point = Tuple[int, int, int, int]


def _add(one: _Point, other: _Point) -> _Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(factor: int, point: _Point) -> _Point:
    result: _Point = (0, 1, 1, 0)
    while factor > 0:
        if factor & 1:
            result = _add(result, point)
        point = _add(point, point)
        factor >>= 1
    return result


def _point_of(text: bytes) -> Optional[_Point]:
    number = int.from_bytes(text, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if len(text) != 32 or y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P != 0:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    if (x * x - square) % _P != 0 or (x == 0 and sign == 1):
        return None
    x = _P - x if x & 1 != sign else x
    return x, y, 1, x * y % _P


def verify_ed25519(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether an Ed25519 signature of 64 bytes is of this message, by the key of 32 bytes."""
    base = _point_of((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))
    key, commitment = _point_of(public_key), _point_of(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if base is None or key is None or commitment is None or len(signature) != 64 or scalar >= _ORDER:
        return False
    challenge = hashlib.sha512(signature[:32] + public_key + message).digest()
    left = _times(scalar, base)
    right = _add(commitment, _times(int.from_bytes(challenge, "little") % _ORDER, key))
    return (left[0] * right[2] - right[0] * left[2]) % _P == 0 and (left[1] * right[2] - right[1] * left[2]) % _P == 0
