import { assert, describe, it } from "#test/support/it.ts"
import { Effect, identity } from "effect"
import { get } from "#test/contract/support/call.ts"
import { find, isList, type Json, listAt, textAt } from "#test/contract/support/Json.ts"
import { ownDays } from "#test/contract/support/ownDays.ts"
import { passBy } from "./support/course.ts"
import {
  control,
  type Course,
  type Form,
  forms,
  type Lie,
  lies,
  lookedAt,
  made,
  told,
  type Upstream,
  upstreams,
  waiting,
} from "./support/ends.ts"
import { Middleman } from "./support/Middleman.ts"
import { stage } from "./support/stage.ts"

/** Lets an upstream lie about a swap, and asks the service. */
const lied = Effect.fnUntraced(function* (provider: Upstream, id: number, lie: Lie) {
  const middleman = yield* Middleman
  const change = { kind: "other", path: [], value: undefined, edit: lie } as const
  middleman.tamper({
    operation: told[provider],
    standIn: identity,
    meanwhile: undefined,
    signs: false,
    change,
  })
  const seen = yield* lookedAt(id)
  assert.isAbove(middleman.hits(), 0, `${provider} was not asked`)
  middleman.tamper(undefined)
  return seen
})

/** Longer than any order is open. */
const longEnough = 5 * 86_400

/** How swaps end otherwise than plainly, at each upstream. */
const odd: Readonly<Record<Upstream, ReadonlyArray<Course>>> = {
  chainflip: [
    {},
    { wish: { minimumPrice: "900000", retryDurationInBlocks: "0" } },
    { wish: { numberOfChunks: "3", chunkIntervalBlocks: "2" } },
    { percent: 40n },
  ],
  "near-intents": [{}, { trap: "successThatIsRefund" }, { percent: 50n }, { percent: 130n }],
  relay: [{}, { trap: "ttlExpired" }, { trap: "fillFails" }, { trap: "superseded" }, { percent: 50n }, {
    percent: 130n,
  }],
  thorchain: [{}, { trap: "refund" }, { trap: "partialFill" }, { trap: "longDelay" }],
  maya: [{}, { trap: "refund" }, { trap: "partialFill" }],
}

const isWhole = Deno.env.get("PAIRS") === "all"
const many = isWhole ? 2_000 : 200

const commissionOf = (body: Json): ReadonlyArray<readonly [asset: string, amount: bigint]> => {
  const figures = find(body, "status", "commission", "figures")
  return isList(figures)
    ? figures.map((one) => [textAt(one, "asset"), BigInt(textAt(one, "receivedNative"))] as const)
    : []
}

describe("how upstreams say that swaps have ended", () => {
  it.live("is not believed where it cannot be, in any form, and the truth is believed afterwards", () =>
    Effect.gen(function* () {
      const wrong: Array<string> = []
      const table: Array<string> = []
      for (const provider of upstreams) {
        const id = yield* made(provider)
        yield* passBy(7_200)
        const outcomes: Array<string> = []
        for (const form of forms) {
          const { body, isDisputed, state } = yield* lied(provider, id, lies[provider][form])
          if (state === "completed") wrong.push(`${provider} was believed: ${form}`)
          if (JSON.stringify(body).includes("<script>")) wrong.push(`${provider}: ${form} is shown`)
          outcomes.push(`${form}: ${isDisputed ? "disputed" : "waits"}`)
        }
        const { isDisputed, state } = yield* lookedAt(id)
        if (state !== "completed" || isDisputed) wrong.push(`${provider} was not believed: ${state}`)
        table.push(`${provider}: ${outcomes.join("; ")}; the truth: ${state}`)
      }
      console.log(table.join("\n"))
      assert.deepStrictEqual(wrong, [])
    }).pipe(Effect.provide(stage)))

  it.live(`is believed of ${many} swaps with odd ends, and not of the ${many / 10} among them that are lies`, () =>
    Effect.gen(function* () {
      for (const behaviour of ["batches", "quotedRefunds", "refundFees", "otherRefunds"]) {
        yield* control("PUT", "/sandbox/faults", { behaviour, on: true })
      }
      const swaps: Array<{ readonly provider: Upstream; readonly id: number; readonly lie?: Form }> = []
      for (let number = 0; number < many; number++) {
        const provider = upstreams[number % upstreams.length] ?? "chainflip"
        const courses = odd[provider]
        const isLie = number % 10 === Math.floor(number / 10) % 10
        // A lie is made of a plain end.
        const course = isLie ? {} : courses[Math.floor(number * 0.618) % courses.length] ?? {}
        const form = forms[Math.floor(number / 10) % forms.length]
        const id = yield* made(provider, course)
        swaps.push({ provider, id, ...(isLie && form !== undefined ? { lie: form } : {}) })
      }
      yield* passBy(longEnough)
      const wrong: Array<string> = []
      const counts = new Map<string, number>()
      const commission = new Map<string, bigint>()
      const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
      for (const { id, lie, provider } of swaps) {
        const { body, isDisputed, state } = lie === undefined
          ? yield* lookedAt(id)
          : yield* lied(provider, id, lies[provider][lie])
        count(`${lie === undefined ? "honest" : "lies"} ${isDisputed ? "disputed" : state}`)
        if (lie === undefined && isDisputed) wrong.push(`${provider} ${id} is disputed`)
        if (lie !== undefined && state === "completed") wrong.push(`${provider} ${id} was believed: ${lie}`)
        if (lie !== undefined && !isDisputed && !waiting.includes(lie)) {
          count(`lies that wait: ${provider} ${lie}`)
        }
        for (const [asset, amount] of state === "completed" ? commissionOf(body) : []) {
          const key = `${provider} ${asset}`
          commission.set(key, (commission.get(key) ?? 0n) + amount)
        }
      }
      console.log([...counts].map(([what, number]) => `${number} ${what}`).toSorted().join("\n"))
      assert.deepStrictEqual(wrong, [])
      const sums = listAt(
        yield* get("/operator/commission", { ...ownDays(), by: "platform" }),
        "sums",
      )
      const earned = sums.map((sum): readonly [string, bigint] => [
        `${textAt(sum, "platform")} ${textAt(sum, "asset")}`,
        BigInt(textAt(sum, "amountNative")),
      ])
      assert.isAbove(earned.length, 3)
      assert.deepStrictEqual(
        new Map(earned.toSorted()),
        new Map([...commission].filter(([, sum]) => sum > 0n).toSorted()),
      )
    }).pipe(Effect.provide(stage)))
})
