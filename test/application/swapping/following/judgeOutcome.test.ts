import { assert, describe, it } from "#test/support/it.ts"
import { Arbitrary, BigDecimal, Effect, Schema } from "effect"
import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import type { Egress, SwapStatus } from "#domain/swaps/Swap.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import type { EndRules } from "#providers/Capabilities.ts"
import { capabilities as chainflip } from "#providers/chainflip/provider.ts"
import { capabilitiesOf as nearIntents } from "#providers/near-intents/conditions.ts"
import { capabilities as relay } from "#providers/relay/conditions.ts"
import { capabilities as thorchain } from "#providers/thorchain/conditions.ts"
import { judgeOutcome, notesByPrices } from "#application/swapping/following/judgeOutcome.ts"
import { contradictionIn, isRefund } from "#application/swapping/following/Progress.ts"
import { statusIn } from "#test/support/swap.ts"

const rules = {
  chainflip: chainflip.ends,
  nearIntents: nearIntents({ commissionBasis: "received" }).ends,
  relay: relay.ends,
  thorchain: thorchain.ends,
  // Maya's network is THORChain's, with its own rules for nothing that counts here.
  maya: thorchain.ends,
} satisfies Readonly<Record<string, EndRules>>
type Provider = keyof typeof rules
const providers = ["chainflip", "nearIntents", "relay", "thorchain", "maya"] as const satisfies ReadonlyArray<
  Provider
>
const onThorchain = ["thorchain", "maya"] as const

const native = (amount: bigint) => NativeAmount.make(amount)
const price = (text: string) => Price.make(BigDecimal.fromStringUnsafe(text))
const hash = (digit: string): string => digit.repeat(64)

/** A payment by a transaction of its own. */
const paid = (amount: bigint, transactionReference = hash("b")): Egress => ({
  amount: native(amount),
  transactionReference,
})

interface Terms {
  readonly from: AssetId
  readonly to: AssetId
  readonly limit: string
  /** The amount that was ordered. */
  readonly ordered?: bigint
}

const recordOf = ({ from, limit, ordered, to }: Terms, more: Partial<SwapStatus> = {}): SwapStatus => {
  const { depositChannel, ...opened } = statusIn("waiting")
  return {
    ...opened,
    sourceAsset: from,
    destinationAsset: to,
    fillOrKill: { retryDurationBlocks: 0, refundAddress: Address.make("refund"), minimumPrice: price(limit) },
    ...(ordered === undefined || depositChannel === undefined
      ? {}
      : { depositChannel: { ...depositChannel, expectedDepositAmount: native(ordered) } }),
    ...more,
  }
}

const deposited = (amount: bigint) => ({ amount: native(amount), transactionReference: hash("a") })

interface Case {
  readonly at: ReadonlyArray<Provider>
  readonly terms: Terms
  readonly known?: Partial<SwapStatus>
  readonly said: Partial<SwapStatus>
}

const judge = ({ known, said, terms }: Case, provider: Provider) => {
  const before = recordOf(terms, known)
  const found: SwapStatus = { ...recordOf(terms), state: "completed", ...said }
  return {
    end: judgeOutcome(before, found, rules[provider]),
    contradiction: contradictionIn(before, found),
    found,
  }
}

type End = "paid" | "refunded" | "partly" | "failed" | "waits"

const endOf = (status: SwapStatus): End =>
  status.state === "failed"
    ? "failed"
    : isRefund(status)
    ? "refunded"
    : status.refundEgress === undefined
    ? "paid"
    : "partly"

const fee = (type: SwapStatus["fees"][number]["type"], asset: AssetId, amount: bigint) => ({
  type,
  asset,
  amount: native(amount),
})

const inChunks = { numberOfChunks: 12, chunkIntervalBlocks: 2 }

