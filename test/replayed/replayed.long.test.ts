import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Equal } from "effect"
import { recorded as ofChainflip } from "#test/providers/chainflip/recorded.ts"
import { recorded as ofNearIntents } from "#test/providers/near-intents/recorded.ts"
import { recorded as ofRelay } from "#test/providers/relay/recorded.ts"
import { recordedOf } from "#test/providers/thorchain/recorded.ts"
import {
  type Fault,
  limitsFault,
  openAndFollow,
  type Pair,
  pairsOf,
  payAndFollow,
  type Provider,
  quotesOf,
  served,
  serving,
} from "./support/journeys.ts"
import { Networks, replayed, simulated } from "./support/services.ts"

/** Every pair is quoted with each; openings and payloads are of the middle one for every pair, of the others for some. */
const commissions = [0, 15, 50] as const
const usual = 15
const oneIn = 15

/** `deno task pairs` takes every pair, the suite one in five. */
const chosenOf = (providers: ReadonlyArray<Provider>): ReadonlyArray<Pair> =>
  pairsOf(providers).filter((_, index) => Deno.env.get("PAIRS") === "all" || index % 5 === 0)

const steps = ["limits", "quote", "opening", "payload", "status"] as const
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

/**
 * The quotes of a pair. The clock jumps by hours between swaps: a call of the background that it cut off, and that this
 * one shared, ran out of time, as the next one does not.
 */
const quotesFrom = Effect.fnUntraced(function* (providers: ReadonlyArray<Provider>, pair: Pair, bps: number) {
  const first = yield* quotesOf(pair, bps)
  return providers.every((provider) => first.idOf(provider) !== undefined)
    ? first
    : yield* quotesOf(pair, bps)
})

const journey = Effect.fnUntraced(function* (tally: Tally, pair: Pair, bps: number, isOpened: boolean) {
  const providers = serving((yield* Networks).providers, pair)
  const { idOf, told } = yield* quotesFrom(providers, pair, bps)
  // A recorded body of Chainflip has fees of its own amount, which can be more than the least of a dollar coin.
  if (bps === usual && !providers.includes("chainflip")) {
    const fault = yield* limitsFault(providers, pair)
    for (const provider of providers) tally.take(provider, "limits", pair, bps, fault)
  }
  for (const provider of providers) {
    tally.take(provider, "quote", pair, bps, idOf(provider) === undefined ? `no quote: ${told}` : undefined)
    if (!isOpened || !served[provider].hasChannels) continue
    // A fresh one: hours have passed since a swap at another provider was followed to its end.
    const fresh = yield* quotesFrom([provider], pair, bps)
    const quoteId = fresh.idOf(provider)
    if (quoteId === undefined) {
      tally.take(provider, "opening", pair, bps, `no quote: ${fresh.told}`)
      continue
    }
    const { opening, status } = yield* openAndFollow(provider, pair, quoteId, bps)
    tally.take(provider, "opening", pair, bps, opening)
    if (opening === undefined) tally.take(provider, "status", pair, bps, status)
  }
  if (!isOpened) return
  for (const provider of providers.filter(hasVaults)) {
    if (!served[provider].payloads.includes(pair.source)) continue
    const { payload, status } = yield* payAndFollow(provider, pair, bps)
    tally.take(provider, "payload", pair, bps, payload)
    if (payload === undefined) tally.take(provider, "status", pair, bps, status)
  }
})

const everyPair = Effect.gen(function* () {
  const { providers } = yield* Networks
  const chosen = chosenOf(providers)
  const tally = makeTally()
  for (const [index, pair] of chosen.entries()) {
    for (const bps of commissions) yield* journey(tally, pair, bps, bps === usual || index % oneIn === 0)
  }
  assert.deepStrictEqual(tally.faults.slice(0, 20), [], `${tally.faults.length} faults`)
  for (const provider of providers) {
    const pairs = chosen.filter((pair) => serving([provider], pair).length > 0).length
    const counts = steps.map((step) => `${tally.countOf(provider, step)} ${step}`).join(", ")
    console.log(`${provider}: ${pairs} pairs, ${counts}`)
    assert.strictEqual(tally.countOf(provider, "quote"), pairs * commissions.length, provider)
  }
})

const answers: Readonly<Record<Provider, typeof ofChainflip>> = {
  chainflip: ofChainflip,
  "near-intents": ofNearIntents,
  relay: ofRelay,
  thorchain: recordedOf("thorchain"),
  maya: recordedOf("maya"),
}

describe("every recorded answer", () => {
  for (const [provider, recorded] of Object.entries(answers)) {
    it(`of ${provider} is read as its source says`, () => {
      const faults = recorded.filter(({ expected, read }) => !Equal.equals(read(), expected))
      assert.deepStrictEqual(faults.map(({ name }) => name), [])
      console.log(`${provider}: ${recorded.length} recorded answers, all read`)
    })
  }
})

describe("the service before upstreams that answer with what was recorded", () => {
  it.live("quotes, opens, pays and follows every pair of Chainflip", () =>
    everyPair.pipe(Effect.provide(replayed)))

  it.live("quotes, opens, pays and follows every pair of the networks that are made of recorded answers", () =>
    everyPair.pipe(Effect.provide(simulated)))
})
