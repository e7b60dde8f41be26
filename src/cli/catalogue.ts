import { Effect, Logger, Result } from "effect"
import { Command } from "effect/cli"
import { type AssetId, assetIds, factsOf } from "#domain/chains/Asset.ts"
import { caip19Of } from "#domain/chains/catalogue/Catalogue.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Provider } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { readSettings } from "#settings.ts"
import { wrongSettings } from "./failures.ts"
import { type Columns, print, prints, table } from "./output.ts"
import { callable, ownProviders } from "./ownProviders.ts"
import { aProvider, flag } from "./parameters.ts"

/** An asset of the catalogue, with the providers that accept deposits of it and pay it out. */
interface Row {
  readonly asset: AssetId
  readonly network: string
  readonly decimals: number
  readonly contract: string | undefined
  readonly caip19: string
  readonly takenBy: ReadonlyArray<ProviderName>
  readonly paidBy: ReadonlyArray<ProviderName>
}

/** What a provider leaves out of its upstream's list, or why its list is not known. */
interface LeftOut {
  readonly provider: ProviderName
  readonly reason: string
}

const columns: Columns<Row> = [
  "asset",
  "network",
  "decimals",
  "contract",
  ["taken by", ({ takenBy }) => takenBy.join(", ") || undefined],
  ["paid by", ({ paidBy }) => paidBy.join(", ") || undefined],
]

const report = (rows: ReadonlyArray<Row>, leftOut: ReadonlyArray<LeftOut>): string =>
  [
    table(columns, rows),
    ...(leftOut.length === 0 ? [] : [table<LeftOut>(["provider", ["left out", "reason"]], leftOut)]),
  ].join("\n\n")

/** Asks a provider for its assets, and keeps the lines that it logs about what it leaves out. */
const listed = Effect.fnUntraced(function* (provider: Provider) {
  const lines: Array<string> = []
  const keeping = Logger.make<unknown, void>(({ message }) => {
    lines.push([message].flat().map(String).join(" "))
  })
  const found = yield* Effect.result(provider.assets).pipe(Effect.provide(Logger.layer([keeping])))
  const failure = Result.isFailure(found) ? [`Its assets are not known: ${found.failure}`] : []
  return {
    name: provider.name,
    assets: Result.getOrElse(found, () => []),
    leftOut: [...lines, ...failure].map((reason): LeftOut => ({ provider: provider.name, reason })),
  }
})

/** `catalogue`: every asset of the catalogue, who serves it at present, and what was left out of the upstreams' lists. */
export const catalogue = Command.make(
  "catalogue",
  { provider: flag("provider", "Only this provider", aProvider) },
  Effect.fnUntraced(function* ({ provider }) {
    const settings = yield* Effect.mapError(readSettings, wrongSettings)
    const configured = yield* Effect.catchTag(
      callable(settings, provider),
      "SettingsWrong",
      (error) => Effect.fail(wrongSettings(error)),
    )
    const all = yield* Effect.gen(function* () {
      return yield* Effect.forEach(yield* (yield* Registry).enabled, listed, { concurrency: "unbounded" })
    }).pipe(Effect.provide(ownProviders(settings, configured)))
    const rows = assetIds().map((asset): Row => {
      const { chain, contractAddress, decimals } = factsOf(asset)
      const by = (is: "egress" | "ingress") =>
        all.flatMap(({ assets, name }) => assets.some((one) => one.asset === asset && one[is]) ? [name] : [])
      return {
        asset,
        network: chainFacts(chain).title,
        decimals,
        contract: contractAddress,
        caip19: caip19Of(asset),
        takenBy: by("ingress"),
        paidBy: by("egress"),
      }
    })
    const leftOut = all.flatMap(({ leftOut }) => leftOut)
    yield* print({ assets: rows, leftOut }, report(rows, leftOut))
  }),
).pipe(
  Command.withDescription(
    "List every asset, with the providers that accept deposits of it and pay it out now, and the reason for each asset " +
      "of an upstream that is left out",
  ),
  prints(
    "`{assets: [{asset, network, decimals, contract?, caip19, takenBy: [provider], paidBy: [provider]}], " +
      "leftOut: [{provider, reason}]}`",
  ),
)
