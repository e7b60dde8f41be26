/**
 * The service, which on SIGUSR2 says in which of its files a function has run since it said so last, and in how many steps
 * of Effect's run loop.
 */
import "#infrastructure/platform/plainFibers.ts"
import { Effect, type Fiber, Predicate } from "effect"
import { Session } from "node:inspector/promises"

const source = new URL("../../../src/", import.meta.url).href

const inspector = new Session()
inspector.connect()
await inspector.post("Profiler.enable")
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })

const ran = async () => {
  const { result } = await inspector.post("Profiler.takePreciseCoverage")
  return result.filter(({ functions, url }) =>
    url.startsWith(source) && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0))
  ).map(({ url }) => url.slice(source.length))
}

let steps = 0

/** Counts each step of a fiber, when its run loop returns. */
const countSteps = () => {
  const prototype: unknown = Object.getPrototypeOf(Effect.runFork(Effect.void))
  if (!Predicate.hasProperty(prototype, "runLoop") || !Predicate.isFunction(prototype.runLoop)) {
    throw new Error("The fibers of this version of Effect have no runLoop")
  }
  const { runLoop } = prototype
  Object.defineProperty(prototype, "runLoop", {
    value: function (this: Fiber.Fiber<unknown>, effect: unknown): unknown {
      const result: unknown = Reflect.apply(runLoop, this, [effect])
      steps += this.currentOpCount
      return result
    },
  })
}
countSteps()

Deno.addSignalListener("SIGUSR2", async () => {
  const taken = steps
  console.log(`"level":"INFO" steps=${taken} ran=[${(await ran()).join(" ")}]`)
  steps = 0
})
await import("../../../src/main.ts")
