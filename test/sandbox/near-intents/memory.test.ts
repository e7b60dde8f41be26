import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import {
  advance,
  at,
  type Client,
  deposit as depositToChannel,
  openChannel,
  session,
  startSandbox,
  temporaryFolder,
  textAt,
} from "../support.ts"
import { deadlineIn, deposit, hour, movePrice, openOrder, plan, statusOf, usdcToBtc } from "./support.ts"

/** Orders of every end and some on their way, with channels in between; `pause` passes seconds. */
const use = Effect.fnUntraced(function* (
  client: Client,
  pause: (client: Client, seconds: number) => Effect.Effect<unknown>,
) {
  yield* plan(client, "stuckPending")
  const stuck = yield* openOrder(client)
  const channel = yield* openChannel(client)
  const complete = yield* openOrder(client, {
    ...usdcToBtc,
    referral: "me",
    appFees: [{ recipient: "a.near", fee: 10 }],
  })
  const partial = yield* openOrder(client, { ...usdcToBtc, deadline: deadlineIn(hour) })
  const hash = yield* deposit(client, stuck, "10000000")
  yield* depositToChannel(client, channel, "20000000")
  yield* deposit(client, complete, usdcToBtc.amount)
  yield* deposit(client, partial, "5000000")
  yield* pause(client, 1_300)
  yield* client.send("POST", "/near-intents/v0/deposit/submit", {
    txHash: hash,
    depositAddress: stuck.address,
  })
  const moved = yield* openOrder(client, usdcToBtc)
  yield* movePrice(client, "btc.btc", 300)
  yield* deposit(client, moved, usdcToBtc.amount)
  yield* pause(client, 4_000)
  yield* plan(client, "changedAddress")
  return [stuck, complete, partial, moved]
})

const records = Effect.fnUntraced(
  function* (client: Client, orders: ReadonlyArray<{ readonly address: string }>) {
    const answers = yield* Effect.forEach(orders, (order) => statusOf(client, order))
    const next = yield* openOrder(client)
    const shown = yield* statusOf(client, next)
    return [...answers, shown].map(({ text }) => text)
  },
)

const statuses = (texts: ReadonlyArray<string>) => texts.map((text) => textAt(JSON.parse(text), "status"))

describe("the memory of orders", () => {
  it.effect("is built up again from the log, with every address and hash", function* () {
    const folder = yield* temporaryFolder
    const copy = yield* temporaryFolder
    const [orders, before, view] = yield* session(folder, (client) =>
      Effect.gen(function* () {
        const orders = yield* use(client, advance)
        yield* Effect.promise(() => Deno.copyFile(`${folder}/sandbox.ndjson`, `${copy}/sandbox.ndjson`))
        const view = at((yield* client.get("/sandbox")).json, "nearIntents")
        return [orders, yield* records(client, orders), view] as const
      }))
    assert.deepStrictEqual(statuses(before), [
      "SUCCESS",
      "SUCCESS",
      "REFUNDED",
      "REFUNDED",
      "PENDING_DEPOSIT",
    ])
    yield* session(copy, (client) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(at((yield* client.get("/sandbox")).json, "nearIntents"), view)
        assert.deepStrictEqual(yield* records(client, orders), before)
      }))
  })

  it.effect("is the same whether time passes in one step or in many", function* () {
    const inSteps = (client: Client, seconds: number) =>
      Effect.forEach(Array.from({ length: seconds / 20 }), () => advance(client, 20))
    const ends = Effect.fnUntraced(function* (pause: typeof inSteps | typeof advance) {
      const client = yield* startSandbox()
      return yield* records(client, yield* use(client, pause))
    })
    assert.deepStrictEqual(yield* ends(inSteps), yield* ends(advance))
  })
})
