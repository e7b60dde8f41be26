import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type PayloadKind, Seed } from "#domain/swaps/VaultSwap.ts"
import {
  encodingRequest,
  type PayloadInput,
  type PayloadTerms,
} from "#application/swapping/payloads/PayloadRules.ts"
import { openingRequest } from "#application/swapping/opening/SwapRules.ts"
import { broker, onChain, plain, terms } from "../swapWishes.ts"

const freshSeed = Seed.make(`0x${"07".repeat(32)}`)
const payloadTerms: PayloadTerms = { ...terms, freshSeed }
const amountNative = NativeAmount.make(1_000_000n)
const ccmPayload = { gasBudget: NativeAmount.make(1n), message: "0x01" }

/** A wish of each kind that no rule objects to. */
const wishes: Readonly<Record<PayloadKind, PayloadInput>> = {
  bitcoin: { ...plain, refundAddress: onChain("Bitcoin"), amountNative },
  evm: {
    sourceAsset: "usdc.arb",
    destinationAsset: "btc.btc",
    destinationAddress: onChain("Bitcoin"),
    refundAddress: onChain("Arbitrum"),
    amountNative,
  },
  solana: {
    ...plain,
    sourceAsset: "usdc.sol",
    refundAddress: onChain("Solana"),
    sourceAddress: onChain("Solana"),
    amountNative,
  },
  tron: { ...plain, sourceAsset: "trx.tron", refundAddress: onChain("Tron"), amountNative },
  xrpl: { ...plain, sourceAsset: "xrp.xrp", refundAddress: onChain("XrpLedger"), amountNative },
}

const order = (kind: PayloadKind, changes: PayloadInput = {}) =>
  Result.getOrThrow(encodingRequest(kind, { ...wishes[kind], ...changes }, payloadTerms))

const without = (kind: PayloadKind, name: keyof PayloadInput): PayloadInput => {
  const { [name]: _, ...rest } = wishes[kind]
  return rest
}

const faultsOf = (kind: PayloadKind, wish: PayloadInput) =>
  Result.match(encodingRequest(kind, wish, payloadTerms), {
    onSuccess: () => ({}),
    onFailure: (faults) => faults,
  })

const kinds = ["bitcoin", "evm", "solana", "tron", "xrpl"] as const