/** 12 chunks, of which 4 did not reach the price (chainflip/recorded/swap-completed-dca-part-refunded.json). */
const partRefunded: Case = {
  at: ["chainflip"],
  terms: { from: "usdc.eth", to: "flip.eth", limit: "2.61" },
  said: {
    deposit: deposited(2_297_329_141n),
    swapEgress: paid(4_019_045_226_454_968_531_065n, hash("c")),
    refundEgress: paid(765_258_262n, hash("c")),
    fees: [
      fee("ingress", "usdc.eth", 12_570n),
      fee("network", "usdc.eth", 2_297_316n),
      fee("broker", "usdc.eth", 1_529_248n),
      fee("egress", "usdc.eth", 13_930n),
      fee("refund", "usdc.eth", 500_000n),
      fee("egress", "flip.eth", 21_100_875_149_647_035n),
    ],
  },
}

/** What swaps in chunks paid below limit and share at THORChain. Other assets than ours have stand-ins with as many digits. */
const streamed = (
  terms: Terms,
  figures: { readonly deposit: bigint; readonly refund?: bigint; readonly paid: bigint },
  fees: SwapStatus["fees"] = [],
): Case => ({
  at: onThorchain,
  terms,
  said: {
    dca: inChunks,
    deposit: deposited(figures.deposit),
    swapEgress: paid(figures.paid),
    ...(figures.refund === undefined ? {} : { refundEgress: paid(figures.refund, hash("d")) }),
    fees,
  },
})

const terms = (from: AssetId, to: AssetId, limit: string, ordered?: bigint): Terms => ({
  from,
  to,
  limit,
  ...(ordered === undefined ? {} : { ordered }),
})

/** An end, at whom it can come to pass, and what the upstream says then. */
const row = (
  what: string,
  end: End,
  at: Case["at"],
  terms: Terms,
  said: Case["said"],
  known: Partial<SwapStatus> = {},
) => [what, end, { at, terms, said, known }] as const

const toUsdt: Terms = { from: "btc.btc", to: "usdt.eth", limit: "0.11" }

