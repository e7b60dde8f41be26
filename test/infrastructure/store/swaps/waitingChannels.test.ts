import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { LookupsRepo } from "#infrastructure/store/swaps/LookupsRepo.ts"
import { SwapsRepo } from "#infrastructure/store/swaps/SwapsRepo.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { newAccount, stores } from "#test/support/store.ts"
import { openingRequest } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer } from "#test/support/swapping.ts"

for (const store of stores) {
  layer(swappingLayer.pipe(Layer.provideMerge(store.layer)))(
    `Channels that wait for a deposit, on ${store.name}`,
    (it) => {
      const begin = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const account = yield* newAccount
        const { first, second } = yield* scriptedProviders
        const { channel, id } = yield* (yield* Swaps).open(account, openingRequest(first.name))
        const others = (count: number, network: Chain) =>
          sql`
            INSERT INTO swaps (account_id, platform, opening, request, network, state, status, created_at, updated_at)
            SELECT ${account.id}, 'first', 'opened', '{}', ${network}, 'waiting', status, created_at, updated_at
            FROM swaps, generate_series(1, ${count}::int) WHERE swaps.id = ${id}`
        const repo = yield* SwapsRepo
        const { network } = channel.id
        const waiting = Effect.map(
          repo.waiting(account.id, [first.name], [network], 5),
          (found) => found.map(({ record }) => record.id),
        )
        return {
          sql,
          account,
          network,
          repo,
          second,
          id,
          others,
          waiting,
          otherNetwork: network === "Bitcoin" ? "Ethereum" : "Bitcoin",
        } as const
      })

      it.effect("are found behind many of another chain, but not behind any number of them", function* () {
        const { id, others, otherNetwork, waiting } = yield* begin
        yield* others(1_999, otherNetwork)
        assert.deepStrictEqual(yield* waiting, [id])
        yield* others(1, otherNetwork)
        assert.deepStrictEqual(yield* waiting, [])
      })

      it.effect("are those of the named providers alone", function* () {
        const { account, id, network, repo, second } = yield* begin
        const { id: other } = yield* (yield* Swaps).open(account, openingRequest(second.name))
        const at = (...platforms: ReadonlyArray<ProviderName>) =>
          Effect.map(
            repo.waiting(account.id, platforms, [network], 5),
            (found) => found.map((one) => one.record.id),
          )
        assert.deepStrictEqual(yield* at(second.name), [other])
        assert.sameMembers([...yield* at(ProviderName.make("first"), second.name)], [id, other])
        assert.deepStrictEqual(yield* at(), [])
      })

      it.effect("tell with those in other states where the account has channels, and no other account", function* () {
        const { account, id, others, network, otherNetwork, repo, sql } = yield* begin
        const places = (of: AccountId) => repo.channelPlaces(of)
        assert.deepStrictEqual<unknown>(yield* places(account.id), [{ platform: "first", chain: network }])
        yield* others(2, otherNetwork)
        yield* sql`UPDATE swaps SET state = 'completed' WHERE id = ${id}`
        assert.deepStrictEqual<unknown>(yield* places(account.id), [
          { platform: "first", chain: network },
          { platform: "first", chain: otherNetwork },
        ])
        assert.deepStrictEqual(yield* places((yield* newAccount).id), [])
      })

      it.effect("are not followed anew where a look-up for a reader was not made", function* () {
        const { id, sql } = yield* begin
        const lookups = yield* LookupsRepo
        const lease = { owner: "reader", now: EpochMillis.make(0), until: EpochMillis.make(9_000) }
        const nextAfter = Effect.fnUntraced(function* (next: string | null) {
          yield* sql`UPDATE swaps SET next_lookup_at = ${next}::timestamptz WHERE id = ${id}`
          const begun = yield* lookups.begin(id, lease)
          if (begun._tag !== "Begun") return yield* Effect.die("The look-up did not begin")
          assert.isTrue(yield* lookups.postponed(begun.lookup, EpochMillis.make(5_000)))
          const [row] = yield* sql`
              SELECT extract(epoch FROM next_lookup_at)::int AS at, lookup_owner FROM swaps WHERE id = ${id}`
          return row
        })
        assert.deepStrictEqual(yield* nextAfter("2026-01-01"), { at: 5, lookup_owner: null })
        assert.deepStrictEqual(yield* nextAfter(null), { at: null, lookup_owner: null })
      })
    },
  )
}
