import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { JournalNote } from "#domain/swaps/Journal.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { EndRules } from "#providers/Capabilities.ts"
import { capabilities as chainflip } from "#providers/chainflip/provider.ts"
import { capabilitiesOf as nearIntents } from "#providers/near-intents/conditions.ts"
import { capabilities as relay } from "#providers/relay/conditions.ts"
import { capabilities as thorchain } from "#providers/thorchain/conditions.ts"
import type { ClaimedPayment } from "#infrastructure/store/swaps/PaymentsRepo.ts"
import { PaymentsRepo } from "#infrastructure/store/swaps/PaymentsRepo.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { claimPayments, excludes } from "#application/swapping/following/compareTerms.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { Tracker } from "#application/swapping/following/Tracker.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { openingRequest, paid, statusWithDeposit } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer } from "#test/support/swapping.ts"

const native = (amount: bigint) => NativeAmount.make(amount)

const payment = (changes: Partial<ClaimedPayment> = {}): ClaimedPayment => ({
  reference: "ab".repeat(32),
  asset: "usdc.arb",
  amount: native(2_700_000_000n),
  address: "0x2222222222222222222222222222222222222222",
  deposited: native(1_500_000_000_000_000_000n),
  ...changes,
})

const rules = {
  chainflip: chainflip.ends,
  nearIntents: nearIntents({ commissionBasis: "received" }).ends,
  relay: relay.ends,
  thorchain: thorchain.ends,
} satisfies Readonly<Record<string, EndRules>>
type Provider = keyof typeof rules

/** What a second swap claims beside a payment that another one has, and at which providers it cannot be. */
const rows: ReadonlyArray<
  readonly [what: string, changes: Partial<ClaimedPayment>, not: ReadonlyArray<Provider>]
> = [
  ["the same payment for a deposit as large", {}, ["nearIntents", "relay", "thorchain"]],
  [
    "the same payment for a deposit that differs by roundings",
    { deposited: native(1_500_000_000_000_000_001n) },
    ["nearIntents", "relay", "thorchain"],
  ],
  [
    "the same payment for half of the deposit",
    { deposited: native(750_000_000_000_000_000n) },
    ["chainflip", "nearIntents", "relay", "thorchain"],
  ],
  ["the same payment, and nobody told the deposit", { deposited: null }, [
    "nearIntents",
    "relay",
    "thorchain",
  ]],
  ["another amount", { amount: native(2_700_000_001n) }, ["thorchain"]],
  ["another address", { address: "0x3333333333333333333333333333333333333333" }, ["thorchain"]],
  ["another asset", { asset: "eth.arb" }, ["thorchain"]],
]

describe("a payment that another swap has", () => {
  it.each(rows)("%s", (_, changes, not) => {
    for (const name of ["chainflip", "nearIntents", "relay", "thorchain"] as const) {
      assert.strictEqual(excludes(rules[name])(payment(), payment(changes)), not.includes(name), name)
    }
  })

  it("is the same in other capitals of its address", () => {
    const [one, other] = [
      "0x4dbc7e111111111111111111111111111111abcd",
      "0x4DBC7E111111111111111111111111111111ABCD",
    ]
    assert.isTrue(excludes(rules.relay)(payment({ address: one ?? "" }), payment({ address: other ?? "" })))
  })

  it("is alone in its transaction on Solana, also at Chainflip", () => {
    const asset: AssetId = "usdc.sol"
    assert.isTrue(excludes(rules.chainflip)(payment({ asset }), payment({ asset, amount: native(1n) })))
  })
})

const end = (deposit: string, swapId: string, changes: Partial<SwapStatus> = {}): SwapStatus => ({
  ...statusWithDeposit("completed", deposit, { swapId }),
  ...changes,
})

onStores(swappingLayer)("Payments", (it) => {
  const begin = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE swaps SET next_lookup_at = NULL`
    yield* sql`DELETE FROM swap_payments`
    yield* TestClock.adjust("1 minute")
    const { first } = yield* scriptedProviders
    const account = yield* newAccount
    const swaps = yield* Swaps
    const journal = yield* JournalRepo
    const opened = yield* Effect.forEach([1, 2], () => swaps.open(account, openingRequest()))
    const hear = Effect.fnUntraced(function* (...said: ReadonlyArray<SwapStatus>) {
      said.forEach((status, index) => {
        const channel = opened[index]?.channel.id ?? assert.fail("no such swap")
        first.says(channel, Effect.succeedSome(status))
      })
      yield* TestClock.adjust("20 minutes")
      yield* (yield* Tracker).lookUpDue
      return yield* Effect.forEach(
        opened,
        ({ id }) => Effect.map(swaps.byId(account, id), ({ status }) => status.state),
      )
    })
    const details = Effect.map(
      Effect.forEach(opened, ({ id }) => journal.of(account.id, id)),
      (all) => all.flat().flatMap(({ note }) => JournalNote.$is("Contradiction")(note) ? [note.detail] : []),
    )
    return { hear, details }
  })
  const half = (status: SwapStatus): SwapStatus => ({
    ...status,
    deposit: { ...status.deposit, amount: native((status.deposit?.amount ?? 0n) / 2n) },
  })

  it.effect("of one transaction are those of two swaps that are alike, and again when they are told again", function* () {
    const { details, hear } = yield* begin
    const both = [end("0xone", "7"), end("0xother", "8")]
    assert.deepStrictEqual(yield* hear(...both), ["completed", "completed"])
    assert.deepStrictEqual(yield* hear(...both), ["completed", "completed"])
    assert.deepStrictEqual(yield* details, [])
  })

  it.effect("of a swap stay its own when the upstream tells its number and its deposit's transaction later", function* () {
    const { details, hear } = yield* begin
    const { deposit, ...told } = end("0xone", "7")
    const { transactionReference: _, ...amount } = deposit ?? assert.fail("there is a deposit")
    const { swapId: __, ...unnumbered }: SwapStatus = { ...told, deposit: amount }
    const other = statusWithDeposit("sending", "0xother", { swapId: "8" })
    yield* hear(unnumbered, other)
    yield* hear({ ...told, deposit: amount }, other)
    yield* hear(end("0xone", "7"), other)
    assert.deepStrictEqual(yield* details, [])
  })

  it.effect("of a swap are not those of another one with another deposit, until that has its own", function* () {
    const { details, hear } = yield* begin
    const other = half(end("0xother", "8"))
    assert.deepStrictEqual(
      yield* hear(end("0xone", "7"), statusWithDeposit("sending", "0xother", { swapId: "8" })),
      [
        "completed",
        "sending",
      ],
    )
    assert.deepStrictEqual(yield* hear(end("0xone", "7"), other), ["completed", "sending"])
    assert.deepStrictEqual(yield* details, [
      "The upstream now reports completed, but names a payment of eth.eth that it made for another swap",
    ])
    const own = { ...other, swapEgress: { ...paid, transactionReference: `0x${"cd".repeat(32)}` } }
    assert.deepStrictEqual(yield* hear(end("0xone", "7"), own), ["completed", "completed"])
  })

  it.effect("are claimed by one of two replicas that hear of them at once", function* () {
    yield* begin
    const repo = yield* PaymentsRepo
    const claim = (swapId: string) =>
      claimPayments(repo, `first ${swapId}`, end("0xone", swapId), rules.relay)
    const answers = yield* Effect.all(["7", "8", "9"].map(claim), { concurrency: "unbounded" })
    assert.lengthOf(answers.filter(({ _tag }) => _tag === "None"), 1)
  })
})
