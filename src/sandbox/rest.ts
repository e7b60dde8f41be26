import { Effect, Option, Result, Schema } from "effect"
import type { FaultCode, FaultOperation, SimulatedProvider } from "#api/SandboxFaults.ts"
import { type UnusableLog, World } from "./World.ts"
import { bodyIssues } from "./bodyIssues.ts"
import { Faults } from "./Faults.ts"
import type { Reply, WireAnswer, WireRequest } from "./Wire.ts"

export type Handled = Effect.Effect<Reply, UnusableLog, World | Faults>

interface Route {
  readonly place: RegExp
  readonly answer: (request: WireRequest, parameter: string) => Handled
  /** The operation that faults see in a request; none: faults leave it alone. */
  readonly operationOf: (request: WireRequest) => FaultOperation | undefined
}

/** An endpoint at a method and a path behind the base URL, such as `GET /tx/(\\w+)`; the group is its parameter. */
export const route = (
  place: `${"GET" | "POST"} /${string}`,
  answer: Route["answer"],
  operation?: FaultOperation | Route["operationOf"],
): Route => ({
  place: new RegExp(`^${place}$`),
  answer,
  operationOf: typeof operation === "function" ? operation : () => operation,
})

/** Reads a JSON body by its schema. The sentence of a refusal names every fault; `notJson` is that of any other text. */
export const bodyReader = <A>(
  schema: Schema.Codec<A, unknown>,
  { notJson, refuse }: { readonly notJson: string; readonly refuse: (sentence: string) => Reply },
) => {
  const parse = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (body: string): Result.Result<A, Reply> =>
    parse(body).pipe(
      Result.mapError(() => refuse(notJson)),
      Result.flatMap((value) =>
        Result.mapError(decode(value), (error) =>
          refuse(
            bodyIssues(error).map(({ message, path }) => `${path.join(".") || "body"}: ${message}`).join(
              "; ",
            ),
          ))
      ),
    )
}

/** The operation of a request for a quote: one whose body fits the schema opens something. */
export const opensWith = (schema: Schema.Codec<unknown, unknown>): Route["operationOf"] => {
  const read = Schema.decodeUnknownOption(Schema.fromJsonString(schema))
  return ({ body }) => Option.isSome(read(body)) ? "open" : "quote"
}

/** Adds the simulated time as an HTTP date, so that clients can tell whether a deadline has passed. */
export const dated = (reply: Reply): Effect.Effect<Reply, never, World> =>
  World.read(({ network }) => ({
    ...reply,
    headers: { ...reply.headers, date: new Date(network.time).toUTCString() },
  }))

interface Api {
  readonly provider: SimulatedProvider
  readonly routes: ReadonlyArray<Route>
  /** Answers where no route is. */
  readonly elsewhere: (request: WireRequest, path: string) => Reply
  /** Refuses who may not ask, whatever the faults. */
  readonly refusal?: (request: WireRequest) => Reply | undefined
  /** Whether it was called too often: asked at every call of a route, also at one that a fault refuses. */
  readonly isTooMany?: Effect.Effect<boolean, never, Faults>
  /** Refuses with the wire's own form of a code. */
  readonly fault: (code: FaultCode, request: WireRequest) => Reply
  /** What every answer to a route has besides; absent: nothing. */
  readonly finish?: typeof dated
}

/** Answers requests to a REST API, as the faults in force let it; `path` is the part behind its base URL. */
export const serveRest = (
  { elsewhere, fault, finish = Effect.succeed, isTooMany = Effect.succeed(false), provider, refusal, routes }:
    Api,
) =>
  Effect.fnUntraced(function* (
    path: string,
    request: WireRequest,
  ): Effect.fn.Return<WireAnswer, UnusableLog, World | Faults> {
    const place = `${request.method} ${path}`
    const route = routes.find((route) => route.place.test(place))
    if (route === undefined) return elsewhere(request, path)
    const refused = refusal?.(request)
    if (refused !== undefined) return refused
    const operation = route.operationOf(request)
    const answer = (yield* isTooMany)
      ? Effect.succeed(fault("provider_unavailable", request))
      : route.answer(request, route.place.exec(place)?.[1] ?? "")
    const faults = yield* Faults
    return yield* faults.disturb({
      provider,
      operations: operation === undefined ? [] : [operation],
      act: Effect.flatMap(answer, finish),
      refuse: (code) => finish(fault(code, request)),
    })
  })
