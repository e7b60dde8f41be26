import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { type Html } from "../pages/jsx-runtime.ts"
import { explorerUrl } from "../pages/Url.ts"
import { code, copyable } from "./parts.tsx"
import type { PayerView } from "./payerView.ts"

/** A transaction, with a link to an explorer of the main network; others have no explorer. */
export const transaction = (asset: AssetId, reference: string, { network, writer }: PayerView): Html => {
  const { fill, say } = writer
  const place = network === "mainnet" ? explorerUrl(chainOf(asset), reference) : undefined
  if (place === undefined) return <span>{say("transaction")} {code(reference)}</span>
  const explorer = new URL(`${place}`).host
  return (
    <>
      <span>{say("transaction")} {copyable(reference, say("transaction"), writer)}</span>
      <a href={place} rel="noreferrer noopener">{fill("lookAt", { explorer })} ↗</a>
    </>
  )
}
