import { Array, Effect, Option, Result, Schema, Struct } from "effect"
import type { MalformedBody, ProviderErrorReason } from "#domain/ProviderError.ts"
import { isOtherDeposit, type SwapStatus } from "#domain/swaps/Swap.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import type { Channels, Observed } from "../Provider.ts"
import { decode, logged, type Noticed } from "../upstream/values.ts"
import { upstreamText } from "../upstream/failures.ts"
import { keptOfSurplus, type Stage, stage, termsAsSaid, toStatus } from "../upstream/orderRecord.ts"
import type { Heard } from "../upstream/transport.ts"
import { isSameId } from "./answer.ts"
import { type Client, failAs } from "./client.ts"
import type { Conditions } from "./conditions.ts"
import { assetOf } from "./quotes.ts"
import {
  feesOfRequest,
  feesOfStatus,
  orderOfRequest,
  orderOfStatus,
  paidBy,
  type ReadFees,
  refundFees,
  type RelayOrder,
  type RequestContext,
  WireRequest,
  WireStatus,
} from "./requests.ts"

type Read = (order: RelayOrder) => Stage

const sending: Read = ({ payoutTransaction }) =>
  stage(payoutTransaction === undefined ? "sending" : "sent", "payout")

/** Money has arrived only where an amount and a transaction prove it. */
const success: Read = (order) =>
  order.amountOut !== undefined && order.payoutTransaction !== undefined ? stage("completed", "payout") : {
    ...sending(order),
    notices: ["Relay says success without an amount and a transaction; not completed yet"],
  }

/** A refund without its amount could be of any deposit: the record then says in words where the money is. */
const refund: Read = ({ refundFailReason, refundTransaction, refundedAmount }) => {
  if (refundedAmount !== undefined) return stage("completed", "refund")
  return refundTransaction === undefined && refundFailReason !== undefined
    ? stage("failed", "lost")
    : stage("failed", "lost", "Relay says refund without an amount; kept as failed")
}

/** The states of the upstream (relay/wire.md 1, decision 23). */
const stages: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["waiting", () => stage("waiting", "none")],
  ["depositing", () => stage("receiving", "none")],
  ["pending", () => stage("receiving", "none")],
  ["submitted", sending],
  ["delayed", sending],
  ["success", success],
  ["refund", refund],
  ["failure", () => stage("failed", "lost")],
])

export const readStage = (order: RelayOrder): Stage | undefined => stages.get(order.status)?.(order)

/** What a failure is said to be; undefined where the upstream's own reason is enough. */
const explanationOf = ({ failReason, refundFailReason, refundTransaction, status }: RelayOrder) => {
  if (failReason === "BLOCKED_WALLET") {
    return "The provider holds the deposit: it has flagged an address of the swap, and reviews it"
  }
  if (refundFailReason !== undefined && refundTransaction === undefined) {
    return `The provider could not send the deposit back: ${upstreamText(refundFailReason)}`
  }
  if (status !== "refund") return undefined
  const where = refundTransaction === undefined ? "" : ` in ${upstreamText(refundTransaction)}`
  return `The provider has sent the deposit back${where}, without saying how much of it`
}

interface ReadStatus extends Noticed {
  readonly status: SwapStatus
}

/** The fees of a stage; that some are not told (yet) is worth a line at the end only. */
const feesOf = (order: RelayOrder, stage: Stage, context: RequestContext, ofPayout: () => ReadFees) => {
  const { course, state } = stage
  if (course === "payout") {
    const { fees, notices } = ofPayout()
    return {
      fees: [...fees, ...keptOfSurplus(order, stage, context)],
      notices: state === "completed" ? notices : [],
    }
  }
  return { fees: course === "refund" ? refundFees(order, context) : [], notices: [] }
}

const toRead = (base: SwapStatus, order: RelayOrder, context: RequestContext, ofPayout: () => ReadFees) => {
  const stage = readStage(order)
  if (stage === undefined) {
    const notice = `Kept the state ${context.known.state}: ${upstreamText(order.status)} is unknown`
    return { status: base, notices: [notice] }
  }
  const explained = { ...order, explanation: explanationOf(order) }
  const { fees, notices } = feesOf(order, stage, context, ofPayout)
  return { status: toStatus(base, explained, stage, context, fees), notices: [...stage.notices, ...notices] }
}

/** Reads the answer of `GET /intents/status/v3` about the request of a record; it says nothing of the terms. */
const readStatus = (body: unknown, context: RequestContext): Result.Result<ReadStatus, MalformedBody> =>
  Result.map(decode(WireStatus, body), (wire) => {
    const order = orderOfStatus(wire, context)
    return toRead(termsAsSaid(context), order, context, () => ({
      fees: feesOfStatus(order, context),
      notices: [],
    }))
  })

const WireRequests = Schema.Struct({ requests: Schema.Array(Schema.Unknown) })
const WireId = Schema.Struct({ id: Schema.String })

type FindLast = (id: string) => Result.Result<WireRequest | undefined, MalformedBody>

/**
 * Finds the request under which the money of another one went on, the last that is in the list; a given ID's own where
 * it did not go on. Each is read once, and each way walked once: whoever sends dust to an address makes its list long.
 */