describe("The rules of payloads", () => {
  it.each(kinds)("refuse a %s wish for what arrives, by the name that asked for it", (kind) => {
    const sent = without(kind, "amountNative")
    const told = "cannot be promised by a transaction; use amount, or /swap"
    assert.deepStrictEqual<unknown>(faultsOf(kind, { ...sent, amountOut: BigDecimal.fromBigInt(1n) }), {
      amountOut: [`amountOut ${told}`],
    })
    assert.deepStrictEqual<unknown>(faultsOf(kind, { ...sent, amountOutNative: amountNative }), {
      amountOutNative: [`amountOutNative ${told}`],
    })
  })

  it.each(kinds)("make the request of /swap from a %s wish, with its amount and its sender", (kind) => {
    const { request, ...rest } = order(kind, { platform: "chainflip", commissionBps: 20 })
    const { sender, ...swap } = request
    const asSwap = openingRequest({ ...wishes[kind], platform: "chainflip", commissionBps: 20 }, terms)
    assert.deepStrictEqual<unknown>(Result.getOrThrow(asSwap), { request: swap, ...rest })
    assert.strictEqual(sender._tag, kind)
    assert.strictEqual(request.amount, amountNative)
  })

  it("read a human amount in the source asset's units", () => {
    const wish = { ...without("evm", "amountNative"), amount: BigDecimal.fromStringUnsafe("1.5") }
    const { request } = Result.getOrThrow(encodingRequest("evm", wish, payloadTerms))
    assert.strictEqual(request.amount, 1_500_000n)
  })

  it("give a Solana payload a seed of its own where the caller gives none", () => {
    const seed = Seed.make(`0x${"ab".repeat(32)}`)
    const address = onChain("Solana")
    assert.deepStrictEqual<unknown>(order("solana").request.sender, {
      _tag: "solana",
      address,
      seed: freshSeed,
    })
    const named = order("solana", { seed, sourceTokenAccount: onChain("Solana") })
    assert.deepStrictEqual<unknown>(named.request.sender, {
      _tag: "solana",
      address,
      seed,
      tokenAccount: onChain("Solana"),
    })
  })

  it("ignore on other chains what only Solana has", () => {
    assert.deepStrictEqual(faultsOf("evm", { ...wishes.evm, sourceTokenAccount: "nobody's" }), {})
  })

  it("take a sender on any chain, as an address of the source chain", () => {
    for (
      const [kind, address] of [["bitcoin", onChain("Bitcoin")], ["evm", onChain("Ethereum")], [
        "tron",
        onChain("Tron"),
      ], ["xrpl", onChain("XrpLedger")]] as const
    ) {
      assert.deepStrictEqual<unknown>(order(kind, { sourceAddress: address }).request.sender, {
        _tag: kind,
        address,
      })
      assert.deepStrictEqual<unknown>(order(kind, {}).request.sender, { _tag: kind })
      const faults = faultsOf(kind, { ...wishes[kind], sourceAddress: onChain("Solana") })
      assert.deepStrictEqual(Object.keys(faults), ["sourceAddress"])
    }
  })

  const rows: ReadonlyArray<readonly [string, PayloadKind, PayloadInput, ReadonlyArray<string>]> = [
    ["a source on another chain", "bitcoin", { ...wishes.evm }, ["sourceAsset"]],
    ["a chain that has no path", "evm", { ...wishes.evm, sourceAsset: "dot.hub" }, [
      "sourceAsset",
      "refundAddress",
    ]],
    ["Asset Hub", "evm", { ...wishes.evm, sourceAsset: "dot.hub" }, ["refundAddress", "sourceAsset"]],
    ["both amounts", "tron", { ...wishes.tron, amount: BigDecimal.fromBigInt(1n) }, ["amount"]],
    ["more decimals than the asset has", "tron", {
      ...without("tron", "amountNative"),
      amount: BigDecimal.make(1n, 7),
    }, ["amount"]],
    ["a refund address of another chain", "evm", { ...wishes.evm, refundAddress: onChain("Tron") }, [
      "refundAddress",
    ]],
    ["a message from Bitcoin", "bitcoin", { ...wishes.bitcoin, ccmPayload }, ["ccmPayload"]],
    ["a message from the XRP Ledger", "xrpl", { ...wishes.xrpl, ccmPayload }, ["ccmPayload"]],
    ["a refund address with a tag", "xrpl", {
      ...wishes.xrpl,
      refundAddress: `${onChain("XrpLedger")}:7`,
    }, ["refundAddress"]],
    ["an address of Bitcoin for Litecoin", "bitcoin", { ...wishes.bitcoin, sourceAsset: "ltc.ltc" }, [
      "refundAddress",
    ]],
    ["a sender that is no key", "solana", { ...wishes.solana, sourceAddress: onChain("Bitcoin") }, [
      "sourceAddress",
    ]],
    ["a token account that is none", "solana", { ...wishes.solana, sourceTokenAccount: "mine" }, [
      "sourceTokenAccount",
    ]],
    ["a token account for SOL", "solana", {
      ...wishes.solana,
      sourceAsset: "sol.sol",
      sourceTokenAccount: onChain("Solana"),
    }, ["sourceTokenAccount"]],
    ["half an affiliate", "evm", { ...wishes.evm, affiliate1: broker(1) }, ["affiliate1CommissionBps"]],
    ["an unknown provider", "evm", { ...wishes.evm, platform: "other" }, ["platform"]],
    ["the same asset twice", "evm", {
      ...wishes.evm,
      destinationAsset: "usdc.arb",
      destinationAddress: onChain("Arbitrum"),
    }, ["destinationAsset"]],
    ["everything at once", "solana", {
      ...wishes.evm,
      destinationAddress: "nobody's",
      chunkIntervalBlocks: 2,
      sourceAddress: "nobody's",
      sourceTokenAccount: "nobody's",
    }, ["chunkIntervalBlocks", "destinationAddress", "sourceAddress", "sourceAsset", "sourceTokenAccount"]],
  ]
  it.each(rows)("refuse %s", (_, kind, wish, parameters) => {
    assert.sameMembers(Object.keys(faultsOf(kind, wish)), [...parameters])
  })

  it("allow a message from any chain but Bitcoin, and a boost from Bitcoin", () => {
    for (const kind of ["solana", "tron"] as const) {
      assert.deepStrictEqual(order(kind, { ccmPayload }).request.ccm, ccmPayload)
    }
    assert.strictEqual(order("bitcoin", { boostFee: 30 }).request.maximumBoostFeeBps, 30)
  })

  it("ask for an amount where there is none", () => {
    const wish = without("tron", "amountNative")
    assert.deepStrictEqual<unknown>(faultsOf("tron", wish), {
      amount: ["amount or amountNative is required"],
    })
    assert.deepStrictEqual(faultsOf("tron", { ...wish, unreadable: ["amountNative"] }), {}, "it was told of")
  })

  it("never fall back to the operator's refund address", () => {
    const wish = without("bitcoin", "refundAddress")
    assert.isTrue(Result.isFailure(encodingRequest("bitcoin", wish, payloadTerms)))
    assert.deepStrictEqual(faultsOf("bitcoin", wish), {}, "it is said where the request is read")
    const limited = { ...wish, minimumPrice: BigDecimal.fromBigInt(1n) }
    assert.deepStrictEqual(faultsOf("bitcoin", limited), {})
  })
})
