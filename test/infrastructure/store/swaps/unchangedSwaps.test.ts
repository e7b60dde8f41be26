import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { LookupsRepo } from "#infrastructure/store/swaps/LookupsRepo.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { newAccount, stores } from "#test/support/store.ts"
import { openingRequest } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer } from "#test/support/swapping.ts"

const provider = ProviderName.make("first")
const leaseOf = (owner: string, now: number) => ({
  owner,
  now: EpochMillis.make(now),
  until: EpochMillis.make(now + 1_000),
})

for (const store of stores) {
  layer(swappingLayer.pipe(Layer.provideMerge(store.layer)))(
    `Look-ups that bring nothing new on ${store.name}`,
    (it) => {
      it.effect("are written together, but for those that were taken over", function* () {
        yield* scriptedProviders
        const account = yield* newAccount
        const swaps = yield* Swaps
        const repo = yield* LookupsRepo
        const sql = yield* SqlClient.SqlClient
        for (const _ of [1, 2, 3, 4]) yield* swaps.open(account, openingRequest())
        yield* sql`UPDATE swaps SET next_lookup_at = ${new Date(0)}`

        const claimed = yield* repo.claimDue(provider, leaseOf("one", 1_000), 4)
        const [lost] = claimed
        if (lost === undefined) return assert.fail("Nothing was due")
        yield* sql`UPDATE swaps SET next_lookup_at = ${new Date(1_500)} WHERE id = ${lost.id}`
        const [taken] = yield* repo.claimDue(provider, leaseOf("two", 2_000), 1)
        assert.strictEqual(taken?.id, lost.id)

        const written = yield* Effect.forEach(claimed, (lookup, index) =>
          repo.unchanged(lookup, {
            status: { ...lookup.status, lastStateChainUpdateAt: EpochMillis.make(index) },
            askedAt: EpochMillis.make(1_500),
            nextLookupAt: Option.some(EpochMillis.make(31_500)),
          }), { concurrency: "unbounded" })
        assert.deepStrictEqual(written, claimed.map(({ id }) => id !== lost.id))

        const rows = yield* sql`
            SELECT id = ${lost.id} AS lost, lookup_owner, next_lookup_at, status -> 'lastStateChainUpdateAt' AS said
            FROM swaps WHERE account_id = ${account.id} ORDER BY id`
        assert.deepStrictEqual(
          rows.map((row) =>
            row["lost"] === true ? row["lookup_owner"] : [row["next_lookup_at"], row["said"]]
          ),
          claimed.toSorted((one, other) => one.id - other.id).map((lookup) =>
            lookup.id === lost.id ? "two" : [new Date(31_500), claimed.indexOf(lookup)]
          ),
        )
      })
    },
  )
}
