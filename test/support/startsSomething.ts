import { importsOf } from "./imports.ts"

/** How a module comes by a process, a socket or the embedded database. */
const starting = /\bDeno\.(serve|listen|connect|Command)|\bcreateServer\b|"@electric-sql\/pglite"/

const known = new Map<string, boolean>()

/**
 * Whether a module of tests waits for a process, a socket or a database, and so perhaps for seconds: it has one by
 * itself, or imports a module of src that has one, or a module of tests that waits, however indirectly.
 */
export const startsSomething = (path: string): boolean => {
  const before = known.get(path)
  if (before !== undefined) return before
  // Modules that import each other do not make one another slow.
  known.set(path, false)
  const text = Deno.readTextFileSync(path)
  const found = starting.test(text) ||
    path.includes("/test/") && importsOf(path, text).some(startsSomething)
  known.set(path, found)
  return found
}
