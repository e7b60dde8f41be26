import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AccountName } from "../../domain/Account.ts"
import type { ChannelCount, OpenChannelsQuery, StateCount } from "../../domain/Business.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { SwapState } from "../../domain/Swap.ts"
import { type Stalls, SwapRecordId } from "../../domain/SwapRecord.ts"
import { Timestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
})))
const decodeChannels = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  account: AccountName,
  platform: ProviderName,
  channels: WholeNumber,
  unknown: WholeNumber,
})))
const decodeStates = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  platform: ProviderName,
  state: SwapState,
  swaps: WholeNumber,
})))
const decodeStalls = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  platform: ProviderName,
  swaps: Schema.Int,
  since: Timestamp,
})))

/**
 * What is under way now, over all accounts. What it takes to read depends on how much that is, and on no number of swaps
 * that have ended, nor of channels that have expired.
 */
export class UnderWayRepo extends Context.Service<UnderWayRepo, {
  /** The swaps whose channels are open, the oldest first, at most `limit`. */
  readonly openChannels: (
    query: OpenChannelsQuery,
  ) => Effect.Effect<ReadonlyArray<SwapRecordId>, StoreUnavailable>
  /** The open channels of each account at each provider, and its openings of unknown outcome. */
  readonly channelCounts: Effect.Effect<ReadonlyArray<ChannelCount>, StoreUnavailable>
  /** The swaps with a deposit that have not ended, and the open channels that wait for one. */
  readonly states: (
    account: AccountName | undefined,
  ) => Effect.Effect<ReadonlyArray<StateCount>, StoreUnavailable>
  readonly stalls: (
    account: AccountName | undefined,
  ) => Effect.Effect<ReadonlyArray<Stalls>, StoreUnavailable>
}>()("swap-broker/store/UnderWayRepo") {
  static readonly layer = Layer.effect(
    UnderWayRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const none = sql.literal("")

      const ofAccount = (name: AccountName | undefined) =>
        name === undefined
          ? none
          : sql`AND listed_swaps.account_id = (SELECT id FROM accounts WHERE name = ${name})`

      const openChannels = Effect.fnUntraced(
        function* ({ account, limit, offset, platform }: OpenChannelsQuery) {
          const rows = yield* sql`
          SELECT swap_id AS id FROM listed_swaps
          WHERE has_open_channel ${ofAccount(account)}
            ${platform === undefined ? none : sql`AND platform = ${platform}`}
            ${offset === undefined ? none : sql`AND swap_id >= ${offset}`}
          ORDER BY swap_id LIMIT ${limit}`
          return (yield* decodeIds(rows)).map(({ id }) => id)
        },
        storeOperation("UnderWay.openChannels"),
      )

      const channelCounts = sql`
        SELECT accounts.name AS account, platform, count(*) FILTER (WHERE NOT is_unknown) AS channels,
          count(*) FILTER (WHERE is_unknown) AS unknown
        FROM (
          SELECT account_id, platform, false AS is_unknown FROM listed_swaps WHERE has_open_channel
          UNION ALL
          SELECT account_id, platform, true FROM swaps WHERE opening = 'unknown'
        ) AS openings JOIN accounts ON accounts.id = account_id
        GROUP BY accounts.name, platform ORDER BY accounts.name COLLATE "C", platform COLLATE "C"`
        .pipe(Effect.flatMap(decodeChannels), storeOperation("UnderWay.channelCounts"))

      const states = (account: AccountName | undefined) =>
        Effect.flatMap(
          sql`
            SELECT platform, state, count(*) AS swaps FROM (
              SELECT platform, state FROM listed_swaps
              WHERE state IN ('receiving', 'swapping', 'sending', 'sent') ${ofAccount(account)}
              UNION ALL
              SELECT platform, state FROM listed_swaps
              WHERE has_open_channel AND state = 'waiting' ${ofAccount(account)}
            ) AS under_way GROUP BY platform, state ORDER BY platform COLLATE "C", state COLLATE "C"`,
          decodeStates,
        ).pipe(storeOperation("UnderWay.states"))

      const stalls = (account: AccountName | undefined) =>
        Effect.flatMap(
          sql`
            SELECT listed_swaps.platform, count(*)::int AS swaps, min(stalled_since) AS since
            FROM listed_swaps JOIN swaps ON swaps.id = swap_id
            WHERE is_stalled AND stalled_since IS NOT NULL ${ofAccount(account)}
            GROUP BY listed_swaps.platform ORDER BY listed_swaps.platform COLLATE "C"`,
          decodeStalls,
        ).pipe(storeOperation("UnderWay.stalls"))

      return UnderWayRepo.of({ openChannels, channelCounts, states, stalls })
    }),
  )
}
