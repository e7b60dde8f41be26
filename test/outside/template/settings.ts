import {
  anHttpUrl,
  ExplorerUrl,
  HttpUrl,
  requiredSetting,
  setting,
  struct,
  type Value,
} from "@swap-broker/core/provider"
import { Schema } from "effect"

/** The settings of the exchange: its URL, and the operator's key. */
export const templateSettings = struct({
  url: requiredSetting({
    name: "TEMPLATE_URL",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "The exchange's API",
  }),
  apiKey: requiredSetting({
    name: "TEMPLATE_API_KEY",
    schema: Schema.RedactedFromValue(Schema.NonEmptyString),
    expected: "a key",
    meaning: "The operator's key at the exchange",
  }),
  explorerUrl: setting({
    name: "TEMPLATE_EXPLORER_URL",
    default: "https://exchange.example/orders/{channelId}",
    schema: ExplorerUrl,
    expected: "a URL in which {channelId} may stand",
    meaning: "Template of explorerUrl",
  }),
})
/** How often the exchange can be called: quotes have a limit, orders and status have none. */
export const limits = [
  { name: "quotes", setting: "TEMPLATE_QUOTES_PER_MINUTE", perMinute: 120, call: "GET /v1/quote" },
]

export type Options = Value<typeof templateSettings>
