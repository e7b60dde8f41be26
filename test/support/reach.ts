import { Effect, Layer } from "effect"
import { setImmediate } from "node:timers"
import { Listen, type WebHandler } from "#infrastructure/platform/serve.ts"

/** The handlers of the services that are reached within this process, by their hosts. */
const handlers = new Map<string, WebHandler>()

let count = 0

/** Services with this listen on no socket: only `reach` finds them. */
export const withoutSocket = Layer.succeed(Listen, ({ handler }) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const url = new URL(`http://service-${++count}.test`)
      handlers.set(url.host, handler)
      return url
    }),
    ({ host }) => Effect.sync(() => handlers.delete(host)),
  ))

/** The runtime's fetch, which also reaches services without a socket. */
export const reach: typeof fetch = async (input, init) => {
  const { host } = new URL(input instanceof Request ? input.url : input)
  const handler = handlers.get(host)
  if (handler === undefined) return await fetch(input, init)
  const request = new Request(input, init)
  if (!request.headers.has("host")) request.headers.set("host", host)
  // All else has its turn between two requests, as it has with a socket: a test may ask again and again.
  await new Promise<void>((resolve) => setImmediate(resolve))
  return await handler(request, () => "127.0.0.1")
}
