import { Effect, Random, Schema } from "effect"
import { Webhook } from "standardwebhooks"
import type { Delivery, Receive } from "./Receiver.ts"

const Created = Schema.Struct({ secret: Schema.String })
const readCreated = Schema.decodeUnknownSync(Created)

const Message = Schema.fromJsonString(
  Schema.Struct({ type: Schema.String, data: Schema.Struct({ id: Schema.Int }) }),
)
const readMessage = Schema.decodeUnknownSync(Message)

/** One message in so many is refused when it first comes, and has to come again. */
const refusedOnceIn = 40

/**
 * A webhook that is told of every event. It believes only what is signed, and fails now and then, as receivers do;
 * what it was told then counts as well.
 */
export const receiveWebhook: Receive = ({ apiKey, url }) =>
  Effect.gen(function* () {
    const deliveries: Array<Delivery> = []
    const seen = new Set<number>()
    const failing = Array.from({ length: 1_000 }, (_, index) => index)
    const unlucky = new Set((yield* Random.shuffle(failing)).slice(0, failing.length / refusedOnceIn))
    let secret = ""
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, async (request) => {
          const text = await request.text()
          new Webhook(secret).verify(text, Object.fromEntries(request.headers))
          const id = Number((request.headers.get("webhook-id") ?? "").replace(/^\D+/, ""))
          const { data, type } = readMessage(text)
          deliveries.push({ id, type, swapId: data.id, text })
          const isRefused = !seen.has(id) && unlucky.has(id % failing.length)
          seen.add(id)
          return new Response(null, { status: isRefused ? 503 : 204 })
        })
      ),
      (server) => Effect.promise(() => server.shutdown()),
    )
    const created = yield* Effect.promise(() =>
      fetch(new URL("/webhooks", url), {
        method: "POST",
        headers: { "x-api-key": apiKey, "content-type": "application/json" },
        body: JSON.stringify({ url: `http://127.0.0.1:${server.addr.port}/events` }),
      }).then((answer) => answer.json())
    )
    secret = readCreated(created).secret
    return { deliveries }
  })
