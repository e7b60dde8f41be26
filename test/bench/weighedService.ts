/** The service, which on SIGUSR2 collects all garbage and says what it then holds. */
import { heapInUse } from "#test/support/heapInUse.ts"

Deno.addSignalListener("SIGUSR2", () => console.log(`"level":"INFO" heapInUse=${heapInUse()}`))
await import("../../src/main.ts")
