import { assert, channelsOf, describe, it, paid, statusWithDeposit } from "../support.ts"
import { Effect, Option } from "effect"
import type { ChannelId, SwapState, SwapStatus } from "#exports/domain.ts"
import { providerOver, type Reply } from "./fakeChainflip.ts"
import * as swaps from "./fixtures/swaps.ts"

const channel: ChannelId = { issuedBlock: 14138313, network: "Bitcoin", channelId: 77 }
const path = (id: string) => `/chainflip/backend/v2/swaps/${id}`

/** A swap of the channel as the backend tells it. */
const told = (state: string, txRef: string, swapId?: string, at = swaps.channel.id) => ({
  body: {
    ...swaps.base,
    state,
    depositChannel: { ...swaps.channel, id: at },
    deposit: { ...swaps.deposit, txRef },
    ...(swapId === undefined ? {} : { swapId }),
  },
})

const known = (state: SwapState, transaction: string, more: Partial<SwapStatus> = {}) =>
  statusWithDeposit(state, transaction, more)

/** The swap that is told of, and the others beside it, by their numbers; and what was asked for. */
const ask = (record: SwapStatus, script: Readonly<Record<string, Reply>>) =>
  Effect.flatMap(
    providerOver(script),
    ([provider, asked]) =>
      Effect.map(channelsOf(provider).status(channel, record), (found) => {
        const said = Option.getOrThrow(found)
        const numberOf = ({ state, swapId }: SwapStatus) => `${swapId ?? "none"} ${state}`
        return {
          own: numberOf(said.status),
          others: (said.others ?? []).map(({ status }) => numberOf(status)),
          asked: asked.map(({ url }) => url.pathname.split("/").at(-1)),
        }
      }),
  )

const shown = (reply: Reply, behind: Readonly<Record<string, Reply>> = {}) => ({
  [path(swaps.channelId)]: reply,
  ...Object.fromEntries(Object.entries(behind).map(([id, answer]) => [path(id), answer])),
})

const missing: Reply = { status: 404, body: { message: "resource not found" } }

describe("A Chainflip channel that got another deposit", () => {
  it.effect("is asked once where it shows the swap of the record", function* () {
    const found = yield* ask(known("swapping", "aa", { swapId: "7" }), shown(told("SENDING", "aa", "7")))
    assert.deepStrictEqual(found, { own: "7 sending", others: [], asked: [swaps.channelId] })
  })

  it.effect("has the swap of the record looked up by its number behind the newest", function* () {
    const script = shown(told("SWAPPING", "bb", "8"), { 7: told("COMPLETED", "aa", "7") })
    const found = yield* ask(known("sending", "aa", { swapId: "7" }), script)
    assert.deepStrictEqual([found.own, found.others], ["7 completed", ["8 swapping"]])
    assert.deepStrictEqual(found.asked, [swaps.channelId, "7"])
  })

  it.effect("has a deposit without a number looked up by its transaction", function* () {
    const script = shown(told("SWAPPING", "bb", "8"), { aa: told("SWAPPING", "aa", "7") })
    const found = yield* ask(known("receiving", "aa"), script)
    assert.deepStrictEqual([found.own, found.others], ["7 swapping", ["8 swapping"]])
  })

  it.effect("shows the deposit of the record where the one that was seen has disappeared or paid another channel", function* () {
    for (const behind of [missing, told("SWAPPING", "aa", "6", "14138313-Bitcoin-78")]) {
      const found = yield* ask(known("receiving", "aa"), shown(told("SWAPPING", "bb", "8"), { aa: behind }))
      assert.deepStrictEqual([found.own, found.others], ["8 swapping", []])
    }
  })

  it.effect("is not asked for a swap that has completed, and tells the newest in its place", function* () {
    const completed = known("completed", "aa", {
      swapId: "7",
      swapEgress: { ...paid, transactionReference: "0xpaid" },
    })
    const found = yield* ask(completed, shown(told("TELEPORTING", "bb", "8")))
    // What it says in a new word of a further deposit is not in the state of the first.
    assert.deepStrictEqual(found, { own: "8 receiving", others: [], asked: [swaps.channelId] })
  })

  it.effect("is found by the transaction of a further deposit, with the swap that this became", function* () {
    const [provider] = yield* providerOver({ [path("bb")]: told("SWAPPING", "bb", "8") })
    const { findTransaction } = channelsOf(provider)
    assert(findTransaction !== undefined)
    const trace = Option.getOrThrow(yield* findTransaction("bb"))
    assert(trace._tag === "Deposit")
    assert.deepStrictEqual(trace.channel, channel)
    assert.strictEqual(trace.said?.status.swapId, "8")
  })
})
