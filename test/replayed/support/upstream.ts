import { later } from "#test/tampering/support/later.ts"
import { serve } from "#infrastructure/platform/serve.ts"

/** A request as an upstream gets it. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Parsed; undefined where there is none. */
  readonly body: unknown
}

/** What an upstream answers. */
export interface Told {
  readonly status: number
  readonly body: unknown
}

/** An upstream that answers with recorded bodies. */
export type Upstream = (asked: Asked) => Told

export const ok = (body: unknown): Told => ({ status: 200, body })

/** Serves on this machine alone until the scope closes; the URL. */
export const replay = (upstream: Upstream) =>
  serve({
    hostname: "127.0.0.1",
    port: 0,
    handler: async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      const text = await request.text()
      const body: unknown = text === "" ? undefined : JSON.parse(text)
      const told = upstream({ method: request.method, path: pathname, query: searchParams, body })
      // The service's clock may be ahead of this machine's, and so are its upstreams.
      const headers = { date: new Date(later.now()).toUTCString() }
      return Response.json(told.body, { status: told.status, headers })
    },
  })
