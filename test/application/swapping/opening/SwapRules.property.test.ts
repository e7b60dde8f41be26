import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result, Schema } from "effect"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { CcmPayload } from "#domain/swaps/SwapRequest.ts"
import { openingRequest } from "#application/swapping/opening/SwapRules.ts"
import type { SwapInput } from "#application/swapping/opening/OpeningRules.ts"
import { accountDefault, broker, onChain, terms } from "../swapWishes.ts"

const optional = Schema.optionalKey
const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const addresses = [...new Set(Object.values(onChain)), "nobody's"]
const accounts = [broker(1), broker(2), "nobody's"]

const Decimal = Schema.Struct({
  digits: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 10n ** 60n })),
  scale: between(0, 70),
})

/** Any wish that can come out of the parameters' schemas; most are refused for several reasons. */
const Wish = Schema.Struct({
  sourceAsset: optional(AssetId),
  destinationAsset: optional(AssetId),
  destinationAddress: optional(Schema.Literals(addresses)),
  boostFee: optional(between(0, 100)),
  minimumPrice: optional(Decimal),
  refundAddress: optional(Schema.Literals(addresses)),
  retryDurationInBlocks: optional(between(0, 14_400)),
  numberOfChunks: optional(between(1, 8_000)),
  chunkIntervalBlocks: optional(between(2, 8_000)),
  commissionBps: optional(between(0, 995)),
  affiliate1: optional(Schema.Literals(accounts)),
  affiliate1CommissionBps: optional(between(0, 1_000)),
  affiliate2: optional(Schema.Literals(accounts)),
  affiliate2CommissionBps: optional(between(0, 1_000)),
  affiliate3: optional(Schema.Literals(accounts)),
  affiliate3CommissionBps: optional(between(0, 1_000)),
  affiliate4: optional(Schema.Literals(accounts)),
  affiliate4CommissionBps: optional(between(0, 1_000)),
  amount: optional(Decimal),
  amountNative: optional(NativeAmount),
  platform: optional(Schema.Literals(["chainflip", "near-intents", "other"])),
  ccmPayload: optional(CcmPayload),
})
type Wish = typeof Wish.Type

/** The same with only few members that can be wrong, so that many are allowed. */
const TameWish = Schema.Struct({
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  numberOfChunks: optional(between(1, 100)),
  chunkIntervalBlocks: optional(between(2, 145)),
  commissionBps: optional(between(0, 995)),
  affiliate2: Schema.Literal(broker(1)),
  affiliate2CommissionBps: between(0, 30),
  amountNative: optional(NativeAmount),
  ccmPayload: optional(CcmPayload),
})

const wishOf = ({ minimumPrice, amount, ...others }: Wish): SwapInput => ({
  ...others,
  ...(minimumPrice === undefined
    ? {}
    : { minimumPrice: BigDecimal.make(minimumPrice.digits, minimumPrice.scale) }),
  ...(amount === undefined ? {} : { amount: BigDecimal.make(amount.digits, amount.scale) }),
})

type Faulty = ReadonlyArray<string>
const fault = (name: string, isWrong: boolean): Faulty => isWrong ? [name] : []

const isOn = (asset: AssetId, address: string) => onChain(chainOf(asset)) === address

const addressFaults = (wish: Wish): Faulty => {
  const { sourceAsset, destinationAsset, destinationAddress, refundAddress, minimumPrice } = wish
  const noRefund = refundAddress === undefined && (
    minimumPrice !== undefined && minimumPrice.digits > 0n ||
    sourceAsset !== undefined && terms.fallbackRefundAddresses[chainOf(sourceAsset)] === undefined
  )
  return [
    ...fault(
      "destinationAddress",
      destinationAsset !== undefined && destinationAddress !== undefined &&
        !isOn(destinationAsset, destinationAddress),
    ),
    ...fault(
      "refundAddress",
      noRefund ||
        sourceAsset !== undefined && refundAddress !== undefined && !isOn(sourceAsset, refundAddress),
    ),
  ]
}

/** Whether a price rounds to no Q128 number of native units: to 0, or to 2^256 and more. */
const priceFaults = ({ sourceAsset, destinationAsset, minimumPrice }: Wish): Faulty => {
  if (sourceAsset === undefined || destinationAsset === undefined || minimumPrice === undefined) return []
  const shift = factsOf(destinationAsset).decimals - factsOf(sourceAsset).decimals - minimumPrice.scale
  const numerator = minimumPrice.digits * 2n ** 128n * 10n ** BigInt(Math.max(0, shift))
  const denominator = 10n ** BigInt(Math.max(0, -shift))
  const roundsToZero = minimumPrice.digits > 0n && 2n * numerator < denominator
  return fault("minimumPrice", roundsToZero || 2n * numerator >= (2n ** 257n - 1n) * denominator)
}

