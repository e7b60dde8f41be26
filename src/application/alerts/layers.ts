import { Duration, Layer, Option } from "effect"
import type { Value } from "#infrastructure/config/Setting.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { posting } from "../webhooks/layers.ts"
import type { webhookSettings } from "../webhooks/settings.ts"
import type { alertSettings, operatorWebhook } from "./settings.ts"
import { alertMessages, evaluateAlerts } from "./evaluateAlerts.ts"

/** The rounds in which a fault has to be gone to be forgotten before it began an alert. */
const roundsGone = 3

/** The settings that the background work is made of. */
export interface AlertSettings {
  readonly alerts: Value<typeof alertSettings>
  readonly operatorWebhook: Value<typeof operatorWebhook>
  readonly webhooks: Value<typeof webhookSettings>
  readonly enabledProviders: ReadonlyArray<ProviderName>
}

/** The background work: looks for faults, and tells the operator of alerts. */
export const alertsAtWork = ({ alerts, enabledProviders, operatorWebhook, webhooks }: AlertSettings) =>
  Layer.merge(
    evaluateAlerts({
      ...alerts,
      forgottenAfter: Duration.times(alerts.interval, roundsGone),
      hasWebhook: Option.isSome(operatorWebhook),
      providers: enabledProviders,
    }),
    Option.match(operatorWebhook, {
      onNone: () => Layer.empty,
      onSome: (webhook) =>
        alertMessages(webhook, { interval: alerts.interval, timeout: webhooks.timeout }).pipe(
          Layer.provide(posting({ ...webhooks, privateDestinations: webhook.privateDestinations })),
        ),
    }),
  )
