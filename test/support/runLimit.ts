import process from "node:process"
import type { TestModule, TestProject } from "vitest/node"

/** How long the tests that are under way have to come to their end, before their processes are ended. */
const graceMillis = 5_000

const isUnderWay = (module: TestModule): boolean =>
  module.state() === "pending" || module.state() === "queued"

/** What keeps a run from its end: the files that were begun, each with the tests of it that were. */
const underWay = (modules: ReadonlyArray<TestModule>): ReadonlyArray<string> =>
  modules.filter(isUnderWay).map(({ children, relativeModuleId }) => {
    const tests = [...children.allTests("pending")].map(({ fullName }) => `\n    ${fullName}`)
    return `  ${relativeModuleId}${tests.join("")}`
  })

/**
 * Ends a run that takes longer than the minutes of `TEST_LIMIT_MINUTES`, with the tests that were under way: neither
 * the limit of a test nor that of a hook ends a test that gives no other work a turn.
 */
export default ({ vitest }: TestProject) => {
  const minutes = Deno.env.get("TEST_LIMIT_MINUTES")
  if (minutes === undefined) return
  const end = () => {
    const left = underWay(vitest.state.getTestModules())
    console.error(`The run took longer than ${minutes} minutes. Still under way:\n${left.join("\n")}`)
    process.exitCode = 1
    // The second request ends the processes of the tests, whatever they are at.
    void vitest.cancelCurrentRun("keyboard-input")
    setTimeout(() => void vitest.cancelCurrentRun("keyboard-input"), graceMillis)
  }
  const timer = setTimeout(end, Number(minutes) * 60_000)
  return () => clearTimeout(timer)
}
