import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { type PayloadSender, Seed, type VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { outputAt, toX128 } from "#domain/money/Price.ts"
import { encodeBitcoin, encodeSolana } from "#sandbox/chainflip/vault/decode.ts"
import { encodeEvm, encodeTron } from "#sandbox/chainflip/vault/evm.ts"
import type { RequestedSwap } from "#sandbox/engine/Command.ts"
import { affiliate } from "./fixtures/swaps.ts"
import { swapRequest } from "./requests.ts"

export const solanaAddress = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
export const tronAddress = "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej"
export const evmAddress = "0x1111111111111111111111111111111111111111"
export const bitcoinAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
export const seed = Seed.make(`0x${"0f".repeat(32)}`)

const refundAddresses: Readonly<Record<PayloadSender["_tag"], string>> = {
  bitcoin: bitcoinAddress,
  evm: "0x2222222222222222222222222222222222222222",
  solana: solanaAddress,
  tron: tronAddress,
  xrpl: "rrrrrrrrrrrrrrrrrrrrBZbvji",
}

/** One and a half of a whole unit of an asset, from a sender of its chain, without a price limit's rounding. */
const from = (
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  amount: bigint,
  sender: PayloadSender,
): VaultSwapRequest => ({
  ...swapRequest,
  sourceAsset,
  destinationAsset,
  refundAddress: Address.make(refundAddresses[sender._tag]),
  amount: NativeAmount.make(amount),
  sender,
})

export const requests = {
  bitcoin: from("btc.btc", "eth.eth", 150_000_000n, { _tag: "bitcoin" }),
  ether: from("eth.eth", "usdc.arb", 1_500_000_000_000_000_000n, { _tag: "evm" }),
  token: from("usdc.arb", "eth.eth", 1_500_000_000n, { _tag: "evm" }),
  solanaToken: from("usdc.sol", "eth.eth", 1_500_000_000n, {
    _tag: "solana",
    address: Address.make(solanaAddress),
    seed,
  }),
  solana: from("sol.sol", "eth.eth", 1_500_000_000n, {
    _tag: "solana",
    address: Address.make(solanaAddress),
    seed,
  }),
  tron: from("trx.tron", "eth.eth", 150_000_000n, { _tag: "tron" }),
  tronToken: from("usdt.tron", "eth.eth", 150_000_000n, { _tag: "tron" }),
} as const satisfies Readonly<Record<string, VaultSwapRequest>>

const requested = (request: VaultSwapRequest): RequestedSwap => {
  const { ccm, commissionBps, dca, destinationAsset, maximumBoostFeeBps, minimumPrice, sourceAsset } = request
  return {
    sourceAsset,
    destinationAsset,
    destinationAddress: request.destinationAddress,
    brokerCommissionBps: commissionBps,
    boostFeeBps: maximumBoostFeeBps,
    affiliates: request.affiliates,
    refund: {
      retryDurationBlocks: request.retryDurationBlocks,
      refundAddress: request.refundAddress,
      minimumPriceX128: toX128(minimumPrice, sourceAsset, destinationAsset),
    },
    ...(dca === undefined ? {} : { dca }),
    ...(ccm === undefined ? {} : { ccm }),
  }
}

/** The accounts that the broker has registered as affiliates. */
const registered = [{
  account: BrokerAccount.make(affiliate),
  shortId: 0,
  withdrawalAddress: Address.make(`0x${"11".repeat(20)}`),
}]

/** What the broker answers to a request, in the form of the real one, as the sandbox encodes it. */
export const bitcoinEncoding = (request: VaultSwapRequest) => ({
  ...encodeBitcoin(
    requested(request),
    outputAt(request.minimumPrice, request.amount, request.sourceAsset, request.destinationAsset),
    registered,
  ),
  deposit_address: bitcoinAddress,
})
export const evmEncoding = (request: VaultSwapRequest) =>
  encodeEvm(requested(request), request.amount, registered)
export const solanaEncoding = (request: VaultSwapRequest) =>
  encodeSolana(requested(request), request.amount, { from: solanaAddress, seed }, registered)
export const tronEncoding = (request: VaultSwapRequest) =>
  encodeTron(requested(request), request.amount, registered)

/** What the broker answers to each. */
export const encodings = {
  bitcoin: bitcoinEncoding(requests.bitcoin),
  ether: evmEncoding(requests.ether),
  token: evmEncoding(requests.token),
  solana: solanaEncoding(requests.solana),
  solanaToken: solanaEncoding(requests.solanaToken),
  tron: tronEncoding(requests.tron),
  tronToken: tronEncoding(requests.tronToken),
}
