import type { TestProject } from "vitest/node"
import { startsSomething } from "./startsSomething.ts"

/** What cannot be shown without a server that has to be named. */
const needs = [
  [
    "TEST_DATABASE_URL",
    "what several connections to one database do at once (locks, replicas, messages between them), as the " +
    "embedded database has only one",
  ],
  ["TEST_REDIS_URL", "circuits and limits in a real Redis, unless one answers at 127.0.0.1:6379"],
] as const

/** Says at the end of a run that used a database what it could not show. */
export default ({ vitest }: TestProject) => () => {
  if (!vitest.state.getTestModules().some(({ moduleId }) => startsSomething(moduleId))) return
  for (const [name, shown] of needs) {
    if (Deno.env.get(name) === undefined) console.log(`Not tested, as ${name} is not set: ${shown}.`)
  }
}
