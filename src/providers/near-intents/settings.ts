import { type Duration, Option, type Redacted, Schema } from "effect"
import { anHttpUrl, ExplorerUrl, HttpUrl } from "../../config/kinds.ts"
import { derived, ofPlace, optionalSetting, requiredSetting, setting, struct } from "../../config/Setting.ts"
import { productionKey, SigningKey } from "./signature.ts"

/** Where the 1Click API is. */
export const url = requiredSetting({
  name: "NEAR_INTENTS_URL",
  schema: HttpUrl,
  expected: anHttpUrl,
  meaning: "NEAR Intents' 1Click API",
})

const publicKey = ofPlace(
  url,
  setting({
    name: "NEAR_INTENTS_KEY",
    default: productionKey,
    schema: SigningKey,
    expected: "ed25519: and a public key in base58",
    meaning: "Key that 1Click signs its quotes with; the sandbox has its own",
  }),
)

/** Partner token of the 1Click API. */
export const token = optionalSetting({
  name: "NEAR_INTENTS_TOKEN",
  unset: "unset; the upstream then charges 0.2 % more",
  schema: Schema.RedactedFromValue(Schema.NonEmptyString),
  expected: "a token",
  meaning: "Partner token of the 1Click API",
})

/** The operator's account, which commission is paid to. */
export const feeAccount = optionalSetting({
  name: "NEAR_INTENTS_FEE_ACCOUNT",
  unset: "the sandbox's own; live: none, so no commission",
  schema: Schema.NonEmptyString,
  expected: "a NEAR account",
  meaning: "The operator's NEAR account, which commission is paid to",
})

/** Where NEAR Intents is, and who we are there. */
export const nearIntentsSettings = struct({
  url,
  token,
  publicKey,
  /** The sandbox has a time of its own, in whichever mode the service works with it; its key tells. */
  simulatedTime: derived(publicKey, (key, { announced }) => Option.contains(announced(publicKey.name), key)),
  feeAccount,
  explorerUrl: setting({
    name: "NEAR_INTENTS_EXPLORER_URL",
    default: "https://explorer.near-intents.org/transactions/{depositAddress}",
    schema: ExplorerUrl,
    expected: "a URL in which {depositAddress} may stand",
    meaning: "Template of explorerUrl",
  }),
})

/** Where the upstream is and who we are there (settings `NEAR_INTENTS_…`). */
export interface Options {
  /** The 1Click API. */
  readonly url: URL
  /** Partner token (JWT); without one the upstream charges 20 basis points more. */
  readonly token: Option.Option<Redacted.Redacted<string>>
  /** What the upstream signs its quotes with. */
  readonly publicKey: SigningKey
  /** Whether the upstream has a time of its own, as a sandbox has: then its `Date` counts, not our clock. */
  readonly simulatedTime?: boolean
  /** The operator's NEAR account, which commission is paid to; without one there can be no commission. */
  readonly feeAccount: Option.Option<string>
  /** With `{depositAddress}` in it, or the channel's coordinates as for others (decision 26). */
  readonly explorerUrl: string
  /** How often the catalogue of tokens is fetched anew; 10 minutes by default, at least 1 second. */
  readonly catalogueMaxAge?: Duration.Input
  /** Longest that a fetch of it may take; 3 seconds by default. */
  readonly lookupTimeout?: Duration.Input
}
