import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Address } from "#domain/chains/Address.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { resultOf, SwapResult, SwapState, type SwapStatus } from "#domain/swaps/Swap.ts"
import type { HistoryQuery, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { SwapsRepo } from "#infrastructure/store/swaps/SwapsRepo.ts"
import { newAccount, stores } from "#test/support/store.ts"
import { statusIn } from "#test/support/swap.ts"
import { changeSwap, insertSwap } from "../business/support.ts"

/** Numbers that look random, the same in each run (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed
  const next = () => {
    state = state + 0x6d2b79f5 | 0
    const mixed = Math.imul(state ^ state >>> 15, 1 | state)
    const more = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((more ^ more >>> 14) >>> 0) / 2 ** 32
  }
  /** One of the items, the first ones far more often. */
  const pick = <A>(items: readonly [A, ...ReadonlyArray<A>]): A =>
    items[Math.floor(next() ** 2 * items.length)] ?? items[0]
  return { next, pick }
}
const { next, pick } = randomFrom(7)
const sometimes = (share: number) => next() < share

const assets = ["btc.btc", "eth.eth", "usdc.eth", "dot.hub"] as const satisfies ReadonlyArray<AssetId>
const platforms = ["chainflip", "relay", "maya"] as const
/** The spelling that is stored, and another one that it is found by. */
type Spelling = readonly [stored: string, other: string]
const spellings: readonly [Spelling, ...ReadonlyArray<Spelling>] = [
  ["0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF", "0xdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef"],
  ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  [
    "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
    "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
  ],
  ["9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"],
]

const at = (minute: number) => EpochMillis.make(Date.parse("2026-03-01T00:00:00Z") + minute * 60_000)
const swaps = 160

/** A status of any state and result, which keeps what never changes of a swap. */
const randomStatus = (fixed: Partial<SwapStatus>, state: SwapState): SwapStatus => {
  const refund = { amount: NativeAmount.make(1n), transactionReference: "back" }
  const isOver = state === "completed" || state === "failed"
  return statusIn(state, {
    ...fixed,
    ...(isOver && sometimes(0.4) ? { refundEgress: refund } : {}),
    ...(state === "completed" && sometimes(0.6)
      ? { swapEgress: { ...refund, transactionReference: "out" } }
      : {}),
  })
}

const made = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const accounts = [yield* newAccount, yield* newAccount] as const
  return yield* Effect.forEach(Array.from({ length: swaps }, (_, n) => n), (n) =>
    Effect.gen(function* () {
      const [to, refund, paid] = [pick(spellings), pick(spellings), pick(spellings)]
      const [sourceAsset, destinationAsset, platform] = [pick(assets), pick(assets), pick(platforms)]
      // The clocks of replicas differ, so the times are not in the order of the ids.
      const createdAt = EpochMillis.make(at(n) + Math.floor((next() - 0.5) * 60_000))
      const template = statusIn("waiting", {})
      assert.isDefined(template.depositChannel)
      assert.isDefined(template.fillOrKill)
      const fixed = {
        sourceAsset,
        destinationAsset,
        destinationAddress: Address.make(to[0]),
        fillOrKill: { ...template.fillOrKill, refundAddress: Address.make(refund[0]) },
        depositChannel: { ...template.depositChannel, depositAddress: Address.make(paid[0]) },
      }
      let status = randomStatus(fixed, "waiting")
      let account = pick(accounts)
      const id = yield* insertSwap({
        account: account.id,
        platform,
        createdAt: new Date(createdAt).toISOString(),
        status,
      })
      // What it is found by follows each change: of its state, of its result alone, of its account.
      for (let changes = Math.floor(next() * 4); changes > 0; changes--) {
        status = randomStatus(fixed, pick(["completed", "failed", "sending", "waiting"]))
        yield* changeSwap(id, status)
      }
      yield* sql`UPDATE swaps SET looked_up_at = created_at WHERE id = ${id}`
      if (sometimes(0.2)) {
        account = pick(accounts)
        yield* sql`UPDATE swaps SET account_id = ${account.id} WHERE id = ${id}`
      }
      return { id, account: account.id, platform, createdAt, status, addresses: [to, refund, paid] }
    }))
})
type Made = Effect.Success<typeof made>[number]

