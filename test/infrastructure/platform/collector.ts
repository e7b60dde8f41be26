import { Effect } from "effect"

/** What was exported in one request. */
interface Received {
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

/** An OpenTelemetry collector that keeps what it is sent, until the scope closes. */
export const collector = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const received: Array<Received> = []
      const server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: () => undefined },
        async (request) => {
          const body = await request.text()
          received.push({ path: new URL(request.url).pathname, headers: request.headers, body })
          return Response.json({})
        },
      )
      return { received, server }
    }),
    ({ server }) => Effect.promise(() => server.shutdown()),
  ),
  ({ received, server }) => {
    const all: ReadonlyArray<Received> = received
    return { received: all, url: new URL(`http://127.0.0.1:${server.addr.port}`) }
  },
)
