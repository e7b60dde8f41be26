import { Effect } from "effect"

/** A call of an upstream that has a limit, as it was sent. */
export interface UpstreamCall {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** The upstreams that have a limit, by how their paths begin, and the call that is a quote. */
const quotesOf = {
  chainflip: /^\/chainflip\/backend\/v2\/quote/,
  relay: /^\/relay\/quote\/v2/,
  thorchain: /^\/thorchain\/thorchain\/quote\/swap/,
  maya: /^\/maya\/mayachain\/quote\/swap/,
} as const

const upstreamOf = (path: string): string => path.split("/")[1] ?? ""

/** Stands before the sandbox and counts what comes of calls; the scope ends it. */
export const limitedUpstream = Effect.fnUntraced(function* (sandbox: URL) {
  const answers: Record<string, { calls: number; refused: number }> = {}
  const latest = new Map<string, UpstreamCall>()
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, async (request) => {
        const { pathname, search } = new URL(request.url)
        const { method } = request
        const body = method === "GET" ? "" : await request.text()
        const path = `${pathname}${search}`
        for (const [name, quote] of Object.entries(quotesOf)) {
          if (quote.test(path) && !body.includes('"useDepositAddress":true')) {
            latest.set(name, { method, path, body })
          }
        }
        const answer = await fetch(new URL(path, sandbox), {
          method,
          headers: request.headers,
          ...(method === "GET" ? {} : { body }),
        })
        const counted = answers[upstreamOf(path)] ??= { calls: 0, refused: 0 }
        counted.calls += 1
        if (answer.status === 429) counted.refused += 1
        return new Response(await answer.bytes(), { status: answer.status, headers: answer.headers })
      })
    ),
    (server) => Effect.promise(() => server.shutdown()),
  )
  return {
    url: new URL(`http://127.0.0.1:${server.addr.port}`),
    /** Answers since the start, by upstream. */
    answers,
    /** The latest quote that each upstream was asked for. */
    latest,
  }
})

/** The least that can answer a quote: it asks every upstream the same at once, and passes on what they say. */
export const bareServer = (sandbox: URL, calls: ReadonlyMap<string, UpstreamCall>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, async () => {
        const said = await Promise.all([...calls].map(async ([name, { body, method, path }]) => {
          const answer = await fetch(new URL(path, sandbox), {
            method,
            headers: { "content-type": "application/json" },
            ...(body === "" ? {} : { body }),
          })
          return [name, answer.status, await answer.text()] as const
        }))
        const quotes = said.filter(([, status]) => status === 200)
        return Response.json(quotes, {
          status: quotes.length > 0 ? 200 : 503,
          headers: {
            "provider-status": said.map(([name, status]) => `${name};${status === 200 ? "ok" : status}`).join(
              ", ",
            ),
          },
        })
      })
    ),
    (server) => Effect.promise(() => server.shutdown()),
  ).pipe(Effect.map(({ addr }) => new URL(`http://127.0.0.1:${addr.port}`)))
