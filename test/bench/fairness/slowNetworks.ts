import { Effect } from "effect"

/** How long the simulated networks take, in milliseconds. */
export interface Delays {
  readonly opening: number
  readonly node: number
  readonly backend: number
}

const delayOf = (delays: Delays, path: string): number =>
  path.includes("/broker") ? delays.opening : path.includes("/node") ? delays.node : delays.backend

/** What stands before the networks and takes its time; the scope ends it. */
export const slowNetworks = (target: URL, delays: Delays) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, async (request) => {
        const { pathname, search } = new URL(request.url)
        const body = request.method === "GET" ? {} : { body: await request.text() }
        await new Promise((resolve) => setTimeout(resolve, delayOf(delays, pathname)))
        return await fetch(new URL(`${pathname}${search}`, target), {
          method: request.method,
          headers: { "content-type": "application/json" },
          ...body,
        })
      })
    ),
    (server) => Effect.promise(() => server.shutdown()),
  ).pipe(Effect.map(({ addr }) => new URL(`http://127.0.0.1:${addr.port}`)))
