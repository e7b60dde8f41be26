import type { RunningService } from "#test/support/process.ts"
import { platforms, type Provider } from "./quotes.ts"

/** Counts how often a provider's circuit opens from now on. */
export const countOpenings = ({ output }: RunningService, provider: Provider): () => number => {
  const line = `The circuit of ${platforms[provider]} for quote is now Open`
  const begin = output().length
  return () => output().slice(begin).split(line).length - 1
}

/** What a service logs while upstreams fail; anything else is a fault of its own. */
const ordinary = /"level":"(INFO|WARN)"/

/** Lines of faults that are the service's own, a rejection that nobody handled among them. */
export const faultLines = ({ output }: RunningService): ReadonlyArray<string> =>
  output().split("\n").filter((line) => line !== "" && !ordinary.test(line))
