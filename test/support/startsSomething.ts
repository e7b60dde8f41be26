import { importsOf } from "./imports.ts"

/** The modules through which tests come by a database, a service or another process. */
const starting = [
  "support/store.ts",
  "support/broker.ts",
  "support/process.ts",
  "support/prepared/database.ts",
]

const known = new Map<string, boolean>()

/** Whether a module of tests imports one of those, however indirectly: then it may wait for seconds. */
export const startsSomething = (path: string): boolean => {
  const before = known.get(path)
  if (before !== undefined) return before
  // Modules that import each other do not make one another slow.
  known.set(path, false)
  const found = starting.some((module) => path.endsWith(`/test/${module}`)) ||
    importsOf(path).some((module) => module.includes("/test/") && startsSomething(module))
  known.set(path, found)
  return found
}
