import { Duration, Effect } from "effect"
import type { Alert, AlertType } from "#domain/operations/Alert.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { Overview, type ProviderStanding } from "#providers/Registry.ts"
import { Treasury, type TreasuryStanding } from "../treasury/Treasury.ts"
import type { Reading, Source } from "./decide.ts"

/** The age from which on nothing is known of an account: what it was says nothing of what it is. */
const oldest = Duration.minutes(5)

/** Whether the latest look saw the account, not long ago. */
const isKnown = ({ look: { failed, seen } }: TreasuryStanding, now: EpochMillis): boolean =>
  seen !== undefined && failed === undefined && now - seen.at <= Duration.toMillis(oldest)

/** Whether an account is at fault; undefined where the upstream does not tell. */
type Judge = (standing: TreasuryStanding) => Alert | "well" | undefined

/** The fewest channels that the account can still pay for, over all chains; undefined where none costs anything. */
const channelsLeft = ({ funds }: TreasuryStanding): bigint | undefined => {
  const counts = (funds?.openings ?? []).flatMap(({ channels }) => channels === undefined ? [] : [channels])
  const [first, ...rest] = counts
  return first === undefined ? undefined : rest.reduce((least, count) => count < least ? count : least, first)
}

const flipLow = (fewest: number): Judge => (standing) => {
  const left = channelsLeft(standing)
  // A node that is behind shows what was there, and not what is.
  if (left === undefined || standing.funds === undefined || standing.look.seen?.account.inSync === false) {
    return undefined
  }
  if (left >= BigInt(fewest)) return "well"
  const [busiest] = standing.funds.takers
  return {
    type: "flip_low",
    provider: standing.platform,
    freeNative: `${standing.funds.funding.free}`,
    channelsLeft: Number(left),
    ...optionalMembers(busiest, ({ account, channels }) => ({ busiest: { name: account, channels } })),
  }
}

const withdrawalsDisabled: Judge = ({ look, platform }) => {
  const enabled = look.seen?.account.withdrawalsEnabled
  if (enabled === undefined) return undefined
  return enabled ? "well" : { type: "withdrawals_disabled", provider: platform }
}

const nodeOutOfSync: Judge = ({ look, platform }) => {
  const inSync = look.seen?.account.inSync
  if (inSync === undefined) return undefined
  return inSync ? "well" : { type: "node_out_of_sync", provider: platform }
}

/** Whether the provider encodes payloads from Bitcoin at present: it can, and no switch turns that off. */
const takesBitcoinPayloads = ({ registered, switches }: ProviderStanding): boolean =>
  registered?.vaultSwaps.includes("Bitcoin") === true &&
  !switches.some(({ asset, operation }) =>
    (operation === undefined || operation === "encode") && (asset === undefined || asset === "btc.btc")
  )

/** Vault swaps from Bitcoin need a private channel, which locks a bond (chainflip/wire.md). */
const bondMissing = (providers: ReadonlyArray<ProviderStanding>): Judge => ({ funds, platform }) => {
  if (funds === undefined) return undefined
  const isWanted = providers.some((one) => one.name === platform && takesBitcoinPayloads(one))
  return isWanted && funds.funding.bond === 0n
    ? { type: "bond_missing_for_btc_vault_swaps", provider: platform }
    : "well"
}

/** Faults of the operator's accounts. An account whose last look failed or is old, or tells nothing, has none. */
export const accountsAtProviders = Effect.fnUntraced(function* (fewestChannels: number) {
  const treasury = yield* Treasury
  const overview = yield* Overview
  return Effect.gen(function* () {
    const now = yield* currentMillis
    const standings = yield* treasury.all
    const mismatches = yield* treasury.mismatches
    const providers = yield* overview.all
    const known = standings.filter((standing) => isKnown(standing, now))
    const notSeen = standings.filter((standing) => !isKnown(standing, now)).map(({ platform }) => platform)

    const readingOf = (type: AlertType, judge: Judge): Reading => {
      const judged = known.map((standing) => ({ provider: standing.platform, found: judge(standing) }))
      const untold = judged.flatMap(({ found, provider }): ReadonlyArray<ProviderName> =>
        found === undefined ? [provider] : []
      )
      return {
        type,
        faults: judged.flatMap(({ found }) => found === undefined || found === "well" ? [] : [found]),
        unknown: [...notSeen, ...untold],
      }
    }

    return [
      readingOf("flip_low", flipLow(fewestChannels)),
      readingOf("withdrawals_disabled", withdrawalsDisabled),
      readingOf("node_out_of_sync", nodeOutOfSync),
      readingOf("bond_missing_for_btc_vault_swaps", bondMissing(providers)),
      {
        type: "ledger_mismatch",
        faults: mismatches.filter(({ platform }) => !notSeen.includes(platform))
          .map(({ asset, earned, ledger, platform }) => ({
            type: "ledger_mismatch",
            provider: platform,
            asset,
            earnedNative: `${earned}`,
            ledgerNative: `${ledger}`,
            differenceNative: `${earned - ledger}`,
          })),
        unknown: notSeen,
      },
    ]
  }) satisfies Source
})
