import { Result } from "effect"
import { Address } from "#domain/chains/Address.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"
import { AssetDisabled, AssetNotListed } from "#domain/ProviderError.ts"

/** Wallets that upstreams take for somebody's: they refuse a quote for what can be no wallet's, and look at balances. */
const wallets: ReadonlyMap<Chain, string> = new Map<Chain, string>([
  ["Bitcoin", "34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo"],
  ["Tron", "THa7BwoPfacfiELa63pbmm3g5PGKYmtJyt"],
])

/** Stands for sender and recipient of a quote. A quote can never send money there. */
export const placeholderOn = (chain: Chain): Address =>
  Address.make(wallets.get(chain) ?? chainFacts(chain).nobody)

/** An asset as an upstream lists it; a way that is not told is open. */
interface Listed {
  readonly asset: AssetId
  readonly ingress?: boolean
  readonly egress?: boolean
}

/** Both assets of a request as the upstream lists them. Fails where it does not serve one, or not now. */
export const toPair = <Row extends Listed>(
  listed: ReadonlyMap<AssetId, Row>,
  { destinationAsset, sourceAsset }: { readonly sourceAsset: AssetId; readonly destinationAsset: AssetId },
): Result.Result<{ readonly source: Row; readonly destination: Row }, AssetNotListed | AssetDisabled> => {
  const rowOf = (asset: AssetId, way: "ingress" | "egress") => {
    const row = listed.get(asset)
    if (row === undefined) {
      return Result.fail(new AssetNotListed({ detail: `The provider does not list ${asset}` }))
    }
    return row[way] === false
      ? Result.fail(new AssetDisabled({ detail: `The provider does not swap ${asset} now` }))
      : Result.succeed(row)
  }
  return Result.all({ source: rowOf(sourceAsset, "ingress"), destination: rowOf(destinationAsset, "egress") })
}
