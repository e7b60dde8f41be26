import { type Duration, Option, Schema } from "effect"
import { anHttpUrl, aSecret, ExplorerUrl, HttpUrl, Secret } from "#infrastructure/config/kinds.ts"
import * as Settings from "#infrastructure/config/Setting.ts"
import type { Lack } from "../definition.ts"

export const url = Settings.requiredSetting({
  name: "RELAY_URL",
  schema: HttpUrl,
  expected: anHttpUrl,
  meaning: "Relay's API: `https://api.relay.link`",
})

const key = Settings.ofPlace(
  url,
  Settings.optionalSetting({
    name: "RELAY_KEY",
    isTuning: false,
    unset: { sandbox: "simulated", live: "none: swaps show the promised amounts, refunds show none" },
    schema: Schema.RedactedFromValue(Secret),
    expected: aSecret,
    meaning: "Key of Relay's API",
  }),
)

const feeRecipient = Settings.ofPlace(
  url,
  Settings.optionalSetting({
    name: "RELAY_FEE_RECIPIENT",
    isTuning: false,
    unset: { sandbox: "simulated", live: "none: no commission" },
    schema: Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/)),
    expected: "an EVM address, 0x and 40 hex digits",
    meaning: "EVM address whose Relay balance receives your commission",
  }),
)

/** The versions of Relay's quotes (relay/wire.md 1, versions). */
export type QuoteVersion = typeof QuoteVersion.Type
const QuoteVersion = Schema.Literals(["v2", "v3"])

const quoteVersion = Settings.setting({
  name: "RELAY_QUOTE_VERSION",
  isTuning: false,
  default: "v2",
  schema: QuoteVersion,
  expected: "v2 or v3",
  meaning: "Version of Relay's quotes. v3 needs RELAY_KEY. Once Relay has retired v2, v3 is used in any case",
})

export const relaySettings = Settings.struct({
  url,
  key,
  quoteVersion,
  feeRecipient,
  /** The sandbox has a time of its own, in whichever mode the service works with it; its URL tells. */
  simulatedTime: Settings.isOfSandbox(url),
  explorerUrl: Settings.setting({
    name: "RELAY_EXPLORER_URL",
    default: "https://relay.link/transactions?address={depositAddress}",
    schema: ExplorerUrl,
    expected: "a URL in which {depositAddress} may stand",
    meaning: "Template of explorerUrl",
  }),
})

/** Quotes and openings are one call of Relay's, and one limit (relay/wire.md 1). */
export const limits = [
  { name: "quotes", setting: "RELAY_QUOTES_PER_MINUTE", perMinute: 50, call: "POST /quote/*" },
]

/** When Relay retires v2 of its quotes, by its documents (relay/wire.md 1, versions). */
export const v2Retired = Date.parse("2027-02-23T00:00:00Z")

/** What is wrong without a key, or will be once v2 is retired. */
export const lackOf = ({ key, quoteVersion }: Pick<Options, "key" | "quoteVersion">): Lack | undefined =>
  Option.isSome(key) ? undefined : {
    isFault: quoteVersion === "v3",
    detail: quoteVersion === "v3"
      ? "Relay has no API key, and rejects all quotes and openings without one (RELAY_QUOTE_VERSION=v3)"
      : "Relay has no API key. It needs one for quotes and openings from 2027-02-23 on, when it retires v2",
    todo: "Get a key from Relay, and set RELAY_KEY",
  }

/** Without a key Relay tells no amounts of a request; without a fee recipient there can be no commission. */
export interface Options extends Omit<Settings.Value<typeof relaySettings>, "simulatedTime"> {
  readonly simulatedTime?: boolean
  /** How often the list of chains is fetched anew; 1 minute by default, at least 1 second. */
  readonly chainsMaxAge?: Duration.Input
  /** Longest that a fetch of it may take; 3 seconds by default. */
  readonly lookupTimeout?: Duration.Input
}
