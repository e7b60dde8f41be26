import { Effect } from "effect"
import { type RunningService, startProgram, startService } from "../support/process.ts"
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
  const [one, all] = [yield* start({ PROVIDERS: "chainflip" }), yield* start({})]
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
    }
    const ofOne = await addedLatency(quotesOf(one), direct, seconds, requestsPerSecond)
    const ofAll = await addedLatency(quotesOf(all), direct, seconds, requestsPerSecond)
    return { names, one: ofOne, all: ofAll, ratio: atMost(1.6, ofAll.added.p50 / ofOne.added.p50) }
  })
}, Effect.scoped)

/** The figures as a person reads them. */
export const renderProviders = ({ all, names, one, ratio }: ProviderFigures): string =>
  table([
    ["Quotes at a steady pace", "p50 ms", "added p50 ms"],
    ["of one provider", one.service.p50.toFixed(2), one.added.p50.toFixed(2)],
    [`of ${names.length} (${names.join(", ")})`, all.service.p50.toFixed(2), all.added.p50.toFixed(2)],
    ["ratio of the added", ...judgedCells(ratio, 2)],
  ])
