import type { Duration, Option, Redacted } from "effect"
import type { SigningKey } from "./signature.ts"

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
