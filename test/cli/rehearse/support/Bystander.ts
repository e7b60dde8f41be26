import { Effect } from "effect"
import { serve } from "#infrastructure/platform/serve.ts"

/** A request to an upstream, and its answer. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly status: number
  readonly answer: string
}

/** What differs from one call of a kind to the next. */
const isId = (part: string): boolean => part.length >= 24 || (/[0-9]/.test(part) && !/^v[0-9]$/.test(part))

/** The name that a rehearsal has for an exchange: a JSON-RPC method, or method and path without ids. */
export const callOf = ({ body, method, path }: Pick<Exchange, "body" | "method" | "path">): string => {
  const [, rpc] = /"method":"(\w+)"/.exec(body) ?? []
  return rpc ?? `${method} ${path.split("/").map((part) => isId(part) ? "…" : part).join("/")}`
}

type Tamper = (exchange: Exchange) => string

/** In front of the simulated upstreams: writes down what is asked, and may change what is answered. */
export const bystander = Effect.fnUntraced(function* (upstreams: URL) {
  const exchanges: Array<Exchange> = []
  let tamper: Tamper | undefined
  const handler = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const body = await request.text()
    const response = await fetch(new URL(`${pathname}${search}`, upstreams), {
      method: request.method,
      headers: request.headers,
      ...(body === "" ? {} : { body }),
    })
    const headers = new Headers(response.headers)
    headers.delete("content-length")
    const { status } = response
    const said = { method: request.method, path: pathname, body, status, answer: await response.text() }
    exchanges.push(said)
    return new Response(tamper === undefined ? said.answer : tamper(said), { status, headers })
  }
  const url = yield* serve({ hostname: "127.0.0.1", port: 0, handler })
  return {
    url,
    exchanges,
    /** From now on answers are changed; let through where nothing is given. */
    tamper: (next: Tamper | undefined) => {
      tamper = next
    },
  }
})
