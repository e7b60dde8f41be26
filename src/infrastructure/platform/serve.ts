import { Context, Effect, Schema, type Scope } from "effect"

/** The service could not listen on the address. */
export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  hostname: Schema.String,
  port: Schema.Int,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `Cannot listen on ${this.hostname}:${this.port}: ${this.cause}`
  }
}

/** Answers one request; `peer` returns the IP address of the client that connected. */
export type WebHandler = (request: Request, peer: () => string) => Response | Promise<Response>

/** Time for requests in flight, longer than any opening takes. After it they are cut off. */
export const drainMillis = 70_000

/** The address to listen on, and the handler of requests. */
export interface ServeOptions {
  readonly hostname: string
  /** 0 picks a free port. */
  readonly port: number
  readonly handler: WebHandler
}

/** The pause before the listener starts again, after a connection could not be accepted. */
const restMillis = 500

/** A listener on an address, kept through its restarts. */
interface Listening {
  readonly address: Deno.NetAddr
  /** Stops accepting; done when the requests in flight are. */
  readonly shutDown: () => Promise<void>
  /** Cuts off the requests in flight. */
  readonly abort: () => void
}

/** Listens again after a pause where open files ran out, with idle connections closed; calls `failed`. */
const listen = ({ handler, hostname, port }: ServeOptions, failed: (cause: unknown) => void): Listening => {
  const aborted = new AbortController()
  const givenUp = new Set<Promise<void>>()
  let rest: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const begin = (on: number) => {
    const server = Deno.serve({
      signal: aborted.signal,
      hostname,
      port: on,
      onListen: () => undefined,
      handler: (request, info) => handler(request, () => info.remoteAddr.hostname),
    })
    server.finished.catch((cause) => {
      failed(cause)
      const end = server.shutdown().catch(failed).finally(() => givenUp.delete(end))
      givenUp.add(end)
      if (!isOver) goOnLater(server.addr.port)
    })
    return server
  }
  const goOnLater = (on: number) => {
    rest = setTimeout(() => {
      try {
        current = begin(on)
      } catch (cause) {
        failed(cause)
        goOnLater(on)
      }
    }, restMillis)
  }

  let current = begin(port)
  return {
    address: current.addr,
    shutDown: async () => {
      isOver = true
      clearTimeout(rest)
      await Promise.all([current.shutdown(), ...givenUp])
    },
    abort: () => aborted.abort(),
  }
}

/** Serves until the scope closes, then lets requests in flight finish. Returns the URL. */
export const serve = (options: ServeOptions): Effect.Effect<URL, ListenFailed, Scope.Scope> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const log = Effect.runForkWith(context)
    const failed = (cause: unknown) =>
      void log(Effect.logError("No connection could be taken; it is tried again", cause))
    return Effect.acquireRelease(
      Effect.try({
        try: () => listen(options, failed),
        catch: (cause) => new ListenFailed({ hostname: options.hostname, port: options.port, cause }),
      }),
      ({ abort, shutDown }) => {
        const cutOff = Effect.andThen(
          Effect.logWarning("Requests did not finish in time to stop; cutting them off"),
          Effect.sync(abort),
        )
        return Effect.raceFirst(Effect.promise(shutDown), Effect.delay(cutOff, drainMillis))
      },
    )
  }).pipe(Effect.map(({ address }) => urlOf(address)))

const urlOf = ({ hostname, port }: Deno.NetAddr): URL =>
  new URL(`http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`)

/** How the service is reached: over a socket. A program that sends it requests within the process has another way. */
export const Listen = Context.Reference<typeof serve>("swap-broker/Listen", { defaultValue: () => serve })
