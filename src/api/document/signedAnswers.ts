/** The guide to signed answers, with the two verifiers that the tests run as they stand here (decision 47). */
export const signedAnswers = `
Whoever stands between this service and a wallet (a proxy, a gateway, an integrator's backend) could put in an address of
their own. So answers of \`/swap\`, \`/tx-payload/*\` and \`/mcp\` are signed (Ed25519, RFC 9421): over their status and body,
and the method, target and body of the request that was sent. Where the service has no key (\`CASE_FILE_KEYS\`) there is no
signature, nor on an answer of \`/mcp\` that is a stream. Fetch \`/.well-known/swap-broker-case-keys\` once, by a way that you
trust, and keep its \`keys\`. \`target\` is path and query as they were sent to the service: send the API key in a header, as a
key in the URL is taken out before. An answer is refused, too, that was made more than five minutes before or after now.

\`\`\`js
const head = '"@status" "content-digest" "@method";req "@request-target";req "content-digest";req';
const form = /^input=(\\(([^)]*)\\);created=(\\d{1,12});keyid="([\\w-]{43})";alg="ed25519"), signature=:([A-Za-z\\d+/]{86}==):$/;
const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
const utf8 = (text) => new TextEncoder().encode(text);
const digest = async (bytes) => \`sha-256=:\${base64(await crypto.subtle.digest("SHA-256", bytes))}:\`;

/** sent: {method, target, body}, answer: {status, contentDigest, swapSignature, body}; both bodies are bytes. */
export async function isSigned(sent, answer, keys, now = Date.now() / 1000) {
  const [, input, parts, created, id, signature] = form.exec(answer.swapSignature) ?? [];
  const key = keys.find(({ kid }) => kid === id);
  if (key === undefined || parts !== head || Math.abs(now - created) > 300) return false;
  const contentDigest = await digest(answer.body);
  if (contentDigest !== answer.contentDigest) return false;
  const bytes = Uint8Array.from(atob(signature), (one) => one.charCodeAt(0));
  if (base64(bytes) !== signature) return false;
  const signed = [
    \`"@status": \${answer.status}\`,
    \`"content-digest": \${contentDigest}\`,
    \`"@method";req: \${sent.method}\`,
    \`"@request-target";req: \${sent.target}\`,
    \`"content-digest";req: \${await digest(sent.body)}\`,
    \`"@signature-params": \${input}\`,
  ].join("\\n");
  const jwk = { kty: "OKP", crv: "Ed25519", x: key.x };
  const imported = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
  return await crypto.subtle.verify("Ed25519", imported, bytes, utf8(signed));
}
\`\`\`

The same in Python, with the package \`cryptography\`:

\`\`\`python
import base64, hashlib, re, time
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

HEAD = '"@status" "content-digest" "@method";req "@request-target";req "content-digest";req'
FORM = re.compile(r'input=(\\(([^)]*)\\);created=([0-9]{1,12});keyid="([A-Za-z0-9_-]{43})";alg="ed25519"), '
                  r'signature=:([A-Za-z0-9+/]{86}==):')

def digest(body: bytes) -> str:
    return "sha-256=:" + base64.b64encode(hashlib.sha256(body).digest()).decode() + ":"

def is_signed(sent: dict, answer: dict, keys: list, now: float | None = None) -> bool:
    """sent: method, target, body; answer: status, content_digest, swap_signature, body; both bodies are bytes."""
    found = FORM.fullmatch(answer["swap_signature"])
    if found is None:
        return False
    given, parts, created, key_id, signature = found.groups()
    key = next((key for key in keys if key["kid"] == key_id), None)
    now = time.time() if now is None else now
    if key is None or parts != HEAD or abs(now - int(created)) > 300:
        return False
    content_digest = digest(answer["body"])
    raw = base64.b64decode(signature)
    if content_digest != answer["content_digest"] or base64.b64encode(raw).decode() != signature:
        return False
    signed = "\\n".join([
        f'"@status": {answer["status"]}',
        f'"content-digest": {content_digest}',
        f'"@method";req: {sent["method"]}',
        f'"@request-target";req: {sent["target"]}',
        f'"content-digest";req: {digest(sent["body"])}',
        f'"@signature-params": {given}',
    ])
    public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(key["x"] + "="))
    try:
        public.verify(raw, signed.encode())
    except InvalidSignature:
        return False
    return True
\`\`\`
`
