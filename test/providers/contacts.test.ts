import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { strangersWarning } from "#domain/operations/Contact.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { Guide } from "#application/guidance/Guide.ts"
import { Contacts } from "#providers/Registry.ts"
import { live, readFrom } from "#test/infrastructure/config/read.ts"
import { statusIn } from "#test/support/swap.ts"

const relay = ProviderName.make("relay")

const contactsIn = (environment: Readonly<Record<string, string>>) =>
  Effect.map(readFrom(environment), ({ contacts }) => contacts)

/** A swap at Relay, as it is recorded. */
const swapIn = (state: "waiting" | "failed") => ({
  id: SwapRecordId.make(1),
  platform: relay,
  status: statusIn(state),
  standing: {
    createdAt: EpochMillis.make(0),
    changedAt: EpochMillis.make(0),
    lookedUpAt: EpochMillis.make(0),
    lookupFailures: 0,
  },
})

describe("whom to ask", () => {
  it.effect("is the provider's public place in live mode, and nobody beside a simulated one", function* () {
    const elsewhere = { ...live, RELAY_URL: "https://relay.test" }
    assert.deepStrictEqual((yield* contactsIn(elsewhere)).providers.get(relay), {
      name: "Relay",
      support: "https://support.relay.link",
    })
    assert.deepStrictEqual((yield* contactsIn({})).providers.get(relay), { name: "Relay" })
  })

  it.effect("is who the operator names, in either mode", function* () {
    const named = {
      RELAY_SUPPORT: "help@relay.test",
      RELAY_TERMS: "https://relay.test/terms",
      OPERATOR_SUPPORT: "https://help.test/swaps",
      NEAR_INTENTS_SUPPORT: "https://near.test",
    }
    const { operator, providers } = yield* contactsIn(named)
    assert.deepStrictEqual(providers.get(relay), {
      name: "Relay",
      support: "help@relay.test",
      terms: "https://relay.test/terms",
    })
    assert.strictEqual(operator.support, "https://help.test/swaps")
    assert.strictEqual(providers.get(ProviderName.make("near-intents"))?.support, "https://near.test")
  })

  it.effect("is told with a warning where a swap does not go well, the operator first", function* () {
    const contacts = {
      operator: { name: "We", support: "help@we.test" },
      providers: new Map([[relay, { name: "Relay", support: "https://support.test" }]]),
    }
    const told = Effect.fnUntraced(function* (state: "waiting" | "failed") {
      const guide = yield* Guide
      return [yield* guide.swap(swapIn(state)), yield* guide.payer(swapIn(state))]
    })
    const guide = Guide.layerOfRecords.pipe(Layer.provide(Layer.succeed(Contacts, contacts)))
    for (const { whomToAsk } of yield* Effect.provide(told("failed"), guide)) {
      assert.deepStrictEqual(whomToAsk, {
        contacts: [contacts.operator, { name: "Relay", support: "https://support.test" }],
        warning: strangersWarning,
      })
    }
    for (const { whomToAsk } of yield* Effect.provide(told("waiting"), guide)) assert.isUndefined(whomToAsk)
  })
})
