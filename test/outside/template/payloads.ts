import {
  Address,
  AssetDisabled,
  Bps,
  BrokerAccount,
  checkAddress,
  type EncodedPayload,
  HexBytes,
  MalformedBody,
  Network,
  noAmount,
  PayloadMark,
  Price,
  type SwapState,
  toHuman,
  type VaultSwapRequest,
} from "@swap-broker/core/domain"
import {
  Amount,
  Count,
  decode,
  logged,
  maybe,
  Millis,
  optionalMembers,
  type VaultSwaps,
} from "@swap-broker/core/provider"
import { BigDecimal, Effect, Option, Result, Schema } from "effect"
import type { Client } from "./client.ts"
import { failAs } from "./errors.ts"
import { progress, toOrderBody } from "./openings.ts"
import { totalOf, WireDurations } from "./quotes.ts"
import { readProgress } from "./status.ts"

/** `POST /v1/payloads`. */
const WirePayload = Schema.Struct({
  to: Address,
  data: HexBytes,
  value: Amount,
  /** The mark by which the exchange knows the payload's swap. */
  memo: PayloadMark,
  expiresAt: Millis,
  minimum: Amount,
  seconds: WireDurations,
})

/** `GET /v1/transactions/{hash}`: the order that a transaction began. */
const WireVaultSwap = Schema.Struct({
  ...progress,
  /** The mark of the payload, where the exchange made one. */
  memo: maybe(PayloadMark),
  refundTo: Address,
  retryBlocks: Count,
  /** The amount that the minimum output is for. */
  amount: Amount,
  minimumOut: Amount,
  commission: Schema.Struct({ account: BrokerAccount, bps: Bps }),
})

/** `GET /v1/transactions`: the hashes of those that orders of ours came of, since a time. */
const WireTransactions = Schema.Array(Schema.String)

const malformed = (detail: string) => Result.fail(new MalformedBody({ detail, reached: true }))

/** The payload. Refuses a call that does not move the requested amount, before anybody signs it. */
const toPayload = (
  { to, data, value, ...terms }: typeof WirePayload.Type,
  { amount }: VaultSwapRequest,
): Result.Result<EncodedPayload, MalformedBody> => {
  if (Result.isFailure(checkAddress("Ethereum", Network.literals, to))) {
    return malformed("to: expected an address of Ethereum")
  }
  return value === amount
    ? Result.succeed({
      payload: { _tag: "evm", network: "Ethereum", to, calldata: data, value },
      mark: terms.memo,
      refundsTo: "address",
      expiresAt: terms.expiresAt,
      minimumDeposit: terms.minimum,
      estimatedDuration: totalOf(terms.seconds),
      fees: [],
    })
    : malformed(`value: expected ${amount}, got ${value}`)
}

/** The record of a vault swap, with the terms as the transaction tells them: they show whose swap it is. */
const readVaultSwap = (wire: typeof WireVaultSwap.Type, last: SwapState) => {
  if (wire.amount === noAmount) return malformed("amount: expected more than nothing")
  const limit = BigDecimal.divideUnsafe(toHuman(wire.to, wire.minimumOut), toHuman(wire.from, wire.amount))
  return Result.map(readProgress(wire, last), ({ notices, parts }) => ({
    notices,
    status: {
      sourceAsset: wire.from,
      destinationAsset: wire.to,
      destinationAddress: wire.recipient,
      fees: [],
      brokers: [{ account: wire.commission.account, commissionBps: wire.commission.bps }],
      fillOrKill: {
        retryDurationBlocks: wire.retryBlocks,
        refundAddress: wire.refundTo,
        minimumPrice: Price.make(limit),
      },
      ...parts,
    },
  }))
}

/** The operations of vault swaps. The exchange makes payloads on Ethereum, and for Ether alone. */
export const makeVaultSwaps = ({ find, get, post }: Client): VaultSwaps => ({
  chains: ["Ethereum"],
  encode: Effect.fn("Template.encode")(function* (request) {
    const { amount, retryDurationBlocks, sourceAsset } = request
    if (sourceAsset !== "eth.eth") {
      return yield* Effect.fail(new AssetDisabled({ detail: "The exchange makes payloads for Ether alone" }))
    }
    const asked = { ...toOrderBody(request, amount), retryBlocks: retryDurationBlocks }
    const body = yield* post("/v1/payloads", asked, sourceAsset)
    const wire = yield* Effect.fromResult(decode(WirePayload, body))
    return yield* Effect.fromResult(toPayload(wire, request))
  }, failAs("encode")),
  status: Effect.fn("Template.vaultSwapStatus")(function* ({ transaction }, known) {
    const heard = yield* find(`/v1/transactions/${encodeURIComponent(transaction)}`)
    if (Option.isNone(heard)) return Option.none()
    const wire = yield* Effect.fromResult(decode(WireVaultSwap, heard.value.body))
    const last = Option.match(known, { onNone: () => "receiving" as const, onSome: ({ state }) => state })
    const { status } = yield* logged(readVaultSwap(wire, last))
    return Option.some({
      status,
      body: heard.value.text,
      ...optionalMembers(wire.memo, (mark) => ({ mark })),
    })
  }, failAs("status")),
  list: Effect.fn("Template.listTransactions")(function* ({ since }) {
    const body = yield* get("/v1/transactions", { since: `${since}` })
    return yield* Effect.fromResult(decode(WireTransactions, body))
  }, failAs("treasury")),
})
