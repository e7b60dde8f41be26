import { Clock, Effect, Option, Result, Schema } from "effect"
import { bodyIssues } from "../bodyIssues.ts"
import type { UnusableLog } from "../EventLog.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { manner, writeDryQuote, writeOrder } from "./answers.ts"
import { QuoteRequest } from "./engine/Command.ts"
import { quote } from "./engine/terms.ts"
import { intentsMessage, intentsRefusal, requestRefusal } from "./refusals.ts"

/** `POST /v0/quote`: figures if it is dry, otherwise an order. */

/** The longest lifetime of an order, whatever the request says. */
const maximumLifetimeMillis = 30 * 24 * 60 * 60 * 1_000

const parse = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))
const decode = Schema.decodeUnknownResult(QuoteRequest, { errors: "all" })

/** Every fault of a body, in one message. */
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

/** An order's lifetime: its deadline is by the client's clock, so only the distance from the real now counts. */
const lifetimeOf = (request: QuoteRequest, now: number): Result.Result<number, Reply> => {
  const lifetime = Math.floor(Date.parse(request.deadline) - now)
  return lifetime > 0
    ? Result.succeed(Math.min(lifetime, maximumLifetimeMillis))
    : Result.fail(intentsRefusal(400, intentsMessage.deadlinePassed))
}

/** Whether 1Click takes nothing for itself. */
const feesAsAsked = Effect.map(Faults.does("ownFees"), (takes) => !takes)

const dryQuote = Effect.fnUntraced(function* (request: QuoteRequest) {
  const world = yield* World
  const written = yield* manner
  const areFeesAsAsked = yield* feesAsAsked
  return yield* World.read(({ intents }) =>
    Result.match(quote(intents, request, areFeesAsAsked), {
      onFailure: requestRefusal,
      onSuccess: (quoted) =>
        json(201, writeDryQuote(quoted, written, { seed: world.seed, time: intents.time })),
    })
  )
})

const order = Effect.fnUntraced(function* (request: QuoteRequest, lifetimeMillis: number) {
  const world = yield* World
  const written = yield* manner
  const asAsked = (yield* feesAsAsked) ? { areFeesAsAsked: true } : {}
  return Result.match(yield* World.perform({ _tag: "OpenOrder", request, lifetimeMillis, ...asAsked }), {
    onFailure: requestRefusal,
    onSuccess: (order) => json(201, writeOrder(world.seed, order, written)),
  })
})

export const postQuote = Effect.fn("sandbox.nearIntents.quote")(function* (
  body: string,
): Effect.fn.Return<Reply, UnusableLog, World | Faults> {
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

/** Whether the body asks for an order and not only for figures. */
export const asksForOrder = (body: string): boolean => Option.isSome(readOrder(body))
