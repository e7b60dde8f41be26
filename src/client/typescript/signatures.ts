import { fromBase64, toBase64, utf8, webCrypto } from "./bytes.ts"
import { SignatureRejected } from "./errors.ts"
import type { CaseKey } from "./standIn.ts"

const digestOf = async (bytes: Uint8Array): Promise<string> => {
  const { subtle } = await webCrypto()
  return `sha-256=:${toBase64(new Uint8Array(await subtle.digest("SHA-256", new Uint8Array(bytes))))}:`
}

const isSignedBy = async (
  { x }: CaseKey,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  const { subtle } = await webCrypto()
  const key = await subtle.importKey("jwk", { kty: "OKP", crv: "Ed25519", x }, "Ed25519", false, ["verify"])
  return subtle.verify("Ed25519", key, signature, signed)
}

const components = '"@status" "content-digest" "@method";req "@request-target";req "content-digest";req'

const header =
  /^input=(\(([^)]*)\);created=(\d{1,12});keyid="([\w-]{43})";alg="ed25519"), signature=:([A-Za-z\d+/]{86}==):$/

/** A request and the answer to it, as their bytes went over the wire. */
export interface SignedExchange {
  readonly method: string
  /** Path and query as they came to the service. */
  readonly target: string
  readonly sent: Uint8Array
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly received: Uint8Array
}

/**
 * Checks that an answer is the one that the service gave to this request, within five minutes of now (RFC 9421,
 * Ed25519); a SignatureRejected where it is not.
 */
export const verifyAnswer = async (
  { headers, method, received, sent, status, target }: SignedExchange,
  keys: ReadonlyArray<CaseKey>,
  now: number = Date.now(),
): Promise<void> => {
  const given = headers.get("swap-signature")
  if (given === null) throw new SignatureRejected("missing", "The answer is not signed")
  const [, input = "", parts, created, keyId, text = ""] = header.exec(given) ?? []
  const signature = fromBase64(text)
  if (parts !== components || signature === undefined) {
    throw new SignatureRejected("malformed", "The signature of the answer is of another form")
  }
  const key = keys.find(({ kid }) => kid === keyId)
  if (key === undefined) {
    throw new SignatureRejected("unknown_key", `No key that is trusted has the id ${keyId}`)
  }
  if (Math.abs(now / 1_000 - Number(created)) > 300) {
    throw new SignatureRejected(
      "wrong_time",
      "The answer was signed more than five minutes before or after now",
    )
  }
  const digest = await digestOf(received)
  const signed = [
    `"@status": ${status}`,
    `"content-digest": ${digest}`,
    `"@method";req: ${method}`,
    `"@request-target";req: ${target}`,
    `"content-digest";req: ${await digestOf(sent)}`,
    `"@signature-params": ${input}`,
  ].join("\n")
  if (digest !== headers.get("content-digest") || !await isSignedBy(key, signature, utf8(signed))) {
    throw new SignatureRejected("changed", "The answer, or the request, was changed on the way")
  }
}

const secondLine =
  /^"signature":\{"algorithm":"Ed25519","keyId":"([\w-]{43})","value":"([\da-f]{128})"\}\}\n?$/

/** Checks the text of a case file, as it came; a SignatureRejected where it is not as the service signed it. */
export const verifyCaseFile = async (file: string, keys: ReadonlyArray<CaseKey>): Promise<void> => {
  const end = file.indexOf("\n") + 1
  const [, keyId, value = ""] = secondLine.exec(file.slice(end)) ?? []
  if (end === 0 || keyId === undefined) {
    throw new SignatureRejected("malformed", "The text is no case file of two lines")
  }
  const key = keys.find(({ kid }) => kid === keyId)
  if (key === undefined) {
    throw new SignatureRejected("unknown_key", `No key that is trusted has the id ${keyId}`)
  }
  const signature = Uint8Array.from(value.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  if (!await isSignedBy(key, signature, utf8(file.slice(0, end)))) {
    throw new SignatureRejected("changed", "The case file was changed")
  }
}
