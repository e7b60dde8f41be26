import { Context, Effect, Layer } from "effect"
import { type Chain, chainFacts, chains } from "#domain/chains/Chain.ts"
import { factsOf } from "#domain/chains/Asset.ts"
import { ownProviders } from "#cli/ownProviders.ts"
import { type AssetSupport, type Provider, startsOf } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { startInMemory } from "#infrastructure/store/database/EmbeddedDatabase.ts"
import { readFrom } from "#test/infrastructure/config/read.ts"
import { defaultOptions } from "#test/sandbox/support.ts"
import config from "../../deno.json" with { type: "json" }

const root = new URL("../../", import.meta.url)

/** Where what is supported is listed. */
export const supportPlace = new URL("src/support.md", root)

const read = (path: string): string => Deno.readTextFileSync(new URL(path, root))

/** The first group of a pattern, which has to be in a text. */
const found = (pattern: RegExp, path: string): string => {
  const [, group] = pattern.exec(read(path)) ?? []
  if (group === undefined) throw new Error(`${path} has nothing like ${pattern}`)
  return group
}

/** The servers that the gates are run on: a test compares them with those that it is given. */
export const gatesRunOn = { postgres: "15", redis: "7.0" }

interface Known {
  readonly provider: Provider
  readonly assets: ReadonlyArray<AssetSupport>
}

const yes = (is: boolean): string => is ? "yes" : "-"

const lateDeposit = (provider: Provider): string => provider.capabilities.lateDeposit

/** What a provider can do, by what its port has. */
const abilities: ReadonlyArray<readonly [name: string, cell: (provider: Provider) => string]> = [
  ["quotes", () => "yes"],
  [
    "quotes for an output, to the unit (`amountOut`)",
    ({ capabilities }) => yes(capabilities.exactOutput === true),
  ],
  ["deposit channels", ({ channels }) => yes(channels !== undefined)],
  [
    "channels without an amount",
    ({ capabilities, channels }) => yes(channels !== undefined && !capabilities.needsAmount),
  ],
  ["a deposit after the channel has expired is", lateDeposit],
  ["boost", ({ capabilities }) => yes(capabilities.boost)],
  ["chunks (DCA)", ({ capabilities }) => yes(capabilities.dca)],
  ["messages to contracts (CCM)", ({ capabilities }) => yes(capabilities.ccm)],
  ["waits for a price", ({ capabilities }) => yes(capabilities.retry)],
  ["highest commission, bps", ({ capabilities }) => `${capabilities.maximumCommissionBps}`],
  ["affiliates in a request", ({ capabilities }) => yes(capabilities.affiliates)],
  ["payloads of transactions from", ({ vaultSwaps }) => vaultSwaps?.chains.map(titleOf).join(", ") ?? "-"],
  ["status of a channel", ({ channels }) => yes(channels !== undefined)],
  ["status of a transaction", ({ vaultSwaps }) => yes(vaultSwaps !== undefined)],
  [
    "channel found by the deposit's transaction",
    ({ channels }) => yes(channels?.findTransaction !== undefined),
  ],
  ["transactions found without a status check", ({ vaultSwaps }) => yes(vaultSwaps?.list !== undefined)],
  ["openings found after a lost reply", ({ channels }) => yes(channels?.findOpening !== undefined)],
  ["channels without a record listed", ({ channels }) => yes(channels?.list !== undefined)],
  ["deposits searched again (reindex)", ({ channels }) => yes(channels?.reindex !== undefined)],
  ["calls of its JSON-RPC (`/rpc`)", ({ node }) => yes(node !== undefined)],
  ["treasury: balances", ({ treasury }) => yes(treasury !== undefined)],
  ["treasury: withdrawals", ({ treasury }) => yes(treasury?.withdrawals !== undefined)],
  ["treasury: lost withdrawals found", ({ treasury }) => yes(treasury?.withdrawals?.find !== undefined)],
  ["treasury: affiliates registered", ({ treasury }) => yes(treasury?.affiliates !== undefined)],
]

const titleOf = (chain: Chain): string => chainFacts(chain).title

const row = (cells: ReadonlyArray<string | number>): string => `| ${cells.join(" | ")} |`

const table = (
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number>>,
): string => [row(headings), row(headings.map(() => "---")), ...rows.map(row)].join("\n")

/** How a provider serves a chain: how many of its assets come in and go out, and how swaps from there begin. */
const served = (chain: Chain, { assets, provider }: Known): string => {
  const here = assets.filter(({ asset }) => factsOf(asset).chain === chain)
  const from = here.filter(({ ingress }) => ingress).length
  const to = here.filter(({ egress }) => egress).length
  if (from + to === 0) return "-"
  const starts = from === 0 ? [] : startsOf(provider, chain)
  return [`from ${from}, to ${to}`, ...starts].join("; ")
}

