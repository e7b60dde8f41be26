import { type BigDecimal, Result } from "effect"
import { fromHuman, type NativeAmount } from "./money/Amount.ts"
import { type AssetId, factsOf } from "./chains/Asset.ts"
import { ReceiveExactly, type SwapAmount } from "./quotes/ExactOutput.ts"
import { issueAbout, type Issues, noIssues } from "./Issues.ts"

/** The result for a value that another rule has already reported: no issues of its own. */
export const alreadyTold: Result.Result<never, Issues> = Result.fail(noIssues)

/** A value that must be present; its absence was reported where it was read. */
export const present = <A>(value: A | undefined): Result.Result<A, Issues> =>
  value === undefined ? alreadyTold : Result.succeed(value)

/** Source and destination must differ (decision 10). */
export const differentAssets = (
  source: AssetId | undefined,
  destination: AssetId | undefined,
): Result.Result<void, Issues> =>
  source !== undefined && source === destination
    ? Result.fail(issueAbout("destinationAsset", `must differ from sourceAsset; both are ${source}`))
    : Result.void

/** The human amount of the parameter `name` in native units of its asset, exactly (decision 2). */
export const amountOf = (
  asset: AssetId,
  amount: BigDecimal.BigDecimal,
  name = "amount",
): Result.Result<NativeAmount, Issues> => {
  const native = fromHuman(asset, amount)
  switch (native) {
    case "too-many-decimals":
      return Result.fail(issueAbout(name, `has too many decimals; ${asset} has ${factsOf(asset).decimals}`))
    case "too-large":
      return Result.fail(issueAbout(name, "is too large; it must be below 2^128 native units"))
    default:
      return Result.succeed(native)
  }
}

/** The ways to say how much: what is sent or what arrives, each in human or in native units. */
export interface AmountInput {
  readonly sourceAsset?: AssetId
  readonly destinationAsset?: AssetId
  readonly amount?: BigDecimal.BigDecimal
  readonly amountNative?: NativeAmount
  readonly amountOut?: BigDecimal.BigDecimal
  readonly amountOutNative?: NativeAmount
}

/** The amount of a request: given in one of the ways, or in none. */
export const swapAmountOf = (wish: AmountInput): Result.Result<SwapAmount | undefined, Issues> => {
  const { amount, amountNative, amountOut, amountOutNative, destinationAsset, sourceAsset } = wish
  const [name, other] = Object.entries({ amount, amountNative, amountOut, amountOutNative })
    .flatMap(([name, value]) => value === undefined ? [] : [name])
  if (name !== undefined && other !== undefined) {
    return Result.fail(issueAbout(name, `and ${other} cannot be used together`))
  }
  const native = (asset: AssetId | undefined, human: BigDecimal.BigDecimal, name: string) =>
    asset === undefined ? alreadyTold : amountOf(asset, human, name)
  const received = (amount: NativeAmount): SwapAmount => ReceiveExactly.make({ amount })
  if (amount !== undefined) return native(sourceAsset, amount, "amount")
  if (amountOut !== undefined) return Result.map(native(destinationAsset, amountOut, "amountOut"), received)
  return Result.succeed(amountOutNative === undefined ? amountNative : received(amountOutNative))
}

/** A named provider must be enabled (decision 11). */
export const knownPlatform = <Name extends string>(
  platform: string | undefined,
  enabled: ReadonlyArray<Name>,
): Result.Result<Name | undefined, Issues> => {
  const known = enabled.find((name) => name === platform)
  return platform === undefined || known !== undefined
    ? Result.succeed(known)
    : Result.fail(issueAbout("platform", `must be one of ${enabled.join(", ")}`))
}
