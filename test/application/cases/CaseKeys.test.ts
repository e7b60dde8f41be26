import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { join } from "node:path"
import { CaseKeys, privateKeysIn } from "#application/cases/CaseKeys.ts"
import { temporaryFolder } from "#test/support/folder.ts"

const keysIn = (folder: Option.Option<string>) =>
  Effect.flatMap(CaseKeys, ({ all }) => all).pipe(
    Effect.provide(CaseKeys.layer({ keys: Option.none(), folder, isForgotten: false })),
  )

describe("the key of case files that the service makes", () => {
  it.effect("is made once, kept in a file that only its owner can read, and the same after a restart", function* () {
    const path = yield* temporaryFolder
    const folder = Option.some(path)
    const [first] = yield* keysIn(folder)
    const [again] = yield* keysIn(folder)
    assert.strictEqual(first.id, again.id)
    const { mode } = Deno.statSync(join(path, "case-file-key.pem"))
    assert.strictEqual((mode ?? 0) & 0o777, 0o600)
  })

  it.effect("is one for all who need it first, here and in other processes on the folder", function* () {
    for (let time = 0; time < 10; time++) {
      const folder = Option.some(yield* temporaryFolder)
      const found = yield* Effect.forEach(Array.from({ length: 8 }), () => keysIn(folder), {
        concurrency: "unbounded",
      })
      const [kept] = yield* keysIn(folder)
      assert.deepStrictEqual(found.map(([{ id }]) => id), found.map(() => kept.id))
    }
  })

  it.effect("is read once, and again only after a failure", function* () {
    const path = yield* temporaryFolder
    const file = join(path, "case-file-key.pem")
    Deno.writeTextFileSync(file, "no key")
    yield* Effect.gen(function* () {
      const { all } = yield* CaseKeys
      assert.strictEqual((yield* Effect.flip(all))._tag, "CaseFilesOff")
      Deno.removeSync(file)
      const both = yield* Effect.all([all, all], { concurrency: "unbounded" })
      Deno.removeSync(file)
      const [again] = yield* all
      assert.deepStrictEqual(both.map(([{ id }]) => id), [again.id, again.id])
    }).pipe(
      Effect.provide(CaseKeys.layer({ keys: Option.none(), folder: Option.some(path), isForgotten: false })),
    )
  })

  it.effect("is refused where it is none, and there is none where replicas would not share it", function* () {
    const folder = yield* temporaryFolder
    Deno.writeTextFileSync(join(folder, "case-file-key.pem"), "no key")
    for (const place of [Option.some(folder), Option.none()]) {
      assert.strictEqual((yield* Effect.flip(keysIn(place)))._tag, "CaseFilesOff")
    }
  })

  it("is the same in base64 of either alphabet and in PEM, and stands on one line beside others", () => {
    const bytes = new Uint8Array(32).fill(251)
    const [first] = privateKeysIn(bytes.toBase64())
    const url = bytes.toBase64({ alphabet: "base64url", omitPadding: true })
    assert.deepStrictEqual(privateKeysIn(url).map(({ id }) => id), [first?.id])
    assert.deepStrictEqual(privateKeysIn(first?.privatePem() ?? "").map(({ id }) => id), [first?.id])
    const other = new Uint8Array(32).fill(7).toBase64()
    assert.deepStrictEqual(privateKeysIn(`${other}, ${url}`).map(({ id }) => id).slice(1), [first?.id])
    for (const wrong of ["", ",", `${url},`, `${url};${other}`, `${url},short`, `${url}A`, "é".repeat(43)]) {
      assert.deepStrictEqual(privateKeysIn(wrong), [], wrong)
    }
  })

  it("is Ed25519, or none at all", () => {
    assert.deepStrictEqual(privateKeysIn("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"), [])
  })
})
