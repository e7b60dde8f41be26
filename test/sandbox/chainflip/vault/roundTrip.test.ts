import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { VaultSwapCommand } from "#api/SandboxCommands.ts"
import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { decodeTransaction, encodeBitcoin, encodeSolana } from "#sandbox/chainflip/vault/decode.ts"
import { encodeEvm, encodeTron } from "#sandbox/chainflip/vault/evm.ts"
import type { RequestedSwap } from "#sandbox/engine/Command.ts"
import { addressFor, brokerAccounts } from "#test/contract/support/addresses.ts"
import { payloadOf, seed, solanaSender, sources } from "./requests.ts"
import { networkAssets } from "#domain/chains/payload/contractNumbers.ts"

const optional = Schema.optionalKey
const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const below = (limit: bigint) =>
  Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: limit - 1n }))

const registered = brokerAccounts.map((account, shortId) => ({
  account: BrokerAccount.make(account),
  shortId,
  withdrawalAddress: Address.make(`0x${"11".repeat(20)}`),
}))

/** Anything that a payload can carry. */
const Wish = Schema.Struct({
  sourceAsset: Schema.Literals(sources),
  destinationAsset: Schema.Literals(networkAssets),
  commission: between(0, 255),
  boost: between(0, 255),
  affiliates: Schema.Array(Schema.Struct({ account: Schema.Literals(brokerAccounts), bps: between(0, 255) }))
    .check(Schema.isMaxLength(2)),
  retryDuration: between(0, 65_535),
  price: below(2n ** 256n),
  minimum: below(2n ** 128n),
  oracle: optional(between(0, 254)),
  dca: optional(Schema.Struct({ chunks: between(2, 65_535), interval: between(1, 65_535) })),
  message: optional(Schema.Struct({ bytes: Schema.Array(between(0, 255)), gas: below(2n ** 64n) })),
  amount: below(2n ** 63n),
})
type Wish = typeof Wish.Type

const toHex = (bytes: ReadonlyArray<number>): string =>
  `0x${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`

const requestOf = (wish: Wish): RequestedSwap => {
  const { dca, message, oracle, sourceAsset } = wish
  const isBitcoin = sourceAsset === "btc.btc"
  return {
    sourceAsset,
    destinationAsset: wish.destinationAsset,
    destinationAddress: addressFor(wish.destinationAsset),
    brokerCommissionBps: wish.commission,
    boostFeeBps: wish.boost,
    affiliates: wish.affiliates.map(({ account, bps }) => ({ account, commissionBps: bps })),
    refund: {
      retryDurationBlocks: wish.retryDuration,
      refundAddress: addressFor(sourceAsset),
      minimumPriceX128: isBitcoin ? wish.minimum * 2n ** 128n / (wish.amount + 1n) : wish.price,
      ...(oracle === undefined ? {} : { maximumOraclePriceSlippageBps: oracle }),
    },
    ...(dca === undefined ? {} : { dca: { numberOfChunks: dca.chunks, chunkIntervalBlocks: dca.interval } }),
    ...(message === undefined || isBitcoin
      ? {}
      : { ccm: { message: toHex(message.bytes), gasBudget: NativeAmount.make(message.gas) } }),
  }
}

const encode = (request: RequestedSwap, amount: NativeAmount, minimum: bigint) => {
  const encoders = {
    Bitcoin: () => encodeBitcoin(request, minimum, registered),
    Ethereum: () => encodeEvm(request, amount, registered),
    Arbitrum: () => encodeEvm(request, amount, registered),
    Solana: () => encodeSolana(request, amount, { from: solanaSender, seed }, registered),
    Tron: () => encodeTron(request, amount, registered),
  }
  const chain = chainOf(request.sourceAsset)
  return Object.hasOwn(encoders, chain)
    ? Object.entries(encoders).find(([name]) => name === chain)?.[1]()
    : undefined
}

const readPayload = Schema.decodeUnknownSync(VaultSwapCommand)

describe("a payload", () => {
  it.prop("says everything that was asked, so that it can be read again", [Wish], ([wish]) => {
    if (wish.sourceAsset === wish.destinationAsset) return
    const request = requestOf(wish)
    const amount = NativeAmount.make(wish.amount + 1n)
    const body = payloadOf(encode(request, amount, wish.minimum), amount)
    const decoded = decodeTransaction({
      payload: readPayload({ payload: body }).payload,
      amountOf: () => Result.succeed(undefined),
      changeAddress: wish.sourceAsset === "btc.btc" ? Address.make(addressFor("btc.btc")) : undefined,
    }, registered)
    assert.deepStrictEqual(Result.getOrThrow(decoded), { _tag: "VaultSwap", ...request, amount })
  })
})
