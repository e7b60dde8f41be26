/** A Chainflip network that answers at once with what was recorded of one (`RECORDING`), for whatever amount is asked. */
import { Schema } from "effect"
import { recordedAmount, Recording } from "./Recording.ts"

const recording = Schema.decodeSync(Schema.fromJsonString(Recording))(Deno.env.get("RECORDING") ?? "")
const headers = { "content-type": "application/json" }

const Call = Schema.Struct({ id: Schema.String, method: Schema.String })
const readCall = Schema.decodeUnknownSync(Call)

/** The node's reply to a JSON-RPC call. */
const reply = async (request: Request): Promise<Response> => {
  const { id, method } = readCall(await request.json())
  return Response.json({ jsonrpc: "2.0", id, result: recording.node[method] })
}

const recordedDeposit = `"depositAmount":"${recordedAmount}"`

/** The recorded quotes, as if they were for the amount of the request: the service takes no others. */
const quotesFor = (url: string): string => {
  const amount = /[?&]amount=([0-9]+)/.exec(url)?.[1] ?? recordedAmount
  return recording.quotes.replaceAll(recordedDeposit, `"depositAmount":"${amount}"`)
}

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}`),
}, (request) => {
  if (request.method === "POST") return reply(request)
  const body = request.url.includes("/v2/quote?") ? quotesFor(request.url) : recording.networkInfo
  return new Response(body, { headers })
})
