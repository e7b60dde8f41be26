import { Effect, Schema } from "effect"
import { Webhook } from "standardwebhooks"
import { read, type Version } from "./Version.ts"

/** A webhook request that arrived. */
export interface Arrival {
  readonly event: string
  readonly type: string
  readonly swapId: number
  readonly text: string
}

const Message = Schema.fromJsonString(
  Schema.Struct({ type: Schema.String, data: Schema.Struct({ id: Schema.Int }) }),
)
const readMessage = Schema.decodeUnknownSync(Message)
const Created = Schema.Struct({ secret: Schema.String })

/** Creates a webhook for every event, and keeps all that arrives with a valid signature, in order. */
export const receiveEvents = Effect.fnUntraced(function* (version: Version) {
  const arrivals: Array<Arrival> = []
  let secret = ""
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, async (request) => {
        const text = await request.text()
        new Webhook(secret).verify(text, Object.fromEntries(request.headers))
        const { data, type } = readMessage(text)
        arrivals.push({ event: request.headers.get("webhook-id") ?? "", type, swapId: data.id, text })
        return new Response(null, { status: 204 })
      })
    ),
    (server) => Effect.promise(() => server.shutdown()),
  )
  const body = { url: `http://127.0.0.1:${server.addr.port}/events` }
  secret = (yield* read(version, { path: "/webhooks", body }, Created)).secret
  return arrivals
})
