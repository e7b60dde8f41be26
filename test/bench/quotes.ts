import { Effect } from "effect"
import { startProgram, startService } from "../support/process.ts"
import type { Comparison } from "./Comparison.ts"
import { wireForm } from "./Connection.ts"
import { compare, type Effort } from "./load.ts"
import { quoteUrl } from "./quoteUrl.ts"

/**
 * Quotes through the whole service, its simulated upstream in the same process included, beside a server
 * that answers every request with the same quotes and does nothing else.
 */
export const compareQuotes = Effect.fnUntraced(function* (effort: Effort) {
  const service = yield* startService({ SANDBOX_SPEED: "0" })
  const url = quoteUrl(service.url)
  const body = yield* Effect.promise(() =>
    fetch(url, { headers: { "x-api-key": service.apiKey } }).then((answer) => answer.text())
  )
  const bare = yield* startProgram("test/bench/bareServer.ts", { BODY: body })
  const [ofService, ofBare] = yield* Effect.promise(() =>
    compare(
      { url, requests: [wireForm(url, service.apiKey)] },
      { url: bare.url, requests: [wireForm(bare.url)] },
      effort,
    )
  )
  const comparison: Comparison = {
    name: "quotes",
    service: ofService,
    yardstick: { name: "Deno.serve with fixed JSON", ...ofBare },
    ratio: ofService.requestsPerSecond / ofBare.requestsPerSecond,
  }
  return comparison
}, Effect.scoped)
