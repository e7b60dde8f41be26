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

const inputForm =
  /(?:^|, )swap=(\(([^()]*)\);created=(\d{1,12});keyid="([\w-]{43})";alg="ed25519";tag="swap-broker")(?=,|$)/

const signatureForm = /(?:^|, )swap=:([A-Za-z\d+/]{86}==):(?=,|$)/

/** A request and the answer to it, as their bytes went over the wire. */
export interface SignedExchange {
  readonly method: string
  /** Path and query as they came to the service. */
  readonly target: string
  readonly sent: Uint8Array
  /** The public id of the API key that was sent. */
  readonly keyId: string
  /** The `Idempotency-Key` that was sent; absent where none was. */
  readonly idempotencyKey?: string | undefined
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly received: Uint8Array
}

/**
 * Checks that an answer is the one that the service gave to this request of this API key under this `Idempotency-Key`,
 * within five minutes of now (`Signature` of RFC 9421, Ed25519); a SignatureRejected where it is not. `Swap-Signature`,
 * all that services before 2.0.0 send, does not count: somebody on the way could take the other one away.
 */
export const verifyAnswer = async (
  { headers, idempotencyKey, keyId, method, received, sent, status, target }: SignedExchange,
  keys: ReadonlyArray<CaseKey>,
  now: number = Date.now(),
): Promise<void> => {
  const given = [headers.get("signature-input"), headers.get("signature")] as const
  if (given.includes(null)) {
    throw new SignatureRejected(
      "missing",
      headers.get("swap-signature") === null
        ? "The answer is not signed"
        : "The answer has no Signature, only Swap-Signature: the service is older than 2.0.0, or the header was removed",
    )
  }
  const [, input = "", list, created, caseKeyId] = inputForm.exec(given[0] ?? "") ?? []
  const signature = fromBase64(signatureForm.exec(given[1] ?? "")?.[1] ?? "")
  if (list === undefined || signature?.length !== 64) {
    throw new SignatureRejected("malformed", "The signature of the answer is of another form")
  }
  const key = keys.find(({ kid }) => kid === caseKeyId)
  if (key === undefined) {
    throw new SignatureRejected("unknown_key", `No key that is trusted has the id ${caseKeyId}`)
  }
  if (Math.abs(now / 1_000 - Number(created)) > 300) {
    throw new SignatureRejected(
      "wrong_time",
      "The answer was signed more than five minutes before or after now",
    )
  }
  const own = {
    "content-digest": await digestOf(received),
    "swap-key-id": keyId,
    "swap-request-digest": await digestOf(sent),
  }
  const parts: ReadonlyArray<readonly [name: string, value: string | number]> = [
    ['"@status"', status],
    ...Object.entries(own).map(([name, value]) => [`"${name}"`, value] as const),
    ['"@method";req', method],
    ['"@request-target";req', target],
    ...(idempotencyKey === undefined ? [] : [['"idempotency-key";req', idempotencyKey.trim()] as const]),
  ]
  const lines = [...parts, ['"@signature-params"', input]].map(([name, value]) => `${name}: ${value}`)
  const isOwn = list === parts.map(([name]) => name).join(" ") &&
    Object.entries(own).every(([name, value]) => headers.get(name) === value)
  if (!isOwn || !await isSignedBy(key, signature, utf8(lines.join("\n")))) {
    throw new SignatureRejected(
      "changed",
      "The answer or the request was changed on the way, or the answer is another request's or another API key's",
    )
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
