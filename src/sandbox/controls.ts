import { Effect, Layer, Option, Result, Schema } from "effect"
import { HttpApi, HttpApiBuilder, type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ControlRefusal, controls } from "#api/Sandbox.ts"
import { unknownMembers } from "#api/unknownMembers.ts"
import { combineIssues, hasIssues, issueAbout, type Issues, noIssues } from "#domain/Issues.ts"
import { issuesByMember } from "./bodyIssues.ts"
import { refusalIssues, toControl, toDeposit, toVaultSwap, vaultSwapIssues } from "./controlCommands.ts"
import { Faults } from "./Faults.ts"
import { paymentIssues } from "./thorchain/transaction.ts"
import { viewSandbox, viewTime } from "./sandboxView.ts"
import { json, type Reply, type WireRequest } from "./Wire.ts"
import { World } from "./World.ts"

/** Answers an invalid control with one 400 that names every issue. */
class Refusals extends HttpApiMiddleware.Service<Refusals>()("swap-broker/sandbox/controls/Refusals", {
  error: ControlRefusal,
}) {}

/** The controls as the sandbox itself serves them: without accounts, under `/sandbox`. */
class ControlsApi extends HttpApi.make("sandbox-controls").add(controls.middleware(Refusals))
  .annotate(HttpApi.ParseOptions, { errors: "all" }) {}

const refused = (errors: Issues) =>
  new ControlRefusal({ message: "The control cannot be done as asked", errors })

const notJson = refused(issueAbout("body", "must be an object"))

/** The refusal of a body. Only a body that is not JSON is invalid as a whole before its schema is checked. */
const refusalOfBody = ({ cause }: HttpApiSchemaError): ControlRefusal =>
  cause.issue._tag === "InvalidValue" ? notJson : refused(issuesByMember(cause))

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Finds what is wrong with a body that has members which its control does not have. A control without a body takes none. */
const strangersOf = ({ payload }: HttpApiEndpoint.Top) => {
  const [schema = Schema.Struct({})] = [...payload.values()].flatMap((body) =>
    "schemas" in body ? [...body.schemas] : []
  )
  const body: Schema.Codec<unknown, unknown> = Schema.make(schema.ast)
  const decode = Schema.decodeUnknownResult(body, { errors: "all" })
  const strangersIn = unknownMembers(schema)
  return Effect.gen(function* () {
    const { text } = yield* HttpServerRequest.HttpServerRequest
    const given = Option.getOrUndefined(decodeJson(yield* Effect.orDie(text)))
    const strangers = strangersIn(given)
    if (!hasIssues(strangers)) return noIssues
    const decoded = decode(given)
    return Result.isSuccess(decoded) ? strangers : combineIssues([issuesByMember(decoded.failure), strangers])
  })
}

const RefusalsLayer = Layer.succeed(
  Refusals,
  (answer, { endpoint }) =>
    Effect.flatMap(strangersOf(endpoint), (strangers) => {
      const told = Effect.catch(
        answer,
        (error) =>
          Effect.fail(
            HttpApiSchemaError.is(error) && error.kind === "Payload" ? refusalOfBody(error) : error,
          ),
      )
      return hasIssues(strangers) ? Effect.fail(refused(strangers)) : told
    }),
)

/** The outcome of a command, with a refusal in terms of the body. */
const done = <Value, Refusal>(
  outcome: Result.Result<Value, Refusal>,
  issuesOf: (refusal: Refusal) => Issues,
): Effect.Effect<Value, ControlRefusal> =>
  Effect.fromResult(Result.mapError(outcome, (refusal) => refused(issuesOf(refusal))))

const understood = <Value>(command: Result.Result<Value, Issues>): Effect.Effect<Value, ControlRefusal> =>
  Effect.fromResult(Result.mapError(command, refused))

