import { Schema } from "effect"

/** The account has no such endpoint. */
export class WebhookUnknown extends Schema.TaggedError<WebhookUnknown>()("WebhookUnknown", {}) {
  override get message(): string {
    return "The account has no webhook with this ID"
  }
}

/** The endpoint has no such delivery. */
export class DeliveryUnknown extends Schema.TaggedError<DeliveryUnknown>()("DeliveryUnknown", {}) {
  override get message(): string {
    return "The webhook has no delivery with this ID"
  }
}

/** The account has as many endpoints as it may have. */
export class TooManyWebhooks extends Schema.TaggedError<TooManyWebhooks>()("TooManyWebhooks", {
  most: Schema.Int,
}) {
  override get message(): string {
    return `The account has ${this.most} webhooks, the maximum. Delete one first`
  }
}

/** The endpoint has as many signing secrets as it may have. */
export class TooManySecrets extends Schema.TaggedError<TooManySecrets>()("TooManySecrets", {
  most: Schema.Int,
}) {
  override get message(): string {
    return `The webhook has ${this.most} signing secrets, the maximum. Wait until one expires, or end ` +
      "all with an overlap of 0"
  }
}

/** A test or a replay was asked for, but the endpoint is disabled. */
export class WebhookDisabled extends Schema.TaggedError<WebhookDisabled>()("WebhookDisabled", {}) {
  override get message(): string {
    return "The webhook is disabled. Enable it first"
  }
}
