import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect, Schema } from "effect"
import { CcmPayloadBody } from "../api/Swap.ts"
import {
  payloadNamesOf,
  PayloadParameters,
  payloadQueryNames,
  requiredPayloadParameters,
  requiredSolanaParameters,
  SolanaPayloadParameters,
} from "../api/TxPayload.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { combineIssues, issueAbout, type Issues, noIssues } from "../domain/Issues.ts"
import { type PayloadKind, Seed } from "../domain/VaultSwap.ts"
import { payloadOrder, type PayloadWish } from "../swapping/PayloadRules.ts"
import { swapTerms } from "../swapping/AddressPolicy.ts"
import { accept } from "./accept.ts"
import { queryAndBodyParameters, queryParameters } from "./rawParameters.ts"
import { parameterReader, type RawParameters, type Read } from "./readParameters.ts"
import { nearMissIssues } from "./unknownParameters.ts"

type Reader = (raw: RawParameters) => Read<PayloadWish>

/** A message for the receiving contract can only be in a body (decision 4). */
const ccmPayload = Schema.optionalKey(CcmPayloadBody)

const inQuery = parameterReader(PayloadParameters, requiredPayloadParameters)
const inBody = parameterReader(
  PayloadParameters.mapFields((fields) => ({ ...fields, ccmPayload })),
  requiredPayloadParameters,
)
const solanaInQuery = parameterReader(SolanaPayloadParameters, requiredSolanaParameters)
const solanaInBody = parameterReader(
  SolanaPayloadParameters.mapFields((fields) => ({ ...fields, ccmPayload })),
  requiredSolanaParameters,
)

const seedLength = 32

/** Nobody could guess it, so nobody's payload has the same. */
const freshSeed = Effect.sync(() =>
  Seed.make(`0x${bytesToHex(crypto.getRandomValues(new Uint8Array(seedLength)))}`)
)

/** One of the two amounts has to be there; one that cannot be read is no other issue. */
const amountMissing = ({ amount, amountNative }: RawParameters): Issues =>
  amount === undefined && amountNative === undefined
    ? issueAbout("amount", "is required, or amountNative in its place")
    : noIssues

const orderFrom = (kind: PayloadKind, read: Reader, raw: RawParameters, issues: Issues) =>
  Effect.gen(function* () {
    const wish = read(raw)
    const terms = { ...(yield* swapTerms(yield* CurrentAccount)), freshSeed: yield* freshSeed }
    const order = payloadOrder(kind, { ...wish.values, unreadable: Object.keys(wish.issues) }, terms)
    return yield* accept([issues, wish.issues, amountMissing(raw)], order)
  })

/** What a GET of a kind of payloads asks for. */
export const readPayloadOrder = (kind: PayloadKind) =>
  Effect.flatMap(
    queryParameters,
    (raw) =>
      orderFrom(
        kind,
        kind === "solana" ? solanaInQuery : inQuery,
        raw,
        nearMissIssues(raw, payloadQueryNames(kind)),
      ),
  )

/** What a POST asks for, in its query, its body, or both. */
export const readPostedPayloadOrder = (kind: PayloadKind) =>
  Effect.flatMap(
    queryAndBodyParameters,
    ({ raw, issues }) =>
      orderFrom(
        kind,
        kind === "solana" ? solanaInBody : inBody,
        raw,
        combineIssues([issues, nearMissIssues(raw, payloadNamesOf(kind))]),
      ),
  )

/** What the parameters ask for, as if they were the body of such a POST. */
export const readPayloadParameters = (kind: PayloadKind, raw: RawParameters) =>
  orderFrom(kind, kind === "solana" ? solanaInBody : inBody, raw, noIssues)