const ControlsHandlers = HttpApiBuilder.group(
  ControlsApi,
  "sandbox",
  Effect.fnUntraced(function* (handlers) {
    const world = yield* World
    const faults = yield* Faults
    const { seed, speed } = world

    const view = Effect.fn("sandbox.controls.view")(function* () {
      const rules = yield* faults.rules
      return yield* world.read((networks) => viewSandbox(networks, { seed, speed, faults: rules }))
    })
    const rulesInForce = Effect.map(faults.rules, (rules) => ({ faults: rules }))

    return handlers.handleAll({
      view,
      deposit: Effect.fn("sandbox.controls.deposit")(function* ({ payload }) {
        const deposit = yield* understood(yield* world.read((networks) => toDeposit(networks, payload)))
        const sent = yield* done(yield* Effect.orDie(world.perform(deposit)), refusalIssues)
        return { transactionHash: sent.transactionReference }
      }),
      vaultSwap: Effect.fn("sandbox.controls.vaultSwap")(function* ({ payload }) {
        const swap = yield* understood(yield* world.read((networks) => toVaultSwap(networks, payload)))
        const sent = swap._tag === "PayVault"
          ? yield* done(yield* Effect.orDie(world.perform(swap)), paymentIssues)
          : yield* done(yield* Effect.orDie(world.perform(swap)), vaultSwapIssues)
        return { transactionHash: sent.transactionReference }
      }),
      time: Effect.fn("sandbox.controls.time")(function* ({ payload: { advanceSeconds } }) {
        return viewTime(yield* Effect.orDie(world.travel(Math.floor(advanceSeconds * 1_000))))
      }),
      setFaults: Effect.fn("sandbox.controls.putFault")(function* ({ payload }) {
        yield* faults.put(payload)
        return yield* rulesInForce
      }),
      clearFaults: Effect.fn("sandbox.controls.clearFaults")(function* () {
        yield* faults.clear
        return yield* rulesInForce
      }),
      network: Effect.fn("sandbox.controls.network")(function* ({ payload }) {
        yield* done(yield* Effect.orDie(world.perform(toControl(payload))), refusalIssues)
        return yield* view()
      }),
    })
  }),
)

const methodsAt = (path: string): ReadonlyArray<string> =>
  Object.values(controls.endpoints).flatMap((endpoint) => endpoint.path === path ? [endpoint.method] : [])

const toServerRequest = ({ body, method }: WireRequest, path: string) =>
  HttpServerRequest.fromWeb(
    new Request(`http://sandbox${path}`, {
      method,
      // A control reads its body as JSON, whatever its content type. An empty one is sent as a space: neither is JSON.
      ...(method === "GET" ? {} : { body: body || " ", headers: { "content-type": "application/json" } }),
    }),
  )

const toReply = (response: HttpServerResponse.HttpServerResponse): Effect.Effect<Reply> =>
  Effect.promise(async () => {
    const whole = HttpServerResponse.toWeb(response)
    return json(whole.status, await whole.json())
  })

/** Answers the controls; `path` is the part after `/sandbox`. A failure of the sandbox itself is a defect. */
export const makeControls = Effect.gen(function* () {
  const app = yield* HttpRouter.toHttpEffect(
    HttpApiBuilder.layer(ControlsApi).pipe(
      Layer.provide(ControlsHandlers),
      Layer.provide([RefusalsLayer, HttpServer.layerServices]),
    ),
  )
  return (path: string, request: WireRequest): Effect.Effect<Reply> => {
    const place = `/sandbox${path}`
    const methods = methodsAt(place)
    if (methods.length === 0) {
      return Effect.succeed(json(404, { message: `There is no control at ${place}` }))
    }
    if (!methods.includes(request.method)) {
      const allow = methods.join(", ")
      return Effect.succeed(json(405, { message: `${place} takes ${allow}` }, { allow }))
    }
    return app.pipe(
      Effect.flatMap(toReply),
      Effect.provideService(HttpServerRequest.HttpServerRequest, toServerRequest(request, place)),
      Effect.scoped,
      Effect.orDie,
    )
  }
})
