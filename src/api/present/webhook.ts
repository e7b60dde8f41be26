import { Redacted } from "effect"
import type { Webhook } from "../../domain/Webhook.ts"
import type { WebhookSecret } from "../../domain/WebhookSecret.ts"
import type { WebhookWithSecretBody } from "../WebhookBodies.ts"

/** With the secret in clear: for the answer that makes it, and no other. */
export const presentSecret = (
  { secret, webhook }: { readonly webhook: Webhook; readonly secret: WebhookSecret },
): WebhookWithSecretBody => ({ ...webhook, secret: Redacted.value(secret) })