/** The twenty ends that a plain comparison calls false, by the number of their row, with the figures that were recorded. */
const honest: ReadonlyArray<readonly [what: string, end: End, given: Case]> = [
  ["1. one transaction for payout and refund", "partly", partRefunded],
  row(
    "1. one transaction for this payout and those of others",
    "paid",
    ["chainflip"],
    terms("btc.btc", "eth.eth", "30"),
    { deposit: deposited(100_000_000n), swapEgress: paid(30_100_000_000_000_000_000n, hash("c")) },
  ),
  [
    // 41,727 of 119,218 were swapped: 0.9955 of the limit's 4,589.904496 arrived.
    "2. TCY to USDT: 0.9955 of limit and share, and 65 % back without a fee",
    "partly",
    streamed(toUsdt, {
      deposit: 11_921_829_956_942n,
      refund: 7_749_189_472_011n,
      paid: 4_569_249_925n,
    }),
  ],
  [
    "2. and 3. WSTETH to BTC: 0.9995, a told fee of 46,500 sat of which 8,648 were taken",
    "partly",
    streamed(
      { from: "eth.eth", to: "btc.btc", limit: "0.0316512" },
      { deposit: 1_444_000_000_000_000_000n, refund: 125_941_190_000_000_000n, paid: 4_163_232n },
      [fee("egress", "btc.btc", 46_500n)],
    ),
  ],
  [
    "2. RUNE to LINK: 0.9984",
    "paid",
    streamed({ from: "trx.tron", to: "eth.eth", limit: "0.0003" }, {
      deposit: 10_000_000_000n,
      paid: 2_995_200_000_000_000_000n,
    }),
  ],
  [
    "2. ETH to THOR: 0.9975, and 4.353475 of 4.361875 back",
    "partly",
    streamed({ from: "eth.eth", to: "trx.tron", limit: "10000" }, {
      deposit: 6_979_000_000_000_000_000n,
      refund: 4_353_475_000_000_000_000n,
      paid: 26_105_821_875n,
    }),
  ],
  row(
    "3. a fee for sending of four times the told one",
    "paid",
    ["chainflip"],
    terms("eth.eth", "btc.btc", "0.03"),
    {
      deposit: deposited(1_000_000_000_000_000_000n),
      swapEgress: paid(3_000_000n - 4n * 10_000n),
      fees: [fee("egress", "btc.btc", 10_000n)],
    },
  ),
  row("4. nothing at all, as the fees are more", "failed", providers, terms("btc.btc", "eth.eth", "30"), {
    state: "failed",
    deposit: deposited(900n),
  }),
  row(
    "5. a refund less more than the quote's fees: 1,506,979 of 1,508,475 sat",
    "refunded",
    ["chainflip"],
    terms("btc.btc", "usdt.eth", "70000"),
    { deposit: deposited(1_508_475n), refundEgress: paid(1_506_979n) },
  ),
  row(
    "5. the same with the rows of the status: deposit - ingress - refund - egress",
    "refunded",
    ["chainflip"],
    terms("usdc.eth", "flip.eth", "2.61"),
    {
      deposit: deposited(2_297_329_141n),
      refundEgress: paid(2_297_329_141n - 12_570n - 500_000n - 13_930n),
      fees: [
        fee("ingress", "usdc.eth", 12_570n),
        fee("refund", "usdc.eth", 500_000n),
        fee("egress", "usdc.eth", 13_930n),
      ],
    },
  ),
  row(
    "6. a success that was a full refund: 49,599.566125 of 49,599.866125 USDT",
    "refunded",
    ["nearIntents"],
    terms("usdt.eth", "btc.btc", "0.00001", 49_599_866_125n),
    {
      deposit: deposited(49_599_866_125n),
      refundEgress: { amount: native(49_599_566_125n), witnessedAt: EpochMillis.make(1) },
      fees: [fee("refund", "usdt.eth", 300_000n)],
    },
  ),
  row(
    "7. a refund beside the figures of the quote",
    "refunded",
    ["nearIntents"],
    terms("btc.btc", "eth.eth", "30", 20_000n),
    {
      deposit: deposited(20_000n),
      refundEgress: { amount: native(19_500n), witnessedAt: EpochMillis.make(1) },
    },
  ),
  row(
    "8. a failure whose fallback was paid: 608,878,437 of 614,897,437",
    "failed",
    ["chainflip"],
    terms("usdc.eth", "usdc.sol", "0.99"),
    {
      state: "failed",
      deposit: deposited(615_500_000n),
      swapEgress: paid(608_892_437n),
      fallbackEgress: paid(608_878_437n, hash("d")),
      fees: [fee("egress", "usdc.sol", 6_005_000n), fee("egress", "usdc.sol", 14_000n)],
    },
  ),
  row(
    "8. the same where the upstream calls it completed",
    "paid",
    ["chainflip"],
    terms("usdc.eth", "usdc.sol", "0.99"),
    {
      deposit: deposited(615_500_000n),
      swapEgress: paid(608_892_437n),
      fallbackEgress: paid(608_878_437n, hash("d")),
      fees: [fee("egress", "usdc.sol", 6_005_000n), fee("egress", "usdc.sol", 14_000n)],
    },
  ),
  [
    "9. completed with the refund still open",
    "partly",
    { ...partRefunded, said: { ...partRefunded.said, refundEgress: { amount: native(765_258_262n) } } },
  ],
  row(
    "10. a rejected deposit, whose refund is the gross deposit",
    "refunded",
    ["chainflip"],
    terms("btc.btc", "eth.eth", "30"),
    { deposit: deposited(100_000_000n), refundEgress: paid(100_000_000n) },
  ),
  row(
    "11. a swap on one chain in one transaction",
    "paid",
    ["relay"],
    terms("eth.eth", "usdc.eth", "1800", 1_500_000_000_000_000_000n),
    {
      deposit: deposited(1_500_000_000_000_000_000n),
      swapEgress: paid(2_700_000_000n, `0x${hash("A")}`),
    },
  ),
  row(
    "11. a refund by a transaction in the list of the deposit's",
    "refunded",
    ["nearIntents", ...onThorchain],
    terms("eth.eth", "usdc.arb", "1800"),
    {
      deposit: deposited(1_500_000_000_000_000_000n),
      refundEgress: paid(1_499_000_000_000_000_000n, hash("a")),
    },
  ),
  row("12. a hash that is none, and was left out", "waits", providers, terms("btc.btc", "eth.eth", "30"), {
    deposit: deposited(100_000_000n),
    swapEgress: { amount: native(30_000_000_000_000_000_000n) },
  }),
  row("12. an extrinsic of Asset Hub", "paid", ["chainflip"], terms("btc.btc", "dot.hub", "10000"), {
    deposit: deposited(100_000_000n),
    swapEgress: paid(100_000_000_000_000n, "7123456-2"),
  }),
  row(
    "13. a refund in another currency, of which there is no amount",
    "failed",
    ["relay"],
    terms("eth.eth", "btc.btc", "0.03", 1_000_000_000_000_000_000n),
    { state: "failed", deposit: deposited(1_000_000_000_000_000_000n) },
  ),
  row(
    "14. BTC to ETH at 17.76 USD: 14.52 came back",
    "refunded",
    onThorchain,
    terms("btc.btc", "eth.eth", "30"),
    { deposit: deposited(20_000n), refundEgress: paid(16_351n) },
  ),
  row(
    "14. 53,000 of 100,000 came back",
    "refunded",
    ["nearIntents"],
    terms("btc.btc", "eth.eth", "30", 100_000n),
    { deposit: deposited(100_000n), refundEgress: paid(53_000n) },
  ),
  row(
    "15. a surplus that is kept: 52,000,000 in of 49,400,000 ordered",
    "paid",
    ["nearIntents"],
    terms("usdc.eth", "usdt.eth", "0.99", 49_400_000n),
    { deposit: deposited(52_000_000n), swapEgress: paid(49_000_000n) },
  ),
  row("16. an address in other capitals", "paid", onThorchain, terms("btc.btc", "eth.eth", "30"), {
    destinationAddress: Address.make("0x4dbc7e111111111111111111111111111111abcd"),
    deposit: deposited(100_000_000n),
    swapEgress: {
      ...paid(30_000_000_000_000_000_000n),
      destinationAddress: Address.make("0x4DBC7E111111111111111111111111111111ABCD"),
    },
  }, { destinationAddress: Address.make("0x4dbc7e111111111111111111111111111111abcd") }),
  row(
    "17. what was paid above the order came back in a second payment",
    "partly",
    ["relay", "nearIntents"],
    terms("eth.eth", "usdc.arb", "1800", 1_000_000_000_000_000_000n),
    {
      deposit: deposited(1_500_000_000_000_000_000n),
      swapEgress: paid(1_800_000_000n),
      refundEgress: paid(499_000_000_000_000_000n, hash("d")),
    },
  ),
  row(
    "18. a later swap of the channel, of a smaller deposit",
    "paid",
    ["chainflip"],
    terms("btc.btc", "eth.eth", "30", 500_000_000n),
    { swapId: "6", deposit: deposited(100_000_000n), swapEgress: paid(30_000_000_000_000_000_000n) },
  ),
  row(
    "19. an order that was priced anew for half of the deposit",
    "paid",
    ["relay"],
    terms("eth.eth", "usdc.arb", "1800", 2_000_000_000_000_000_000n),
    { deposit: deposited(1_000_000_000_000_000_000n), swapEgress: paid(1_799_000_000n) },
  ),
  [
    "20. the affiliate's share is paid apart",
    "paid",
    {
      ...streamed({ from: "btc.btc", to: "eth.eth", limit: "30" }, {
        deposit: 1_000_000_000n,
        paid: 297_000_000_000_000_000_000n,
      }),
      said: {
        dca: inChunks,
        brokers: [{ account: BrokerAccount.make("sb"), commissionBps: Bps.make(100) }],
        deposit: deposited(1_000_000_000n),
        swapEgress: paid(297_000_000_000_000_000_000n),
      },
    },
  ],
]

