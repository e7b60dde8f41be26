class _Operation(NamedTuple):
    name: str
    method: str
    path: str
    #: "freely", "keyed" or "once": whether it may be sent again.
    sending: str
    #: How an answer is read: "json", "text" or "events", with the shape of its exact numbers.
    reads: str
    shape: Any
    has_body: bool
    is_public: bool
    is_signed: bool


class Event(NamedTuple):
    """An event of a stream. `id` is what the stream goes on after."""
    id: str
    event: str
    data: Any


class Answer(NamedTuple):
    """An answer as it came, for its headers and for its text."""
    status: int
    headers: Mapping[str, str]
    text: str


class _Connection:
    """
    How a client reaches its service: `url` with the path that a proxy has put before it; `case_keys` are those of
    `/.well-known/swap-broker-case-keys`, had by a way that is trusted: with them answers that begin a swap have to be
    signed for this API key. Its id is in a key `sbk_<id>_…`; else it is `key_id`, or the service is asked once
    (`GET /account`) and trusted: somebody on the way could name another key. `language` is that of `guidance`: "en", "de"
    or "es". `deadline` bounds a call with all its
    attempts, `timeout` one attempt and the silence of a stream; in seconds.
    """

    def __init__(self, url: str, api_key: Optional[str] = None, *, case_keys: Optional[List[Mapping[str, Any]]] = None,
                 key_id: Optional[str] = None, language: Optional[str] = None, attempts: int = 4, deadline: float = 60, timeout: float = 30,
                 backoff: float = 0.5) -> None:
        self._url = url.rstrip("/")
        self._api_key = api_key
        self._case_keys = case_keys
        named = re.match(r"sbk_([a-z2-7]{16})_", api_key or "")
        self._key_id = key_id if named is None else named[1]
        self._language = language
        self._attempts = attempts
        self._deadline = deadline
        self._timeout = timeout
        self._backoff = backoff
        self._opener = urllib.request.build_opener(_NoRedirect)

    def _request(self, operation: _Operation, given: Mapping[str, Any], **headers: Optional[str]) -> urllib.request.Request:
        values = {name: value for name, value in given.items() if value is not None}

        def in_path(found: "re.Match[str]") -> str:
            text = _text_of(values.pop(found[1], ""))
            if text == "":
                raise TypeError(f"{operation.name} needs {found[1]}")
            return urllib.parse.quote(text, safe="")

        path = re.sub(r"\{(\w+)\}", in_path, operation.path)
        sent = {
            "accept": {"json": "application/json", "events": "text/event-stream", "text": "*/*"}[operation.reads],
            "x-api-key": None if operation.is_public else self._api_key,
            "accept-language": self._language,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        body = None
        if operation.has_body:
            sent["content-type"] = "application/json"
            body = json.dumps(_json_of(values)).encode()
        elif values:
            pairs = [
                (name, _text_of(one)) for name, value in values.items()
                for one in (value if isinstance(value, (list, tuple)) else [value])
            ]
            path += "?" + urllib.parse.urlencode(pairs)
        return urllib.request.Request(
            self._url + path, data=body, method=operation.method,
            headers={name: value for name, value in sent.items() if value is not None})

    def _own_key_id(self) -> str:
        """The id of the API key, for which answers have to be signed."""
        if self._key_id is None:
            account = _Operation("get_account", "GET", "/account", "freely", "json", None, False, False, False)
            try:
                self._key_id = str(self._call(account, {})["key"]["id"])
            except (KeyError, TypeError):
                raise SignatureRejected("The service names no id of the API key") from None
        return self._key_id

    def _wait(self, attempt: int, retry_after: float) -> float:
        return retry_after + random.random() * self._backoff * min(20, 2 ** (attempt - 1))

    def _call(self, operation: _Operation, given: Mapping[str, Any], idempotency_key: Optional[str] = None,
              on_answer: Optional[Callable[[Answer], None]] = None) -> Any:
        key = (idempotency_key or secrets_module.token_hex(16)) if operation.sending == "keyed" else None
        request = self._request(operation, given, idempotency_key=key)
        end = time.monotonic() + self._deadline
        if operation.is_signed and self._case_keys is not None:
            self._own_key_id()
        attempt = 0
        while True:
            attempt += 1
            about = {"operation": operation.name, "attempts": attempt, "idempotency_key": key}
            try:
                return self._attempt(operation, request, about, min(self._timeout, end - time.monotonic()), on_answer)
            except _Again as again:
                wait = self._wait(attempt, again.retry_after)
                late = time.monotonic() + wait >= end
                if operation.sending == "once" or attempt >= self._attempts or late:
                    raise again.error from again.__cause__
                time.sleep(wait)

    def _attempt(self, operation: _Operation, request: urllib.request.Request, about: Dict[str, Any], timeout: float,
                 on_answer: Optional[Callable[[Answer], None]]) -> Any:
        unknown = operation.sending != "freely"
        try:
            with self._opener.open(request, timeout=max(0.001, timeout)) as response:
                status, headers, received = response.status, _lower(response.headers), response.read()
        except urllib.error.HTTPError as refused:
            with refused:
                answer = Answer(refused.code, _lower(refused.headers), refused.read().decode(errors="replace"))
            if on_answer is not None:
                on_answer(answer)
            raise _refusal(answer, about, unknown) from None
        except (OSError, http.client.HTTPException) as cause:
            raise _Again(NoAnswer(f"No answer: {cause}", is_outcome_unknown=unknown, **about)) from cause
        if operation.is_signed and self._case_keys is not None:
            parts = urllib.parse.urlsplit(request.full_url)
            body = request.data if isinstance(request.data, bytes) else b""
            verify_answer(method=operation.method, target=parts.path + (f"?{parts.query}" if parts.query else ""), sent=body,
                          key_id=self._own_key_id(), idempotency_key=about["idempotency_key"], status=status,
                          headers=headers, received=received, keys=self._case_keys)
        try:
            text = received.decode()
            if on_answer is not None:
                on_answer(Answer(status, headers, text))
            return _read_json(text, operation.shape) if operation.reads == "json" else text
        except ValueError as cause:
            raise NoAnswer(f"The answer cannot be read: {cause}", is_outcome_unknown=unknown, **about) from cause

    def _follow(self, operation: _Operation, given: Mapping[str, Any], last_event_id: Optional[str]) -> Iterator[Event]:
        known, was_open, attempt = last_event_id, False, 0
        while True:
            attempt += 1
            wait: float = 0
            about = {"operation": operation.name, "attempts": attempt, "idempotency_key": None}
            try:
                request = self._request(operation, given, last_event_id=known)
                with self._opener.open(request, timeout=max(60, self._timeout)) as response:
                    if response.status == 204:
                        return
                    was_open, attempt = True, 0
                    for event in _events_in(response):
                        if isinstance(event, float):
                            wait = event
                            continue
                        known = event.id or known
                        shape = operation.shape.get(event.event)
                        yield event._replace(data=_read_json(event.data, shape))
            except urllib.error.HTTPError as refused:
                with refused:
                    answer = Answer(refused.code, _lower(refused.headers), refused.read().decode(errors="replace"))
                failure = _refusal(answer, about, False)
                if not isinstance(failure, _Again):
                    raise failure from None
                wait = failure.retry_after
            except (OSError, http.client.HTTPException) as cause:
                if not was_open and attempt >= self._attempts:
                    raise NoAnswer(f"No answer: {cause}", is_outcome_unknown=False, **about) from cause
            except ValueError as cause:
                raise NoAnswer(f"An event cannot be read: {cause}", is_outcome_unknown=False, **about) from cause
            time.sleep(self._wait(max(1, attempt), wait))


class _Again(Exception):
    """A failure after which the request may be sent again, if it is of that kind."""

    def __init__(self, error: RequestFailed, retry_after: Optional[float] = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.retry_after = retry_after or 0


def _lower(headers: Any) -> Dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _refusal(answer: Answer, about: Dict[str, Any], unknown: bool) -> Exception:
    """What the service or a proxy has refused, and whether it may be asked again."""
    try:
        problem = _read_json(answer.text, "Problem")
        is_problem = all(isinstance(problem[name], str) for name in ("type", "title", "detail", "traceId"))
        is_problem = is_problem and isinstance(problem["status"], int)
    except (ValueError, KeyError, TypeError):
        is_problem = False
    status = answer.status
    if not is_problem:
        error = NoAnswer(f"The answer {status} is no problem of the service", is_outcome_unknown=unknown, **about)
        return _Again(error) if status in _TEMPORARY else error
    text = answer.headers.get("retry-after") or ""
    retry_after = int(text) if re.fullmatch(r"[0-9]{1,6}", text) else None
    refused = ProblemError(problem, retry_after, is_outcome_unknown=unknown and status == 500 and "code" not in problem,
                           **about)
    # What a key stands for never changes: neither a failure with a code, nor what was given before.
    is_kept = answer.headers.get("idempotent-replayed") == "true" or (
        about["idempotency_key"] is not None and "code" in problem)
    in_progress = status == 409 and retry_after is not None
    again = not is_kept and (status in _TEMPORARY or in_progress)
    return _Again(refused, retry_after) if again else refused


def _events_in(response: Iterable[bytes]) -> Iterator[Union[Event, float]]:
    """Server-sent events, and the seconds that the service wants a client to wait before it comes again."""
    last, event, data = "", "", []  # type: str, str, List[str]
    for raw in response:
        line = raw.decode().rstrip("\r\n")
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if line == "":
            if data:
                yield Event(last, event, "\n".join(data))
            event, data = "", []
        elif name == "data":
            data.append(value)
        elif name == "event":
            event = value
        elif name == "id":
            last = value
        elif name == "retry" and re.fullmatch(r"[0-9]{1,7}", value):
            yield int(value) / 1000