const randomQuery = () => {
  const spelling = sometimes(0.5) ? pick(spellings) : undefined
  const begin = Math.floor(next() * swaps)
  const platform = pick(platforms)
  const results = sometimes(0.3) ? [pick(SwapResult.literals)] : undefined
  const filters = {
    states: sometimes(0.5)
      ? SwapState.literals
      : [pick(["completed", "waiting", "failed", "sending"])] as const,
    ...(results === undefined ? {} : { results }),
    ...(spelling === undefined ? {} : { address: Address.make(spelling[sometimes(0.5) ? 0 : 1]) }),
    ...(sometimes(0.4) ? { sourceAsset: pick(assets) } : {}),
    ...(sometimes(0.4) ? { destinationAsset: pick(assets) } : {}),
    ...(sometimes(0.3) ? { platform: ProviderName.make(platform) } : {}),
    ...(sometimes(0.3) ? { createdFrom: at(begin) } : {}),
    ...(sometimes(0.3) ? { createdBefore: at(begin + Math.floor(next() * 60)) } : {}),
  } satisfies Partial<HistoryQuery>
  return { filters, spelling }
}

const fits = ({ filters, spelling }: ReturnType<typeof randomQuery>) => (swap: Made): boolean =>
  filters.states.some((state) => state === swap.status.state) &&
  (filters.results === undefined || filters.results.some((result) => result === resultOf(swap.status))) &&
  (spelling === undefined || swap.addresses.some((one: Spelling) => one === spelling)) &&
  (filters.sourceAsset === undefined || filters.sourceAsset === swap.status.sourceAsset) &&
  (filters.destinationAsset === undefined || filters.destinationAsset === swap.status.destinationAsset) &&
  (filters.platform === undefined || filters.platform === swap.platform) &&
  (filters.createdFrom === undefined || swap.createdAt >= filters.createdFrom) &&
  (filters.createdBefore === undefined || swap.createdAt < filters.createdBefore)

for (const store of stores) {
  layer(store.layer)(`A filtered history on ${store.name}`, (it) => {
    it.effect("has exactly the swaps of the account that fit, each once over all pages, in both orders", function* () {
      const all = yield* made
      const repo = yield* SwapsRepo
      const [first] = all
      assert.isDefined(first)
      let found = 0
      for (let round = 0; round < 120; round++) {
        const query = randomQuery()
        const account = pick([first, ...all]).account
        const sort = pick(["descending", "ascending"] as const)
        const limit = pick([7, 60])
        const pages: Array<SwapRecordId> = []
        for (let offset: SwapRecordId | undefined, isOver = false; !isOver;) {
          const page = yield* repo.history(account, {
            ...query.filters,
            ...(offset === undefined ? {} : { offset }),
            sort,
            limit: limit + 1,
          })
          pages.push(...page.slice(0, limit).map(({ record }) => record.id))
          offset = page[limit]?.record.id
          isOver = offset === undefined
        }
        const expected = all.filter((swap) => swap.account === account && fits(query)(swap)).map(({ id }) =>
          id
        )
        assert.deepStrictEqual(
          pages,
          sort === "ascending" ? expected : expected.toReversed(),
          JSON.stringify(query),
        )
        found += pages.length
      }
      assert.isAbove(found, 400)
    })

    it.effect("follows each change by itself, and is what the migration makes of the swaps", function* () {
      const sql = yield* SqlClient.SqlClient
      const different = yield* sql`
        (SELECT made.* FROM swaps CROSS JOIN LATERAL addresses_of(swaps) AS made EXCEPT SELECT * FROM swap_addresses)
        UNION ALL
        (SELECT * FROM swap_addresses EXCEPT SELECT made.* FROM swaps CROSS JOIN LATERAL addresses_of(swaps) AS made)`
      assert.deepStrictEqual(different, [])
    })
  })
}