const lastRequests = (requests: ReadonlyArray<unknown>): FindLast => {
  const places = new Map<string, number>()
  for (const [index, request] of requests.entries()) {
    const id = Result.map(decode(WireId, request), ({ id }) => id.toLowerCase())
    if (Result.isSuccess(id) && !places.has(id.success)) places.set(id.success, index)
  }
  const lasts = new Map<number, Result.Result<WireRequest, MalformedBody>>()
  return (id) => {
    const walked = new Set<number>()
    let last: Result.Result<WireRequest, MalformedBody> | undefined
    let index = places.get(id.toLowerCase())
    // Each goes on to another of them, or they go round.
    while (index !== undefined && !walked.has(index)) {
      walked.add(index)
      const known = lasts.get(index)
      last = known ?? decode(WireRequest, requests[index], ["requests", index])
      if (known !== undefined || Result.isFailure(last)) break
      index = places.get(last.success.supersededByRequestId?.toLowerCase() ?? "")
    }
    if (last === undefined) return Result.succeed(undefined)
    for (const place of walked) lasts.set(place, last)
    return last
  }
}

/** The request's terms in the answer; `swapping` compares them with the record, alike for every provider. */
const recordAsSaid = (wire: WireRequest, context: RequestContext): SwapStatus => {
  const output = paidBy(wire, context.known)?.currency
  const destinationAsset = output === undefined ? undefined : assetOf(context.currencies, output)
  return {
    ...termsAsSaid(context, {
      destination: wire.recipient,
      deposit: wire.depositAddress?.address,
      refund: wire.refundTo,
    }),
    ...optionalMembers(destinationAsset, (destinationAsset) => ({ destinationAsset })),
  }
}

/** Reads a request of a list by what came of it; nothing where it is not in the list (yet). */
const readRequest = (lastOf: FindLast, requestId: string, context: RequestContext) =>
  Result.map(lastOf(requestId), (wire) => {
    if (wire === undefined) return undefined
    const order = orderOfRequest(wire, context)
    return toRead(recordAsSaid(wire, context), order, context, () => feesOfRequest(wire, order, context))
  })

/** The record of a further deposit before anything is told of it: the terms are the channel's, the request is another. */
const contextOf = (id: string, { depositChannel, known, ...context }: RequestContext): RequestContext => {
  const channel = { ...depositChannel, reference: id }
  return {
    ...context,
    depositChannel: channel,
    known: {
      ...Struct.omit(known, ["deposit", "swap", "swapEgress", "refundEgress", "fallbackEgress"]),
      depositChannel: channel,
      state: "waiting",
      swapId: id,
      fees: [],
    },
  }
}

/** Further deposits' requests: with a transaction that is not this deposit's, and in no other request's place. */
const readOthers = (
  requests: ReadonlyArray<unknown>,
  lastOf: FindLast,
  requestId: string,
  own: SwapStatus,
  context: RequestContext,
): Noticed & { readonly swaps: ReadonlyArray<ReadStatus> } => {
  const [read, unread] = Array.partition(requests, (request) => decode(WireRequest, request))
  const successors = new Set(read.flatMap((one) => one.supersededByRequestId?.toLowerCase() ?? []))
  const roots = read.filter(({ id }) => !isSameId(id, requestId) && !successors.has(id.toLowerCase()))
  const [swaps, unreadable] = Array.partition(
    roots,
    ({ id }) => readRequest(lastOf, id, contextOf(id, context)),
  )
  return {
    swaps: swaps.flatMap((other) => other !== undefined && isOtherDeposit(own, other.status) ? [other] : []),
    notices: [...unread, ...unreadable].map(({ detail }) =>
      `A request beside ours cannot be read, and no swap is recorded of it: ${detail}`
    ),
  }
}

/** The operation: with a key a request is looked up with all that came of it, else only how far it is. */
export const makeStatus = (
  client: Pick<Client, "status" | "requests">,
  conditions: Pick<Conditions, "currencies">,
): Channels["status"] => {
  const ofStatus = Effect.fnUntraced(function* (
    requestId: string,
    contextAt: (heard: Heard) => RequestContext,
  ): Effect.fn.Return<Option.Option<Observed>, ProviderErrorReason> {
    const heard = yield* client.status(requestId)
    if (Option.isNone(heard)) return Option.none()
    const { status } = yield* logged(readStatus(heard.value.body, contextAt(heard.value)))
    return Option.some({ status, body: heard.value.text })
  })

  return Effect.fnUntraced(
    function* (_channel, known) {
      const { depositChannel } = known
      const requestId = depositChannel?.reference
      if (depositChannel === undefined || requestId === undefined) return Option.none()
      const currencies = yield* conditions.currencies
      const contextAt = ({ answeredAt }: Heard): RequestContext => ({
        known,
        depositChannel,
        currencies,
        now: answeredAt,
      })
      if (Option.isSome(client.requests)) {
        const heard = yield* client.requests.value(requestId)
        const context = contextAt(heard)
        const { requests } = yield* Effect.fromResult(decode(WireRequests, heard.body))
        const lastOf = lastRequests(requests)
        const own = yield* Effect.fromResult(readRequest(lastOf, requestId, context))
        if (own !== undefined) {
          const others = readOthers(requests, lastOf, requestId, own.status, context)
          yield* Effect.forEach(
            [own, others, ...others.swaps],
            (read) => logged(Result.succeed(read)),
            { discard: true },
          )
          return Option.some({
            status: own.status,
            body: heard.text,
            others: others.swaps.map(({ status }) => ({ status, body: heard.text })),
          })
        }
      }
      return yield* ofStatus(requestId, contextAt)
    },
    failAs("status"),
    lightSpan("Relay.status"),
  )
}
