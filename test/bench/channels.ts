import { Effect } from "effect"
import { temporaryFolder } from "../durability/folder.ts"
import { plans } from "../durability/swaps.ts"
import { startService } from "../support/process.ts"
import { wireForm } from "./Connection.ts"
import { type Effort, load } from "./load.ts"

/** Opening deposit channels, each kept on the disk by the service and by its simulated upstream. */
export const measureChannels = Effect.fnUntraced(function* (effort: Effort) {
  const service = yield* startService({
    DATA_DIR: yield* temporaryFolder,
    SANDBOX_SPEED: "0",
  })
  const requests = plans.map(({ parameters }) =>
    wireForm(new URL(`/swap?${new URLSearchParams(parameters)}`, service.url), service.apiKey)
  )
  return yield* Effect.promise(() => load({ url: service.url, requests }, effort))
}, Effect.scoped)
