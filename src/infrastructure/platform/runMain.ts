import { Cause, Effect, Exit, Layer, Predicate, Runtime, type Scope } from "effect"
import { lastLine } from "./logging.ts"

/** SIGHUP comes when a terminal is closed. Windows has no SIGTERM that a process could catch. */
const stopSignals: ReadonlyArray<Deno.Signal> = Deno.build.os === "windows"
  ? ["SIGINT", "SIGHUP", "SIGBREAK"]
  : ["SIGINT", "SIGHUP", "SIGTERM"]

export type StopRequest =
  /** The first signal: finish the work that was begun, then end. */
  | "stop"
  /** A repetition of the first: one request to stop often arrives more than once. */
  | "again"
  /** A second request to stop: end without waiting. */
  | "endNow"

/** How far apart the signals of one request to stop can arrive, in milliseconds. */
const sameWishMillis = 1_000

/** Interprets stop signals (`now` in milliseconds): several close together are one request. */
export const makeStopRequests = (now: () => number): () => StopRequest => {
  let first: number | undefined
  return () => {
    if (first !== undefined) return now() - first <= sameWishMillis ? "again" : "endNow"
    first = now()
    return "stop"
  }
}

/** The failure in one readable line, or one line for each of several faults; without a stack. */
const describe = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  return Predicate.hasProperty(failure, "message") ? `${failure.message}` : `${failure}`
}

const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
  console.error(lastLine(`Stopped: ${describe(exit.cause)}`))
  onExit(1)
}

let stopSignal: Deno.Signal | undefined

/** Logs a request to stop with its signal, when the scope closes. Other ends have lines of their own. */
export const logAtStop = (message: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.addFinalizer((exit) => {
    if (!Exit.hasInterrupts(exit)) return Effect.void
    return Effect.logInfo(stopSignal === undefined ? message : `${message} (${stopSignal})`)
  })

/** Runs a process until a signal (0) or failure (1); a second signal, a second later, ends it (130). */
export const runMain = <Error>(layer: Layer.Layer<never, Error> | Layer.Layer<unknown, Error>): void => {
  runUntilSignal(Layer.launch(layer), { disableErrorReporting: true, teardown })
}

/** Runs one command and exits with its code: 1 with a line for a failure, 130 for a signal. */
export const runCommand = (command: Effect.Effect<number, unknown>): void => {
  let code = 0
  const remembered = Effect.map(command, (exitCode) => {
    code = exitCode
  })
  runUntilSignal(remembered, {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      if (Exit.isSuccess(exit)) return onExit(code)
      if (Cause.hasInterruptsOnly(exit.cause)) return onExit(130)
      console.error(`Stopped: ${describe(exit.cause)}`)
      onExit(1)
    },
  })
}

const runUntilSignal = Runtime.makeRunMain(({ fiber, teardown }) => {
  const request = makeStopRequests(() => performance.now())
  const stop = (signal: Deno.Signal) => () => {
    const wanted = request()
    if (wanted === "endNow") Deno.exit(130)
    if (wanted !== "stop") return
    stopSignal = signal
    fiber.interruptUnsafe()
  }
  for (const signal of stopSignals) Deno.addSignalListener(signal, stop(signal))
  fiber.addObserver((exit) => teardown(exit, (code) => Deno.exit(code)))
})
