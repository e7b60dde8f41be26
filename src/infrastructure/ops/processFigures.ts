import { Duration, Effect, Layer, Metric, Schedule } from "effect"
import process from "node:process"
import { version } from "../platform/version.ts"
import { metrics } from "./Metrics.ts"

/** The interval between updates; collectors ask no more often. */
const interval = Duration.seconds(5)

const openFilesFolder = "/proc/self/fd"

/** Open files and sockets. Undefined without permission, which is queried first: Deno would prompt on a terminal. */
const openFiles = (): number | undefined => {
  if (Deno.permissions.querySync({ name: "read", path: openFilesFolder }).state !== "granted") {
    return undefined
  }
  try {
    return [...Deno.readDirSync(openFilesFolder)].length
  } catch {
    return undefined
  }
}

const microsPerSecond = 1_000_000

/** CPU seconds that this process has used so far. */
const cpuSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / microsPerSecond
}

/** Records the figures of this process, under the names that are usual among collectors. */
export const processFigures: Layer.Layer<never> = Layer.effectDiscard(Effect.gen(function* () {
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
}))
