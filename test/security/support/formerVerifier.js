const head = '"@status" "content-digest" "@method";req "@request-target";req "content-digest";req'
const form =
  /^input=(\(([^)]*)\);created=(\d{1,12});keyid="([\w-]{43})";alg="ed25519"), signature=:([A-Za-z\d+/]{86}==):$/
const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
const utf8 = (text) => new TextEncoder().encode(text)
const digest = async (bytes) => `sha-256=:${base64(await crypto.subtle.digest("SHA-256", bytes))}:`

/** sent: {method, target, body}, answer: {status, contentDigest, swapSignature, body}; both bodies are bytes. */
export async function isSigned(sent, answer, keys, now = Date.now() / 1000) {
  const [, input, parts, created, id, signature] = form.exec(answer.swapSignature) ?? []
  const key = keys.find(({ kid }) => kid === id)
  if (key === undefined || parts !== head || Math.abs(now - created) > 300) return false
  const contentDigest = await digest(answer.body)
  if (contentDigest !== answer.contentDigest) return false
  const bytes = Uint8Array.from(atob(signature), (one) => one.charCodeAt(0))
  if (base64(bytes) !== signature) return false
  const signed = [
    `"@status": ${answer.status}`,
    `"content-digest": ${contentDigest}`,
    `"@method";req: ${sent.method}`,
    `"@request-target";req: ${sent.target}`,
    `"content-digest";req: ${await digest(sent.body)}`,
    `"@signature-params": ${input}`,
  ].join("\n")
  const jwk = { kty: "OKP", crv: "Ed25519", x: key.x }
  const imported = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"])
  return await crypto.subtle.verify("Ed25519", imported, bytes, utf8(signed))
}
