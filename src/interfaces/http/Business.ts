import { Effect, Result, Struct } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Accounts } from "#application/accounts/Accounts.ts"
import * as Bodies from "#api/Business.ts"
import { writerOf } from "#api/bodyText.ts"
import { presentSum } from "#api/commissionFigures.ts"
import { presentRecord, type RecordSetting } from "#api/presentSwap.ts"
import { Business } from "#application/business/Business.ts"
import { Guide } from "#application/guidance/Guide.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import type {
  AccountSwap,
  AccountSwapsQuery,
  CommissionKey,
  CommissionSum,
  CommissionSumsQuery,
} from "#domain/operations/Business.ts"
import { sumsByAsset } from "#domain/money/Commission.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import type { Guidance } from "#domain/swaps/Guidance.ts"
import { issueAbout, type Issues } from "#domain/Issues.ts"
import { noPage, type Page } from "#domain/Page.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { accountSwapsTable, commissionTable, csvOf } from "../requests/csv.ts"
import { accept } from "../requests/parameterIssues.ts"
import { commissionQuery } from "./History.ts"
import { jsonResponse, linkToNext, listed } from "./pages.ts"
import { SwapNetworks } from "#providers/SwapNetworks.ts"
import { failAsProblem, handlersOf } from "../requests/failedRequests.ts"
import { prefersCsv } from "./prefersCsv.ts"

const defaultLimit = 50

/** How many swaps of a CSV without a limit are in memory at a time. */
const lotSize = 500

const presentAccountSwap = (
  { account, createdAt, record, stalledSince, value }: AccountSwap,
  guidance: Guidance | undefined,
  networks: RecordSetting,
): Bodies.AccountSwapBody => ({
  account,
  ...presentRecord(record, networks),
  createdAt,
  ...defined({ stalledSince, valueUsd: value, guidance }),
})

const write = writerOf(Bodies.AccountSwapBody)

type SwapsParameters = typeof Bodies.AccountSwapsParameters.Type

/** The swaps that parameters ask for; none where the offset is below every id. */
const swapsQuery = (
  {
    createdBefore,
    createdFrom,
    disputed,
    expired,
    limit,
    offset,
    result,
    opening: _,
    sort = "descending",
    stalled,
    status,
    ...filters
  }: SwapsParameters,
  most: number,
): AccountSwapsQuery | undefined => {
  if (offset === 0 && sort === "descending") return undefined
  return {
    ...filters,
    sort,
    limit: limit ?? most,
    ...optionalMembers(offset === 0 ? undefined : offset, (id) => ({ offset: SwapRecordId.make(id) })),
    ...optionalMembers(status, (states) => ({ states })),
    ...optionalMembers(createdFrom, (at) => ({ createdFrom: EpochMillis.make(at) })),
    ...optionalMembers(createdBefore, (at) => ({ createdBefore: EpochMillis.make(at) })),
    ...optionalMembers(stalled, (text) => ({ stalled: text === "true" })),
    ...optionalMembers(disputed, () => ({ disputed: true as const })),
    ...optionalMembers(expired, (text) => ({ expired: text === "true" })),
    ...optionalMembers(result, (results) => ({ results })),
  }
}

/** What an opening cannot be narrowed by, as it has no status and no swap. */
const forSwapsAlone = ["status", "result", "stalled", "disputed", "expired", "find"] as const

const unfit = (asked: SwapsParameters): ReadonlyArray<Issues> =>
  forSwapsAlone.filter((name) => asked[name] !== undefined)
    .map((name) => issueAbout(name, "does not go with opening=unknown"))

const defaultKeys: ReadonlyArray<CommissionKey> = ["account"]

const presentSums = (
  { from, to }: CommissionSumsQuery,
  sums: ReadonlyArray<CommissionSum>,
): Bodies.CommissionSumsBody => ({
  from,
  to,
  totals: [...sumsByAsset(sums)].toSorted(([one], [other]) => one < other ? -1 : 1)
    .map(([asset, sum]) => presentSum(asset, sum)),
  sums: sums.map(({ asset, day, account, platform, ...sum }) => ({
    ...defined({ day, account, platform }),
    ...presentSum(asset, sum),
  })),
})

