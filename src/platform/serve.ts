import { Effect, Schema, type Scope } from "effect"

/** The address could not be listened on. */
export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  hostname: Schema.String,
  port: Schema.Int,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `Cannot listen on ${this.hostname}:${this.port}: ${this.cause}`
  }
}

/** Answers one request; `peer` is the IP address of who connected. */
export type WebHandler = (request: Request, peer: () => string) => Response | Promise<Response>

/** Longer than any opening takes; who has not finished by then is cut off. */
const drainMillis = 70_000

/**
 * Serves until the scope closes, then accepts no more and lets the requests in flight finish. Gives the URL
 * that it listens on; port 0 picks a free one.
 */
export const serve = (
  options: { readonly hostname: string; readonly port: number; readonly handler: WebHandler },
): Effect.Effect<URL, ListenFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const aborted = new AbortController()
        const server = Deno.serve({
          signal: aborted.signal,
          hostname: options.hostname,
          port: options.port,
          onListen: () => undefined,
          handler: (request, info) => options.handler(request, () => info.remoteAddr.hostname),
        })
        return { server, aborted }
      },
      catch: (cause) => new ListenFailed({ hostname: options.hostname, port: options.port, cause }),
    }),
    ({ server, aborted }) => {
      const cutOff = Effect.andThen(
        Effect.logWarning("Requests did not finish in time to stop; cutting them off"),
        Effect.sync(() => aborted.abort()),
      )
      return Effect.raceFirst(
        Effect.promise(() => server.shutdown()),
        Effect.delay(cutOff, drainMillis),
      )
    },
  ).pipe(Effect.map(({ server: { addr } }) => new URL(`http://${authority(addr)}`)))

const authority = (address: Deno.NetAddr): string =>
  address.hostname.includes(":")
    ? `[${address.hostname}]:${address.port}`
    : `${address.hostname}:${address.port}`
