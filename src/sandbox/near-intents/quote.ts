import { Clock, Effect, Option, Result, Schema } from "effect"
import { bodyIssues } from "../bodyIssues.ts"
import type { UnusableLog } from "../EventLogError.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import * as Intents from "./engine/Intents.ts"
import { QuoteRequest } from "./engine/QuoteRequest.ts"
import { intentsMessage, intentsRefusal, requestRefusal } from "./refusals.ts"
import { writeDryQuote, writeOrder } from "./writeQuote.ts"

/** `POST /v0/quote`: figures when it is dry, otherwise an order. */

/** An order lives so long at most, whatever the request says. */
const maximumLifetimeMillis = 30 * 24 * 60 * 60 * 1_000

const parse = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))
const decode = Schema.decodeUnknownResult(QuoteRequest, { errors: "all" })

/** Everything that does not fit, in one message. */
const invalid = (error: Schema.SchemaError): Reply =>
  intentsRefusal(
    400,
    bodyIssues(error).map(({ message, path }) => `${path.join(".") || "body"}: ${message}`).join("; "),
  )

const readRequest = (body: string): Result.Result<QuoteRequest, Reply> =>
  parse(body).pipe(
    Result.mapError(() => intentsRefusal(400, intentsMessage.notJson)),
    Result.flatMap((value) => Result.mapError(decode(value), invalid)),
  )

/**
 * How long an order lives. The deadline is one of the client's clock, which the simulated time may have left
 * far behind: what counts is how far it lies ahead of the real now.
 */
const lifetimeOf = (request: QuoteRequest, now: number): Result.Result<number, Reply> => {
  const lifetime = Math.floor(Date.parse(request.deadline) - now)
  return lifetime > 0
    ? Result.succeed(Math.min(lifetime, maximumLifetimeMillis))
    : Result.fail(intentsRefusal(400, intentsMessage.deadlinePassed))
}

const dryQuote = Effect.fnUntraced(function* (request: QuoteRequest) {
  const world = yield* World
  return yield* world.read((_, intents) =>
    Result.match(Intents.quote(intents, request), {
      onFailure: requestRefusal,
      onSuccess: (quoted) =>
        json(201, writeDryQuote({ seed: world.seed, time: Intents.time(intents), request }, quoted)),
    })
  )
})

const order = Effect.fnUntraced(function* (request: QuoteRequest, lifetimeMillis: number) {
  const world = yield* World
  return Result.match(yield* world.openOrder({ _tag: "OpenOrder", request, lifetimeMillis }), {
    onFailure: requestRefusal,
    onSuccess: (order) => json(201, writeOrder(world.seed, order)),
  })
})

/** Answers a request for a quote. */
export const postQuote = Effect.fn("sandbox.nearIntents.quote")(function* (
  body: string,
): Effect.fn.Return<Reply, UnusableLog, World> {
  const now = yield* Clock.currentTimeMillis
  const read = Result.flatMap(
    readRequest(body),
    (request) => Result.map(lifetimeOf(request, now), (lifetime) => ({ request, lifetime })),
  )
  if (Result.isFailure(read)) return read.failure
  const { lifetime, request } = read.success
  return yield* request.dry ? dryQuote(request) : order(request, lifetime)
})

const readOrder = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ dry: Schema.Literal(false) })),
)

/** Whether the body asks for an order rather than for figures. */
export const asksForOrder = (body: string): boolean => Option.isSome(readOrder(body))
