import process from "node:process"

/*
 * Effect (4.1.0) keeps Node's async context across each suspension of a fiber, for libraries that use
 * AsyncLocalStorage. Nothing here uses it, and keeping it takes a tenth of the time of a quote. Effect looks for
 * `getBuiltinModule` once, when it is loaded. It is loaded here while that is hidden, so this module must be imported
 * before all others. `test/infrastructure/platform/plainFibers.test.ts` fails once this is no longer of use.
 */
const { getBuiltinModule } = process
Object.defineProperty(process, "getBuiltinModule", { value: undefined, configurable: true, writable: true })
await import("effect")
Object.defineProperty(process, "getBuiltinModule", {
  value: getBuiltinModule,
  configurable: true,
  writable: true,
})
