import { Array, Context, Effect, Layer, Option, Redacted, Schema, Semaphore } from "effect"
import { join } from "node:path"
import { derived, optionalSetting, struct, type Value } from "#infrastructure/config/Setting.ts"
import { type FileExists, FileUnusable, withFile, writeNewFile } from "#infrastructure/platform/newFile.ts"
import { Buffer } from "node:buffer"
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto"
import { dataDir } from "#infrastructure/config/common.ts"
import { aRandomKey, makeKey } from "#infrastructure/config/kinds.ts"
import { databaseLocation } from "#infrastructure/store/database/settings.ts"

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

const newCaseKey = (): CaseKey => toCaseKey(generateKeyPairSync(algorithm).privateKey)

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

export const caseFileKeys = optionalSetting({
  name: "CASE_FILE_KEYS",
  isTuning: false,
  unset: "made once in DATA_DIR; with DATABASE_URL: none, and no case files",
  schema: Schema.RedactedFromValue(
    Schema.String.check(Schema.makeFilter((text) => privateKeysIn(text).length > 0)),
  ),
  expected: `${aRandomKey}, or several with commas between them; or Ed25519 private keys in PEM (PKCS #8)`,
  madeWith: makeKey,
  meaning:
    "Keys for case files: the first one signs. The public keys of all are published, so that older files can still be " +
    "verified. The same on every replica",
})

export const caseSettings = derived(
  struct({ keys: caseFileKeys, dataDir, location: databaseLocation }),
  ({ dataDir, keys, location }) => ({
    keys,
    /** The folder in which a key can be kept, which no other replica needs. */
    folder: location._tag === "Folder" ? Option.some(dataDir) : Option.none(),
    /** Whether nothing is kept anyway, so that a key of this process alone will do. */
    isForgotten: location._tag === "Memory",
  }),
)

/** Case files cannot be signed: the operator has to set a key, or to mend the file that keeps it. */
export class CaseFilesOff
  extends Schema.TaggedError<CaseFilesOff>()("CaseFilesOff", { detail: Schema.String }) {
  override get message(): string {
    return `Case files cannot be signed: ${this.detail}`
  }
}

/** The file in `DATA_DIR` that keeps the key which this service made. */
const fileName = "case-file-key.pem"

const readKeys = (path: string) =>
  withFile(path, async () => {
    try {
      return await Deno.readTextFile(path)
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined
      throw error
    }
  })

const writeKey = (path: string, { privatePem }: CaseKey) =>
  writeNewFile(path, (file) =>
    withFile(path, async () => {
      const writer = file.writable.getWriter()
      await writer.write(new TextEncoder().encode(privatePem()))
      await writer.close()
    }))

/** The kept keys; the first process that needs one makes it, and whoever comes at the same time reads that. */
const keptIn = Effect.fnUntraced(function* (folder: string) {
  const path = join(folder, fileName)
  const before = yield* readKeys(path)
  if (before === undefined) {
    yield* writeKey(path, newCaseKey()).pipe(Effect.catchTag("FileExists", (_: FileExists) => Effect.void))
  }
  const keys = privateKeysIn(before ?? (yield* readKeys(path)) ?? "")
  return Array.isReadonlyArrayNonEmpty(keys)
    ? keys
    : yield* new FileUnusable({ path, cause: "it holds no Ed25519 private key in PEM" })
})

/** The ids of the keys that are there: none is made. */
export const caseKeyIds = ({ folder, keys }: Value<typeof caseSettings>) =>
  Effect.gen(function* () {
    if (Option.isSome(keys)) return Redacted.value(keys.value)
    if (Option.isNone(folder)) return undefined
    return yield* Effect.orElseSucceed(readKeys(join(folder.value, fileName)), () => undefined)
  }).pipe(Effect.map((text = "") => privateKeysIn(text).map(({ id }) => id)))

/** The same, read once: whoever comes at the same time waits, and a failure is not kept. */
const once = <A, E>(read: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  const one = Semaphore.makeUnsafe(1)
  let known = Option.none<A>()
  const reading = Effect.suspend(() =>
    Option.match(known, {
      onSome: Effect.succeed,
      onNone: () =>
        Effect.tap(read, (value) =>
          Effect.sync(() => {
            known = Option.some(value)
          })),
    })
  )
  return Effect.suspend(() => Option.isSome(known) ? Effect.succeed(known.value) : one.withPermit(reading))
}

/** The keys of case files: the first signs, and the public halves of all are told. Never in the database. */
export class CaseKeys extends Context.Service<CaseKeys, {
  readonly all: Effect.Effect<Array.NonEmptyReadonlyArray<CaseKey>, CaseFilesOff>
}>()("swap-broker/cases/CaseKeys") {
  static readonly layer = ({ folder, isForgotten, keys }: Value<typeof caseSettings>) =>
    Layer.effect(CaseKeys)(Effect.gen(function* () {
      const set = Option.match(keys, {
        onNone: () => [],
        onSome: (text) => privateKeysIn(Redacted.value(text)),
      })
      if (Array.isReadonlyArrayNonEmpty(set)) return CaseKeys.of({ all: Effect.succeed(set) })
      if (isForgotten) {
        return CaseKeys.of({ all: yield* Effect.cached(Effect.sync(() => Array.of(newCaseKey()))) })
      }
      const kept = Option.match(folder, {
        onNone: () => Effect.fail(new CaseFilesOff({ detail: "the operator has to set CASE_FILE_KEYS" })),
        onSome: (folder) =>
          Effect.mapError(
            keptIn(folder),
            () => new CaseFilesOff({ detail: `the operator has to mend ${fileName} in DATA_DIR` }),
          ),
      })
      return CaseKeys.of({ all: once(kept) })
    }))
}