describe("the twenty honest ends", () => {
  it.each(honest)("%s", (_, end, given) => {
    for (const provider of given.at) {
      const judged = judge(given, provider)
      assert.isUndefined(judged.contradiction, provider)
      if (end === "waits") {
        assert.strictEqual(judged.end._tag, "Waits", provider)
        continue
      }
      assert.strictEqual(judged.end._tag, "Plausible", `${provider}: ${JSON.stringify(judged.end)}`)
      assert.strictEqual(endOf(judged.found), end, provider)
    }
  })

  it("are all there", () => {
    const rows = new Set(honest.flatMap(([what]) => what.match(/^\d+|(?<=and )\d+(?=\.)/g) ?? []))
    assert.deepStrictEqual(
      [...rows].map(Number).toSorted((one, other) => one - other),
      [
        ...Array(20).keys(),
      ].map((row) => row + 1),
    )
  })
})

const sold: Terms = { from: "eth.eth", to: "usdc.arb", limit: "1800", ordered: 1_500_000_000_000_000_000n }
const sell = deposited(1_500_000_000_000_000_000n)

/** What no provider is believed. */
const lie = (what: string, said: Case["said"], given: Partial<Omit<Case, "at" | "said">> = {}) =>
  [what, "Disputed", { terms: sold, said, ...given }] as const

