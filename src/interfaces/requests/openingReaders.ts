import { Effect } from "effect"
import { CurrentAccount } from "#api/Authorization.ts"
import { posted, SwapQuery } from "#api/Swap.ts"
import { PayloadQuery, SolanaPayloadQuery } from "#api/TxPayload.ts"
import type { PayloadKind } from "#domain/swaps/VaultSwap.ts"
import type { SwapInput } from "#application/swapping/opening/SwapInput.ts"
import type { PayloadInput } from "#application/swapping/payloads/PayloadRules.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { readBy, readerOf } from "./parameterIssues.ts"

/** What `/swap` is to open for the caller, or all issues of the parameters that could be read. */
export const requestSwap = Effect.fnUntraced(
  function* (input: SwapInput, unreadable: ReadonlyArray<string> = []) {
    return yield* (yield* Swaps).request(yield* CurrentAccount, { ...input, unreadable })
  },
)

/** Reads the parameters of `GET /swap`, or fails with all their issues. */
export const readSwap = readBy(readerOf(SwapQuery), requestSwap)

/** Reads the parameters of `POST /swap`, which are in its query, its body, or both. */
export const readPostedSwap = readBy(readerOf(posted(SwapQuery)), requestSwap)

/** What `/tx-payload/*` is to encode for the caller, or all issues of the parameters that could be read. */
export const requestPayload = (kind: PayloadKind) =>
  Effect.fnUntraced(function* (input: PayloadInput, unreadable: ReadonlyArray<string> = []) {
    return yield* (yield* VaultSwaps).request(yield* CurrentAccount, kind, { ...input, unreadable })
  })

const inQuery = readerOf(PayloadQuery)
const solanaInQuery = readerOf(SolanaPayloadQuery)
const inBody = readerOf(posted(PayloadQuery))
const solanaInBody = readerOf(posted(SolanaPayloadQuery))

/** Reads the parameters of `GET /tx-payload/*`, or fails with all their issues. */
export const readPayload = (kind: PayloadKind) =>
  kind === "solana" ? readBy(solanaInQuery, requestPayload(kind)) : readBy(inQuery, requestPayload(kind))

/** Reads the parameters of `POST /tx-payload/*`, which are in its query, its body, or both. */
export const readPostedPayload = (kind: PayloadKind) =>
  kind === "solana" ? readBy(solanaInBody, requestPayload(kind)) : readBy(inBody, requestPayload(kind))
