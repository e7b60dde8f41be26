import { Array, Effect } from "effect"
import { type EvmPayload, NativeAmount, type VaultSwapRequest } from "#exports/domain.ts"
import { name } from "#test/outside/template/provider.ts"
import { FakeExchange, type Trouble } from "#test/providers/template/FakeExchange.ts"
import {
  type Ask,
  type ConnectionFailure,
  type Failure,
  type Failures,
  type Fixtures,
  notPossible,
  type Send,
} from "../Fixtures.ts"
import type { MemoryUpstream } from "#test/support/memoryProvider/MemoryUpstream.ts"
import { memory, memoryChannels } from "../memory/fixtures.ts"
import { fromEtherBy, priced } from "../sandbox/requests.ts"
import { toQuoteRequest } from "../verbs/kit.ts"

// The exchange of the template is the network in memory behind a wire: pairs, endings and features are those.

const { request, offers: [offer] } = memory

const assets: Ask = { operation: "assets" }
const quote: Ask = { operation: "quote", request: toQuoteRequest(offer, request) }
const open: Ask = { operation: "open", request }
const payloadRequest: VaultSwapRequest = {
  ...fromEtherBy(request),
  minimumPrice: priced("0.0312345678901234567"),
  retryDurationBlocks: 7,
}

const encode: Ask = { operation: "encode", request: payloadRequest }
const status: Ask = { operation: "status" }
const vaultSwapStatus: Ask = { operation: "status", of: "payload" }
const everything = Array.make(assets, quote, open, encode, status, vaultSwapStatus)

type Failed = Failure<FakeExchange>

const make = (trouble: Trouble): Effect.Effect<void, never, FakeExchange> =>
  Effect.flatMap(FakeExchange, (exchange) => exchange.trouble(trouble))

/** Whatever is asked is answered with one of the exchange's codes. */
const refused = (code: string, limit: string | null = null): Array.NonEmptyReadonlyArray<Failed> =>
  Array.map(Array.make(quote, open, encode), (ask) => ({
    when: `the exchange says ${code}${limit === null ? "" : " and names the limit"}`,
    ask,
    conditions: make({ _tag: "Answers", status: 400, body: { code, message: "no", limit } }),
  }))

/** Whatever is asked is answered with a status that explains nothing. */
const answered = (
  httpStatus: number,
  asks: Array.NonEmptyReadonlyArray<Ask> = everything,
): Array.NonEmptyReadonlyArray<Failed> =>
  Array.map(asks, (ask) => ({
    when: `the exchange answers ${httpStatus}`,
    ask,
    conditions: make({ _tag: "Answers", status: httpStatus, body: {} }),
  }))

const unanswered = (
  when: string,
  trouble: Trouble,
  reached: boolean,
): Array.NonEmptyReadonlyArray<ConnectionFailure<FakeExchange>> =>
  Array.map(everything, (ask) => ({ when, ask, reached, conditions: make(trouble) }))

const noNotion = notPossible("the exchange has no word for it")

const failures: Failures<FakeExchange> = {
  AmountBelowMinimum: refused("amount_too_small"),
  EgressBelowMinimum: refused("payout_too_small"),
  EgressFeeNotCovered: noNotion,
  InsufficientLiquidity: Array.appendAll(refused("no_liquidity"), refused("amount_too_large")),
  DepositBelowMinimum: refused("amount_too_small", "40000"),
  DepositAboveMaximum: refused("amount_too_large", "40000"),
  RequestRefused: refused("recipient_invalid"),
  QuotingMaintenance: noNotion,
  SwappingMaintenance: refused("maintenance"),
  AssetDisabled: refused("asset_not_served"),
  AssetNotListed: noNotion,
  DepositChannelFailed: noNotion,
  TooManyChannels: refused("too_many_orders"),
  UpstreamFailed: Array.appendAll(
    Array.appendAll(answered(401), answered(403)),
    answered(500, [assets, quote, status, vaultSwapStatus]),
  ),
  RequestCancelled: answered(499),
  RateLimited: answered(429),
  NotCalled: notPossible("it is the guard's word"),
  TimedOut: notPossible("the exchange never gives up by itself; the guard does"),
  Unreachable: Array.appendAll(
    unanswered("the connection is cut", { _tag: "Cut" }, true),
    Array.appendAll(
      unanswered("the exchange is down", { _tag: "Refused" }, false),
      unanswered("a proxy answers for it", { _tag: "Answers", status: 502, body: {} }, true),
    ),
  ),
  MalformedBody: unanswered("the answer has another form", { _tag: "Answers", status: 200, body: {} }, true),
}

const sendWorth = (worth: (payload: EvmPayload) => NativeAmount): Send<FakeExchange> => (payload) =>
  payload._tag === "evm"
    ? Effect.flatMap(FakeExchange, ({ send }) => send({ ...payload, value: worth(payload) }))
    : Effect.die(`The exchange made a payload for ${payload.network}`)

const send = sendWorth(({ value }) => value)

/** A wallet can send another amount than the payload says. */
const tooLittle = NativeAmount.make(999_999_999_999_999n)
const sendTooLittle = sendWorth(() => tooLittle)

/** The provider of the template. */
export const template: Fixtures<FakeExchange | MemoryUpstream> = {
  ...memory,
  platform: name,
  channels: { ...memoryChannels, loseAnswers: make({ _tag: "Cut" }) },
  payloads: {
    requests: [payloadRequest],
    send,
    strangersTransaction: `0x${"ab".repeat(32)}`,
    listed: ["Ethereum"],
    endings: {
      completed: { request: payloadRequest },
      refunded: { request: { ...payloadRequest, minimumPrice: priced("1") } },
      failed: { request: payloadRequest, send: sendTooLittle, deposit: tooLittle },
    },
  },
  recorded: notPossible("the exchange has answered nobody"),
  failures,
}
