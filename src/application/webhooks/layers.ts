import { Layer } from "effect"
import type { Value } from "#infrastructure/config/Setting.ts"
import { Deliveries } from "./Deliveries.ts"
import { Dispatcher } from "./Dispatcher.ts"
import { dispatching } from "./dispatching.ts"
import { Poster, Resolver } from "./Poster.ts"
import { SecretBox } from "./SecretBox.ts"
import type { dispatchSettings, webhookSettings } from "./settings.ts"
import { Webhooks } from "./Webhooks.ts"

type WebhookSettings = Value<typeof webhookSettings>

/** What sends one message to a URL that is checked at every attempt. */
export const posting = (settings: WebhookSettings) =>
  Poster.layer(settings).pipe(Layer.provide(Resolver.layer))

const sending = (settings: WebhookSettings) =>
  Layer.merge(posting(settings), SecretBox.layer(settings.encryptionKey))

/** Endpoints and their deliveries: for the service and for the command line. */
export const webhooks = (settings: WebhookSettings) =>
  Deliveries.layer.pipe(Layer.provideMerge(Webhooks.layer(settings)), Layer.provide(sending(settings)))

/** The background work that makes deliveries. */
export const webhooksAtWork = (settings: WebhookSettings, dispatch: Value<typeof dispatchSettings>) =>
  dispatching(dispatch).pipe(
    Layer.provide(Dispatcher.layer({ ...dispatch, timeout: settings.timeout })),
    Layer.provide(sending(settings)),
  )
