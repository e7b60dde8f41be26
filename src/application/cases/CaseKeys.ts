import { Array, Context, Effect, Layer, Option, Redacted, Schema, Semaphore } from "effect"
import { join } from "node:path"
import type { Value } from "#infrastructure/config/Setting.ts"
import { type FileExists, FileUnusable, withFile, writeNewFile } from "#infrastructure/platform/newFile.ts"
import { type CaseKey, newCaseKey, privateKeysIn } from "./keyPair.ts"
import type { caseSettings } from "./settings.ts"

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
