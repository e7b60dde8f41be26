import { Context, Effect, Layer, Schema } from "effect"
import { assert, layer } from "#test/support/it.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { type RunningService, startService } from "#test/support/process.ts"

const file = new URL("Wallet.java", import.meta.url)
const source = Deno.readTextFileSync(file)

const run = (program: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => new Deno.Command(program, { args: [...args] }).output()).pipe(
    Effect.map(({ code, stderr, stdout }) => {
      const [written = "", complaints = ""] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes))
      assert.strictEqual(code, 0, `${program}: ${written}${complaints}`)
      return written
    }),
  )

const hasJdk = await new Deno.Command("javac", { args: ["--version"] }).output().then(
  ({ success }) => success,
  () => false,
)

class Shared extends Context.Service<Shared, RunningService>()("swap-broker/test/clients/wallet/Shared") {
  static readonly layer = Layer.effect(Shared, startService({ SANDBOX_SPEED: "0" }))
}

const Saw = Schema.fromJsonString(Schema.Struct({
  states: Schema.Array(Schema.String),
  result: Schema.String,
  guidance: Schema.String,
  networks: Schema.Int,
  minimums: Schema.Int,
  twins: Schema.Int,
  links: Schema.Int,
  dollars: Schema.Int,
  listed: Schema.Boolean,
  earlier: Schema.Int,
}))

layer(Shared.layer, { excludeTestServices: true })("a wallet in Java with nothing but the JDK", (it) => {
  it.effect(`calls and reads only what the contract has${hasJdk ? "" : ", and is not run: there is no JDK here"}`, function* () {
    const { url } = yield* Shared
    const document = yield* Effect.promise(() => fetch(new URL("/openapi.json", url)).then((it) => it.text()))
    const paths = [...source.matchAll(/(?:get|post|refused)\("(\/[^"]*)"/g)].map(([, path = ""]) => path)
    assert.isAbove(paths.length, 8)
    for (const path of paths) assert.include(document, `"${path}":`, path)
    const members = [...source.matchAll(/\.(?:at|has|put)\("(\w+)"/g)].map(([, name = ""]) => name)
    assert.isAbove(members.length, 20)
    for (const name of members) assert.include(document, `"${name}"`, name)
    const imports = [...source.matchAll(/^import (.*);$/gm)].map(([, name = ""]) => name)
    assert.deepStrictEqual(imports.filter((name) => !name.startsWith("java.")), [])
  })

  if (hasJdk) {
    it.effect("swaps from the list of networks to its history, and loses no digit", function* () {
      const { apiKey, url } = yield* Shared
      const folder = yield* temporaryFolder
      yield* run("javac", "-Xlint:all", "-Werror", "-d", folder, file.pathname)
      const written = yield* run("java", "-cp", folder, "Wallet", url.origin, apiKey)
      const saw = yield* Schema.decodeEffect(Saw)(written)
      assert.strictEqual(saw.states.at(-1), "completed")
      assert.strictEqual(saw.result, "completed")
      assert.match(saw.guidance, /ETH/)
      assert.isTrue(saw.listed)
      assert.strictEqual(saw.earlier, 0)
      assert.isAtLeast(saw.minimums, 2)
      assert.isAbove(saw.twins, 20)
      assert.isAbove(saw.links, 0)
    })
  }
})
