import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Caller } from "#domain/accounts/Account.ts"
import { Address } from "#domain/chains/Address.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { ScriptedVaultSwaps } from "#test/support/provider.ts"
import { newAccount } from "#test/support/store.ts"
import { scriptedProviders } from "#test/support/swapping.ts"
import { vaultSwapRequest as request, vaultSwapStatus } from "#test/support/vaultSwap.ts"

/** No provider is named. */
/** What an upstream says that knows a transaction. */
export const known = (status: SwapStatus) => Effect.succeed(Option.some(status))

let transactions = 0
/** A transaction that no other test has, as the chain of an asset writes it. */
export const newTransaction = (sourceAsset: AssetId = "eth.eth"): string =>
  `${chainOf(sourceAsset) === "Bitcoin" ? "" : "0x"}${`${++transactions}`.padStart(64, "a")}`

let destinations = 0
/** A request whose destination no other test has. */
export const newRequest = (changes: Partial<VaultSwapRequest> = {}): VaultSwapRequest => ({
  ...request,
  destinationAddress: Address.make(`0x${`${++destinations}`.padStart(40, "b")}`),
  ...changes,
})

/** Scripted providers, a new account, and how it asks for payloads and after transactions. */
export const begin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE swaps SET next_lookup_at = NULL`
  yield* TestClock.adjust("1 minute")
  const { first, second } = yield* scriptedProviders
  const upstream = new ScriptedVaultSwaps("Ethereum", "Arbitrum", "Bitcoin")
  second.vaultSwaps = upstream
  const vaultSwaps = yield* VaultSwaps
  const account = yield* newAccount
  const encode = (asked: VaultSwapRequest, by: Caller = account) =>
    vaultSwaps.encode(by, { request: asked, platform: undefined })
  /** Asks for a payload, and lets a transaction of it be seen upstream. */
  const send = Effect.fnUntraced(function* (asked: VaultSwapRequest, more: Partial<SwapStatus> = {}) {
    yield* encode(asked)
    const transaction = newTransaction(asked.sourceAsset)
    upstream.says(transaction, known(vaultSwapStatus(asked, "receiving", transaction, more)))
    return transaction
  })
  /** The id of the swap of a transaction as an account sees it; nothing where it sees none. */
  const find = (transaction: string, by: Caller = account) =>
    vaultSwaps.byTransaction(by, transaction).pipe(
      Effect.map(({ id }) => Option.some(id)),
      Effect.catchTag(["SwapNotFound", "LookupNotMade"], () => Effect.succeedNone),
    )
  return { first, second, upstream, vaultSwaps, account, encode, send, find }
})
