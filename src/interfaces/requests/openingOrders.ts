import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect, Result } from "effect"
import { CurrentAccount } from "#api/Authorization.ts"
import { posted, SwapQuery } from "#api/Swap.ts"
import { PayloadQuery, SolanaPayloadQuery } from "#api/TxPayload.ts"
import { combineIssues, issueAbout, noIssues } from "#domain/Issues.ts"
import { type PayloadKind, Seed } from "#domain/swaps/VaultSwap.ts"
import { swapTerms } from "#application/swapping/opening/OpeningRules.ts"
import { type PayloadInput, payloadOrder } from "#application/swapping/payloads/PayloadRules.ts"
import { swapOrder } from "#application/swapping/opening/SwapRules.ts"
import type { SwapInput } from "#application/swapping/opening/SwapInput.ts"
import { readBy, readerOf } from "./parameterIssues.ts"

/** The order of a wish for a deposit channel, or all issues of it. */
export const swapOrderOf = Effect.fnUntraced(
  function* (wish: SwapInput, unreadable: ReadonlyArray<string> = []) {
    return swapOrder({ ...wish, unreadable }, yield* swapTerms(yield* CurrentAccount))
  },
)

/** Reads the parameters of `GET /swap`, or fails with all their issues. */
export const readSwap = readBy(readerOf(SwapQuery), swapOrderOf)

/** Reads the parameters of `POST /swap`, which are in its query, its body, or both. */
export const readPostedSwap = readBy(readerOf(posted(SwapQuery)), swapOrderOf)

const seedLength = 32

/** A random seed, which nobody can guess, so no other payload has the same. */
const freshSeed = Effect.sync(() =>
  Seed.make(`0x${bytesToHex(crypto.getRandomValues(new Uint8Array(seedLength)))}`)
)

/** What gives an amount, or is refused by its own name: one of the two amounts is required unless a quote has it. */
const amounts = ["amount", "amountNative", "amountOut", "amountOutNative", "quoteId"] as const

/** The order of a wish for a payload of this kind, or all issues of it. */
export const payloadOrderOf = (kind: PayloadKind) =>
  Effect.fnUntraced(function* (wish: PayloadInput, unreadable: ReadonlyArray<string> = []) {
    const isGiven = amounts.some((name) => wish[name] !== undefined || unreadable.includes(name))
    const missing = isGiven ? noIssues : issueAbout("amount", "is required, or amountNative in its place")
    const terms = { ...(yield* swapTerms(yield* CurrentAccount)), freshSeed: yield* freshSeed }
    return Result.mapError(
      payloadOrder(kind, { ...wish, unreadable }, terms),
      (issues) => combineIssues([missing, issues]),
    )
  })

const inQuery = readerOf(PayloadQuery)
const solanaInQuery = readerOf(SolanaPayloadQuery)
const inBody = readerOf(posted(PayloadQuery))
const solanaInBody = readerOf(posted(SolanaPayloadQuery))

/** Reads the parameters of `GET /tx-payload/*`, or fails with all their issues. */
export const readPayload = (kind: PayloadKind) =>
  kind === "solana" ? readBy(solanaInQuery, payloadOrderOf(kind)) : readBy(inQuery, payloadOrderOf(kind))

/** Reads the parameters of `POST /tx-payload/*`, which are in its query, its body, or both. */
export const readPostedPayload = (kind: PayloadKind) =>
  kind === "solana" ? readBy(solanaInBody, payloadOrderOf(kind)) : readBy(inBody, payloadOrderOf(kind))
