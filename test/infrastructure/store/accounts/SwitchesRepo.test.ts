import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { AccountName } from "#domain/accounts/Account.ts"
import { actorOf } from "#domain/operations/Audit.ts"
import type { ProviderSwitch, SwitchChange } from "#domain/operations/ProviderSwitch.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { AuditRepo, type Author } from "#infrastructure/store/accounts/AuditRepo.ts"
import { SwitchesRepo } from "#infrastructure/store/accounts/SwitchesRepo.ts"
import { callerWith } from "#test/support/account.ts"
import { stores } from "#test/support/store.ts"

const callerOf = (name: string) => actorOf(callerWith({ name: AccountName.make(name) }))

const at = EpochMillis.make(1_785_333_864_123)
const author: Author = { actor: callerOf("default"), at }

const off = (platform: string, more: Partial<SwitchChange> = {}): SwitchChange => ({
  platform: ProviderName.make(platform),
  enabled: false,
  reason: "its prices are off",
  ...more,
})

const made = (change: SwitchChange, changedBy = "default"): ProviderSwitch => ({
  ...change,
  changedBy,
  changedAt: at,
})

const latestOf = (platform: string) =>
  Effect.flatMap(
    SwitchesRepo,
    (repo) => Effect.map(repo.latest, (latest) => latest.filter((one) => one.platform === platform)),
  )

for (const store of stores) {
  layer(store.layer)(`SwitchesRepo on ${store.name}`, (it) => {
    it.effect("has nothing of a provider that was never switched", function* () {
      assert.deepStrictEqual(yield* latestOf("untouched"), [])
    })

    it.effect("gives each switch back as it was made, absent members absent", function* () {
      const repo = yield* SwitchesRepo
      const changes = [
        off("kept"),
        off("kept", { operation: "quote", reason: 'it\'s "odd"; $1' }),
        off("kept", { asset: "usdt.bsc" }),
      ]
      yield* Effect.forEach(changes, (change) => repo.add(change, author))
      const other = off("kept", { operation: "open", asset: "btc.btc" })
      yield* repo.add(other, { actor: callerOf("another"), at })
      assert.sameDeepMembers(
        [...(yield* latestOf("kept"))],
        [...changes.map((change) => made(change)), made(other, "another")],
      )
    })

    it.effect("has the latest change of each platform, operation and asset, and of no other", function* () {
      const repo = yield* SwitchesRepo
      const on = off("turned", { enabled: true, reason: "well again" })
      const again = off("turned", { operation: "quote", reason: "and once more" })
      const changes = [
        off("turned"),
        off("turned", { operation: "quote" }),
        on,
        off("turned", { operation: "quote", enabled: true }),
        again,
      ]
      yield* Effect.forEach(changes, (change) => repo.add(change, author))
      assert.sameDeepMembers([...(yield* latestOf("turned"))], [made(on), made(again)])
    })

    it.effect("writes each change into the audit log, with how that switch stood before", function* () {
      const repo = yield* SwitchesRepo
      const audit = yield* AuditRepo
      yield* repo.add(off("logged"), author)
      yield* repo.add(off("logged", { asset: "usdt.bsc" }), author)
      yield* repo.add(off("logged", { enabled: true, reason: "well again" }), author)
      const entries = yield* audit.entries({ limit: 3 })
      assert.deepStrictEqual(entries.map(({ actor }) => actor), Array(3).fill(author.actor))
      const action = "provider.switched"
      const platform = ProviderName.make("logged")
      const before = { enabled: false, reason: "its prices are off" }
      assert.deepStrictEqual(entries.map(({ change }) => change), [
        { action, platform, before, after: { enabled: true, reason: "well again" } },
        { action, platform, after: { asset: "usdt.bsc", ...before } },
        { action, platform, after: before },
      ])
    })
  })
}
