import type { Redacted } from "effect"

/** Where the upstream is and who we are there. */
export interface Options {
  readonly url: URL
  readonly apiKey: Redacted.Redacted<string>
  /** With `{issuedBlock}`, `{network}`, `{channelId}` and `{depositAddress}` in it (decision 26). */
  readonly explorerUrl: string
}
