import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import { anyPrice } from "#domain/money/Price.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { addresses } from "#test/contract/support/addresses.ts"
import recordedQuote from "#sandbox/thorchain/recorded/quote-btc-eth-2026-10.json" with { type: "json" }
import type { Routers } from "#providers/thorchain/settings.ts"

// Bodies of a node: the members are those of the wire, the values invented; the quote is a recorded one with others.

export const vaults = {
  bitcoin: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  evm: "0x4444444444444444444444444444444444444444",
  tron: "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE",
  router: "0x5555555555555555555555555555555555555555",
  solana: "1nc1nerator11111111111111111111111111111111",
}

/** The contract of these bodies on each chain that has one. */
export const routers: Routers = {
  setting: "THORCHAIN_ROUTERS",
  known: (["Ethereum", "Arbitrum", "Bsc"] as const).map((chain) => ({
    chain,
    address: Address.make(vaults.router),
  })),
}

/** One row of `GET /inbound_addresses`. */
export const inbound = (chain: string, address: string, more: Readonly<Record<string, unknown>> = {}) => ({
  chain,
  pub_key: "thorpub1",
  address,
  halted: false,
  global_trading_paused: false,
  chain_trading_paused: false,
  chain_lp_actions_paused: false,
  gas_rate: "4",
  dust_threshold: chain === "BTC" ? "10000" : "0",
  ...more,
})

export const inboundAddresses = [
  inbound("BTC", vaults.bitcoin, { router: "" }),
  inbound("ETH", vaults.evm, { router: vaults.router }),
  inbound("BSC", vaults.evm, { router: vaults.router }),
  inbound("TRON", vaults.tron),
  inbound("SOL", vaults.solana),
  inbound("XRP", addresses.xrp),
]

const pool = (asset: string, more: Readonly<Record<string, unknown>> = {}) => ({
  asset,
  status: "Available",
  balance_asset: "100000000000",
  balance_rune: "5000000000000",
  asset_tor_price: "6455000000000",
  trading_halted: false,
  ...more,
})

export const usdc = "ETH.USDC-0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48"

export const pools = [
  pool("BTC.BTC"),
  pool("ETH.ETH", { asset_tor_price: "190400000000" }),
  pool(usdc, { asset_tor_price: "100000000" }),
  pool("ETH.WBTC-0X2260FAC5E5542A773AA44FBCFEDF7C193BC2C599", { status: "Staged" }),
  pool("BSC.BNB", { asset_tor_price: "0" }),
  pool("BSC.USDT-0X55D398326F99059FF775485246999027B3197955"),
  pool("TRON.TRX"),
  pool("TRON.USDT-TR7NHQJEKQXGTCI8Q8ZY4PL8OTSZGJLJ6T"),
  pool("SOL.SOL"),
  pool("XRP.XRP"),
]

/** `GET /lastblock` at a height of the network. */
export const lastBlock = (height: number) => [
  { chain: "BTC", last_observed_in: 918_000, last_signed_out: 917_990, thorchain: height },
  { chain: "ETH", last_observed_in: 24_500_000, last_signed_out: 24_499_990, thorchain: height },
]

/** `GET /quote/swap` of a tenth of a Bitcoin to Ether, 15 minutes before its expiry. */
export const quote = {
  ...recordedQuote.body,
  inbound_address: vaults.bitcoin,
  outbound_delay_seconds: 120,
  fees: { ...recordedQuote.body.fees, affiliate: "300000", outbound: "60000", liquidity: "90000" },
  expiry: Date.parse("2026-11-21T05:15:00.000Z") / 1_000,
  dust_threshold: "10000",
  recommended_min_amount_in: "10800",
  expected_amount_out: "299550000",
  max_streaming_quantity: 8,
  streaming_swap_seconds: 0,
}

/** A tenth of a Bitcoin to Ether, at any price. */
export const request: VaultSwapRequest = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: Address.make("0xcac3C41676deF4FE375E57118f3eB83A99105577"),
  refundAddress: Address.make("bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly"),
  minimumPrice: anyPrice,
  retryDurationBlocks: 0,
  maximumBoostFeeBps: noBps,
  commissionBps: Bps.make(25),
  affiliates: [],
  amount: NativeAmount.make(10_000_000n),
  sender: { _tag: "bitcoin" },
}

/** Ether to Bitcoin, with an address of each. */
export const evmRequest: VaultSwapRequest = {
  ...request,
  sourceAsset: "eth.eth",
  destinationAsset: "btc.btc",
  destinationAddress: request.refundAddress,
  refundAddress: request.destinationAddress,
  amount: NativeAmount.make(1_234_567_890_123_456_789n),
  sender: { _tag: "evm" },
}
