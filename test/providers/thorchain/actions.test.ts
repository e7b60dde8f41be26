import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import { vaultSwapsOf } from "#test/conformance/verbs/kit.ts"
import { begin, providerOver, reasonOf } from "./fakeNode.ts"

const since = EpochMillis.make(begin)
const destination = "0x2222222222222222222222222222222222222222"

/** An action of a payment with a memo, some minutes after or before the time since which is asked. */
const action = (
  number: number,
  { asset = "BTC.BTC", memo = `=:ETH.ETH:${destination}:0:sb:10`, minutes = 1 } = {},
) => ({
  date: `${begin + minutes * 60_000}000000`,
  height: "1",
  in: [{ address: "sender", coins: [{ amount: "1", asset }], txID: `${number}`.padStart(64, "A") }],
  metadata: { swap: { memo } },
  out: [],
  status: "success",
  type: "swap",
})

const hash = (number: number): string => `${number}`.padStart(64, "a")

const listed = (actions: ReadonlyArray<unknown>, chains: ReadonlyArray<"Bitcoin" | "Ethereum">) =>
  Effect.flatMap(
    providerOver({ actions: { body: { actions, count: "-1", meta: { nextPageToken: "next" } } } }),
    ([provider, asked]) =>
      Effect.map(
        vaultSwapsOf(provider).list?.({ chains, since }) ?? Effect.succeed([]),
        (found) => ({ found, asked }),
      ),
  )

describe("the list of payments that our affiliate earns of", () => {
  it.effect("is asked of Midgard by the affiliate, and has hashes as their chains write them", function* () {
    const { asked, found } = yield* listed(
      [
        action(1),
        action(2, { asset: "ETH.ETH", memo: "=:BTC.BTC:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4:0:sb:10" }),
      ],
      ["Bitcoin", "Ethereum"],
    )
    assert.deepStrictEqual(found, [hash(1), `0x${hash(2)}`])
    assert.deepStrictEqual(asked.map(({ url }) => url.pathname), ["/chain/v2/actions"])
    assert.strictEqual(asked[0]?.url.searchParams.get("affiliate"), "sb")
    assert.strictEqual(asked[0]?.url.searchParams.get("type"), "swap,refund")
  })

  it.effect("leaves out what a look-up would not find: other chains, assets, memos and affiliates", function* () {
    const { found } = yield* listed([
      action(1, { asset: "ETH.ETH" }),
      action(2, { asset: "BTC.RUNES" }),
      action(3, { memo: `=:ETH.ETH:${destination}:0:other:10` }),
      action(4, { memo: `SWAP:ETH.ETH:${destination}:0:sb:10` }),
      action(5, { memo: `=:ETH.ETH:${destination}:0` }),
      action(6),
    ], ["Bitcoin"])
    assert.deepStrictEqual(found, [hash(6)])
  })

  it.effect("goes on to earlier pages until what was listed before, and not for ever", function* () {
    const page = (minutes: number) => Array.from({ length: 50 }, (_, number) => action(number, { minutes }))
    const pagesUntil = (last: number) => {
      let pages = 0
      return Effect.flatMap(
        providerOver({
          actions: () => {
            pages++
            return { body: { actions: page(pages >= last ? -11 : 1), meta: { nextPageToken: `${pages}` } } }
          },
        }),
        ([provider, asked]) =>
          Effect.map(
            vaultSwapsOf(provider).list?.({ chains: ["Bitcoin"], since }) ?? Effect.succeed([]),
            () => asked.map(({ url }) => url.searchParams.get("nextPageToken")),
          ),
      )
    }
    assert.deepStrictEqual(yield* pagesUntil(3), [null, "1", "2"])
    assert.lengthOf(yield* pagesUntil(100), 10)
  })

  it.effect("fails where it cannot be read, and is not there without a Midgard or an affiliate", function* () {
    const reason = yield* Effect.flatMap(
      providerOver({ actions: { body: { actions: [{ date: "soon" }] } } }),
      ([provider]) =>
        reasonOf(vaultSwapsOf(provider).list?.({ chains: ["Bitcoin"], since }) ?? Effect.die("no list")),
    )
    assert.strictEqual(reason._tag, "MalformedBody")
    for (const differing of [{ midgardUrl: Option.none() }, { affiliate: Option.none() }]) {
      const [provider] = yield* providerOver({}, differing)
      yield* Effect.sync(() => assert.notProperty(vaultSwapsOf(provider), "list"))
    }
  })
})
