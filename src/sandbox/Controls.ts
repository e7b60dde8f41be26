import { Data, Effect, Result, Schema } from "effect"
import { combineIssues, type Issues, issueWith } from "../domain/Issues.ts"
import {
  type ControlRefusal,
  DepositAccepted,
  DepositCommand,
  FaultRule,
  FaultsView,
  NetworkCommand,
  SandboxView,
  TimeCommand,
  TimeView,
} from "../domain/SandboxControl.ts"
import { VaultSwapCommand } from "../domain/SandboxVaultSwap.ts"
import { bodyIssues } from "./bodyIssues.ts"
import { inWords } from "./inWords.ts"
import { refusalIssues, toControl, toDeposit } from "./controlCommands.ts"
import type { UnusableLog } from "./EventLogError.ts"
import { Faults } from "./Faults.ts"
import { viewSandbox, viewTime } from "./sandboxView.ts"
import { toVaultSwap, vaultSwapIssues } from "./vaultSwapCommand.ts"
import { json, type Reply, type WireRequest } from "./Wire.ts"
import { World } from "./World.ts"

/** The controls of the sandbox, under `/sandbox`. */

/** A control that cannot be done as asked; a 400. */
class Refused extends Data.TaggedError("Refused")<{ readonly errors: Issues }> {}

type Control = (request: WireRequest) => Effect.Effect<Reply, Refused | UnusableLog, World | Faults>

const parse = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))

/** Faults by the first member of their path; those of the body as a whole under `body`. */
const toIssues = (error: Schema.SchemaError): Issues =>
  combineIssues(
    bodyIssues(error).map(({ message, path: [member = "body"] }) =>
      issueWith(member, inWords(member, message))
    ),
  )

const notJson = new Refused({ errors: issueWith("body", inWords("body", "Expected object")) })

/** Reads a body; everything that is wrong with it is said at once. */
const body = <Value>(schema: Schema.ConstraintDecoder<Value>) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (request: WireRequest): Effect.Effect<Value, Refused> =>
    Effect.fromResult(
      parse(request.body).pipe(
        Result.mapError(() => notJson),
        Result.flatMap((value) =>
          Result.mapError(decode(value), (error) => new Refused({ errors: toIssues(error) }))
        ),
      ),
    )
}

const answering = <S extends Schema.ConstraintEncoder<unknown>>(status: number, schema: S) => {
  const encode = Schema.encodeSync(schema)
  return (value: S["Type"]): Reply => json(status, encode(value))
}

const fromNetwork = <Value>(outcome: Result.Result<Value, Issues>): Effect.Effect<Value, Refused> =>
  Effect.fromResult(Result.mapError(outcome, (errors) => new Refused({ errors })))

const readDeposit = body(DepositCommand)
const depositAccepted = answering(202, DepositAccepted)

const postDeposit: Control = Effect.fn("sandbox.controls.deposit")(function* (request) {
  const command = yield* readDeposit(request)
  const world = yield* World
  const deposit = yield* fromNetwork(
    yield* world.read((network, intents) => toDeposit(network, intents, command)),
  )
  const sent = yield* fromNetwork(Result.mapError(yield* world.sendDeposit(deposit), refusalIssues))
  return depositAccepted({ transactionHash: sent.transactionReference })
})

const readVaultSwap = body(VaultSwapCommand)

const postVaultSwap: Control = Effect.fn("sandbox.controls.vaultSwap")(function* (request) {
  const command = yield* readVaultSwap(request)
  const world = yield* World
  const swap = yield* fromNetwork(yield* world.read((network) => toVaultSwap(network, command)))
  const sent = yield* fromNetwork(Result.mapError(yield* world.sendVaultSwap(swap), vaultSwapIssues))
  return depositAccepted({ transactionHash: sent.transactionReference })
})

const readTime = body(TimeCommand)
const timeMoved = answering(200, TimeView)

const postTime: Control = Effect.fn("sandbox.controls.time")(function* (request) {
  const { advanceSeconds } = yield* readTime(request)
  const world = yield* World
  return timeMoved(viewTime(yield* world.travel(Math.floor(advanceSeconds * 1_000))))
})

const readFault = body(FaultRule)
const faultsInForce = answering(200, FaultsView)

const putFault: Control = Effect.fn("sandbox.controls.putFault")(function* (request) {
  const rule = yield* readFault(request)
  const faults = yield* Faults
  yield* faults.put(rule)
  return faultsInForce({ faults: yield* faults.rules })
})

const clearFaults: Control = Effect.fn("sandbox.controls.clearFaults")(function* () {
  const faults = yield* Faults
  yield* faults.clear
  return faultsInForce({ faults: [] })
})

const sandboxView = answering(200, SandboxView)

const getSandbox: Control = Effect.fn("sandbox.controls.view")(function* () {
  const { read, seed, speed } = yield* World
  const faults = yield* (yield* Faults).rules
  return sandboxView(
    yield* read((network, intents) => viewSandbox(network, intents, { seed, speed, faults })),
  )
})

const readNetworkCommand = body(NetworkCommand)

const patchNetwork: Control = Effect.fn("sandbox.controls.network")(function* (request) {
  const command = toControl(yield* readNetworkCommand(request))
  const world = yield* World
  yield* fromNetwork(Result.mapError(yield* world.control(command), refusalIssues))
  return yield* getSandbox(request)
})

/** Path behind `/sandbox`, and what its methods do. */
const routes: Readonly<Record<string, Readonly<Record<string, Control>>>> = {
  "": { GET: getSandbox },
  "/deposits": { POST: postDeposit },
  "/vault-swaps": { POST: postVaultSwap },
  "/time": { POST: postTime },
  "/faults": { PUT: putFault, DELETE: clearFaults },
  "/network": { PATCH: patchNetwork },
}

const refuse = (status: number, refusal: ControlRefusal, headers: Readonly<Record<string, string>> = {}) =>
  Effect.succeed(json(status, refusal, headers))

/** Answers a request to the controls; `path` is the part behind `/sandbox`. */
export const serveControls = (
  path: string,
  request: WireRequest,
): Effect.Effect<Reply, UnusableLog, World | Faults> => {
  const methods = routes[path]
  if (methods === undefined) return refuse(404, { message: `There is no control at /sandbox${path}` })
  const control = methods[request.method]
  if (control === undefined) {
    const allow = Object.keys(methods).join(", ")
    return refuse(405, { message: `/sandbox${path} takes ${allow}` }, { allow })
  }
  return Effect.catchTag(
    control(request),
    "Refused",
    ({ errors }) => refuse(400, { message: "The control cannot be done as asked", errors }),
  )
}
