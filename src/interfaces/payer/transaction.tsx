import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { explorerUrl, type Html } from "../pages/jsx-runtime.ts"
import { code, copies, copyable, ends } from "./parts.tsx"
import type { PayerView } from "./payerView.ts"

/** A transaction: in short with a link to an explorer of the main network, and in full where there is no explorer. */
export const transaction = (asset: AssetId, reference: string, { network, writer }: PayerView): Html => {
  const { fill, say } = writer
  const place = network === "mainnet" ? explorerUrl(chainOf(asset), reference) : undefined
  if (place === undefined) return copyable(reference, say("theTransaction"), writer)
  const hash = <data value={reference}>{code(ends(reference))}</data>
  return (
    <span class="copyable">
      <a href={place} rel="noreferrer noopener">
        {fill("lookAt", { hash, explorer: `${new URL(`${place}`).host}\u00a0↗` })}
      </a>
      {copies(say("theTransaction"), writer)}
    </span>
  )
}
