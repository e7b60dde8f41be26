import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import {
  type Fault,
  openAndFollow,
  type Pair,
  pairs,
  payAndFollow,
  type Provider,
  providers,
  quotesOf,
  served,
  serving,
} from "./support/journeys.ts"
import { liveService } from "./support/LiveService.ts"

/** Every pair is quoted with each; openings and payloads are of the middle one for every pair, of the others for some. */
const commissions = [0, 15, 50] as const
const usual = 15
const oneIn = 15

/** `deno task pairs` takes every pair, the suite one in five. */
const chosen = pairs.filter((_, index) => Deno.env.get("PAIRS") === "all" || index % 5 === 0)

const steps = ["quote", "opening", "payload", "status"] as const
type Step = (typeof steps)[number]

/** How often each step was taken at each provider, and what went wrong. */
const makeTally = () => {
  const taken = new Map<string, number>()
  const faults: Array<string> = []
  return {
    faults,
    take: (provider: Provider, step: Step, { destination, source }: Pair, bps: number, fault: Fault) => {
      taken.set(`${provider} ${step}`, (taken.get(`${provider} ${step}`) ?? 0) + 1)
      if (fault !== undefined) {
        faults.push(`${provider} ${step} ${source} → ${destination} ${bps} bps: ${fault}`)
      }
    },
    countOf: (provider: Provider, step: Step): number => taken.get(`${provider} ${step}`) ?? 0,
  }
}
type Tally = ReturnType<typeof makeTally>

const hasVaults = (provider: Provider): provider is "chainflip" | "thorchain" | "maya" =>
  served[provider].payloads.length > 0

const journey = Effect.fnUntraced(function* (tally: Tally, pair: Pair, bps: number, isOpened: boolean) {
  const { idOf, told } = yield* quotesOf(pair, bps)
  for (const provider of serving(pair)) {
    const quoteId = idOf(provider)
    tally.take(provider, "quote", pair, bps, quoteId === undefined ? `no quote: ${told}` : undefined)
    if (quoteId === undefined || !isOpened || !served[provider].hasChannels) continue
    const { opening, status } = yield* openAndFollow(pair, quoteId, bps)
    tally.take(provider, "opening", pair, bps, opening)
    if (opening === undefined) tally.take(provider, "status", pair, bps, status)
  }
  if (!isOpened) return
  for (const provider of serving(pair).filter(hasVaults)) {
    if (!served[provider].payloads.includes(pair.source)) continue
    const { payload, status } = yield* payAndFollow(provider, pair, bps)
    tally.take(provider, "payload", pair, bps, payload)
    if (payload === undefined) tally.take(provider, "status", pair, bps, status)
  }
})

/** The pairs of those that a provider serves. */
const pairsOf = (provider: Provider): number =>
  chosen.filter((pair) => serving(pair).includes(provider)).length

describe("the live service before upstreams that answer with what was recorded", () => {
  it.live("quotes, opens, pays and follows every pair that they serve", () =>
    Effect.gen(function* () {
      const tally = makeTally()
      for (const [index, pair] of chosen.entries()) {
        for (const bps of commissions) yield* journey(tally, pair, bps, bps === usual || index % oneIn === 0)
      }
      for (const provider of providers) {
        console.log(
          `${provider}: ${pairsOf(provider)} pairs, ${
            steps.map((step) => `${tally.countOf(provider, step)} ${step}`).join(", ")
          }`,
        )
      }
      assert.deepStrictEqual(tally.faults.slice(0, 20), [], `${tally.faults.length} faults`)
      for (const provider of providers) {
        assert.strictEqual(tally.countOf(provider, "quote"), pairsOf(provider) * commissions.length, provider)
      }
    }).pipe(Effect.provide(liveService)))
})
