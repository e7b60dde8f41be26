import { Schema } from "effect"
import { anHttpUrl, ExplorerUrl, HttpUrl } from "../../config/kinds.ts"
import { requiredSetting, setting, struct, type Value } from "../../config/Setting.ts"

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
export type Options = Value<typeof templateSettings>
