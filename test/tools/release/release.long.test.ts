import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Schema } from "effect"
import { temporaryFolder } from "#test/support/folder.ts"
import { startFile } from "#test/support/process.ts"

const Sized = Schema.Struct({ mediaType: Schema.String, digest: Schema.String, size: Schema.Number })
const read = <A>(schema: Schema.Codec<A, unknown>, file: string): Promise<A> =>
  Deno.readTextFile(file).then((text) => Schema.decodeUnknownSync(Schema.fromJsonString(schema))(text))

const Index = Schema.Struct({ manifests: Schema.NonEmptyArray(Sized) })
const Manifest = Schema.Struct({ config: Sized, layers: Schema.NonEmptyArray(Sized) })
const Config = Schema.Struct({
  config: Schema.Struct({
    User: Schema.String,
    Entrypoint: Schema.NonEmptyArray(Schema.String),
    Healthcheck: Schema.Struct({ Test: Schema.Array(Schema.String) }),
  }),
  rootfs: Schema.Struct({ diff_ids: Schema.Array(Schema.String) }),
})
const Bill = Schema.Struct({
  components: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      licenses: Schema.Array(Schema.Struct({ expression: Schema.String })),
    }),
  ),
})

const ran = async (command: string, args: ReadonlyArray<string>, cwd?: string): Promise<string> => {
  const options = { args: [...args], ...(cwd === undefined ? {} : { cwd }) }
  const { code, stderr, stdout } = await new Deno.Command(command, options).output()
  assert.strictEqual(code, 0, `${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`)
  return new TextDecoder().decode(stdout)
}

const sha256 = async (file: string): Promise<string> => (await ran("sha256sum", [file])).slice(0, 64)

/** What a blob of an image says of itself is true. */
const checked = async (folder: string, { digest, size }: typeof Sized.Type): Promise<string> => {
  const file = `${folder}/blobs/${digest.replace(":", "/")}`
  assert.strictEqual((await Deno.stat(file)).size, size)
  assert.strictEqual(`sha256:${await sha256(file)}`, digest)
  return file
}

const key = "a-key-of-the-released-binary-01234"

describe("a release", () => {
  it.live(
    "is whole: checksums, a bill of licences, an image, and a binary that gives a quote",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const out = `${folder}/out`
        yield* Effect.promise(async () => {
          await ran(Deno.execPath(), ["task", "-q", "release", out, "--rehearsal", "--here"])
          await ran("sha256sum", ["--check", "--strict", "SHA256SUMS"], out)
        })
        const files = yield* Effect.promise(() => Array.fromAsync(Deno.readDir(out), ({ name }) => name))
        const named = (part: string) => `${out}/${files.find((name) => name.includes(part)) ?? part}`

        const { components } = yield* Effect.promise(() => read(Bill, named("sbom.json")))
        for (const { licenses: [licence], name } of components) assert.isNotEmpty(licence?.expression, name)
        assert.includeMembers(components.map(({ name }) => name), ["effect", "deno", "libc6"])
        assert.notInclude(components.map(({ name }) => name), "bash")

        yield* Effect.promise(async () => {
          const image = `${folder}/image`
          const root = `${folder}/root`
          for (const made of [image, root]) await Deno.mkdir(made)
          await ran("tar", ["-xf", named("image"), "-C", image])
          const { manifests: [manifest] } = await read(Index, `${image}/index.json`)
          const { config, layers: [layer] } = await read(Manifest, await checked(image, manifest))
          const { config: run, rootfs } = await read(Config, await checked(image, config))
          const packed = await checked(image, layer)
          assert.strictEqual(run.User, "65532:65532")
          assert.deepStrictEqual(run.Healthcheck.Test, ["CMD", run.Entrypoint[0], "healthy"])
          await ran("sh", ["-c", `gzip -dc "$0" > "$1"`, packed, `${folder}/layer`])
          assert.deepStrictEqual(rootfs.diff_ids, [`sha256:${await sha256(`${folder}/layer`)}`])
          await ran("tar", ["-xf", `${folder}/layer`, "-C", root, "--no-same-owner"])
          for (const path of [run.Entrypoint[0].slice(1), "bin/sh", "opt/swap-broker/deno"]) {
            assert.notStrictEqual(((await Deno.stat(`${root}/${path}`)).mode ?? 0) & 0o111, 0, path)
          }
        })

        const environment = {
          PORT: "0",
          DATA_DIR: "memory",
          BOOTSTRAP_API_KEY: key,
          DRAIN_DELAY: "0 millis",
          XDG_CACHE_HOME: folder,
        }
        const { url } = yield* startFile({ file: named("linux"), folder, environment }, ["start"])
        const quotes = new URL("/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1", url)
        const answer = yield* Effect.promise(() => fetch(quotes, { headers: { "x-api-key": key } }))
        assert.strictEqual(answer.status, 200)
        assert.include(yield* Effect.promise(() => answer.text()), '"egressAmount"')

        const health = (port: string) =>
          Effect.promise(() =>
            new Deno.Command(named("linux"), {
              args: ["healthy"],
              clearEnv: true,
              env: { XDG_CACHE_HOME: folder, PORT: port },
            }).output().then(({ code }) => code)
          )
        assert.strictEqual(yield* health(url.port), 0)
        assert.strictEqual(yield* health("9"), 1)
      }).pipe(Effect.scoped),
    300_000,
  )
})
