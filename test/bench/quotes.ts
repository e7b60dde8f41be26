import { Effect } from "effect"
import { type RunningService, startProgram, startServiceIn } from "#test/support/process.ts"
import { compare, type Comparison } from "./compare.ts"
import { wireForm } from "./Connection.ts"
import type { Effort, Target } from "./load.ts"
import { type AddedLatency, addedLatency } from "./addedLatency.ts"
import { quoteUrl } from "./quoteUrl.ts"
import { quotePath } from "./quotePath.ts"
import { startOverFastUpstream } from "./upstream.ts"

/** More than any server here answers while an answer can be used again. */
const distinctAmounts = Array.from({ length: 60_000 }, (_, index) => `1.${`${index}`.padStart(5, "0")}`)

const hotPair = (service: RunningService): Target => {
  const url = quoteUrl(service.url, "1")
  return { url, requests: [wireForm(url, service.apiKey)] }
}

const distinct = (service: RunningService): Target => ({
  url: service.url,
  requests: distinctAmounts.map((amount) => wireForm(quoteUrl(service.url, amount), service.apiKey)),
})

/** The upstream's own path, for what passes the request on as it is or answers it itself. */
const unread = (url: URL): Target => ({ url, requests: [wireForm(new URL(`${quotePath}100000000`, url))] })

/** How quotes of one provider compare with less than the service does. */
export interface QuoteFigures {
  readonly comparisons: ReadonlyArray<Comparison>
  readonly added: AddedLatency
}

/**
 * Quotes of one provider whose network answers at once: beside a proxy that passes that network's body on,
 * beside an endpoint that has nothing but schemas and is itself compared with that proxy, beside a server that
 * answers with a constant, and at a steady pace beside the network itself.
 */
export const compareQuotes = Effect.fnUntraced(
  function* (effort: Effort, pacedSeconds: number, folder: string) {
    const { service, upstream } = yield* startOverFastUpstream(folder)
    const body = yield* Effect.promise(() =>
      fetch(quoteUrl(service.url, "1"), { headers: { "x-api-key": service.apiKey } })
        .then((answer) => answer.text())
    )
    const proxy = yield* startProgram("test/bench/passingProxy.ts", { UPSTREAM: upstream.url.origin })
    const endpoint = yield* startServiceIn("test/bench/bareEndpoint.ts")({ UPSTREAM: upstream.url.origin })
    const bare = yield* startProgram("test/bench/bareServer.ts", { BODY: body })
    const passing = { name: "passing proxy", target: unread(proxy.url) }
    const schemasAlone = { name: "an endpoint of schemas alone", target: distinct(endpoint) }
    const constant = { name: "Deno.serve with a constant", target: unread(bare.url) }
    return yield* Effect.promise(async (): Promise<QuoteFigures> => ({
      comparisons: [
        ...await compare("quotes, distinct amounts", distinct(service), [passing, schemasAlone], effort),
        ...await compare("schemas alone, distinct amounts", distinct(endpoint), [passing], effort),
        ...await compare("quotes, hot pair", hotPair(service), [passing, constant], effort),
      ],
      added: await addedLatency(distinct(service), unread(upstream.url), pacedSeconds),
    }))
  },
  Effect.scoped,
)