/** The calls that a wire's document names with a version. */
const versioned = (path: string): string =>
  [...new Set([...read(path).matchAll(/`(?:GET|POST) (\/[^\s`?]*)/g)].map(([, call = ""]) => call))]
    .filter((call) => /\/v\d/.test(call)).map((call) => `\`${call}\``).join(", ") || "-"

/** What a wire's document says that it was read off. */
const readOff = (path: string): string =>
  /(?:Read off|Facts are) ([\s\S]+?)[.;](?=\s)/.exec(read(path))?.[1]?.replaceAll(/\s+/g, " ") ?? "-"

/** The document of each wire, by its folder. */
const wires = () =>
  [...Deno.readDirSync(new URL("src/providers/", root))]
    .filter(({ isDirectory, name }) => isDirectory && name !== "template")
    .flatMap(({ name }) =>
      [...Deno.readDirSync(new URL(`src/providers/${name}/`, root))]
        .filter((file) => file.name.startsWith("wire."))
        .map((file) => ({ name, path: `src/providers/${name}/${file.name}` }))
    )
    .toSorted((one, other) => one.name < other.name ? -1 : 1)

const providersOfSandbox = Effect.gen(function* () {
  const { url } = Context.get(yield* Layer.build(Sandbox.layer(defaultOptions)), Sandbox)
  const settings = yield* readFrom({ SANDBOX_URL: url.origin, DATA_DIR: "memory" })
  const configured = yield* settings.providersAt(settings.sandbox.url)
  return yield* Effect.gen(function* () {
    const all = yield* (yield* Registry).enabled
    return yield* Effect.forEach(all, (provider): Effect.Effect<Known, unknown> =>
      Effect.map(
        Effect.retry(provider.assets, { times: 20 }),
        (assets) => ({ provider, assets }),
      ))
  }).pipe(Effect.provide(ownProviders(settings, configured)))
}).pipe(Effect.scoped)

const embeddedVersion = Effect.gen(function* () {
  const database = yield* startInMemory
  const { rows } = yield* Effect.promise(() =>
    database.query<{ server_version: string }>("SHOW server_version")
  )
  return rows[0]?.server_version ?? ""
}).pipe(Effect.scoped)

/** The page about what is supported, made of the ports of the providers beside the sandbox and of where versions stand. */
export const supportDocument = Effect.gen(function* () {
  const all = yield* providersOfSandbox
  const names = all.map(({ provider }) => provider.name)
  const [, engine] = config.imports["@electric-sql/pglite"].split("@electric-sql/pglite@")
  const denoNeeded = found(/or \[Deno\]\(\S+\) ([\d.]+\d)/, "README.md")
  const denoFetched = found(/npx --yes deno@([\d.]+)/, "README.md")
  return `# What is supported

Generated from the code (\`deno task readme\`): the providers beside the sandbox, the catalogue, and the versions in use. For what
a provider serves today, see \`GET /assets\` or \`cli catalogue\`.

## Providers and operations

${
    table(
      ["", ...names],
      abilities.map(([name, cell]) => [name, ...all.map(({ provider }) => cell(provider))]),
    )
  }

## Chains and providers

The number of assets that a provider accepts from a chain and pays out there, and how swaps from it start: with a deposit channel,
or with a transaction that the sender's wallet builds from a payload.

${
    table(
      ["chain", ...names],
      chains().map((chain) => [titleOf(chain), ...all.map((known) => served(chain, known))]),
    )
  }

## Runtimes

${
    table(["what", "version"], [
      ["Deno", `${denoNeeded}; \`npx\` fetches ${denoFetched}`],
      ...[...read("src/tools/binary/README.md").matchAll(/^\| `(compiled|unpacking)` \| ([^|]+) \|/gm)]
        .map((
          [, kind = "", what = ""],
        ) => [`binary, \`${kind}\``, `for the system it is made on: ${what}`]),
      [
        "image (`cli deploy docker`)",
        `\`${found(/^FROM (\S+)\nCOPY --from=build/m, "src/cli/deploy/container.txt")}\``,
      ],
    ])
  }

## Servers

${
    table(["what", "version", "from"], [
      ["Postgres, embedded", yield* embeddedVersion, `PGlite ${engine}`],
      ["Postgres, served", gatesRunOn.postgres, "the tests run on it"],
      [
        "Postgres, served",
        found(/image: \S+\/postgres:([\d.]+)/, "src/cli/deploy/compose.txt"),
        "`cli deploy compose`",
      ],
      ["Redis", gatesRunOn.redis, "the tests run on it"],
      ["Valkey", found(/image: \S+\/valkey:([\d.]+)/, "src/cli/deploy/compose.txt"), "`cli deploy compose`"],
    ])
  }

## Upstreams

The versioned calls of each upstream, and the source of its description.

${
    table(
      ["upstream", "versioned calls", "source"],
      wires().map(({ name, path }) => [
        `[${name}](${path.replace("src/", "")})`,
        versioned(path),
        readOff(path),
      ]),
    )
  }
`
})
