/** The service, which on SIGUSR2 says in which of its files a function has run since it said so last. */
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

Deno.addSignalListener("SIGUSR2", async () => console.log(`"level":"INFO" ran=[${(await ran()).join(" ")}]`))
await import("../../../src/main.ts")