const affiliatesOf = (wish: Wish) => [
  { name: "affiliate1", account: wish.affiliate1, bps: wish.affiliate1CommissionBps },
  { name: "affiliate2", account: wish.affiliate2, bps: wish.affiliate2CommissionBps },
  { name: "affiliate3", account: wish.affiliate3, bps: wish.affiliate3CommissionBps },
  { name: "affiliate4", account: wish.affiliate4, bps: wish.affiliate4CommissionBps },
]

const commissionOf = ({ commissionBps = 0 }: Wish) => Math.max(accountDefault, commissionBps)

const affiliateFaults = (wish: Wish): Faulty => {
  const all = affiliatesOf(wish)
  const shares = all.reduce((sum, { bps = 0 }) => sum + bps, 0)
  return [
    ...fault("commissionBps", shares > 0 && commissionOf(wish) + shares > 1_000),
    ...all.flatMap(({ name, account, bps }, index) => {
      if (account === undefined) return fault(name, bps !== undefined)
      const repeated = all.slice(0, index).some((earlier) => earlier.account === account)
      return [
        ...fault(name, repeated || account === "nobody's"),
        ...fault(`${name}CommissionBps`, bps === undefined),
      ]
    }),
  ]
}

const chunkFaults = ({ numberOfChunks, chunkIntervalBlocks }: Wish): Faulty => [
  ...fault("chunkIntervalBlocks", numberOfChunks === undefined && chunkIntervalBlocks !== undefined),
  ...fault("numberOfChunks", ((numberOfChunks ?? 1) - 1) * (chunkIntervalBlocks ?? 2) > 14_400),
]

const amountFaults = ({ sourceAsset, amount, amountNative }: Wish): Faulty => {
  if (amount === undefined) return []
  if (amountNative !== undefined) return ["amount"]
  if (sourceAsset === undefined) return []
  const missing = factsOf(sourceAsset).decimals - amount.scale
  return fault("amount", missing < 0 || amount.digits * 10n ** BigInt(missing) > maximumNativeAmount)
}

/** What should be found wrong with a wish: the rules of decisions 2 to 11 once more. */
const expectedFaults = (wish: Wish): Faulty => [
  ...fault("destinationAsset", wish.sourceAsset !== undefined && wish.sourceAsset === wish.destinationAsset),
  ...addressFaults(wish),
  ...priceFaults(wish),
  ...chunkFaults(wish),
  ...affiliateFaults(wish),
  ...amountFaults(wish),
  ...fault("platform", wish.platform === "other"),
]

const isComplete = ({ sourceAsset, destinationAsset, destinationAddress }: Wish) =>
  sourceAsset !== undefined && destinationAsset !== undefined && destinationAddress !== undefined

describe("openingRequest of any wish", () => {
  it.prop(
    "finds exactly the faults that the rules name, and never throws",
    [Wish],
    ([wish]) => {
      const result = openingRequest(wishOf(wish), terms)
      const expected = [...expectedFaults(wish)].sort()
      assert.deepStrictEqual(Result.isFailure(result) ? Object.keys(result.failure).sort() : [], expected)
      assert.strictEqual(Result.isSuccess(result), isComplete(wish) && expected.length === 0)
    },
    { arbitrary: { runs: 500 } },
  )

  it.prop(
    "gives what was asked for, within every bound, where nothing is wrong",
    [TameWish],
    ([tame]) => {
      const wish: Wish = {
        ...tame,
        destinationAddress: onChain(chainOf(tame.destinationAsset)),
        refundAddress: onChain(chainOf(tame.sourceAsset)),
      }
      const result = openingRequest(wishOf(wish), terms)
      if (Result.isFailure(result)) return assert.isNotEmpty(expectedFaults(wish))
      const { request } = result.success
      assert.notStrictEqual(request.sourceAsset, request.destinationAsset)
      assert.isTrue(isOn(request.sourceAsset, request.refundAddress))
      assert.isTrue(isOn(request.destinationAsset, request.destinationAddress))
      assert.strictEqual(request.commissionBps, commissionOf(wish))
      assert.deepStrictEqual<unknown>(request.affiliates, [
        { account: tame.affiliate2, commissionBps: tame.affiliate2CommissionBps },
      ])
      assert.strictEqual(request.dca !== undefined, (wish.numberOfChunks ?? 1) > 1)
      const { numberOfChunks = 1, chunkIntervalBlocks = 2 } = request.dca ?? {}
      assert.isAtMost((numberOfChunks - 1) * chunkIntervalBlocks, 14_400)
      assert.strictEqual(request.amount, wish.amountNative)
      assert.deepStrictEqual(request.ccm, wish.ccmPayload)
      for (const value of Object.values(request)) assert.isDefined(value)
    },
    { arbitrary: { runs: 300 } },
  )
})
