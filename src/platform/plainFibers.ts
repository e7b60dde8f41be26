import process from "node:process"

/*
 * Effect (4.1.0) keeps Node's async context across each suspension of a fiber, for libraries that use
 * AsyncLocalStorage. Nothing here does, and keeping it takes a tenth of the time of a quote. Effect looks for the
 * means once, when it is loaded: it is loaded here, where they are out of sight, so this must be imported before all
 * else. `test/platform/plainFibers.test.ts` fails once this is of no use any more.
 */
const { getBuiltinModule } = process
Object.defineProperty(process, "getBuiltinModule", { value: undefined, configurable: true, writable: true })
await import("effect")
Object.defineProperty(process, "getBuiltinModule", {
  value: getBuiltinModule,
  configurable: true,
  writable: true,
})
