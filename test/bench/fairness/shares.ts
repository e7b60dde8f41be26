import { Effect, Schema } from "effect"
import { extrinsicFee, openingFee } from "#sandbox/engine/figures.ts"
import { type Environment, type RunningService, startService } from "#test/support/process.ts"
import { ask, type Asked, expecting, firstOf, newAccount, opening, type Taken } from "./parties.ts"
import { one, type Parties, type Way } from "./ways.ts"

/** A receiver of webhooks: one path never answers, the other takes messages and remembers their ids. */
const receiver = Effect.acquireRelease(
  Effect.sync(() => {
    const arrived = new Set<string>()
    const waiting = new Map<string, () => void>()
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => undefined },
      async (request) => {
        await request.text()
        const id = request.headers.get("webhook-id") ?? ""
        if (new URL(request.url).pathname !== "/calm") await new Promise(() => undefined)
        arrived.add(id)
        waiting.get(id)?.()
        return new Response()
      },
    )
    const arrival = (id: string) =>
      new Promise<void>((resolve) => arrived.has(id) ? resolve() : waiting.set(id, resolve))
    return { origin: `http://127.0.0.1:${server.addr.port}`, arrival, server }
  }),
  // Requests that are never answered would be waited for.
  ({ server }) => Effect.sync(() => void server.shutdown()),
)

const Webhook = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))
const readWebhook = Schema.decodeUnknownSync(Webhook)
const Delivery = Schema.fromJsonString(Schema.Struct({ messageId: Schema.String }))
const readDelivery = Schema.decodeUnknownSync(Delivery)

const newWebhook = async (service: RunningService, key: string, url: string): Promise<string> =>
  readWebhook(await expecting(service, { method: "POST", path: "/webhooks", key, body: { url } })).id

const message = (id: string, key: string): Asked => ({ method: "POST", path: `/webhooks/${id}/test`, key })

/** The webhooks that an account may have. */
const slowWebhooks = 10

/** Openings a second of the account that does not flood. */
const calmOpenings = 2

/** How long ways go on. */
interface Length {
  readonly rounds: number
  readonly secondsPerRound: number
}

/** So many channels are paid for: six times those of the account that does not flood. */
const openingsFunded = ({ rounds, secondsPerRound }: Length): number =>
  rounds * secondsPerRound * 2 * calmOpenings * 6

/** Opens channels until that is refused. An account that is never refused leaves nothing to the other. */
const takeAll = async (service: RunningService, key: string, most: number): Promise<void> => {
  for (let opened = 0; opened < most; opened++) {
    const { status, text } = await ask(service, opening(key))
    if (text.includes("too_many_channels")) return
    if (status !== 200) throw new Error(`A channel was not opened: ${status} ${text}`)
  }
  throw new Error("One account opened all that the funds pay for")
}

const fund = async (networks: URL, length: Length): Promise<void> => {
  const answer = await fetch(new URL("/sandbox/network", networks), {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      change: "setFlip",
      free: `${BigInt(openingsFunded(length)) * (openingFee + extrinsicFee)}`,
    }),
  })
  if (!answer.ok) throw new Error(`FLIP could not be set: ${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}

/**
 * Two accounts of a service in sandbox mode, as a live one posts to no webhook of this machine, and the ways in which one may
 * take what all share: places of delivery, and what pays for channels.
 */
export const sharedGoods = Effect.fnUntraced(function* (networks: URL, place: Environment, length: Length) {
  const { arrival, origin } = yield* receiver
  const service = yield* startService({
    ...place,
    MODE: "sandbox",
    SANDBOX_URL: networks.href,
    PROVIDERS: "chainflip",
    RATE_LIMIT: "6000",
    BULKHEAD_SHARE: "0.5",
  })
  const calm = yield* newAccount(service, "modest", 1)
  const flooding = yield* newAccount(service, "greedy", 1)
  const parties: Parties = { calm: { keys: calm, ids: [] }, flooding: { keys: flooding, ids: [] } }
  yield* Effect.promise(() => fund(networks, length))
  const own = yield* Effect.promise(() => newWebhook(service, firstOf(calm), `${origin}/calm`))
  const slow = yield* Effect.promise(() =>
    Promise.all(
      Array.from(
        { length: slowWebhooks },
        (_, number) => newWebhook(service, firstOf(flooding), `${origin}/slow-${number}`),
      ),
    )
  )
  const ways: ReadonlyArray<Way> = [
    {
      name: "slow webhooks: until a message has arrived",
      flood: 20,
      flooding: (number) => message(one(slow, number), firstOf(flooding)),
      calm: 5,
      asking: () => message(own, firstOf(calm)),
      settled: ({ text }: Taken) => arrival(readDelivery(text).messageId),
    },
    {
      name: "openings that take the operator's FLIP",
      flood: 24,
      flooding: () => opening(firstOf(flooding)),
      calm: calmOpenings,
      asking: () => opening(firstOf(calm)),
    },
  ]
  yield* Effect.promise(() => takeAll(service, firstOf(flooding), openingsFunded(length)))
  return { service, parties, ways }
})
