import answers from "./answers.json" with { type: "json" }

/** A request that works: its parameters beyond the examples of those that are required, and its body. */
export interface Sample {
  readonly parameters?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const addresses = {
  bitcoin: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  ethereum: "0x2222222222222222222222222222222222222222",
  solana: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  tron: "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej",
}

const target = { destinationAsset: "eth.eth", destinationAddress: addresses.ethereum }
const swap = { sourceAsset: "btc.btc", ...target, refundAddress: addresses.bitcoin }

const payloads = {
  bitcoin: { ...swap, amount: "0.25" },
  evm: {
    sourceAsset: "eth.eth",
    destinationAsset: "btc.btc",
    destinationAddress: addresses.bitcoin,
    refundAddress: addresses.ethereum,
    amount: "2",
  },
  solana: {
    sourceAsset: "sol.sol",
    ...target,
    refundAddress: addresses.solana,
    sourceAddress: addresses.solana,
    amount: "20",
  },
  tron: { sourceAsset: "trx.tron", ...target, refundAddress: addresses.tron, amount: "10000" },
}

const webhook = {
  url: "https://example.com/webhooks",
  types: ["swap.completed", "swap.failed", "swap.refunded"],
}
const webhookChanges = { types: ["swap.completed", "swap.failed"] }
const rotation = { overlapSeconds: 86_400 }
const replay = { fromEventId: 1 }

/**
 * The requests that the page shows, by `operationId`: each works as it stands in a sandbox, but for ids, which the
 * links of other answers lead to. Whatever is not named here and not required is off: all options at once contradict
 * each other.
 */
export const samples: Readonly<Record<string, Sample>> = {
  openSwap: { parameters: swap },
  openSwapByPost: { body: { ...swap, minimumPrice: "10", retryDurationInBlocks: 150 } },
  getBitcoinPayload: { parameters: payloads.bitcoin },
  createBitcoinPayload: { body: payloads.bitcoin },
  getEvmPayload: { parameters: payloads.evm },
  createEvmPayload: { body: payloads.evm },
  getSolanaPayload: { parameters: payloads.solana },
  createSolanaPayload: { body: payloads.solana },
  getTronPayload: { parameters: payloads.tron },
  createTronPayload: { body: payloads.tron },
  createWebhook: { body: webhook },
  changeWebhook: { body: webhookChanges },
  rotateWebhookSecret: { body: rotation },
  replayWebhook: { body: replay },
  createAccount: { body: { name: "wallet-one", commissionBps: 25 } },
  changeAccount: { body: { commissionBps: 30 } },
  issueKey: { body: { scopes: ["quote", "swap", "status", "history"], label: "app" } },
  removeRoute: { parameters: { sourceAsset: "btc.btc", destinationAsset: "eth.eth" } },
  setRoute: { body: { sourceAsset: "btc.btc", destinationAsset: "eth.eth", allowed: true } },
  moveSwap: { body: { account: "wallet-one" } },
  createAccountWebhook: { body: webhook },
  changeAccountWebhook: { body: webhookChanges },
  rotateAccountWebhookSecret: { body: rotation },
  replayAccountWebhook: { body: replay },
  switchProvider: { body: { operation: "open", enabled: true, reason: "The upstream is well again" } },
  callRpc: {
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "broker_request_swap_deposit_address",
      params: {
        source_asset: { chain: "Bitcoin", asset: "BTC" },
        destination_asset: { chain: "Ethereum", asset: "ETH" },
        destination_address: addresses.ethereum,
        broker_commission: 25,
        refund_parameters: {
          retry_duration: 150,
          refund_address: addresses.bitcoin,
          min_price: "0x0",
        },
      },
    },
  },
  createSandboxDeposit: { body: { address: answers.openSwap["application/json"].address, amount: "0.25" } },
  createSandboxVaultSwap: { body: { payload: answers.getEvmPayload["application/json"] } },
  advanceSandboxTime: { body: { advanceSeconds: 3_600 } },
  setSandboxFault: { body: { provider: "near-intents", kind: "latency", latencyMs: 200, count: 1 } },
  changeSandbox: { body: { change: "movePrice", asset: "eth.eth", bps: 50 } },
}
