import { Buffer } from "node:buffer"
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto"

/** A key that signs case files, with its public half. */
export interface CaseKey {
  /** The thumbprint of the public key (RFC 7638). */
  readonly id: string
  /** The public key's 32 bytes in base64url, as a JWK has them. */
  readonly x: string
  /** The public key in PEM. */
  readonly pem: string
  /** The private key in PEM, which only the file that keeps it may have. */
  readonly privatePem: () => string
  /** The signature of some bytes: 64 bytes in lower-case hex. */
  readonly sign: (bytes: Uint8Array) => string
}

const algorithm = "ed25519"

const toCaseKey = (privateKey: KeyObject): CaseKey => {
  const publicKey = createPublicKey(privateKey)
  const { x = "" } = publicKey.export({ format: "jwk" })
  const thumbprint = JSON.stringify({ crv: "Ed25519", kty: "OKP", x })
  return {
    id: createHash("sha256").update(thumbprint).digest("base64url"),
    x,
    pem: publicKey.export({ format: "pem", type: "spki" }).toString(),
    privatePem: () => privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    sign: (bytes) => Buffer.from(sign(null, bytes, privateKey)).toString("hex"),
  }
}

export const newCaseKey = (): CaseKey => toCaseKey(generateKeyPairSync(algorithm).privateKey)

const pemForm = /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/g

/** A key's 32 bytes in base64, of either alphabet: on one line, without spaces, as a file of variables takes it. */
const plainForm = /^[A-Za-z0-9+/_-]{43}=?$/

/** What stands before the 32 bytes of a key in PKCS #8. */
const beforeBytes = Buffer.from("302e020100300506032b657004220420", "hex")

const ofBytes = (text: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([beforeBytes, Buffer.from(text, "base64")]),
    format: "der",
    type: "pkcs8",
  })

const pemKeys = (text: string): ReadonlyArray<CaseKey> => {
  const found = text.replaceAll("\\n", "\n").match(pemForm) ?? []
  try {
    const keys = found.map((pem) => createPrivateKey(pem))
    return keys.every(({ asymmetricKeyType }) => asymmetricKeyType === algorithm) ? keys.map(toCaseKey) : []
  } catch {
    return []
  }
}

/** The Ed25519 keys of a text (base64 with commas, or PEM); none where one cannot be read. */
export const privateKeysIn = (text: string): ReadonlyArray<CaseKey> => {
  const parts = text.split(",").map((part) => part.trim())
  return parts.every((part) => plainForm.test(part)) ? parts.map(ofBytes).map(toCaseKey) : pemKeys(text)
}
