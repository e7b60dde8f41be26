import { Cause, Effect, Exit, Layer, Predicate, Runtime } from "effect"
import { makeStopRequests } from "./stopRequests.ts"

/** SIGHUP comes when a terminal is closed. Windows knows no SIGTERM that a process could catch. */
const stopSignals: ReadonlyArray<Deno.Signal> = Deno.build.os === "windows"
  ? ["SIGINT", "SIGHUP", "SIGBREAK"]
  : ["SIGINT", "SIGHUP", "SIGTERM"]

/** What went wrong in one readable line or, for several faults, one line each; no stack. */
const describe = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  return Predicate.hasProperty(failure, "message") ? `${failure.message}` : `${failure}`
}

const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
  console.error(`Stopped: ${describe(exit.cause)}`)
  onExit(1)
}

/**
 * Runs a process: starts everything in the layer and stops it on SIGINT, SIGTERM or SIGHUP, finalizers and all.
 * Exit code 0 after a signal, 1 with a line on standard error after a failure. A signal more than a second after
 * the first does not wait: 130.
 */
export const runMain = <Error>(layer: Layer.Layer<never, Error> | Layer.Layer<unknown, Error>): void => {
  runUntilSignal(Layer.launch(layer), { disableErrorReporting: true, teardown })
}

/**
 * Runs one command to its end, which its exit code tells; a signal stops it, finalizers and all, with 130. What
 * nobody foresaw ends with 1 and a line on standard error.
 */
export const runCommand = (command: Effect.Effect<number>): void => {
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
  const stop = () => {
    const wanted = request()
    if (wanted === "endNow") Deno.exit(130)
    if (wanted === "stop") fiber.interruptUnsafe()
  }
  for (const signal of stopSignals) Deno.addSignalListener(signal, stop)
  fiber.addObserver((exit) => teardown(exit, (code) => Deno.exit(code)))
})
