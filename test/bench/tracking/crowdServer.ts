/**
 * A Chainflip network with a crowd of swaps (`CROWD`), which it tells of in recorded words (`SWAP_BODIES`) after
 * 5 ms. Those that move are confirmed further now and then, and one after the other comes to be swapped. At
 * `/asked` it says how it was asked; `DELETE` lets it count anew.
 */
import { Schema } from "effect"
import { percentile } from "../statistics.ts"
import { type Asked, Crowd, SwapBodies } from "./SwapBodies.ts"

const fromEnvironment = <Value>(name: string, schema: Schema.ConstraintDecoder<Value>): Value =>
  Schema.decodeUnknownSync(Schema.fromJsonString(schema))(Deno.env.get(name))

const bodies = fromEnvironment("SWAP_BODIES", SwapBodies)
const crowd = fromEnvironment("CROWD", Crowd)

const answerMillis = 5
const headers = { "content-type": "application/json" }

/** How often a swap is asked about (LookupPolicy): that much apart nothing is late. */
const intervalMillis = { waiting: 30_000, moving: 6_000 }

const confirmationMillis = 30_000
/** All that move come to be swapped within this. */
const swapMillis = 600_000

const began = performance.now()
const asked = new Map<number, number>()
let countedFrom = began
let lookups = 0
let lags: Array<number> = []

const isMoving = (channel: number): boolean => channel >= crowd.firstChannel + crowd.waiting
const intervalOf = (channel: number): number =>
  isMoving(channel) ? intervalMillis.moving : intervalMillis.waiting

/** Later than due, by what it was asked about before. */
const lagOf = (channel: number, last: number, now: number): number =>
  Math.max(0, now - Math.max(last, began) - intervalOf(channel))

const note = (channel: number): void => {
  const now = performance.now()
  const last = asked.get(channel)
  lookups += 1
  if (last !== undefined) lags.push(lagOf(channel, last, now))
  asked.set(channel, now)
}

/** Those that should have been asked about long ago count as well. */
const lagsUntilNow = (): ReadonlyArray<number> => {
  const now = performance.now()
  const overdue = [...asked].map(([channel, last]) => lagOf(channel, last, now)).filter((lag) => lag > 0)
  return [...lags, ...overdue]
}

const report = (): Asked => {
  const all = lagsUntilNow()
  const at = (share: number) => all.length === 0 ? 0 : percentile(all, share)
  return {
    seconds: (performance.now() - countedFrom) / 1_000,
    lookups,
    swaps: asked.size,
    lag: { p50: at(0.5), p99: at(0.99), max: at(1) },
  }
}

const countAnew = (): void => {
  countedFrom = performance.now()
  lookups = 0
  lags = []
}

const recordedChannel = new RegExp(`"id":"${bodies.channelPrefix}\\d+"`)
const recordedConfirmations = /"txConfirmations":\d+/

/** A number from 0 to 1 that lies elsewhere for each. */
const shareOf = (channel: number): number => (channel * 0.618_033_988_749_895) % 1

const bodyOfMoving = (channel: number): string => {
  const passed = performance.now() - began
  if (passed > shareOf(channel) * swapMillis) return bodies.swapping
  const confirmations = Math.floor(passed / confirmationMillis + shareOf(channel))
  return bodies.receiving.replace(recordedConfirmations, `"txConfirmations":${confirmations}`)
}

const swap = async (channel: number): Promise<Response> => {
  note(channel)
  await new Promise((resolve) => setTimeout(resolve, answerMillis))
  const body = isMoving(channel) ? bodyOfMoving(channel) : bodies.waiting
  return new Response(body.replace(recordedChannel, `"id":"${bodies.channelPrefix}${channel}"`), { headers })
}

const channelIn = new RegExp(`/v2/swaps/${bodies.channelPrefix}(\\d+)$`)

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}`),
}, (request) => {
  const channel = channelIn.exec(request.url)?.[1]
  if (channel !== undefined) return swap(Number(channel))
  if (!request.url.endsWith("/asked")) return new Response("Not here", { status: 404 })
  if (request.method === "DELETE") countAnew()
  return Response.json(report())
})
