import { Context, Effect, Layer } from "effect"
import { type Chain, chainFacts, chains } from "#domain/chains/Chain.ts"
import { factsOf } from "#domain/chains/Asset.ts"
import { ownProviders } from "#cli/ownProviders.ts"
import { type AssetSupport, type Provider, startsOf } from "#providers/Provider.ts"
import { providerTitle, Registry } from "#providers/Registry.ts"
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

/** The highest commission that a request can name. */
const mostAsked = 995

const highestCommission = ({ affiliates, maximumCommissionBps }: Provider["capabilities"]): string =>
  `${Math.min(mostAsked, maximumCommissionBps)}${
    affiliates ? `; with affiliates ${maximumCommissionBps} together` : ""
  }`

const lateDeposits = { lost: "lost", refunded: "refunded", swapped: "swapped", untold: "unknown" }

/** What a provider can do, by what its port has. */
const abilities: ReadonlyArray<readonly [name: string, cell: (provider: Provider) => string]> = [
  ["Gives quotes", () => "yes"],
  ["Quotes an exact payout (`amountOut`)", ({ capabilities }) => yes(capabilities.exactOutput === true)],
  ["Opens deposit channels (`/swap`)", ({ channels }) => yes(channels !== undefined)],
  [
    "Opens a channel without an amount",
    ({ capabilities, channels }) => yes(channels !== undefined && !capabilities.needsAmount),
  ],
  [
    "A deposit after the expiry of its channel is …",
    ({ capabilities, channels }) => channels === undefined ? "-" : lateDeposits[capabilities.lateDeposit],
  ],
  ["Boosts Bitcoin deposits", ({ capabilities }) => yes(capabilities.boost)],
  ["Splits a swap into parts (DCA)", ({ capabilities }) => yes(capabilities.dca)],
  ["Sends a message to the receiving contract (CCM)", ({ capabilities }) => yes(capabilities.ccm)],
  ["Waits until the minimum price is met", ({ capabilities }) => yes(capabilities.retry)],
  ["Highest commission, in bps", ({ capabilities }) => highestCommission(capabilities)],
  ["Pays affiliates that a request names", ({ capabilities }) => yes(capabilities.affiliates)],
  [
    "Starts swaps with a transaction (`/tx-payload/*`) from …",
    ({ vaultSwaps }) => vaultSwaps?.chains.map(titleOf).join(", ") ?? "-",
  ],
  ["Reports the status of a channel", ({ channels }) => yes(channels !== undefined)],
  ["Reports the status of a transaction", ({ vaultSwaps }) => yes(vaultSwaps !== undefined)],
  [
    "Finds a channel by the transaction of its deposit",
    ({ channels }) => yes(channels?.findTransaction !== undefined),
  ],
  [
    "Lists transactions, so that the service finds swaps before a request for their status",
    ({ vaultSwaps }) => yes(vaultSwaps?.list !== undefined),
  ],
  [
    "Finds the channel of an opening whose reply was lost",
    ({ channels }) => yes(channels?.findOpening !== undefined),
  ],
  [
    "Lists its channels, so that the service finds channels without a record",
    ({ channels }) => yes(channels?.list !== undefined),
  ],
  [
    "Searches a missed deposit again (`cli swaps reindex`)",
    ({ channels }) => yes(channels?.reindex !== undefined),
  ],
  ["Accepts calls of its JSON-RPC (`/rpc`)", ({ node }) => yes(node !== undefined)],
  ["Shows your balances (`cli treasury`)", ({ treasury }) => yes(treasury !== undefined)],
  ["Pays out your balances (`cli withdraw`)", ({ treasury }) => yes(treasury?.withdrawals !== undefined)],
  [
    "Finds a withdrawal whose reply was lost",
    ({ treasury }) => yes(treasury?.withdrawals?.find !== undefined),
  ],
  ["Registers affiliates (`cli affiliates`)", ({ treasury }) => yes(treasury?.affiliates !== undefined)],
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
  const assetCount = from === to ? `${from}` : from === 0 ? `${to} out` : `${from} in, ${to} out`
  const starts = from === 0 ? [] : startsOf(provider, chain).map((start) => start === "channel" ? "C" : "T")
  return [assetCount, ...starts].join(" ")
}

/** The calls that a wire's document names with a version. */
const versioned = (path: string): string =>
  [...new Set([...read(path).matchAll(/`(?:GET|POST) (\/[^\s`?]*)/g)].map(([, call = ""]) => call))]
    .filter((call) => /\/v\d/.test(call)).map((call) => `\`${call}\``).join(", ") || "-"

/** What a wire's document says that it was read off. */
const readOff = (path: string): string =>
  /(?:Read off|Facts are those of) ([\s\S]+?)[.;](?=\s)/.exec(read(path))?.[1]?.replaceAll(/\s+/g, " ") ??
    "see its document"

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
  const names = all.map(({ provider }) => providerTitle(provider.name))
  const [, engine] = config.imports["@electric-sql/pglite"].split("@electric-sql/pglite@")
  const denoNeeded = found(/or \[Deno\]\(\S+\) ([\d.]+\d)/, "README.md")
  const denoFetched = found(/npx --yes deno@([\d.]+)/, "README.md")
  return `# What is supported

What each provider can do through this service, which chains it serves, and the versions in use. For what a provider serves today, see
\`GET /assets\` or \`cli catalogue\`. This page is generated (\`deno task readme\`), with the providers at the sandbox.

## What each provider can do

\`-\` means no.

${
    table(
      ["", ...names],
      abilities.map(([name, cell]) => [name, ...all.map(({ provider }) => cell(provider))]),
    )
  }

## Chains and providers

How many assets of a chain a provider swaps, and how a swap from there starts: **C** with a deposit channel, **T** with a transaction of
the payer's wallet. \`3 in, 5 out\` means that it takes three assets and pays out five. \`-\` means that it does not serve the chain.

${
    table(
      ["chain", ...names],
      chains().map((chain) => [titleOf(chain), ...all.map((known) => served(chain, known))]),
    )
  }

## Runtimes

${
    table(["runtime", "version"], [
      ["Deno", `${denoNeeded}; \`npx\` fetches ${denoFetched}`],
      ...[...read("src/tools/binary/README.md").matchAll(/^\| `(compiled|unpacking)` \| ([^|]+) \|/gm)]
        .map((
          [, kind = "", what = ""],
        ) => [`binary, \`${kind}\``, `${what}; runs on systems like the one that made it`]),
      [
        "image (`cli deploy docker`)",
        `\`${found(/^FROM (\S+)\nCOPY --from=build/m, "src/cli/deploy/container.txt")}\``,
      ],
    ])
  }

## Servers

${
    table(["server", "version", "used by"], [
      ["Postgres, embedded", yield* embeddedVersion, `PGlite ${engine}`],
      ["Postgres, served", gatesRunOn.postgres, "the tests"],
      [
        "Postgres, served",
        found(/image: \S+\/postgres:([\d.]+)/, "src/cli/deploy/compose.txt"),
        "`cli deploy compose`",
      ],
      ["Redis", gatesRunOn.redis, "the tests"],
      ["Valkey", found(/image: \S+\/valkey:([\d.]+)/, "src/cli/deploy/compose.txt"), "`cli deploy compose`"],
    ])
  }

## Upstreams

An upstream is the API that a provider offers. The list has its calls with a version in their path, and the source of our description.

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
