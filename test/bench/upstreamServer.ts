/** A Chainflip network that answers at once with what was recorded of one (`RECORDING`), for whatever amount is asked. */
import { Schema } from "effect"
import { recordedAmount, Recording } from "./Recording.ts"

const recording = Schema.decodeSync(Schema.fromJsonString(Recording))(Deno.env.get("RECORDING") ?? "")
const headers = { "content-type": "application/json" }

let channels = 0

/** A channel that nobody has got before. */
const newChannel = () => {
  channels += 1
  return {
    address: `0xf${channels.toString(16).padStart(39, "0")}`,
    issued_block: 1_000 + channels,
    channel_id: channels,
    source_chain_expiry_block: 20_000_000,
    channel_opening_fee: 0,
  }
}

const Call = Schema.Struct({ id: Schema.String, method: Schema.String })
const readCall = Schema.decodeUnknownSync(Call)

/** The node's reply to a JSON-RPC call. */
const reply = async (request: Request): Promise<Response> => {
  const { id, method } = readCall(await request.json())
  const isOpening = method === "broker_request_swap_deposit_address"
  return Response.json({ jsonrpc: "2.0", id, result: isOpening ? newChannel() : recording.node[method] })
}

const recordedDeposit = `"depositAmount":"${recordedAmount}"`

/** The recorded quotes, as if they were for the amount of the request: the service takes no others. */
const quotesFor = (url: string): string => {
  const amount = /[?&]amount=([0-9]+)/.exec(url)?.[1] ?? recordedAmount
  return recording.quotes.replaceAll(recordedDeposit, `"depositAmount":"${amount}"`)
}

/** The service asks for prices of its own, of other pairs: the network has nothing for them, which is no failure of it. */
const isRecordedPair = (url: string): boolean =>
  url.includes("srcAsset=BTC&") && url.includes("destAsset=ETH&")

const noLiquidity = JSON.stringify({ message: "insufficient liquidity for the requested amount" })

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}`),
}, (request) => {
  if (request.method === "POST") return reply(request)
  if (request.url.includes("/v2/swaps/")) return new Response("{}", { status: 404, headers })
  const isQuote = request.url.includes("/v2/quote?")
  if (isQuote && !isRecordedPair(request.url)) return new Response(noLiquidity, { status: 400, headers })
  const body = isQuote ? quotesFor(request.url) : recording.networkInfo
  return new Response(body, { headers })
})
