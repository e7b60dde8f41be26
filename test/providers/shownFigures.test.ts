import { assert, describe, it } from "./support.ts"
import { Effect } from "effect"
import { longestSwapMillis } from "#domain/Time.ts"
import * as Chainflip from "./chainflip/fakeChainflip.ts"
import { regular } from "./chainflip/fixtures/quotes.ts"
import { quoteRequest as ofChainflip } from "./chainflip/requests.ts"
import type { Asked, Provided, Reply } from "./fakeUpstream.ts"
import * as OneClick from "./near-intents/fakeOneClick.ts"
import { order } from "./near-intents/fixtures/quote.ts"
import { quoteRequest as ofOneClick } from "./near-intents/requests.ts"
import * as Relay from "./relay/fakeRelay.ts"
import * as bodies from "./thorchain/bodies.ts"
import * as Node from "./thorchain/fakeNode.ts"

/** What an upstream may say where a duration is only shown (decision 62). */
const odd: ReadonlyArray<unknown> = [
  -6,
  0.25,
  "90",
  "soon",
  "-1",
  null,
  undefined,
  {},
  [],
  true,
  1e300,
  -1e300,
]

const { amount, commissionBps, destinationAsset, sourceAsset } = bodies.request
const ofNodes = { sourceAsset, destinationAsset, amount, commissionBps }

/** The ordinary answer with its durations replaced: `undefined` leaves them out. */
type Over = (seconds: unknown) => Effect.Effect<Provided>

const ofRelay = (seconds: unknown) => ({ body: { recipient } }: Asked): Reply => {
  const { details, ...others } = Relay.figures(recipient)
  return { body: { ...others, details: { ...details, timeEstimate: seconds } } }
}

const rows: ReadonlyArray<readonly [name: string, over: Over, request: typeof ofNodes | typeof ofOneClick]> =
  [
    [
      "thorchain",
      (seconds) =>
        Node.providerOver({
          quote: {
            body: {
              ...bodies.quote,
              inbound_confirmation_seconds: seconds,
              outbound_delay_seconds: seconds,
              streaming_swap_seconds: seconds,
            },
          },
        }),
      ofNodes,
    ],
    [
      "near-intents",
      (seconds) => OneClick.providerOver({ dry: OneClick.quoted({ ...order, timeEstimate: seconds }) }),
      ofOneClick,
    ],
    ["relay", (seconds) => Relay.providerOver({ price: ofRelay(seconds) }), Relay.swapRequest],
    [
      "chainflip",
      (seconds) =>
        Chainflip.providerOver({
          "/chainflip/backend/v2/quote": {
            body: [{
              ...regular,
              estimatedDurationSeconds: seconds,
              estimatedDurationsSeconds: { deposit: seconds, swap: seconds, egress: seconds },
            }],
          },
        }),
      ofChainflip,
    ],
  ]

describe("A duration that is only shown", () => {
  it.effect.each(rows)(
    "never refuses a quote of %s, nor is it below 0 or above what there can be",
    function* (row) {
      const [, over, request] = row
      for (const seconds of odd) {
        const [provider] = yield* over(seconds)
        const quotes = yield* provider.quotes(request)
        assert.isNotEmpty(quotes, `${seconds}`)
        for (const { durations, totalDuration } of quotes) {
          for (const millis of [...Object.values(durations), totalDuration]) {
            assert.isTrue(Number.isFinite(millis) && millis >= 0, `${seconds}: ${millis}`)
            assert.isAtMost(millis, 4 * longestSwapMillis, `${seconds}`)
          }
        }
      }
    },
  )

  it.effect("is missing as a whole in a quote of Chainflip's", function* () {
    const { estimatedDurationSeconds: _, estimatedDurationsSeconds: __, ...others } = regular
    const [provider] = yield* Chainflip.providerOver({ "/chainflip/backend/v2/quote": { body: [others] } })
    assert.lengthOf(yield* provider.quotes(ofChainflip), 1)
  })
})
