import { Context, Effect, Layer, Schema } from "effect"
import config from "../../../deno.json" with { type: "json" }
import { makeExchange } from "#test/conformance/example/exchange.ts"
import { serve } from "#infrastructure/platform/serve.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { assert, layer } from "#test/support/it.ts"
import { runFile, startFile } from "#test/support/process.ts"
import { startRegistry } from "./registry.ts"

const root = new URL("../../../", import.meta.url)
const file = Deno.execPath()

const decode = <A>(schema: Schema.Decoder<A>) => Schema.decodeUnknownSync(Schema.fromJsonString(schema))
const Cache = Schema.Struct({ npmCache: Schema.String })
const Graph = Schema.Struct({ modules: Schema.Array(Schema.Struct({ specifier: Schema.String })) })

/** Runs this Deno to its end. */
const deno = Effect.fnUntraced(function* (
  words: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>>,
  folder: string = root.pathname,
) {
  const { ended, output } = yield* runFile(
    { file, folder, environment: { NO_COLOR: "1", ...environment } },
    words,
  )
  const { code } = yield* ended
  assert.strictEqual(code, 0, output())
  return output()
})

const publish = Effect.gen(function* () {
  const registry = yield* startRegistry(yield* temporaryFolder)
  const home = Deno.env.toObject()
  const { npmCache } = decode(Cache)(yield* deno(["info", "--json"], home))
  const cache = yield* temporaryFolder
  yield* Effect.promise(() => Deno.symlink(npmCache, `${cache}/npm`))
  const options = ["--token=none", "--no-provenance", "--allow-slow-types", "--allow-dirty"]
  yield* deno(["publish", ...options], { ...home, JSR_URL: registry.url })
  // Without a lock, a Deno asks npm for the versions of what packages need, over the machine's certificates.
  const certificates = Object.fromEntries(Object.entries(home).filter(([name]) => /CERT|PROXY/i.test(name)))
  return {
    environment: { ...certificates, DENO_DIR: cache, JSR_URL: registry.url, PORT: "0" },
    paths: registry.paths(),
  }
})

/** The package on a registry of its own, and a Deno that has nothing but the packages of npm. */
class Package
  extends Context.Service<Package, Effect.Success<typeof publish>>()("swap-broker/test/Package") {}

const named = (name: string): string => `jsr:${config.name}@${config.version}/${name}`
const permissions = ["--allow-env", "--allow-net", "--allow-read", "--allow-write=data"]
const run = (...words: ReadonlyArray<string>) => ["run", "--quiet", "--no-prompt", ...permissions, ...words]

const get = (url: URL, path: string, apiKey = "") =>
  Effect.promise(async () => {
    const response = await fetch(new URL(path, url), { headers: { "x-api-key": apiKey } })
    return { status: response.status, text: await response.text() }
  })

const apiKey = "test-key-of-the-default-account-0123456789"
const pair = "/quotes/compare?sourceAsset=eth.eth&destinationAsset=usdc.eth&amount=1.5"

/** What no module imports: words, what the README of `infrastructure/ops` hands out, and what was recorded upstream. */
const beside =
  /\.md$|^LICENSE$|^deno\.json$|\/empty\.tar\.br$|^src\/infrastructure\/ops\/|\/recorded\/[^/]+\.json$/

layer(Layer.effect(Package, publish), { excludeTestServices: true })("the package", (it) => {
  it.effect("has every module that its programs and exports import, and no other", function* () {
    const { paths } = yield* Package
    const graphs = yield* Effect.forEach(
      Object.values(config.exports),
      (entry) => deno(["info", "--json", entry], Deno.env.toObject()),
    )
    const imported = new Set(
      graphs.flatMap((text) => decode(Graph)(text).modules).flatMap(({ specifier }) =>
        specifier.startsWith(root.href) && !specifier.includes("/node_modules/")
          ? [specifier.slice(root.href.length)]
          : []
      ),
    )
    assert.deepStrictEqual([...imported].filter((path) => !paths.includes(path)), [])
    assert.deepStrictEqual(paths.filter((path) => !imported.has(path) && !beside.test(path)), [])
    assert.includeMembers(paths, ["LICENSE", "README.md", "src/infrastructure/store/database/empty.tar.br"])
  })

  it.effect("is from an empty folder the service with its pages, and the commands over its records", function* () {
    const { environment } = yield* Package
    const folder = yield* temporaryFolder
    yield* Effect.scoped(Effect.gen(function* () {
      const settings = { ...environment, BOOTSTRAP_API_KEY: apiKey }
      const { url } = yield* startFile({ file, folder, environment: settings }, run(named("service")))
      assert.include((yield* get(url, "/livez")).text, config.version)
      const quotes = yield* get(url, pair, apiKey)
      assert.strictEqual(quotes.status, 200, quotes.text)
      const pages = yield* Effect.forEach(
        ["/docs", "/dashboard/login", "/llms.txt"],
        (path) => get(url, path),
      )
      assert.deepStrictEqual(pages.map(({ status }) => status), [200, 200, 200])
    }))
    assert.include(yield* deno(run(named("cli"), "--help"), environment, folder), "USAGE")
    const accounts = yield* deno(run(named("cli"), "accounts", "list"), environment, folder)
    assert.include(accounts, "default")
  })

  it.effect("is what a provider outside is written with", function* () {
    const { environment } = yield* Package
    const folder = yield* temporaryFolder
    const example = new URL("test/conformance/example/", root)
    for (const { name } of Deno.readDirSync(example)) {
      yield* Effect.promise(() => Deno.copyFile(new URL(name, example), `${folder}/${name}`))
    }
    const imports = { [config.name]: `jsr:${config.name}@^${config.version}`, effect: config.imports.effect }
    yield* Effect.promise(() => Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ imports })))
    const { href } = yield* serve({ hostname: "127.0.0.1", port: 0, handler: makeExchange("a-key").handle })
    const settings = { ...environment, BOOTSTRAP_API_KEY: apiKey, EXAMPLE_URL: href, EXAMPLE_KEY: "a-key" }
    const { url } = yield* startFile({ file, folder, environment: settings }, run("main.ts"))
    const { text } = yield* get(url, pair, apiKey)
    assert.include(text, '"platform":"example"')
  })
})
