import type { SwapDelivery } from "#domain/accounts/Webhook.ts"
import { counted } from "#domain/figures.ts"
import type { SwapNotice } from "#domain/swaps/SwapEvent.ts"
import { type Html, nothing, path } from "../../pages/jsx-runtime.ts"
import { kv, section } from "../../pages/parts.tsx"
import { age, clock } from "../../pages/values.tsx"
import { statePill } from "../webhooks/deliveryText.tsx"
import type { SwapFacts } from "./loadSwap.ts"

const linkOf = ({ account, id, webhookId }: SwapDelivery) =>
  path`/dashboard/accounts/${account}/webhooks/${webhookId}/deliveries/${id}`

/** The times of what was shown: of its only time, or of its first and latest. */
const timesText = ({ firstAt, lastAt, times }: SwapNotice, now: SwapFacts["now"]): Html => (
  <>
    {times > 1 && `${counted(times, "time")}, `}
    {firstAt < lastAt && <>{clock(firstAt, now)} to {" "}</>}
    {clock(lastAt, now)} UTC
  </>
)

/** Who was notified of what: webhooks and event streams by event, then the payer by the payer's page. */
export const notifiedSection = ({ deliveries, notices, now }: SwapFacts): Html => {
  const rows: ReadonlyArray<readonly [label: string, value: Html]> = [
    ...deliveries.map((delivery) =>
      [
        delivery.type,
        <>
          {statePill(delivery)} <a href={linkOf(delivery)}>webhook, {age(delivery.createdAt, now)}</a>
        </>,
      ] as const
    ),
    ...notices.map((notice) =>
      notice.kind === "page"
        ? ["Payer’s page", <>opened {timesText(notice, now)}</>] as const
        : [notice.kind, <>event stream, {timesText(notice, now)}</>] as const
    ),
  ]
  return rows.length === 0 ? nothing : section({ title: "Notified", id: "notified", live: true }, kv(rows))
}
