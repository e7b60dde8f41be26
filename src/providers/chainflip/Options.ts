import type { Duration, Redacted } from "effect"
import type { BrokerAccount } from "../../domain/Address.ts"
import type { Network } from "../../domain/Chain.ts"

/** Where the upstream is and who we are there (settings `CHAINFLIP_…`). */
export interface Options {
  /** Swap backend, REST. */
  readonly backendUrl: URL
  /** State-chain node, JSON-RPC. */
  readonly nodeUrl: URL
  /** The operator's own broker, JSON-RPC: whoever can reach it can open channels, so it is a secret. */
  readonly brokerUrl: Redacted.Redacted<URL>
  /** The operator's account, which the broker signs with. */
  readonly brokerAccount: BrokerAccount
  /** With `{issuedBlock}`, `{network}` and `{channelId}` in it (decision 26). */
  readonly explorerUrl: string
  /** Networks whose deposit addresses are handed out; absent: any. Live ones never give out a test address. */
  readonly networks?: ReadonlyArray<Network>
  /** How long payloads are good; an hour by default. */
  readonly payloadLifetime?: Duration.Input
  /** For how long limits and switches are reused; 60 seconds by default, any duration from 0. */
  readonly environmentMaxAge?: Duration.Input
  /** Longest that a look-up of them may take; 3 seconds by default. */
  readonly lookupTimeout?: Duration.Input
}
