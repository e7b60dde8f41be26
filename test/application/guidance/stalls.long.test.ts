import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { addresses } from "#test/contract/support/addresses.ts"
import { genesis } from "#test/contract/support/call.ts"
import { textAt } from "#test/contract/support/Json.ts"
import { journalOf } from "#test/contract/support/journals.ts"
import { deposit, openSwap, passToBitcoinBlock, recordOf } from "#test/contract/support/swaps.ts"
import { eventually } from "#test/durability/eventually.ts"
import { broker } from "#test/support/broker.ts"
import { assertForm, lookAsPayer, passUntilPhase, phaseIn, printForms } from "./support.ts"

const world = Sandbox.layer({
  hostname: "127.0.0.1",
  port: 0,
  speed: 0,
  seed: "stalls",
  dataDir: "memory",
  genesis: EpochMillis.make(Date.parse(genesis)),
})

/** A world whose time stands still, and a service for which it runs so fast that every state soon lasts too long. */
const stalling = Layer.unwrap(
  Effect.map(
    Sandbox,
    ({ url }) => broker({ PROVIDERS: "chainflip", SANDBOX_URL: url.href, SANDBOX_SPEED: "100000" }),
  ),
).pipe(Layer.provide(world))

const oneEther = "1000000000000000001"

/** The form of a stall, and a swap that stays in a state for minutes of its world. */
const forms = [
  [
    "deposit_stalled",
    { sourceAsset: "btc.btc" },
    "10000000",
    "deposit_seen",
  ],
  [
    "swap_stalled",
    {
      sourceAsset: "eth.arb",
      numberOfChunks: "4",
      chunkIntervalBlocks: "1000",
    },
    oneEther,
    "dca_between_chunks",
  ],
  [
    "payout_stalled",
    {
      sourceAsset: "eth.arb",
      destinationAsset: "btc.btc",
    },
    oneEther,
    "payout_sent",
  ],
  [
    "refund_stalled",
    {
      sourceAsset: "eth.eth",
      destinationAsset: "eth.arb",
      minimumPrice: "40",
      retryDurationInBlocks: "0",
      refundAddress: addresses.eth,
    },
    oneEther,
    "refund_sent",
  ],
] as const

layer(stalling, { excludeTestServices: true })(
  "what people are told of a stalled swap",
  (it) => {
    it.effect(
      "is of its form, for each state that lasts too long",
      function* () {
        yield* passToBitcoinBlock
        const begun = yield* Effect.forEach(forms, ([, terms, amount, phase]) =>
          Effect.gen(function* () {
            const opened = yield* openSwap(terms)
            yield* deposit(opened, amount)
            yield* passUntilPhase(opened, phase)
            return opened
          }))
        for (const [index, [phase]] of forms.entries()) {
          const opened = begun[index] ?? assert.fail("No such swap")
          assertForm(yield* eventually(recordOf(opened), (record) => phaseIn(record) === phase), phase)
          yield* lookAsPayer(yield* recordOf(opened))
          const entry = (yield* journalOf(opened)).find((entry) => textAt(entry, "kind") === "stalled")
          assert.strictEqual(textAt(entry ?? null, "guidance", "phase"), "stalled")
        }
        yield* printForms
      },
    )
  },
)
