import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { makeAsker, perSecond } from "#providers/witness/apiChecks.ts"
import { makeNotes } from "#providers/witness/checkNotes.ts"
import { choosePairs, type Pair } from "#providers/witness/pairs.ts"
import { perform } from "#providers/witness/perform.ts"
import { readsOf } from "#providers/witness/Reads.ts"
import { noAmount } from "#domain/money/Amount.ts"
import { noBps } from "#domain/money/Bps.ts"
import { UpstreamFailed } from "#domain/ProviderError.ts"
import { Comparison, PaymentStanding, WithdrawalTrace } from "#domain/operations/Treasury.ts"
import { OpeningTrace, type Withdrawals } from "#providers/Provider.ts"
import { quoteOf } from "#test/application/quoting/support.ts"
import { openedChannel, ScriptedProvider } from "#test/support/provider.ts"

/** A provider with every read of the port, which opens and orders nothing without a word. */
const provider = () => {
  const asked: Array<string> = []
  const told = <A>(what: string, answer: A) => Effect.sync(() => (asked.push(what), answer))
  const one = new ScriptedProvider("bazaar")
  one.quoting = (request) => told("quotes", [{ ...quoteOf(one.name, 100n), ...request }])
  one.opening = told("open", undefined)
  one.findOpening = () => told("findOpening", OpeningTrace.NotKnown())
  one.findTransaction = () => told("findTransaction", Option.none())
  const withdrawals: Withdrawals = {
    withdraw: () => Effect.die("nothing may be ordered"),
    find: () => told("find", WithdrawalTrace.NotKnown()),
    standing: () => told("standing", Option.none()),
  }
  const account = told("account", { account: "own", earned: [], affiliates: [] })
  one.treasury = { account, comparison: Comparison.Exact(), withdrawals }
  return { one, asked, withdrawals, treasury: { account, comparison: Comparison.Exact() } }
}

const rehearsal = Effect.fnUntraced(function* (one: ScriptedProvider) {
  const notes = makeNotes()
  const asker = makeAsker(notes, one.name, perSecond(100_000))
  const plan = {
    choose: (listed: ReadonlyArray<Pair>) => choosePairs(listed, 2),
    concurrency: 4,
    searches: true,
    commissionBps: noBps,
    parties: {},
    channel: Option.none(),
    recorded: Option.none(),
    assets: {},
    transaction: Option.none(),
  }
  yield* perform(readsOf(one), asker, plan, yield* one.assets, new Map())
  return notes.differences().map(({ about = "", fits, found, kind, operation }) => ({
    fits,
    kind,
    told: `${operation} of ${about}: ${found}`,
  }))
})

describe("the reads of a rehearsal", () => {
  it.live("are every read of the port, and nothing that opens or orders", function* () {
    const { asked, one } = provider()
    assert.deepStrictEqual(yield* rehearsal(one), [])
    assert.deepStrictEqual(
      new Set(asked),
      new Set(["quotes", "findOpening", "findTransaction", "account", "find", "standing"]),
    )
    assert.deepStrictEqual(one.requests, [])
  })

  it.live("say so where an upstream knows of what nobody asked for", function* () {
    const { one, treasury, withdrawals } = provider()
    one.findOpening = (request) => Effect.succeed(OpeningTrace.Found({ opened: openedChannel(request) }))
    const paid = Option.some(PaymentStanding.Paid({}))
    one.treasury = {
      ...treasury,
      withdrawals: {
        ...withdrawals,
        find: ({ asset, destination }, { amount }) => {
          assert.strictEqual(asset, "btc.btc")
          return Effect.succeed(
            WithdrawalTrace.Taken({ taken: { reference: "Bitcoin-7", amount, fee: noAmount, destination } }),
          )
        },
        standing: () => Effect.succeed(paid),
      },
    }
    assert.deepStrictEqual(
      (yield* rehearsal(one)).map(({ fits, kind, told }) => ({ fits, kind, told })),
      [
        {
          fits: false,
          kind: "contradiction",
          told: "status of an opening from btc.btc to eth.eth that no payer asked for: " +
            "a channel of an opening that was never requested",
        },
        {
          fits: false,
          kind: "contradiction",
          told:
            "treasury of a withdrawal of btc.btc that was never requested: accepted, though never requested",
        },
        {
          fits: false,
          kind: "contradiction",
          told: "treasury of a withdrawal of btc.btc that was never requested: paid, though never requested",
        },
      ],
    )
  })

  it.live("name the one that fails, and what was left out as nothing was quoted", function* () {
    const { one, treasury, withdrawals } = provider()
    one.quoting = () => Effect.succeed([])
    const failed = one.fails(new UpstreamFailed({ detail: "no such storage" }))
    one.treasury = { ...treasury, withdrawals: { ...withdrawals, find: () => Effect.fail(failed) } }
    const told = (yield* rehearsal(one)).map(({ told }) => told)
    assert.include(told, "status of : no opening is looked up: nothing was quoted")
    assert.include(
      told,
      "treasury of a withdrawal of btc.btc that was never requested: UpstreamFailed: no such storage",
    )
  })
})
