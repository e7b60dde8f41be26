import { type AssetId, chainOf } from "../domain/Asset.ts"
import { type Chain, chainFacts } from "../domain/Chain.ts"
import { type Html, html } from "../pages/html.ts"
import { secureUrl, type Url } from "../pages/Url.ts"
import { code, copyable } from "./parts.ts"
import type { Scene } from "./scene.ts"

/** A hash in hexadecimal or base58, or a block with the number of an extrinsic. */
const reference = /^[A-Za-z0-9]{32,90}$|^[0-9]{1,12}-[0-9]{1,6}$/

/** The page of a transaction in a public explorer of the chain's main network, where its reference looks like one. */
const explorerUrl = (chain: Chain, transaction: string): Url | undefined =>
  reference.test(transaction) ? secureUrl(`${chainFacts(chain).explorer}${transaction}`) : undefined

/** A transaction, with a link to an explorer of the main network; others have no explorer. */
export const transaction = (asset: AssetId, reference: string, { network, writer }: Scene): Html => {
  const { fill, say } = writer
  const place = network === "mainnet" ? explorerUrl(chainOf(asset), reference) : undefined
  if (place === undefined) return html`<span>${say("transaction")} ${code(reference)}</span>`
  const explorer = new URL(`${place}`).host
  return html`<span>${say("transaction")} ${
    copyable(reference, say("transaction"), writer)
  }</span><a href="${place}" rel="noreferrer noopener">${fill("lookAt", { explorer })} ↗</a>`
}
