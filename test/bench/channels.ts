import { Effect } from "effect"
import { plans } from "#test/durability/swaps.ts"
import { startService } from "#test/support/process.ts"
import { wireForm } from "./Connection.ts"
import { type Effort, makeLoad, takeTurns } from "./load.ts"

/** Opening deposit channels, each kept in the folder by the service and by its simulated upstream. */
export const measureChannels = Effect.fnUntraced(function* (effort: Effort, folder: string) {
  const service = yield* startService({
    DATA_DIR: folder,
    SANDBOX_SPEED: "0",
  })
  const requests = plans.map(({ parameters }) =>
    wireForm(new URL(`/swap?${new URLSearchParams(parameters)}`, service.url), service.apiKey)
  )
  const channels = makeLoad({ url: service.url, requests }, effort)
  yield* Effect.promise(() => takeTurns([channels], effort.rounds))
  return channels.throughput()
}, Effect.scoped)
