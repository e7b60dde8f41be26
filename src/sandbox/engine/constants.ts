import { utf8ToBytes } from "@noble/hashes/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { BrokerAccount } from "../../domain/Address.ts"
import { encodeSs58 } from "../../domain/address/Ss58.ts"
import { NativeAmount } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"

/** Every pool is priced in this asset, so it stands between the two legs of a route (chainflip/wire.md 1.2). */
export const intermediateAsset = "usdc.eth" as const satisfies AssetId

/** The only asset that boost pools lend (chainflip/wire.md 1.6). */
export const boostedAsset = "btc.btc" as const satisfies AssetId

/** The ss58 prefix of accounts, whose text begins with `cF` (chainflip/wire.md 1.1). */
export const accountPrefix = 2112

/** The broker account of every sandbox, whatever its seed. */
export const brokerAccount: BrokerAccount = BrokerAccount.make(
  encodeSs58(accountPrefix, sha256(utf8ToBytes("swap broker sandbox: the operator's account"))),
)

/** 10 bps, in hundredths of a pip; a million is everything (chainflip/wire.md 1.5). */
export const networkFeeRate = 1_000
/** Half a USDC. */
export const networkFeeMinimum: NativeAmount = NativeAmount.make(500_000n)

/** State-chain blocks from crediting a deposit to its first chunk. */
export const swapDelayBlocks = 2
/** Between two tries of a chunk that could not be swapped (chainflip/wire.md 1.5). */
export const retryDelayBlocks = 5
/** One hour (chainflip/wire.md 1.5). */
export const maximumRetryDurationBlocks = 600
/** One day (chainflip/wire.md 1.5). */
export const maximumRequestDurationBlocks = 14_400
/** From scheduling a payment to its broadcast: batching, then signing by the validators. */
export const broadcastDelayBlocks = 3
/** A channel lives this long, measured in blocks of its source chain (chainflip/wire.md 2.2). */
export const channelLifetimeMillis = 24 * 60 * 60 * 1_000

/** Broker and affiliates together (chainflip/wire.md 2.5). */
export const maximumCommissionBps = 1_000
export const maximumAffiliates = 5
/** In a vault swap from Bitcoin, which has little room (chainflip/wire.md 2.3). */
export const maximumBitcoinAffiliates = 2
/** Affiliates of a broker: payloads name each by a byte. */
export const maximumAffiliatesOfBroker = 256
/**
 * Open channels for the same destination, pair and message, where the backend opens them (chainflip/wire.md
 * 3.5).
 */
export const maximumBackendChannels = 25
/** Bytes of a message for a contract (chainflip/wire.md 2.2). */
export const maximumMessageLength = 15_000

/** The highest value of a chunk of an offered DCA swap, in native units of usdc.eth (chainflip/wire.md 3.3). */
export const offeredChunkValue = 10_000_000_000n
/** State-chain blocks between the chunks of an offered DCA swap (chainflip/wire.md 3.3). */
export const offeredChunkInterval = 2
