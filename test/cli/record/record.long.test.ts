import { assert, layer } from "#test/support/it.ts"
import { Cause, Effect, Exit } from "effect"
import { assertRecorded, type Course, endOf, followed, made, recordedService } from "./recorded.ts"

const ether = 10n ** 18n

/** Amounts that differ from swap to swap. */
const amountOf = (unit: bigint, index: number): string => `${unit + unit * BigInt(index) / 97n + 1n}`

const unreachable = { minimumPrice: "1000000", retryDurationInBlocks: "0" }

const chainflip = (index: number): ReadonlyArray<Course> => {
  const platform = "chainflip"
  const of = (end: string, pair: Course["pair"], unit: bigint, more: Partial<Course> = {}): Course => ({
    platform,
    end,
    pair,
    amount: amountOf(unit, index),
    ...more,
  })
  return [
    of("completed", ["btc.btc", "eth.eth"], 20_000_000n),
    of("completed", ["eth.eth", "sol.sol"], ether),
    of("completed", ["sol.sol", "btc.btc"], 30_000_000_000n),
    of("completed", ["eth.arb", "usdc.eth"], ether, { query: { numberOfChunks: "2" } }),
    of("refunded", ["btc.btc", "eth.eth"], 20_000_000n, { query: unreachable }),
    of("refunded", ["usdc.eth", "btc.btc"], 3_000_000_000n, { query: unreachable }),
    of("refunded", ["eth.arb", "eth.eth"], ether, { rejects: true }),
    of("failed", ["eth.arb", "eth.eth"], 1_000_000n),
    of("failed", ["eth.arb", "sol.sol"], ether, {
      trap: { change: "nextEgress", asset: "sol.sol", outcome: "fallback" },
    }),
    of("expired", ["btc.btc", "usdc.eth"], 20_000_000n, { percent: 0n }),
  ]
}

const nearIntents = (index: number): ReadonlyArray<Course> => {
  const of = (end: string, pair: Course["pair"], unit: bigint, trap?: string, percent?: bigint): Course => ({
    platform: "near-intents",
    end,
    pair,
    amount: amountOf(unit, index),
    ...(trap === undefined ? {} : { trap: { change: "nextOrder", outcome: trap } }),
    ...(percent === undefined ? {} : { percent }),
  })
  return [
    of("completed", ["btc.btc", "xrp.xrp"], 20_000_000n),
    of("completed", ["zec.zec", "eth.eth"], 1_000_000_000n),
    of("completed", ["eth.eth", "sol.sol"], ether),
    of("completed", ["usdt.tron", "doge.doge"], 1_000_000_000n),
    of("completed", ["bch.bch", "usdc.arb"], 300_000_000n),
    of("refunded", ["btc.btc", "eth.eth"], 20_000_000n, "incompleteThatIsRefund"),
    of("failed", ["eth.eth", "btc.btc"], ether, "failedInPart"),
    of("refunded", ["ltc.ltc", "eth.eth"], 1_000_000_000n, "incompleteThatIsRefund"),
    of("expired", ["dash.dash", "eth.eth"], 2_000_000_000n, undefined, 0n),
  ]
}

const relay = (index: number): ReadonlyArray<Course> => {
  const of = (end: string, pair: Course["pair"], unit: bigint, trap?: string, percent?: bigint): Course => ({
    platform: "relay",
    end,
    pair,
    amount: amountOf(unit, index),
    ...(trap === undefined ? {} : { trap: { change: "nextRequest", outcome: trap } }),
    ...(percent === undefined ? {} : { percent }),
  })
  return [
    of("completed", ["btc.btc", "eth.base"], 20_000_000n),
    of("completed", ["eth.eth", "sol.sol"], ether),
    of("completed", ["usdc.sol", "eth.arb"], 1_000_000_000n),
    of("completed", ["eth.eth", "btc.btc"], ether, "superseded"),
    of("refunded", ["eth.arb", "btc.btc"], ether, "fillFails"),
    of("refunded", ["eth.eth", "usdc.arb"], ether, "ttlExpired"),
    of("failed", ["eth.eth", "usdc.arb"], ether, "refundFails"),
    of("failed", ["eth.eth", "usdc.arb"], ether, "blockedWallet"),
    of("expired", ["btc.btc", "eth.eth"], 20_000_000n, undefined, 0n),
  ]
}

const onVaults = (platform: "thorchain" | "maya", index: number): ReadonlyArray<Course> => {
  const of = (
    end: string,
    pair: Course["pair"],
    kind: "bitcoin" | "evm",
    unit: bigint,
    trap?: string,
  ): Course => ({
    platform,
    end,
    pair,
    kind,
    amount: amountOf(unit, index),
    query: { minimumPrice: "0.0000000001", commissionBps: "12" },
    ...(trap === undefined ? {} : { trap: { change: "nextPayment", provider: platform, outcome: trap } }),
  })
  const shared = [
    of("partlyRefunded", ["eth.eth", "btc.btc"], "evm", ether, "partialFill"),
    of("refunded", ["eth.eth", "btc.btc"], "evm", ether, "refund"),
    of("completed", ["btc.btc", "eth.eth"], "bitcoin", 20_000_000n),
  ]
  return platform === "maya"
    ? [...shared, of("completed", ["dash.dash", "eth.arb"], "bitcoin", 2_000_000_000n)]
    : [
      ...shared,
      of("completed", ["ltc.ltc", "bch.bch"], "bitcoin", 1_000_000_000n),
      of("completed", ["doge.doge", "xrp.xrp"], "bitcoin", 500_000_000_000n),
      of("completed", ["usdc.base", "avax.avax"], "evm", 1_000_000_000n),
      { ...of("failed", ["btc.btc", "eth.eth"], "bitcoin", 20_000_000n, "refund"), sent: "1100" },
    ]
}

/** The long gate makes 234 swaps. */
const rounds = Number(Deno.env.get("RECORDED_ROUNDS") ?? 6)

layer(recordedService, { excludeTestServices: true })(
  "swaps of five providers that were recorded",
  (it) => {
    it.effect("read again as they were read, and name nobody", function* () {
      const counts = new Map<string, number>()
      const faults: Array<string> = []
      const totals = { swaps: 0, answers: 0, originals: 0 }
      for (let round = 0; round < rounds; round++) {
        const courses = [
          ...chainflip(round),
          ...nearIntents(round),
          ...relay(round),
          ...onVaults("thorchain", round),
          ...onVaults("maya", round),
        ]
        const paths = yield* Effect.forEach(courses, made)
        const records = yield* followed(paths)
        for (const [index, record] of records.entries()) {
          const { end = "", platform = "" } = courses[index] ?? {}
          const exit = yield* Effect.exit(Effect.gen(function* () {
            assert.strictEqual(endOf(record), end)
            return yield* assertRecorded(record)
          }))
          if (Exit.isFailure(exit)) {
            faults.push(
              `${platform} ${courses[index]?.pair.join(" to ")} ${end}: ${Cause.pretty(exit.cause)}`,
            )
            continue
          }
          const { answers, originals } = exit.value
          totals.swaps += 1
          totals.answers += answers
          totals.originals += originals
          counts.set(`${platform} ${end}`, (counts.get(`${platform} ${end}`) ?? 0) + 1)
        }
      }
      console.log(`${JSON.stringify(totals)} ${JSON.stringify(Object.fromEntries(counts))}`)
      assert.deepStrictEqual(faults, [])
      assert.isAtLeast(totals.swaps, 39 * rounds)
    })
  },
)
