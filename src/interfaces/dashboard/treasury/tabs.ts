import { Effect } from "effect"
import { type Html, path, withFragment } from "../../pages/jsx-runtime.ts"
import { tabs } from "../../pages/parts.tsx"
import { Affiliates } from "#application/treasury/Affiliates.ts"
import { Treasury, type TreasuryStanding } from "#application/treasury/Treasury.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"

/** So few channels that somebody has to look after the account. */
export const fewChannels = 10n

/** The fewest channels that can still be opened from a chain; undefined where they cost nothing. */
export const channelsLeft = ({ funds }: TreasuryStanding): bigint | undefined =>
  funds?.openings.flatMap(({ channels }) => channels === undefined ? [] : [channels])
    .toSorted((one, other) => one < other ? -1 : 1)[0]

export const treasuryPages = {
  balances: path`/dashboard/money`,
  withdrawals: path`/dashboard/money/withdrawals`,
  affiliates: path`/dashboard/money/affiliates`,
} as const

/** The three pages of the treasury and their counts, with what was read for them. */
export const treasuryTabs = Effect.fnUntraced(function* (current: keyof typeof treasuryPages) {
  const standings = yield* (yield* Treasury).all
  const affiliates = yield* (yield* Affiliates).all
  const sums = yield* (yield* Withdrawals).sums({})
  const withdrawals = sums.reduce((sum, one) => sum + one.withdrawals, 0)
  const funded = standings.filter(({ funds }) => funds !== undefined)
  const low = funded.filter((standing) => (channelsLeft(standing) ?? fewChannels) < fewChannels).length
  const shown: Html = tabs("Treasury", [
    { label: "Balances", to: treasuryPages.balances, isCurrent: current === "balances" },
    {
      label: "Withdrawals",
      to: treasuryPages.withdrawals,
      isCurrent: current === "withdrawals",
      count: withdrawals,
    },
    {
      label: "Affiliates",
      to: treasuryPages.affiliates,
      isCurrent: current === "affiliates",
      count: affiliates.length,
    },
    ...(funded.length === 0 ? [] : [{
      label: "Funds to open channels",
      to: withFragment(treasuryPages.balances, "funds"),
      isCurrent: false,
      ...(low === 0 ? {} : { count: low, tone: "warn" as const }),
    }]),
  ])
  return { affiliates, shown, standings, sums }
})
