const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))

/** The bytes of base64 with padding; none where it is written in any other way. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(text)) return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return toBase64(bytes) === text ? bytes : undefined
}

/** Node 18 has WebCrypto as a module only. Bundlers for browsers leave the import alone, and nothing runs it there. */
const nodeCrypto = async (): Promise<Crypto> => {
  const name = "node:crypto"
  const { webcrypto }: { readonly webcrypto: Crypto } = await import(/* @vite-ignore */ name)
  return webcrypto
}

/** The runtime's WebCrypto. A page has it on https and on localhost only. */
export const webCrypto = async (): Promise<Crypto> => {
  const own: Crypto | undefined = Reflect.get(globalThis, "crypto")
  return own ?? await nodeCrypto()
}

/** A key for `Idempotency-Key`: 128 random bits. */
export const newIdempotencyKey = async (): Promise<string> =>
  Array.from(
    (await webCrypto()).getRandomValues(new Uint8Array(16)),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("")
