import { Duration, Effect, Layer, Metric, Schedule } from "effect"
import process from "node:process"
import { version } from "../platform/version.ts"
import { metrics } from "./Metrics.ts"

/** A collector asks for figures no more often than that. */
const interval = Duration.seconds(5)

/** The open files of this process, sockets too: only a process that may read everything is told. */
const openFiles = (): number | undefined => {
  try {
    return [...Deno.readDirSync("/proc/self/fd")].length
  } catch {
    return undefined
  }
}

const microsPerSecond = 1_000_000

/** Seconds that the processors worked for this process until now. */
const cpuSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / microsPerSecond
}

/** Keeps the figures of this process itself, under the names that collectors know from everywhere. */
export const processFigures: Layer.Layer<never> = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* Metric.update(metrics.buildInfo({ version, deno: Deno.version.deno }), 1)
    yield* Metric.update(metrics.processStartTime, performance.timeOrigin / 1_000)
    let counted = 0
    const measure = Effect.gen(function* () {
      yield* Metric.update(metrics.processResidentMemory, Deno.memoryUsage().rss)
      const used = cpuSeconds()
      yield* Metric.update(metrics.processCpuSeconds, used - counted)
      counted = used
      const files = openFiles()
      if (files !== undefined) yield* Metric.update(metrics.processOpenFiles, files)
    })
    yield* measure
    yield* Effect.forkScoped(Effect.repeat(measure, Schedule.spaced(interval)))
  }),
)
