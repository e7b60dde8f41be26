/** A Chainflip network that answers at once with what was recorded of one (`RECORDING`), whatever is asked. */
import { Schema } from "effect"
import { Recording } from "./Recording.ts"

const recording = Schema.decodeSync(Schema.fromJsonString(Recording))(Deno.env.get("RECORDING") ?? "")
const headers = { "content-type": "application/json" }

const Call = Schema.Struct({ id: Schema.String, method: Schema.String })
const readCall = Schema.decodeUnknownSync(Call)

/** The node's reply to a JSON-RPC call. */
const reply = async (request: Request): Promise<Response> => {
  const { id, method } = readCall(await request.json())
  return Response.json({ jsonrpc: "2.0", id, result: recording.node[method] })
}

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}`),
}, (request) => {
  if (request.method === "POST") return reply(request)
  const body = request.url.includes("/v2/quote?") ? recording.quotes : recording.networkInfo
  return new Response(body, { headers })
})
