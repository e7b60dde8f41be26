import { Effect, type Scope } from "effect"
import { connect } from "node:net"
import { socketServer } from "./socketServer.ts"

/** How a server can be away: it takes connections and never answers, ends them at once, or refuses them. */
export const lineFaults = ["silent", "closing", "refused"] as const
export type LineFault = typeof lineFaults[number]

/** What stands where a Redis server is: it passes everything on, or fails. */
export interface RedisLine {
  /** The URL to reach the server by. */
  readonly url: URL
  /** Fails like this from now on, open connections too. */
  readonly fail: (fault: LineFault) => Effect.Effect<void>
  /** Is well again, for new connections. */
  readonly mend: Effect.Effect<void>
}

/** A line to the server of a URL, until the scope closes. */
export const redisLine = (target: URL): Effect.Effect<RedisLine, never, Scope.Scope> =>
  Effect.gen(function* () {
    let fault: LineFault | undefined
    const server = yield* socketServer((near) => {
      if (fault === "silent") return
      if (fault === "closing") {
        near.destroy()
        return
      }
      const far = connect(Number(target.port), target.hostname)
      const isHeard = () => fault !== "silent"
      near.on("data", (bytes) => isHeard() && far.write(bytes))
      far.on("data", (bytes) => isHeard() && near.write(bytes))
      near.once("close", () => far.destroy())
      far.once("close", () => near.destroy())
      far.on("error", () => near.destroy())
    })
    const url = new URL(target)
    url.host = `127.0.0.1:${server.port}`

    return {
      url,
      fail: (wanted) =>
        Effect.suspend(() => {
          fault = wanted
          if (wanted === "closing") server.cut()
          return wanted === "refused" ? server.close : Effect.void
        }),
      mend: Effect.suspend(() => {
        const was = fault
        fault = undefined
        server.cut()
        return was === "refused" ? server.reopen : Effect.void
      }),
    }
  })
