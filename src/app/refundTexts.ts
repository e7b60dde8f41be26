import type { Settings } from "../Config.ts"
import type { RefundTexts } from "../refundAddresses.ts"

/** The operator's refund address of each chain, as it was set. */
export const refundTexts = (settings: Settings): RefundTexts => ({
  Bitcoin: settings.refundBitcoin,
  Ethereum: settings.refundEthereum,
  Arbitrum: settings.refundArbitrum,
  Solana: settings.refundSolana,
  Assethub: settings.refundAssethub,
  Tron: settings.refundTron,
  Polkadot: settings.refundPolkadot,
  Bsc: settings.refundBsc,
})
