import { type BigDecimal, Result } from "effect"
import { fromHuman, type NativeAmount } from "./Amount.ts"
import { type AssetId, factsOf } from "./Asset.ts"
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
    ? Result.fail(issueAbout("destinationAsset", `must differ from sourceAsset, both are ${source}`))
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
      return Result.fail(
        issueAbout(name, `has more decimals than ${asset} allows, which is ${factsOf(asset).decimals}`),
      )
    case "too-large":
      return Result.fail(issueAbout(name, "is too large: it has to be below 2^128 native units"))
    default:
      return Result.succeed(native)
  }
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