/** The channel of a swap; absent where the upstream's record shows none. */
const presentChannel = (
  { account, record: { id, platform, status } }: AccountSwap,
): ReadonlyArray<Bodies.OpenChannelBody> => {
  const { depositChannel: channel, destinationAsset, sourceAsset, state } = status
  return channel === undefined ? [] : [{
    id,
    account,
    platform,
    channel: formatChannelId(channel.id),
    sourceAsset,
    destinationAsset,
    depositAddress: channel.depositAddress,
    state,
    createdAt: channel.createdAt,
    expiresAt: channel.estimatedExpiryTime,
  }]
}

const acceptsCsv = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => prefersCsv(headers.accept),
)

const varying = Effect.map(HttpServerResponse.setHeader("vary", "accept"))

export const BusinessHandlers = handlersOf("business")(Effect.fnUntraced(function* (handlers) {
  const business = yield* Business
  const guide = yield* Guide
  const accounts = yield* Accounts
  const networks = yield* SwapNetworks
  const table = accountSwapsTable({ ...networks, priced: business.priced })

  /** A mistyped name must not look like an account without swaps. */
  const known = (account: AccountName | undefined) =>
    account === undefined ? Effect.void : Effect.asVoid(accounts.find(account))

  const unknownOpenings = Effect.fnUntraced(function* (asked: SwapsParameters) {
    const query = yield* accept(unfit(asked), Result.succeed(swapsQuery(asked, defaultLimit)))
    const openings = query === undefined ? [] : yield* listed(yield* business.unknownOpenings(query))
    // The rest stands on the dashboard's page of the opening alone.
    return jsonResponse(JSON.stringify(openings.map((opening): Bodies.UnknownOpeningBody => ({
      ...Struct.pick(opening, [
        "id",
        "account",
        "platform",
        "sourceAsset",
        "destinationAsset",
        "destinationAddress",
        "createdAt",
        "reason",
      ]),
      opening: "unknown",
    }))))
  })

  const accountSwaps = Effect.fnUntraced(function* (asked: SwapsParameters) {
    yield* known(asked.account)
    if (asked.opening !== undefined) return yield* unknownOpenings(asked)
    const asCsv = yield* acceptsCsv
    const query = swapsQuery(asked, asCsv ? lotSize : defaultLimit)
    const first: Page<AccountSwap, SwapRecordId> = query === undefined ? noPage : yield* business.swaps(query)
    if (asCsv && asked.limit === undefined && query !== undefined) {
      return csvOf(table, first, (offset) => business.swaps({ ...query, offset }))
    }
    if (first.next !== undefined) yield* linkToNext(first.next)
    if (asCsv) return csvOf(table, first)
    const [only, ...others] = first.items
    const guidance = only === undefined || others.length > 0
      ? undefined
      : yield* guide.swap(only.record, "operator")
    const { shown } = yield* business.priced((priceAt) =>
      first.items.map((swap) => write(presentAccountSwap(swap, guidance, { ...networks, priceAt }))).join()
    )
    return jsonResponse(`[${shown}]`)
  }, varying)

  const commission = Effect.fnUntraced(function* (asked: typeof Bodies.CommissionSumsParameters.Type) {
    const { account, by, platform } = asked
    yield* known(account)
    const query = {
      ...yield* accept([], commissionQuery(asked)),
      by: by === undefined || by.length === 0 ? defaultKeys : by,
      ...defined({ account, platform }),
    }
    const sums = yield* business.commission(query)
    return (yield* acceptsCsv) ? csvOf(commissionTable, { items: sums }) : presentSums(query, sums)
  })

  const openChannels = Effect.fnUntraced(function* (asked: typeof Bodies.OpenChannelsParameters.Type) {
    const { account, limit = defaultLimit, offset, platform } = asked
    yield* known(account)
    const page = yield* business.channels({
      limit,
      ...optionalMembers(offset, (id) => ({ offset: SwapRecordId.make(id) })),
      ...defined({ account, platform }),
    })
    return (yield* listed(page)).flatMap(presentChannel)
  })

  return handlers
    .handle("accountSwaps", ({ query }) => failAsProblem(accountSwaps(query)))
    .handle("accountsCommission", ({ query }) => failAsProblem(commission(query)))
    .handle("openChannels", ({ query }) => failAsProblem(openChannels(query)))
    .handle("channelCounts", () => failAsProblem(business.channelCounts))
}))
