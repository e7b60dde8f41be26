import { Duration, Schema } from "effect"
import { anHttpUrl, between, ChainflipAccount, ExplorerUrl, HttpUrl, VaultAddresses } from "./settingKinds.ts"
import { optionalSetting, setting } from "./Setting.ts"
import { productionKey, SigningKey } from "./providers/near-intents/signature.ts"

const refundAddress = (chain: string) =>
  optionalSetting({
    name: `REFUND_ADDRESS_${chain.toUpperCase()}`,
    defaultNote: "sandbox: its own; live: none",
    schema: Schema.NonEmptyString,
    expected: `an address on ${chain}`,
    meaning: `Where deposits on ${chain} go back to when the caller gives no refundAddress`,
  })

/** Where the upstreams are, and what each needs to know of the operator. */
export const upstreamSettings = {
  chainflipBackendUrl: optionalSetting({
    name: "CHAINFLIP_BACKEND_URL",
    defaultNote: "sandbox's own",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "Chainflip's swap backend, REST: quotes and status",
  }),
  chainflipNodeUrl: optionalSetting({
    name: "CHAINFLIP_NODE_URL",
    defaultNote: "sandbox's own",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "A state-chain node, JSON-RPC: limits",
  }),
  chainflipBrokerUrl: optionalSetting({
    name: "CHAINFLIP_BROKER_URL",
    defaultNote: "sandbox's own",
    schema: Schema.RedactedFromValue(HttpUrl),
    expected: anHttpUrl,
    meaning: "The operator's own broker, JSON-RPC: opens deposit channels. Treated as a secret",
  }),
  chainflipBrokerAccount: optionalSetting({
    name: "CHAINFLIP_BROKER_ACCOUNT",
    defaultNote: "sandbox's own",
    schema: ChainflipAccount,
    expected: "an ss58 account that begins with cF, with its checksum",
    meaning: "The operator's broker account",
  }),
  chainflipExplorerUrl: setting({
    name: "CHAINFLIP_EXPLORER_URL",
    default: "https://scan.chainflip.io/channels/{issuedBlock}-{network}-{channelId}",
    schema: ExplorerUrl,
    expected: "a URL in which {issuedBlock}, {network} and {channelId} may stand",
    meaning: "Template of explorerUrl",
  }),
  chainflipNetwork: setting({
    name: "CHAINFLIP_NETWORK",
    default: "mainnet",
    schema: Schema.Literals(["mainnet", "testnet"]),
    expected: "mainnet or testnet",
    meaning: "Network that addresses are checked against in live mode; the sandbox accepts all networks'",
  }),
  chainflipPayloadLifetime: setting({
    name: "CHAINFLIP_PAYLOAD_LIFETIME",
    default: "1 hour",
    schema: between(Duration.seconds(1), Duration.days(3)),
    expected: 'a duration from 1 second to 3 days, such as "1 hour"',
    meaning:
      "When payloads for transactions go stale. Their price limit is one of now; Bitcoin's deposit addresses " +
      "are good for three days at least",
  }),
  vaultAddresses: optionalSetting({
    name: "VAULT_ADDRESSES",
    defaultNote: "unset",
    schema: VaultAddresses,
    expected: "contracts or programs as provider:chain:address, such as chainflip:Ethereum:0x…, with commas",
    meaning:
      "What payloads for transactions may call, by provider and chain; where none is named only what the first " +
      "payload there called. For a vault that has moved",
  }),
  nearIntentsUrl: optionalSetting({
    name: "NEAR_INTENTS_URL",
    defaultNote: "sandbox's own",
    schema: HttpUrl,
    expected: anHttpUrl,
    meaning: "NEAR Intents' 1Click API",
  }),
  nearIntentsToken: optionalSetting({
    name: "NEAR_INTENTS_TOKEN",
    defaultNote: "unset; the upstream then charges 0.2 % more",
    schema: Schema.RedactedFromValue(Schema.NonEmptyString),
    expected: "a token",
    meaning: "Partner token of the 1Click API",
  }),
  nearIntentsKey: setting({
    name: "NEAR_INTENTS_KEY",
    default: productionKey,
    schema: SigningKey,
    expected: "ed25519: and a public key in base58",
    meaning: "Key that 1Click signs its quotes with; the sandbox has its own",
  }),
  nearIntentsFeeAccount: optionalSetting({
    name: "NEAR_INTENTS_FEE_ACCOUNT",
    defaultNote: "sandbox: its own; live: none, so no commission",
    schema: Schema.NonEmptyString,
    expected: "a NEAR account",
    meaning: "The operator's NEAR account, which commission is paid to",
  }),
  nearIntentsExplorerUrl: setting({
    name: "NEAR_INTENTS_EXPLORER_URL",
    default: "https://explorer.near-intents.org/transactions/{depositAddress}",
    schema: ExplorerUrl,
    expected: "a URL in which {depositAddress} may stand",
    meaning: "Template of explorerUrl",
  }),
  refundBitcoin: refundAddress("Bitcoin"),
  refundEthereum: refundAddress("Ethereum"),
  refundArbitrum: refundAddress("Arbitrum"),
  refundSolana: refundAddress("Solana"),
  refundAssethub: refundAddress("Assethub"),
  refundTron: refundAddress("Tron"),
  refundPolkadot: refundAddress("Polkadot"),
  refundBsc: refundAddress("Bsc"),
}