/** What five providers were believed with. */
const lies: ReadonlyArray<readonly [what: string, tag: "Disputed" | "Waits", given: Omit<Case, "at">]> = [
  lie("5 units for 1.5 ETH at a limit of 1,800", { deposit: sell, swapEgress: paid(5n) }),
  lie("the same in chunks, with fees that would explain it", {
    dca: inChunks,
    deposit: sell,
    swapEgress: paid(5n),
    fees: [
      fee("egress", "usdc.arb", 2_600_000_000n),
      fee("ingress", "eth.eth", 1_400_000_000_000_000_000n),
    ],
  }),
  lie("5 units, and 1 wei back", { deposit: sell, swapEgress: paid(5n), refundEgress: paid(1n, hash("d")) }),
  lie("a refund of 1 wei of 2.11 ETH", {
    deposit: deposited(2_110_000_000_000_000_000n),
    refundEgress: paid(1n),
    // As adapters work the fee out that an upstream does not tell.
    fees: [fee("refund", "eth.eth", 2_109_999_999_999_999_999n)],
  }, { terms: { ...sold, ordered: 2_110_000_000_000_000_000n } }),
  lie("a refund of 1 wei where the deposit is said to be smaller than before", {
    deposit: deposited(1n),
    refundEgress: paid(1n),
  }, {
    terms: { ...sold, ordered: 2_110_000_000_000_000_000n },
    known: { state: "swapping", deposit: deposited(2_110_000_000_000_000_000n) },
  }),
  lie("a payout although nothing was paid in", { deposit: deposited(0n), swapEgress: paid(2_700_000_000n) }),
  lie("the deposit's transaction on another chain as the payment", {
    deposit: sell,
    swapEgress: paid(2_700_000_000n, `0x${hash("A")}`),
  }),
  ["a payment of nothing", "Disputed", { terms: sold, said: { deposit: sell, swapEgress: paid(0n) } }],
  lie("a payment that failed", {
    deposit: sell,
    swapEgress: {
      ...paid(2_700_000_000n),
      failure: {
        failedAt: EpochMillis.make(1),
        failedBlockIndex: BlockIndex.make("1-0"),
        mode: "SENDING_FAILED",
        reason: { code: "X", message: "y" },
      },
    },
  }),
  [
    "a payment without a transaction",
    "Waits",
    { terms: sold, said: { deposit: sell, swapEgress: { amount: native(2_700_000_000n) } } },
  ],
  ["an end without any payment", "Waits", { terms: sold, said: { deposit: sell } }],
]

