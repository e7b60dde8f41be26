import type { SwapDelivery } from "#domain/accounts/Webhook.ts"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { kv, section } from "../../pages/parts.tsx"
import { age } from "../../pages/times.tsx"
import { path } from "../../pages/Url.ts"
import { statePill } from "../webhooks/deliveryText.tsx"
import type { SwapFacts } from "./SwapFacts.ts"

const linkOf = ({ account, id, webhookId }: SwapDelivery) =>
  path`/dashboard/accounts/${account}/webhooks/${webhookId}/deliveries/${id}`

/** Of which events webhooks were notified, the newest first; nothing where there is no webhook. */
export const notifiedSection = ({ deliveries, now }: SwapFacts): Html =>
  deliveries.length === 0 ? nothing : section(
    { title: "Notified", id: "notified", live: true },
    kv(deliveries.map((delivery) => [
      delivery.type,
      <>
        {statePill(delivery)} <a href={linkOf(delivery)}>{age(delivery.createdAt, now)}</a>
      </>,
    ])),
  )
