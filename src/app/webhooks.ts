import { Duration, Layer, Option } from "effect"
import type { Settings } from "../Config.ts"
import { Deliveries } from "../webhooks/Deliveries.ts"
import { Dispatcher } from "../webhooks/Dispatcher.ts"
import { dispatching } from "../webhooks/dispatching.ts"
import { Poster } from "../webhooks/Poster.ts"
import { Resolver } from "../webhooks/Resolver.ts"
import { SecretBox } from "../webhooks/SecretBox.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"

/** What the endpoints of accounts need of the settings. */
export type WebhookSettings = Pick<
  Settings,
  "mode" | "webhookEncryptionKey" | "webhooksMost" | "webhookTimeout"
>

/** How messages are signed and sent. */
const sending = ({ mode, webhookEncryptionKey, webhookTimeout }: WebhookSettings) =>
  Layer.merge(
    Poster.layer({ mode, timeout: webhookTimeout }).pipe(Layer.provide(Resolver.layer)),
    SecretBox.layer(webhookEncryptionKey),
  )

/** Endpoints and their deliveries, for whoever owns them: for the service and for the command line alike. */
export const webhooks = (settings: WebhookSettings) =>
  Deliveries.layer.pipe(
    Layer.provideMerge(Webhooks.layer({ mode: settings.mode, most: settings.webhooksMost })),
    Layer.provide(sending(settings)),
  )

const intervalOf = ({ mode, webhookInterval }: Settings): Duration.Duration =>
  Option.getOrElse(webhookInterval, () => mode === "sandbox" ? Duration.millis(200) : Duration.seconds(1))

/** Deliveries, made in the background. */
export const webhooksAtWork = (settings: Settings) =>
  dispatching({
    concurrency: settings.webhookConcurrency,
    interval: intervalOf(settings),
    keep: settings.webhookKeep,
  }).pipe(
    Layer.provide(Dispatcher.layer({
      endpointConcurrency: settings.webhookEndpointConcurrency,
      timeout: settings.webhookTimeout,
    })),
    Layer.provide(sending(settings)),
  )
