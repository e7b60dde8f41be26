import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { Effect, Option, Result, Schema } from "effect"
import type { BrokerAccount } from "#domain/chains/Address.ts"
import { decodeSs58 } from "#domain/chains/address/Ss58.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { Asking, JsonRpc } from "./client.ts"

/** The storage key of the chain's time (chainflip/wire.md 2.8). */
const timeKey = "0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb"

/** The blocks within which a transaction of the broker's gets in, or never does (chainflip/wire.md 2.8). */
export const mortality = 128

const HexBytes = Schema.String.check(Schema.isPattern(/^0x(?:[0-9a-f]{2})*$/, { expected: "0x-hex bytes" }))
const WireHeader = Schema.Struct({ number: Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{1,8}$/)) })
const WireHash = Schema.NonEmptyString
const WireStorage = Schema.NullOr(HexBytes)

export const bytesOf = (hex: string): Uint8Array => hexToBytes(hex.slice(2))

const keyOf = (account: string) => Result.map(decodeSs58(account), ({ publicKey }) => bytesToHex(publicKey))

/** Whether a node writes this account, with whichever prefix. */
export const isAccount = (own: BrokerAccount) => {
  const key = Result.getOrUndefined(keyOf(own))
  return (account: string): boolean => key !== undefined && Result.getOrUndefined(keyOf(account)) === key
}

const readTime = (hex: string | null): EpochMillis =>
  EpochMillis.make(Number(bytesOf(hex ?? "0x").reduceRight((time, byte) => time * 256n + BigInt(byte), 0n)))

export interface Block {
  readonly height: number
  readonly hash: string
}

/** Reads blocks and their storage (chainflip/wire.md 2.8); without a hash those of the latest block. */
export const makeState = ({ read }: JsonRpc) => {
  const storage = (key: string, ...at: ReadonlyArray<string>) =>
    read(WireStorage, "state_getStorage", key, ...at)
  const height = (...at: ReadonlyArray<string>) =>
    Effect.map(read(WireHeader, "chain_getHeader", ...at), ({ number }) => Number(number))
  return {
    storage,
    height,
    time: (...at: ReadonlyArray<string>) => Effect.map(storage(timeKey, ...at), readTime),
    /** The latest block that no other can take the place of. */
    finalized: Effect.flatMap(
      read(WireHash, "chain_getFinalizedHead"),
      (hash) => Effect.map(height(hash), (height): Block => ({ height, hash })),
    ),
    /** Looks at a block; nothing where the node has no such block or does not keep its state any more. */
    atHeight: <A>(
      height: number,
      look: (hash: string) => Asking<A>,
    ): Effect.Effect<Option.Option<A>, ProviderErrorReason> =>
      read(Schema.NullOr(WireHash), "chain_getBlockHash", height).pipe(
        Effect.flatMap((hash) => hash === null ? Effect.succeedNone : Effect.asSome(look(hash))),
        Effect.catchTag("RpcError", () => Effect.succeedNone),
      ),
  }
}
