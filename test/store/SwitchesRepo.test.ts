import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ProviderSwitch } from "../../src/domain/ProviderSwitch.ts"
import { ProviderName } from "../../src/domain/ProviderName.ts"
import { EpochMillis } from "../../src/domain/Time.ts"
import { SwitchesRepo } from "../../src/store/SwitchesRepo.ts"
import { stores } from "../support/store.ts"

const off = (platform: string, more: Partial<ProviderSwitch> = {}): ProviderSwitch => ({
  platform: ProviderName.make(platform),
  enabled: false,
  reason: "its prices are off",
  changedBy: "default",
  changedAt: EpochMillis.make(1_785_333_864_123),
  ...more,
})

const latestOf = (platform: string) =>
  Effect.flatMap(
    SwitchesRepo,
    (repo) => Effect.map(repo.latest, (latest) => latest.filter((one) => one.platform === platform)),
  )

for (const store of stores) {
  layer(store.layer, { timeout: "60 seconds" })(`SwitchesRepo on ${store.name}`, (it) => {
    it.effect("has nothing of a provider that was never switched", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* latestOf("untouched"), [])
      }))

    it.effect("gives each switch back as it was made, absent members absent", () =>
      Effect.gen(function* () {
        const repo = yield* SwitchesRepo
        const made = [
          off("kept"),
          off("kept", { operation: "quote", reason: 'it\'s "odd"; $1' }),
          off("kept", { asset: "usdt.bsc" }),
          off("kept", { operation: "open", asset: "btc.btc", changedBy: "another" }),
        ]
        yield* Effect.forEach(made, repo.add)
        assert.sameDeepMembers([...(yield* latestOf("kept"))], made)
      }))

    it.effect("has the latest change of each platform, operation and asset, and of no other", () =>
      Effect.gen(function* () {
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
        yield* Effect.forEach(changes, repo.add)
        assert.sameDeepMembers([...(yield* latestOf("turned"))], [on, again])
      }))
  })
}
