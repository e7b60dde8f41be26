import { Duration, Result, Schema } from "effect"
import { anHttpUrl, between, ExplorerUrl, HttpUrl } from "#infrastructure/config/kinds.ts"
import * as Settings from "#infrastructure/config/Setting.ts"
import { BrokerAccount, checkBrokerAccount } from "#domain/chains/Address.ts"
import type { Network } from "#domain/chains/Chain.ts"

/** The ss58 prefix of the network's accounts, whose text begins with `cF` (chainflip/wire.md 1.1). */
export const brokerAccountPrefix = 2112

const brokerUrl = Settings.requiredSetting({
  name: "CHAINFLIP_BROKER_URL",
  schema: Schema.RedactedFromValue(HttpUrl),
  expected: anHttpUrl,
  meaning:
    "Your broker's JSON-RPC, which opens deposit channels. For transactions from Bitcoin it needs a private Bitcoin " +
    "channel. Treated as a secret",
})

export const chainflipSettings = Settings.struct({
  backendUrl: Settings.requiredSetting({
    name: "CHAINFLIP_BACKEND_URL",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning:
      "REST API of Chainflip's swap backend: quotes and status. Mainnet: `https://chainflip-swap.chainflip.io`",
  }),
  nodeUrl: Settings.requiredSetting({
    name: "CHAINFLIP_NODE_URL",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "JSON-RPC of a state-chain node: limits and balances",
  }),
  brokerUrl,
  /** The sandbox has a time of its own, in whichever mode the service works with it; its URL tells. */
  simulatedTime: Settings.isOfSandbox(brokerUrl),
  brokerAccount: Settings.requiredSetting({
    name: "CHAINFLIP_BROKER_ACCOUNT",
    schema: BrokerAccount.check(
      Schema.makeFilter((account) => Result.isSuccess(checkBrokerAccount(brokerAccountPrefix, account))),
    ),
    expected: "an ss58 account that begins with cF, with its checksum",
    meaning: "Your broker's account",
  }),
  explorerUrl: Settings.setting({
    name: "CHAINFLIP_EXPLORER_URL",
    default: "https://scan.chainflip.io/channels/{issuedBlock}-{network}-{channelId}",
    schema: ExplorerUrl,
    expected: "a URL in which {issuedBlock}, {network} and {channelId} may stand",
    meaning: "Template of explorerUrl",
  }),
  payloadLifetime: Settings.setting({
    name: "CHAINFLIP_PAYLOAD_LIFETIME",
    default: "1 hour",
    schema: between(Duration.seconds(1), Duration.days(3)),
    expected: "a duration from 1 second to 3 days, such as 1 hour",
    meaning:
      "Lifetime of transaction payloads. Their minimum price is that of their creation; Bitcoin deposit addresses last " +
      "three days or more",
  }),
  // The sandbox's controls have to show at once, so nothing is kept there.
  environmentMaxAge: Settings.byMode({ live: Duration.minutes(1), sandbox: Duration.zero }),
})

/** The swap backend's limit, by its source (chainflip/wire.md 3.5). */
export const limits = [
  { name: "quotes", setting: "CHAINFLIP_QUOTES_PER_MINUTE", perMinute: 100, call: "GET /v2/quote" },
]

type Tuned = "simulatedTime" | "payloadLifetime" | "environmentMaxAge"

export interface Options extends Omit<Settings.Value<typeof chainflipSettings>, Tuned> {
  /** Whether the broker is simulated and its clock tells when channels were opened; absent: it is not. */
  readonly simulatedTime?: boolean
  /** Networks whose deposit addresses are handed out; absent: any. Live ones never give out a test address. */
  readonly networks?: ReadonlyArray<Network>
  /** The lifetime of payloads; an hour by default. */
  readonly payloadLifetime?: Duration.Input
  /** How long limits and switches are reused; 60 seconds by default, any duration from 0. */
  readonly environmentMaxAge?: Duration.Input
  /** The longest that loading limits and switches may take; 3 seconds by default. */
  readonly lookupTimeout?: Duration.Input
}
