import type { Reporter, TestModule } from "vitest/node"

/** How many are named. */
const most = 10

/** Prints, when a run is over, which of its files took longest, and how long. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const lines = modules
      .map((module) => ({ path: module.relativeModuleId, seconds: module.diagnostic().duration / 1_000 }))
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, most)
      .map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`)
    if (modules.length > 1) console.log(`The slowest of ${modules.length} files:\n${lines.join("\n")}`)
  }
}
