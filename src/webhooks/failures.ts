import { Schema } from "effect"

/** The account has no such endpoint. */
export class WebhookUnknown extends Schema.TaggedError<WebhookUnknown>()("WebhookUnknown", {}) {
  override get message(): string {
    return "The account has no webhook with this id"
  }
}

/** The endpoint has no such delivery. */
export class DeliveryUnknown extends Schema.TaggedError<DeliveryUnknown>()("DeliveryUnknown", {}) {
  override get message(): string {
    return "The webhook has no delivery with this id"
  }
}

/** The account has as many endpoints as it may have. */
export class TooManyWebhooks extends Schema.TaggedError<TooManyWebhooks>()("TooManyWebhooks", {
  most: Schema.Int,
}) {
  override get message(): string {
    return `The account has ${this.most} webhooks, which is the most: delete one first`
  }
}

/** What is asked for would be told to an endpoint that is disabled. */
export class WebhookDisabled extends Schema.TaggedError<WebhookDisabled>()("WebhookDisabled", {}) {
  override get message(): string {
    return "The webhook is disabled: enable it first"
  }
}