describe("false ends", () => {
  it.each(
    lies.flatMap(([what, tag, given]) => providers.map((provider) => ({ what, tag, given, provider }))),
  )(
    "$what, by $provider",
    ({ given, provider, tag }) => {
      const { end } = judge({ ...given, at: [] }, provider)
      assert.strictEqual(end._tag, tag, JSON.stringify(end))
    },
  )

  it("an end that does not say what came is asked for again, where the upstream always tells", () => {
    const given: Case = { at: [], terms: { ...sold }, said: { swapEgress: paid(2_700_000_000n) } }
    assert.strictEqual(judge(given, "chainflip").end._tag, "Waits")
    assert.strictEqual(judge(given, "thorchain").end._tag, "Waits")
    assert.strictEqual(judge(given, "nearIntents").end._tag, "Plausible")
    const less: Case = { ...given, said: { swapEgress: paid(5n) } }
    for (const provider of ["nearIntents", "relay"] as const) {
      assert.strictEqual(judge(less, provider).end._tag, "Disputed")
    }
  })

  it("says what was paid, for what, and what the limit leaves", () => {
    const { end } = judge(
      { at: [], terms: sold, said: { deposit: sell, swapEgress: paid(5n) } },
      "nearIntents",
    )
    assert.deepStrictEqual<unknown>(end, {
      _tag: "Disputed",
      detail: "The upstream now reports completed, but paid 0.000005 USDC. The minimum payout is " +
        "2,699.729999 USDC for a deposit of 1.5 ETH",
    })
  })
})

describe("limits of what is believed", () => {
  const tagOf = (given: Omit<Case, "at">, provider: Provider) =>
    judge({ ...given, at: [] }, provider).end._tag

  it("are a hundredth of what ought to come, where nobody knows what the asset is worth", () => {
    const terms: Terms = { from: "flip.eth", to: "usdc.eth", limit: "0" }
    const refundOf = (amount: bigint) => ({
      terms,
      said: { deposit: deposited(10n ** 21n), refundEgress: paid(amount) },
    })
    assert.strictEqual(tagOf(refundOf(10n ** 19n), "chainflip"), "Plausible")
    assert.strictEqual(tagOf(refundOf(10n ** 19n - 1n), "chainflip"), "Disputed")
  })

  it("hold for what came in the end: a deposit that is only seen may turn out smaller", () => {
    const given = (state: "receiving" | "swapping") => ({
      terms: sold,
      known: { state, deposit: deposited(2_110_000_000_000_000_000n) },
      said: {
        deposit: deposited(1_000_000_000_000_000_000n),
        refundEgress: paid(999_000_000_000_000_000n, hash("d")),
      },
    })
    assert.strictEqual(tagOf(given("receiving"), "chainflip"), "Plausible")
    assert.strictEqual(tagOf(given("swapping"), "chainflip"), "Disputed")
  })

  it("leave the cost of a boost, and no more than its user allowed", () => {
    const refundOf = (amount: bigint) => ({
      terms: { from: "btc.btc", to: "eth.eth", limit: "30" } as const,
      known: { boost: { maximumBoostFeeBps: Bps.make(500) } },
      said: { deposit: deposited(1_000_000_000n), refundEgress: paid(amount) },
    })
    assert.strictEqual(tagOf(refundOf(950_000_000n), "chainflip"), "Plausible")
    assert.strictEqual(tagOf(refundOf(940_000_000n), "chainflip"), "Disputed")
  })

  it("are the limit itself, where a swap is not in chunks", () => {
    const given = (dca: SwapStatus["dca"]) => ({
      terms: { from: "btc.btc", to: "usdt.eth", limit: "60000" } as const,
      said: {
        ...(dca === undefined ? {} : { dca }),
        deposit: deposited(100_000_000n),
        swapEgress: paid(59_980_000_000n),
      },
    })
    assert.strictEqual(tagOf(given(inChunks), "thorchain"), "Plausible")
    assert.strictEqual(tagOf(given(undefined), "thorchain"), "Disputed")
  })

  it("do not wait for the transaction of a payment that cannot be", () => {
    const unproved = { deposit: sell, swapEgress: { amount: native(5n) } }
    for (const provider of providers) {
      assert.strictEqual(tagOf({ terms: sold, said: unproved }, provider), "Disputed", provider)
    }
  })

  it("let nothing come back of what the fees may have eaten whole", () => {
    const refundOfNothing = (amount: bigint) => ({
      terms: { from: "btc.btc", to: "eth.eth", limit: "30" } as const,
      said: { deposit: deposited(amount), refundEgress: paid(0n) },
    })
    assert.strictEqual(tagOf(refundOfNothing(900n), "chainflip"), "Waits")
    assert.strictEqual(tagOf(refundOfNothing(100_000_000n), "chainflip"), "Disputed")
  })
})

