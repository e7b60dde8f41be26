import { Effect } from "effect"
import type { RunningService } from "#test/support/process.ts"
import { footprint } from "./footprint.ts"
import { startBehindGates, startNetworks, weighed } from "./stage.ts"
import { until } from "./until.ts"
import { atMost, type Judged, judgedCells } from "./goal.ts"
import { median, percentile } from "./statistics.ts"
import { table } from "./table.ts"

/** Streams of quotes while one of two providers hangs. */
export interface StreamFigures {
  /** Milliseconds to the quotes of the provider that answers, asked alone. */
  readonly alone: number
  /** What the first event of a stream takes longer, in milliseconds: medians by turns. */
  readonly firstEvent: Judged
  /** Milliseconds from hanging up until the call that hangs is cut off, of 19 in 20. */
  readonly cutOff: Judged
  readonly streams: number
  /** Of the heap once all garbage is collected, for all streams together. */
  readonly megabytes: Judged
}

const rounds = 60
const warmUps = 20
const streams = 1_000

let asked = 0

/** Another amount each time, so that no answer of before can be reused. */
const pathOf = (name: string, more = "") => {
  asked += 1
  const amount = (0.2 + asked / 1e6).toFixed(6)
  return `/${name}?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=${amount}${more}`
}

const ask = ({ apiKey, url }: RunningService, path: string, signal: AbortSignal | null = null) =>
  fetch(new URL(path, url), { headers: { "x-api-key": apiKey }, signal })

/** Opens a stream and reads up to its first quotes. */
const open = async (service: RunningService, more = "") => {
  const hangUp = new AbortController()
  const response = await ask(service, pathOf("quotes/stream", more), hangUp.signal)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  while (!text.includes("event: quote\n")) {
    const piece = await reader?.read()
    if (piece === undefined || piece.done) throw new Error(`No quotes came: ${response.status} ${text}`)
    text += piece.value
  }
  return hangUp
}

const timed = async <A>(work: () => Promise<A>): Promise<readonly [millis: number, result: A]> => {
  const began = performance.now()
  const result = await work()
  return [performance.now() - began, result]
}

export const measureStreams = Effect.gen(function* () {
  const { url } = yield* startNetworks
  const { gates: { chainflip }, service } = yield* startBehindGates(url, {
    PROVIDERS: "chainflip,near-intents",
    QUOTE_TIMEOUT: "60 seconds",
    QUOTE_DEADLINE: "60 seconds",
    QUOTE_BULKHEAD: "5000",
    CIRCUIT_MINIMUM_CALLS: "10000",
    CIRCUIT_WINDOW: "10000",
    EVENT_STREAMS_MOST: `${streams}`,
  }, weighed)
  return yield* Effect.promise(async (): Promise<StreamFigures> => {
    chainflip.misbehave("hang", /quote/)
    const alone: Array<number> = []
    const first: Array<number> = []
    const cutOff: Array<number> = []
    for (let round = -warmUps; round < rounds; round++) {
      const [aloneMillis, answer] = await timed(() =>
        ask(service, pathOf("quotes", "&platform=near-intents"))
      )
      await answer.body?.cancel()
      const [firstMillis, hangUp] = await timed(() => open(service))
      const [cutMillis] = await timed(async () => {
        hangUp.abort()
        while (chainflip.unanswered() > 0) await new Promise((resolve) => setTimeout(resolve, 1))
      })
      if (round < 0) continue
      alone.push(aloneMillis)
      first.push(firstMillis)
      cutOff.push(cutMillis)
    }
    const before = await footprint(service)
    const all: Array<AbortController> = []
    while (all.length < streams) {
      all.push(...await Promise.all(Array.from({ length: 20 }, () => open(service))))
    }
    const during = await footprint(service)
    for (const hangUp of all) hangUp.abort()
    await until(() => chainflip.unanswered() === 0)
    return {
      alone: median(alone),
      firstEvent: atMost(5, median(first) - median(alone)),
      cutOff: atMost(50, percentile(cutOff, 0.95)),
      streams,
      megabytes: atMost(150, during.heapMegabytes - before.heapMegabytes),
    }
  })
}).pipe(Effect.scoped)

/** The figures as a person reads them. */
export const renderStreams = ({ alone, cutOff, firstEvent, megabytes, streams }: StreamFigures): string =>
  table([
    ["Streams of quotes while one provider hangs", "figure", "goal", "reached"],
    ["the other provider's quotes, asked alone, ms", alone.toFixed(2), "", ""],
    ["the first event comes later by, ms", ...judgedCells(firstEvent, 2)],
    ["a call ends after its listener, ms, of 19 in 20", ...judgedCells(cutOff, 1)],
    [`heap of ${streams} streams, MB`, ...judgedCells(megabytes, 1)],
  ])
