/** Prints what a fiber has of Node's async context once somebody outside has resumed it; `plain`: as the service runs. */
import { AsyncLocalStorage } from "node:async_hooks"

if (Deno.args[0] === "plain") await import("#infrastructure/platform/plainFibers.ts")
const { Effect } = await import("effect")

const storage = new AsyncLocalStorage<string>()
let resume = (): void => {}
const work = Effect.callback<void>((done) => {
  resume = () => done(Effect.void)
}).pipe(Effect.andThen(Effect.sync(() => storage.getStore() ?? "nothing")))
const found = storage.run("the context", () => Effect.runPromise(work))
resume()
console.log(await found)
