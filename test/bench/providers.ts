import { Effect } from "effect"
import { assetIds } from "#domain/chains/Asset.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { gnosis } from "#test/support/gnosis.ts"
import { type RunningService, startProgram, startService } from "#test/support/process.ts"
import { wireForm } from "./Connection.ts"
import { type AddedLatency, addedLatency } from "./addedLatency.ts"
import { atMost, type Judged, judgedCells } from "./goal.ts"
import type { Target } from "./load.ts"
import { table } from "./table.ts"

/** What quotes of all providers take longer than quotes of one. */
export interface ProviderFigures {
  readonly names: ReadonlyArray<string>
  readonly one: AddedLatency
  readonly all: AddedLatency
  /** The added latency of all by that of one. */
  readonly ratio: Judged
  /** The same of a service with three times as many assets, and its list of assets by the list of the usual. */
  readonly many: AddedLatency
  readonly manyAssets: number
  readonly manyRatio: Judged
  readonly listRatio: Judged
}

/** Assets of a chain that no provider serves, until there are three times as many as without them. */
const moreAssets = () => {
  const added = Array.from({ length: assetIds().length * 2 }, (_, index) => {
    const ticker = `MORE${index}`
    const contractAddress = `0x${`${index + 1}`.padStart(40, "0")}`
    return [`${ticker.toLowerCase()}.gno`, {
      chain: "Gnosis",
      ticker,
      name: `Token ${index}`,
      decimals: 18,
      contractAddress,
    }]
  })
  return { ...gnosis, assets: { ...gnosis.assets, ...Object.fromEntries(added) } }
}

/** How many rounds of turns between the two lists of assets, and how many requests a turn has. */
const listRounds = 20
const perTurn = 100

/** How long a list of assets takes at its fastest turn, in milliseconds a request; the turns of both alternate. */
const listTimes = async (
  services: readonly [RunningService, RunningService],
): Promise<readonly [number, number]> => {
  const turn = async ({ url }: RunningService): Promise<number> => {
    const begun = performance.now()
    for (let n = 0; n < perTurn; n++) await (await fetch(new URL("/assets", url))).body?.cancel()
    return (performance.now() - begun) / perTurn
  }
  const best: [number, number] = [Infinity, Infinity]
  for (let round = 0; round < listRounds; round++) {
    best[0] = Math.min(best[0], await turn(services[0]))
    best[1] = Math.min(best[1], await turn(services[1]))
  }
  return best
}

/** Rounds after which what is asked all the time is compiled. */
const warmUps = 20

const amounts = Array.from({ length: 20 }, (_, index) => `1.${`${index}`.padStart(2, "0")}1`)

const quotesOf = ({ apiKey, url }: RunningService): Target => ({
  url,
  requests: amounts.map((amount) =>
    wireForm(new URL(`/quotes?sourceAsset=eth.eth&destinationAsset=btc.btc&amount=${amount}`, url), apiKey)
  ),
})

/** Which providers quote; all of them have to, or there is nothing to compare. */
const quoting = async ({ apiKey, url }: RunningService): Promise<ReadonlyArray<string>> => {
  const asked = new URL("/quotes?sourceAsset=eth.eth&destinationAsset=btc.btc&amount=1.001&start=any", url)
  const answer = await fetch(asked, { headers: { "x-api-key": apiKey } })
  await answer.body?.cancel()
  const status = answer.headers.get("provider-status") ?? ""
  const refused = status.split(", ").filter((one) => !one.endsWith(";ok"))
  if (refused.length > 0) throw new Error(`Not every provider quotes: ${status}`)
  return status.split(", ").map((one) => one.replace(";ok", ""))
}

/** So few that five upstream calls for each do not wait for a processor. */
const requestsPerSecond = 25

/** Every amount once, so that the proxy has every answer. */
const warmUp = async ({ apiKey, url }: RunningService) => {
  for (const amount of amounts) {
    const asked = new URL(`/quotes?sourceAsset=eth.eth&destinationAsset=btc.btc&amount=${amount}`, url)
    await (await fetch(asked, { headers: { "x-api-key": apiKey } })).body?.cancel()
  }
}

/**
 * Quotes of one provider and of all, each at a steady pace beside the same request to the upstreams' process itself,
 * which answers all of them from memory.
 */
export const measureProviders = Effect.fnUntraced(function* (seconds: number) {
  const sandbox = yield* startProgram("src/sandbox.ts", { PORT: "0", DATA_DIR: "memory", SANDBOX_SPEED: "1" })
  const upstream = yield* startProgram("test/bench/rememberingProxy.ts", { UPSTREAM: sandbox.url.origin })
  const start = (environment: Readonly<Record<string, string>>) =>
    startService({
      SANDBOX_URL: upstream.url.origin,
      QUOTE_CACHE_TTL: "0",
      ...environment,
    })
  const file = `${yield* temporaryFolder}/catalogue.json`
  yield* Effect.promise(() => Deno.writeTextFile(file, JSON.stringify(moreAssets())))
  const [one, all] = [yield* start({ PROVIDERS: "chainflip" }), yield* start({})]
  const richer = yield* start({ CATALOGUE_FILE: file })
  return yield* Effect.promise(async (): Promise<ProviderFigures> => {
    await quoting(one)
    const names = await quoting(all)
    const direct: Target = {
      url: upstream.url,
      requests: [wireForm(new URL("/chainflip/backend/api/networkInfo", upstream.url))],
    }
    for (let round = 0; round < warmUps; round++) {
      await warmUp(one)
      await warmUp(all)
      await warmUp(richer)
    }
    const ofOne = await addedLatency(quotesOf(one), direct, seconds, requestsPerSecond)
    const ofAll = await addedLatency(quotesOf(all), direct, seconds, requestsPerSecond)
    const ofMany = await addedLatency(quotesOf(richer), direct, seconds, requestsPerSecond)
    const [usualList, longList] = await listTimes([all, richer])
    return {
      names,
      one: ofOne,
      all: ofAll,
      ratio: atMost(1.6, ofAll.added.p50 / ofOne.added.p50),
      many: ofMany,
      manyAssets: assetIds().length * 3,
      manyRatio: atMost(1.05, ofMany.added.p50 / ofAll.added.p50),
      listRatio: atMost(1.05, longList / usualList),
    }
  })
}, Effect.scoped)

/** The figures as a person reads them. */
export const renderProviders = (
  { all, listRatio, many, manyAssets, manyRatio, names, one, ratio }: ProviderFigures,
): string =>
  table([
    ["Quotes at a steady pace", "p50 ms", "added p50 ms"],
    ["of one provider", one.service.p50.toFixed(2), one.added.p50.toFixed(2)],
    [`of ${names.length} (${names.join(", ")})`, all.service.p50.toFixed(2), all.added.p50.toFixed(2)],
    ["ratio of the added", ...judgedCells(ratio, 2)],
    [`of ${names.length}, with ${manyAssets} assets`, many.service.p50.toFixed(2), many.added.p50.toFixed(2)],
    ["ratio of the added", ...judgedCells(manyRatio, 2)],
    ["ratio of /assets", ...judgedCells(listRatio, 2)],
  ])