describe("what the operator alone is told", () => {
  const notesOf = (given: Omit<Case, "at">, provider: Provider) => {
    const { end } = judge({ ...given, at: [] }, provider)
    return end._tag === "Plausible" ? end.notes : assert.fail(JSON.stringify(end))
  }

  it("is nothing of a usual end", () => {
    assert.deepStrictEqual(
      notesOf({ terms: sold, said: { deposit: sell, swapEgress: paid(2_750_000_000n) } }, "chainflip"),
      [],
    )
  })

  it("is a surplus that was kept", () => {
    const said = { deposit: deposited(1_600_000_000_000_000_000n), swapEgress: paid(2_900_000_000n) }
    assert.deepStrictEqual(notesOf({ terms: sold, said }, "nearIntents"), [
      "0.1 ETH above the ordered amount were not refunded",
    ])
  })

  it("is what fees took below the limit", () => {
    assert.deepStrictEqual(
      notesOf({ terms: sold, said: { deposit: sell, swapEgress: paid(2_695_000_000n) } }, "chainflip"),
      ["the payout is below the minimum price by the fees taken after it"],
    )
  })

  it("is less than half of the quote, where there was no limit", () => {
    const quote = {
      amount: native(1_500_000_000_000_000_000n),
      quoted: native(2_750_000_000n),
      promised: native(1n),
      expiresAt: EpochMillis.make(1),
    }
    const given = {
      terms: { ...sold, limit: "0" },
      known: { quote },
      said: { deposit: sell, swapEgress: paid(5n) },
    }
    assert.deepStrictEqual(notesOf(given, "relay"), ["less than half of the quoted 2,750 USDC arrived"])
    const half = { ...given, said: { deposit: sell, swapEgress: paid(1_375_000_000n) } }
    assert.deepStrictEqual(notesOf(half, "relay"), [])
    const less = { ...given, said: { deposit: sell, swapEgress: paid(1_374_999_999n) } }
    assert.lengthOf(notesOf(less, "relay"), 1)
  })

  it.effect("is less than half of what the hour's prices make of it, where nothing was promised", function* () {
    const dollars = (text: string) => BigDecimal.fromStringUnsafe(text)
    const prices = new Map<AssetId, BigDecimal.BigDecimal>([["eth.eth", dollars("2000")], [
      "usdc.arb",
      dollars("1"),
    ]])
    const noted = Effect.fnUntraced(function* (
      amount: bigint,
      { known = {}, limit = "0", of = prices, said = {} }: {
        readonly known?: Partial<SwapStatus>
        readonly limit?: string
        readonly of?: typeof prices
        readonly said?: Partial<SwapStatus>
      } = {},
    ) {
      const terms = { ...sold, limit }
      const found: SwapStatus = {
        ...recordOf(terms),
        state: "completed",
        deposit: sell,
        swapEgress: paid(amount),
        ...said,
      }
      return (yield* notesByPrices(recordOf(terms, known), found, Effect.succeed(of))).length
    })
    // 1.5 ETH are 3,000 dollars; fixed fees may be 100 dollars on Ethereum and 20 on Arbitrum.
    assert.strictEqual(yield* noted(1_440_000_000n), 0)
    assert.strictEqual(yield* noted(1_439_999_999n), 1)
    assert.strictEqual(yield* noted(1n, { limit: "1" }), 0)
    assert.strictEqual(yield* noted(1n, { of: new Map([["eth.eth", dollars("2000")]]) }), 0)
    assert.strictEqual(yield* noted(1n, { said: { refundEgress: paid(1n) } }), 0)
    assert.strictEqual(yield* noted(1n, { said: { state: "failed" } }), 0)
    const quote = {
      amount: native(1n),
      quoted: native(2n),
      promised: native(1n),
      expiresAt: EpochMillis.make(1),
    }
    assert.strictEqual(yield* noted(1n, { known: { quote } }), 0)
  })
})

