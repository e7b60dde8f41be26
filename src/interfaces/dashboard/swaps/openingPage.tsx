import type { UnknownOpening } from "#domain/operations/Business.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { guidanceOfOpening } from "#application/guidance/guidanceOf.ts"
import { assetName, coin } from "../../pages/amounts.tsx"
import { button } from "../../pages/links.tsx"
import { copyable, kv, note, pill, section, untrusted } from "../../pages/parts.tsx"
import { time } from "../../pages/times.tsx"
import { path, withQuery } from "../../pages/Url.ts"
import type { Shown } from "../Page.ts"

/** The page of an opening of which nobody knows what came of it. */
export const openingShown = (opening: UnknownOpening, provider: string, now: EpochMillis): Shown => {
  const { account, createdAt, destinationAddress, destinationAsset, id, platform, reason, sourceAsset } =
    opening
  const { text, whatYouCanDo } = guidanceOfOpening(
    { platform, outcome: "unknown", at: createdAt },
    "operator",
  )
  return {
    title: `Swap ${id}`,
    crumb: <a href={withQuery(path`/dashboard/swaps`, { view: "unknown" })}>Openings of unknown outcome</a>,
    state: pill("Opening unknown", "bad"),
    line: <>{account} · {provider} · asked for {time(createdAt, now)}</>,
    acts: button("Case file", withQuery(path`/dashboard/swaps/${id}`, { format: "json" })),
    body: [
      note("bad", {
        title: `Nobody knows whether ${provider} has opened a channel`,
        text,
        more: (
          <p>
            Why:{" "}
            {untrusted(reason)}. Channels that an upstream has and no record has are looked for by itself,
            again and again: if there is one, this becomes its swap.
          </p>
        ),
      }),
      section(
        { title: "What can be done", id: "advice" },
        <ul class="points">{whatYouCanDo.map((sentence) => <li>{sentence}</li>)}</ul>,
      ),
      section(
        { title: "What was asked for", id: "asked" },
        kv([
          ["From", <>{coin(sourceAsset)}{assetName(sourceAsset)}</>],
          ["To", <>{coin(destinationAsset)}{assetName(destinationAsset)}</>],
          ["Pays to", copyable(destinationAddress, "destination address")],
        ]),
      ),
    ],
  }
}
