import type { BigDecimal } from "effect"
import { NativeAmount } from "../domain/Amount.ts"
import { type AssetId, assetIds } from "../domain/Asset.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { AssetSupport } from "./Provider.ts"

/** What one provider said of an asset, and whether the operator lets it be quoted and swapped there. */
export interface AssetStanding extends AssetSupport {
  readonly platform: ProviderName
  readonly switchedOn: boolean
}

/** What the providers together make of one asset. */
export interface ListedAsset {
  readonly asset: AssetId
  /** Those that serve it at present, the preferred first; none where nobody does. */
  readonly platforms: ReadonlyArray<ProviderName>
  /** One of them takes deposits of it. */
  readonly ingress: boolean
  /** One of them pays it out. */
  readonly egress: boolean
  /**
   * The lowest minimum that is stated by those that take deposits of it, or, where none does, by those that
   * know it. Native units; 1 where nobody states any.
   */
  readonly minimumDeposit: NativeAmount
  /** US dollars for one whole unit; absent where no provider that serves it states a price. */
  readonly usdPrice?: BigDecimal.BigDecimal
}

/** The least amount that there is: a minimum of it, or of nothing, is none. */
const leastAmount = NativeAmount.make(1n)

const lowest = (minimums: ReadonlyArray<NativeAmount>): NativeAmount => {
  const [first = leastAmount, ...others] = minimums.filter((minimum) => minimum > leastAmount)
  return others.reduce((least, minimum) => minimum < least ? minimum : least, first)
}

const listed = (asset: AssetId, standings: ReadonlyArray<AssetStanding>): ListedAsset => {
  const serving = standings.filter(({ switchedOn, ingress, egress }) => switchedOn && (ingress || egress))
  const takingDeposits = serving.filter(({ ingress }) => ingress)
  const usdPrice = serving.find((standing) => standing.usdPrice !== undefined)?.usdPrice
  return {
    asset,
    platforms: serving.map(({ platform }) => platform),
    ingress: takingDeposits.length > 0,
    egress: serving.some(({ egress }) => egress),
    minimumDeposit: lowest(
      (takingDeposits.length > 0 ? takingDeposits : standings).map(({ minimumDeposit }) => minimumDeposit),
    ),
    ...(usdPrice === undefined ? {} : { usdPrice }),
  }
}

/**
 * Every known asset, in the order of the table, from what was said of each by the providers in order of
 * preference. One that nobody serves is listed too: the service knows it, and answers `asset_disabled` to it
 * (decision 10).
 */
export const listAssets = (standings: ReadonlyArray<AssetStanding>): ReadonlyArray<ListedAsset> =>
  assetIds.map((id) => listed(id, standings.filter(({ asset }) => asset === id)))
