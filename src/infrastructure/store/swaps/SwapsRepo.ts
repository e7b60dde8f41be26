import { Effect, Option, Schema, Struct } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import { Chain } from "#domain/chains/Chain.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapState, type SwapStatus } from "#domain/swaps/Swap.ts"
import type { HistoryQuery, StandingSwap, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { makeLruCache } from "../../platform/lruCache.ts"
import { StatusJson, Timestamp } from "../database/columns.ts"
import { given, repository, rows, rowsAs } from "../database/repository.ts"
import { standingColumns, StandingSwapRow, toStandingSwap } from "./standing.ts"
import { historyPage } from "./historyPage.ts"
import { makeSwapsById } from "./swapsById.ts"
import { normaliseReference } from "./transactionReference.ts"

/** The most statuses that are remembered; a status takes some 5 KB. */
const mostKept = 1_000

/** A status, with the version of the swap's row that it was read from. */
export interface KnownStatus {
  readonly version: string
  readonly status: SwapStatus
}

const decodeStatus = Schema.decodeUnknownEffect(Schema.fromJsonString(StatusJson))

/** Caches statuses: while a swap's row is the same, its status stays the same object. */
export const makeKnownStatuses = () => {
  const recent = makeLruCache<SwapRecordId, KnownStatus>(mostKept)

  const read = (id: SwapRecordId, version: string, text: string) =>
    decodeStatus(text).pipe(Effect.tap((status) => Effect.sync(() => recent.keep(id, { version, status }))))

  return { find: recent.find, read }
}

/** A swap, with the freshness of its status. */
export interface StoredSwap {
  readonly record: StandingSwap
  /** The beginning of the look-up that the status comes from. */
  readonly lookedUpAt: EpochMillis
  /** The beginning of the latest look-up, whatever its outcome. */
  readonly askedAt: EpochMillis
  /** The number of failed look-ups since `lookedUpAt`. */
  readonly lookupFailures: number
  /** Whether another look-up is planned. */
  readonly followed: boolean
}

const besideStatus = 'id, platform, greatest(looked_up_at, asked_at) AS "askedAt", ' +
  `next_lookup_at IS NOT NULL AS followed, ${standingColumns}`

const SwapRow = Schema.Struct({ ...StandingSwapRow.fields, askedAt: Timestamp, followed: Schema.Boolean })
const decodeVersion = Schema.decodeUnknownEffect(Schema.Struct({
  ...SwapRow.fields,
  version: Schema.String,
  status: Schema.NullOr(Schema.String),
}))

const toStored = (row: typeof SwapRow.Type): StoredSwap => ({
  record: toStandingSwap(row),
  ...Struct.pick(row, ["lookedUpAt", "lookupFailures", "askedAt", "followed"]),
})

const swaps = rowsAs(SwapRow, toStored)
const channelEnds = rowsAs(
  Schema.Struct({ ...SwapRow.fields, swapCount: Schema.Int }),
  ({ swapCount, ...row }) => ({ swap: toStored(row), swapCount }),
)

/** The latest waiting channels of an account, from which those longest unasked are chosen. */
const latestWaiting = 200
const mostRead = 2_000

const ChannelPlace = Schema.Struct({ platform: ProviderName, chain: Chain })
const channelPlaces = rows(ChannelPlace)

/** The swaps whose channels were opened, each visible only to its own account. */
export class SwapsRepo extends repository<SwapsRepo>()("Swaps", (tools) => {
  const { op, sql } = tools
  const columns = sql.literal(`${besideStatus}, status`)

  const rowOf = makeSwapsById(tools, besideStatus)
  const statuses = makeKnownStatuses()

  const stored = Effect.fnUntraced(function* (row: unknown, known: KnownStatus | undefined) {
    const { status, version, ...beside } = yield* decodeVersion(row)
    return status === null
      ? toStored({ ...beside, status: (yield* Effect.fromNullishOr(known)).status })
      : toStored({ ...beside, status: yield* statuses.read(beside.id, version, status) })
    // A row that does not decode is a defect, as everywhere in the store.
  }, Effect.orDie)

  const onPlatform = (platform: ProviderName | undefined) =>
    given(platform, (platform) => sql`AND platform = (SELECT ${platform}::text)`)

  const everyState = sql.literal(SwapState.literals.map((state) => `('${state}')`).join())

  return {
    byId: (account: AccountId, id: SwapRecordId) =>
      Effect.suspend(() => {
        const known = statuses.find(id)
        return Effect.flatMap(
          rowOf(account, id, known?.version),
          Option.match({
            onNone: () => Effect.succeedNone,
            onSome: (row) => Effect.asSome(stored(row, known)),
          }),
        )
      }),

    /** A channel's first swap, the swap of its latest deposit, and their number; of any provider unless one is named. */
    byChannel: op("byChannel", function* (account: AccountId, channel: ChannelId, platform?: ProviderName) {
      const ends = yield* channelEnds.all(sql`
        WITH every AS (
          SELECT id, platform FROM swaps
          WHERE account_id = ${account} AND issued_block = ${channel.issuedBlock}
            AND network = ${channel.network} AND channel_id = ${channel.channelId} ${onPlatform(platform)}
        ), ends AS (
          SELECT min(id) AS first, max(id) AS latest, count(*)::int AS "swapCount" FROM every
          WHERE platform = (SELECT platform FROM every ORDER BY id DESC LIMIT 1)
        )
        SELECT ${columns}, "swapCount" FROM swaps JOIN ends ON id IN (first, latest) ORDER BY id`)
      const [first] = ends
      const latest = ends.at(-1)
      return first === undefined || latest === undefined
        ? Option.none()
        : Option.some({ first: first.swap, latest: latest.swap, swapCount: latest.swapCount })
    }),

    /**
     * The providers and chains of the account's channels; of the channels in one state only the latest count. The query
     * reads one index range for each state, however many swaps there are. A vault swap has no network.
     */
    channelPlaces: op("channelPlaces", (account: AccountId) =>
      channelPlaces.all(sql`
        SELECT DISTINCT latest.platform, latest.network AS chain FROM (VALUES ${everyState}) AS every (state)
        CROSS JOIN LATERAL (
          SELECT platform, network FROM swaps
          WHERE account_id = ${account} AND swaps.state = every.state
          ORDER BY id + 0 DESC LIMIT ${mostRead}
        ) AS latest
        WHERE latest.network IS NOT NULL
        ORDER BY platform, chain`)),

    /** The latest swap with this deposit transaction, in any of the spellings of such a reference. */
    byTransaction: op("byTransaction", (account: AccountId, reference: string) =>
      swaps.first(sql`
        SELECT ${columns} FROM swaps WHERE id = (
          SELECT max(swap_id) FROM swap_deposits
          WHERE account_id = ${account} AND transaction_reference = ${normaliseReference(reference)}
        )`)),

    /** Waiting channels at these providers and chains, of the latest the longest unasked, at most `limit`. */
    waiting: op("waiting", (
      account: AccountId,
      platforms: ReadonlyArray<ProviderName>,
      chains: ReadonlyArray<Chain>,
      limit: number,
    ) =>
      swaps.all(sql`
        WITH all_latest AS (
          SELECT id, platform, network, coalesce(asked_at, created_at) AS asked FROM swaps
          WHERE account_id = ${account} AND state = 'waiting'
          ORDER BY id + 0 DESC LIMIT ${mostRead}
        ), latest AS (
          SELECT id, asked FROM all_latest
          WHERE network = ANY (${chains}::text[]) AND platform = ANY (${platforms}::text[])
          ORDER BY id DESC LIMIT ${latestWaiting}
        ), longest AS (SELECT id FROM latest ORDER BY asked, id LIMIT ${limit})
        SELECT ${columns} FROM swaps JOIN longest USING (id)`)),

    /** The history in the order of the query, at most `limit` swaps. */
    history: op("history", (account: AccountId, query: HistoryQuery) => {
      const page = historyPage(sql, account, query)
      return page === undefined ? Effect.succeed([]) : swaps.all(sql`
        WITH RECURSIVE ${page}
        SELECT ${columns} FROM swaps JOIN page USING (id)
        ORDER BY id ${sql.literal(query.sort === "ascending" ? "ASC" : "DESC")}`)
    }),
  }
}) {}
