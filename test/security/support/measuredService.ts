import { heapInUse } from "#test/support/heapInUse.ts"
import "../../../src/main.ts"

// The service as it is, which says when it is asked to how much of its heap is in use.
Deno.addSignalListener("SIGUSR2", () => console.log(`HEAP_IN_USE=${heapInUse()}`))
