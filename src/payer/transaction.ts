import { type AssetId, chainOf } from "../domain/Asset.ts"
import type { Network } from "../domain/Chain.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { type Html, html, nothing } from "../pages/html.ts"
import { code } from "../pages/parts.ts"
import { explorerUrl } from "../pages/Url.ts"

/** The time at which the page is shown, and the network that its addresses are of. */
export interface Setting {
  readonly network: Network
  readonly now: EpochMillis
}

/** A transaction with a link to an explorer of the main network; others have no explorer. */
export const transaction = (asset: AssetId, reference: string | undefined, { network }: Setting): Html => {
  if (reference === undefined) return nothing
  const place = network === "mainnet" ? explorerUrl(chainOf(asset), reference) : undefined
  return html`<p>Transaction ${
    place === undefined ? code(reference) : html`<a href="${place}" rel="noreferrer">${code(reference)}</a>`
  }</p>`
}