describe("ends at random", () => {
  const between = (minimum: bigint, maximum: bigint) =>
    Schema.BigInt.check(Schema.isBetweenBigInt({ minimum, maximum }))
  const Value = Schema.Struct({
    provider: Schema.Literals(providers),
    /** Thousandths of an ETH: more than fees can eat. */
    amount: between(1_000n, 1_000_000n),
    /** What came back of a thousand parts. */
    back: between(10n, 900n),
    course: Schema.Literals(["paid", "partly", "refunded"]),
    /** What the market gives above the limit, of a thousand parts of it. */
    better: between(0n, 200n),
    /** Fees for sending, in thousandths of a US dollar. */
    feeOut: between(0n, 5_000n),
    /** Thousandths of the fee that are told of it. */
    told: between(250n, 1_000n),
  })
  type Value = typeof Value.Type

  /** An honest end, by the provider's own rule. */
  const honestEnd = ({ amount, back, better, course, feeOut, provider, told }: Value): Case => {
    const wei = amount * 10n ** 15n
    const feeIn = feeOut * 10n ** 12n / 4n
    const returned = course === "refunded" ? wei : course === "partly" ? wei * back / 1_000n : 0n
    // 1Click and Relay fill the order, and send back what was paid above it.
    const isOrdered = provider === "nearIntents" || provider === "relay"
    const ordered = isOrdered && course !== "refunded" ? wei - returned : wei
    const before = provider === "chainflip" ? feeIn : 0n
    const atMarket = (wei - returned - before) * 1_800n * (1_000n + better) / 1_000n / 10n ** 12n
    const isChunked = !isOrdered && provider !== "chainflip"
    const after = provider === "chainflip" || isChunked ? feeOut * 1_000n : 0n
    return {
      at: [],
      terms: { ...sold, ordered },
      said: {
        ...(isChunked ? { dca: inChunks } : {}),
        deposit: deposited(wei),
        ...(course === "refunded" ? {} : { swapEgress: paid(atMarket - after, hash("c")) }),
        ...(returned === 0n ? {} : { refundEgress: paid(returned - feeIn, hash("d")) }),
        fees: provider === "chainflip"
          ? [fee("egress", "usdc.arb", after * told / 1_000n), fee("ingress", "eth.eth", feeIn)]
          : [],
      },
    }
  }

  /** The same end with a lie in the place of its payment. */
  const lieOf = (given: Case, kind: number): Case => {
    const { refundEgress: _, swapEgress, ...said } = given.said
    const isRefund = swapEgress === undefined
    const tiny = paid(5n, hash("e"))
    const lie = [
      isRefund ? { refundEgress: tiny } : { swapEgress: tiny },
      isRefund
        ? { refundEgress: paid(1n, hash("e")) }
        : { swapEgress: paid(swapEgress.amount / 2n), refundEgress: tiny },
      {
        deposit: deposited(0n),
        ...(isRefund ? { refundEgress: tiny } : { swapEgress }),
      },
      { swapEgress: paid(10n ** 12n, hash("a")) },
      { swapEgress: { amount: native(10n ** 12n) } },
    ][kind]
    return { ...given, said: { ...said, ...lie } }
  }

  it.effect("2,000 honest ones are believed, 200 lies among them are not", function* () {
    const values = yield* Arbitrary.sampleEffect(Arbitrary.schema(Value), { count: 2_000, seed: 37 })
    for (const one of values) {
      const { end } = judge(honestEnd(one), one.provider)
      assert.strictEqual(end._tag, "Plausible", `${one.provider} ${one.course}: ${JSON.stringify(end)}`)
    }
    values.slice(0, 200).forEach((one, index) => {
      const { end } = judge(lieOf(honestEnd(one), index % 5), one.provider)
      assert.notStrictEqual(end._tag, "Plausible", `${one.provider} ${one.course} ${index % 5}`)
    })
  })
})
