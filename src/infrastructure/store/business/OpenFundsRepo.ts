import { Schema } from "effect"
import { AccountName } from "#domain/accounts/Account.ts"
import type { OpenChannelsQuery } from "#domain/operations/Business.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapState } from "#domain/swaps/Swap.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { idOf, Timestamp, WholeNumber } from "../database/columns.ts"
import { column, given, repository, rows } from "../database/repository.ts"

const ids = column(idOf(SwapRecordId))
const channels = rows(Schema.Struct({
  account: AccountName,
  platform: ProviderName,
  channels: WholeNumber,
  unknown: WholeNumber,
}))
const stateCounts = rows(Schema.Struct({ platform: ProviderName, state: SwapState, swaps: WholeNumber }))
const stallCounts = rows(Schema.Struct({ platform: ProviderName, swaps: Schema.Int, since: Timestamp }))

/** What is under way over all accounts; reading it takes time by that alone, not by ended swaps. */
export class OpenFundsRepo extends repository<OpenFundsRepo>()("UnderWay", ({ op, sql }) => {
  const ofAccount = (name: AccountName | undefined) =>
    given(name, (name) => sql`AND listed_swaps.account_id = (SELECT id FROM accounts WHERE name = ${name})`)

  return {
    /** The swaps whose channels are open, the oldest first, at most `limit`. */
    openChannels: op("openChannels", ({ account, limit, offset, platform }: OpenChannelsQuery) =>
      ids.all(sql`
        SELECT swap_id AS id FROM listed_swaps
        WHERE has_open_channel ${ofAccount(account)}
          ${given(platform, (platform) => sql`AND platform = ${platform}`)}
          ${given(offset, (offset) => sql`AND swap_id >= ${offset}`)}
        ORDER BY swap_id LIMIT ${limit}`)),

    /** The open channels of each account at each provider, and its openings of unknown outcome. */
    channelCounts: op(
      "channelCounts",
      channels.all(sql`
        SELECT accounts.name AS account, platform, count(*) FILTER (WHERE NOT is_unknown) AS channels,
          count(*) FILTER (WHERE is_unknown) AS unknown
        FROM (
          SELECT account_id, platform, false AS is_unknown FROM listed_swaps WHERE has_open_channel
          UNION ALL
          SELECT account_id, platform, true FROM swaps WHERE opening = 'unknown'
        ) AS openings JOIN accounts ON accounts.id = account_id
        GROUP BY accounts.name, platform ORDER BY accounts.name COLLATE "C", platform COLLATE "C"`),
    ),

    /** The swaps with a deposit that have not ended, and the open channels that wait for one. */
    states: op("states", (account: AccountName | undefined) =>
      stateCounts.all(sql`
        SELECT platform, state, count(*) AS swaps FROM (
          SELECT platform, state FROM listed_swaps
          WHERE state IN ('receiving', 'swapping', 'sending', 'sent') ${ofAccount(account)}
          UNION ALL
          SELECT platform, state FROM listed_swaps
          WHERE has_open_channel AND state = 'waiting' ${ofAccount(account)}
        ) AS under_way GROUP BY platform, state ORDER BY platform COLLATE "C", state COLLATE "C"`)),

    stalls: op("stalls", (account: AccountName | undefined) =>
      stallCounts.all(sql`
        SELECT listed_swaps.platform, count(*)::int AS swaps, min(stalled_since) AS since
        FROM listed_swaps JOIN swaps ON swaps.id = swap_id
        WHERE is_stalled AND stalled_since IS NOT NULL ${ofAccount(account)}
        GROUP BY listed_swaps.platform ORDER BY listed_swaps.platform COLLATE "C"`)),
  }
}) {}
