import { assert, channelsOf, layer, swapRequest, TestClock } from "./support.ts"
import { Duration, Effect, Fiber, Layer } from "effect"
import { NativeAmount, ProviderName, TimedOut, TooManyChannels } from "#exports/domain.ts"
import { BrokerBalance } from "#providers/BrokerBalance.ts"
import type { OpenedChannel } from "#providers/Provider.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { fails, nothingSpent, ScriptedTreasury, wholeShare } from "#test/support/treasury.ts"

const maxAge = Duration.seconds(5)
const price = 10n

let providerCount = 0

/** A provider whose account has this much, and whose channels cost 10. */
const wrapped = Effect.fnUntraced(function* (free: bigint) {
  const provider = new ScriptedProvider(`paying-${++providerCount}`)
  const treasury = new ScriptedTreasury()
  treasury.funds(free, price)
  provider.treasury = treasury
  const funded = (yield* BrokerBalance).wrap(provider)
  return { provider, treasury, open: channelsOf(funded).open(swapRequest) }
})

const pass = TestClock.adjust(maxAge)

layer(BrokerBalance.layer({ ...wholeShare, maxAge }).pipe(Layer.provide(nothingSpent)))(
  "The funds that openings are paid from",
  (it) => {
    it.effect("refuse an opening that they do not cover, before the upstream is asked, and say nothing of themselves", function* () {
      const { open, provider } = yield* wrapped(0n)
      const { operation, reason } = yield* Effect.flip(open)
      assert.deepStrictEqual([operation, reason._tag], ["open", "DepositChannelFailed"])
      assert.notMatch("detail" in reason ? reason.detail : "", /fund|account|flip|pay/i)
      assert.strictEqual(provider.requests.length, 0)
    })

    it.effect("let one through that they cover to the last unit", function* () {
      const { open, provider } = yield* wrapped(price)
      yield* open
      assert.strictEqual(provider.requests.length, 1)
    })

    it.effect("are looked at again only when what is known of them is old", function* () {
      const { open, treasury } = yield* wrapped(1_000n)
      yield* open
      yield* open
      assert.strictEqual(treasury.looks, 1)
      yield* pass
      yield* open
      assert.strictEqual(treasury.looks, 2)
    })

    it.effect("count openings under way, and those that no look has shown yet", function* () {
      const { open, provider, treasury } = yield* wrapped(25n)
      provider.opening = Effect.never
      const two = yield* Effect.forEach([1, 2], () => Effect.forkChild(open, { startImmediately: true }))
      yield* Effect.flip(open)
      assert.strictEqual(provider.requests.length, 2)
      yield* Fiber.interruptAll(two)
      // A look that begins after them shows what they have cost.
      provider.opening = Effect.void
      treasury.funds(5n, price)
      yield* pass
      yield* Effect.flip(open)
      treasury.funds(10n, price)
      yield* pass
      yield* open
      assert.strictEqual(provider.requests.length, 3)
    })

    it.effect("are free again after an opening that provably did nothing", function* () {
      const { open, provider } = yield* wrapped(price)
      provider.opening = provider.fails(new TooManyChannels({ detail: "too many" }))
      yield* Effect.flip(open)
      provider.opening = Effect.void
      yield* open
      assert.strictEqual(provider.requests.length, 2)
      // One that may have opened a channel is not.
      provider.opening = provider.fails(new TimedOut({ detail: "no answer", reached: true }))
      assert.strictEqual((yield* Effect.flip(open)).reason._tag, "DepositChannelFailed")
    })

    it.effect("block nothing where they are not known: the account cannot be asked, or does not answer", function* () {
      const { open, provider, treasury } = yield* wrapped(0n)
      treasury.looking = fails(new TimedOut({ detail: "no answer", reached: true }))
      yield* open
      treasury.looking = Effect.never
      yield* pass
      const opening = yield* Effect.forkChild(open)
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(opening)
      // Openings that come meanwhile do not wait again.
      yield* open
      assert.strictEqual(provider.requests.length, 3)
      treasury.looking = Effect.void
      yield* pass
      yield* Effect.flip(open)
    })

    it.effect("count what a transaction was seen to cost besides the fee of its channel", function* () {
      const { open, provider, treasury } = yield* wrapped(1_000n)
      const truth = provider.open
      const fee = NativeAmount.make(price)
      const charged = (opened: OpenedChannel) => ({
        ...opened,
        channel: { ...opened.channel, openingFee: fee },
      })
      const funded = (yield* BrokerBalance).wrap(
        Object.assign(new ScriptedProvider("charging"), {
          treasury,
          open: (request: typeof swapRequest) => Effect.map(truth(request), charged),
        }),
      )
      const cost = Effect.flatMap(
        BrokerBalance,
        ({ transactionCost }) => transactionCost(ProviderName.make("charging")),
      )
      const opening = channelsOf(funded).open(swapRequest)
      yield* opening
      yield* opening
      treasury.funds(974n, price)
      yield* pass
      yield* opening
      assert.strictEqual(yield* cost, 3n)
      // A top-up tells nothing, and what is left has to cover fee and cost.
      treasury.funds(12n, price)
      yield* pass
      yield* Effect.flip(opening)
      treasury.funds(13n, price)
      yield* pass
      yield* opening
      yield* open
    })
  },
)
