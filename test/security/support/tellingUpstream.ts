import { Effect } from "effect"

/** How an upstream tells what it was sent: in a body of its own, with a status that fits. */
export interface Indiscretion {
  readonly status: number
  /** Of what it tells. */
  readonly body: (told: string) => string
}

const message = (told: string): string => JSON.stringify({ message: told })

const rpcError = (told: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message: told } })

/** In a place where our decoders look. */
const everywhere = (told: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: null,
    result: { address: told, issued_block: told },
    quote: { depositAddress: told, amountIn: told },
    status: told,
    swapDetails: told,
    correlationId: told,
    signature: told,
  })

const statuses = [400, 401, 403, 404, 429, 500, 503]

/** Every way in which an upstream may repeat what nobody should hear. */
export const indiscretions: ReadonlyArray<Indiscretion> = [
  ...statuses.map((status) => ({ status, body: message })),
  ...[400, 503].map((status) => ({ status, body: (told: string) => `<pre>${told}</pre>` })),
  ...[200, 500].map((status) => ({ status, body: rpcError })),
  { status: 200, body: everywhere },
  { status: 200, body: (told) => JSON.stringify(told) },
]

/** What stands between the service and the simulated networks: it passes requests on, or tells of them. */
export interface TellingUpstream {
  readonly url: URL
  /** From now on each answer is of this kind; absent: what the networks answer. */
  readonly tell: (indiscretion?: Indiscretion) => void
  /** All that it could have told until now. */
  readonly heard: () => string
}

const basic = /^Basic (.+)$/

/** In words like those of a gateway whose log level is too high. */
const toldOf = (request: Request): string => {
  const { pathname, search } = new URL(request.url)
  const authorization = request.headers.get("authorization") ?? ""
  const encoded = basic.exec(authorization)?.[1]
  const decoded = encoded === undefined ? "" : atob(encoded)
  return `Cannot ${request.method} ${pathname}${search}: refused "${authorization}" ${decoded}`
}

/** Before `target`, until the scope closes; `hidden` is the first part of paths that only we know. */
export const tellingUpstream = (target: URL, hidden: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        let indiscretion: Indiscretion | undefined
        const heard = new Set<string>()
        const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
          const told = toldOf(request)
          heard.add(told)
          if (indiscretion !== undefined) {
            await request.body?.cancel()
            const { body, status } = indiscretion
            return new Response(body(told), { status, headers: { "content-type": "application/json" } })
          }
          const { pathname, search } = new URL(request.url)
          const url = new URL(`${pathname.replace(`/${hidden}`, "")}${search}`, target)
          const { method } = request
          const headers = { "content-type": "application/json" }
          const body = method === "GET" ? {} : { body: await request.text() }
          return await fetch(url, { method, headers, ...body }).then(
            async (answer) => new Response(await answer.text(), { status: answer.status, headers }),
            () => new Response(null, { status: 502 }),
          )
        })
        return {
          server,
          tell: (next?: Indiscretion) => {
            indiscretion = next
          },
          heard: () => [...heard].join("\n"),
        }
      }),
      ({ server }) => Effect.promise(() => server.shutdown()),
    ),
    ({ heard, server, tell }): TellingUpstream => ({
      url: new URL(`http://127.0.0.1:${server.addr.port}`),
      tell,
      heard,
    }),
  )
