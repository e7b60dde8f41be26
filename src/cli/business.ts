import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import {
  AccountSwapBody,
  type AccountSwapsParameters,
  type ChannelCountBody,
  type CommissionSumBody,
  CommissionSumsBody,
  type OpenChannelBody,
  type UnknownOpeningBody,
} from "../api/Business.ts"
import { mostListed } from "../api/OperatorBodies.ts"
import { AssetId } from "../domain/Asset.ts"
import { CommissionKey } from "../domain/Business.ts"
import { UtcDay } from "../domain/Commission.ts"
import { SwapState } from "../domain/Swap.ts"
import type { PageQuery } from "../domain/Page.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { spread } from "../platform/spread.ts"
import { CommandFailed } from "./failures.ts"
import { OperatorClient } from "./OperatorClient.ts"
import { type Columns, print, printRows, table, timeCell } from "./output.ts"
import { accountFlag, choices, date, limit, platformFlag } from "./parameters.ts"

const encodeSwaps = Schema.encodeSync(Schema.Array(AccountSwapBody))
const encodeSums = Schema.encodeSync(CommissionSumsBody)

const acts = Effect.map(OperatorClient, ({ business }) => business)

/** The offset of the next page, as the answer's `Link` says. */
const nextOf = ({ headers }: HttpClientResponse.HttpClientResponse): number | undefined => {
  const [, offset] = /[?&]offset=(\d+)[^>]*>; rel="next"/.exec(headers.link ?? "") ?? []
  return offset === undefined ? undefined : Number(offset)
}

/** Reads pages until there are so many items, or no more. A page may have few, and the next ones more. */
const listUpTo = Effect.fnUntraced(function* <A, E, R>(
  most: number,
  ask: (
    part: PageQuery<number>,
  ) => Effect.Effect<readonly [ReadonlyArray<A>, HttpClientResponse.HttpClientResponse], E, R>,
) {
  const all: Array<A> = []
  let offset: number | undefined
  do {
    const [items, response] = yield* ask({
      limit: Math.min(mostListed, most - all.length),
      ...spread(offset, (offset) => ({ offset })),
    })
    all.push(...items)
    offset = nextOf(response)
  } while (offset !== undefined && all.length < most)
  return all
})

const asset = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`${description}, such as btc.btc`),
    Flag.withSchema(Schema.String.pipe(Schema.decodeTo(
      AssetId.annotate({ message: "must be a known asset, such as btc.btc" }),
    ))),
    Flag.optional,
  )

const swapColumns: Columns<AccountSwapBody> = {
  id: ({ id }) => id,
  account: ({ account }) => account,
  provider: ({ platform }) => platform,
  state: ({ status }) => status.state,
  from: ({ status }) => status.sourceAsset,
  deposit: ({ status }) => status.deposit === undefined ? undefined : `${status.deposit.amountNative}`,
  to: ({ status }) => status.destinationAsset,
  payment: ({ status }) => status.swapEgress === undefined ? undefined : `${status.swapEgress.amountNative}`,
  refund: ({ status }) =>
    status.refundEgress === undefined ? undefined : `${status.refundEgress.amountNative}`,
  created: ({ createdAt }) => timeCell(createdAt),
  "stalled since": ({ stalledSince }) => timeCell(stalledSince),
}

type Listed = AccountSwapBody | UnknownOpeningBody

/** Whether a row of the list is no swap. */
export const isUnknown = (row: Listed): row is UnknownOpeningBody => "opening" in row
const isSwap = (row: Listed): row is AccountSwapBody => !isUnknown(row)

/** What the contract's client gives only where CSV was asked for. */
const notCsv = <A>(body: A | string): Effect.Effect<A, CommandFailed> =>
  typeof body === "string"
    ? Effect.fail(
      new CommandFailed({ kind: "failed", detail: "The service answered with CSV, which nobody asked for" }),
    )
    : Effect.succeed(body)

/** Reads the list of swaps, or of openings of unknown outcome, as far as the limit goes. */
export const listed = Effect.fnUntraced(
  function* (limit: number, filters: typeof AccountSwapsParameters.Type) {
    const { accountSwaps } = yield* acts
    return yield* listUpTo(
      limit,
      Effect.fnUntraced(function* (part) {
        const [body, response] = yield* accountSwaps({
          query: { ...filters, ...part },
          responseMode: "decoded-and-response",
        })
        return [yield* notCsv(body), response] as const
      }),
    )
  },
)

/** `swaps list` */
export const listSwaps = Command.make(
  "list",
  {
    account: accountFlag,
    platform: platformFlag,
    state: choices("state", "States with commas between them; all when not given", SwapState.literals),
    asset: asset("asset", "Source or destination asset"),
    sourceAsset: asset("source", "Source asset"),
    destinationAsset: asset("destination", "Destination asset"),
    from: date("from", "The first day or time of those listed, such as 2030-01-31"),
    until: date("until", "The day or time before which those listed were recorded"),
    stalled: Flag.Boolean("stalled").pipe(
      Flag.withDescription("Only those that stay in their state for too long, or (--no-stalled) only others"),
      Flag.optional,
    ),
    find: Flag.String("find").pipe(
      Flag.withDescription(
        "An id, address, transaction or channel (BLOCK-NETWORK-ID) of the swap, in any spelling",
      ),
      Flag.optional,
    ),
    ascending: Flag.Boolean("ascending").pipe(
      Flag.withDescription("The oldest first"),
      Flag.withDefault(false),
    ),
    limit: limit("swaps"),
  },
  Effect.fnUntraced(function* (flags) {
    const filters = {
      sort: flags.ascending ? "ascending" as const : "descending" as const,
      ...spread(Option.getOrUndefined(flags.account), (account) => ({ account })),
      ...spread(Option.getOrUndefined(flags.platform), (platform) => ({ platform })),
      ...spread(Option.getOrUndefined(flags.state), (status) => ({ status })),
      ...spread(Option.getOrUndefined(flags.asset), (asset) => ({ asset })),
      ...spread(Option.getOrUndefined(flags.sourceAsset), (sourceAsset) => ({ sourceAsset })),
      ...spread(Option.getOrUndefined(flags.destinationAsset), (destinationAsset) => ({ destinationAsset })),
      ...spread(Option.getOrUndefined(flags.from), (createdFrom) => ({ createdFrom })),
      ...spread(Option.getOrUndefined(flags.until), (createdBefore) => ({ createdBefore })),
      ...spread(
        Option.getOrUndefined(flags.stalled),
        (stalled) => ({ stalled: stalled ? "true" as const : "false" as const }),
      ),
      ...spread(Option.getOrUndefined(flags.find), (find) => ({ find })),
    }
    const swaps = (yield* listed(flags.limit, filters)).filter(isSwap)
    yield* print(encodeSwaps(swaps), swaps.length === 0 ? "No swap fits" : table(swapColumns, swaps))
  }),
).pipe(
  Command.withDescription("List the swaps of all accounts, the latest first; amounts in native units"),
  Command.withExamples([
    { command: "swaps list --account wallet-one --state failed,sending" },
    { command: "swaps list --find 0x2222222222222222222222222222222222222222" },
  ]),
)

type Sum = typeof CommissionSumBody.Type

const sumColumns: Columns<Sum> = {
  day: ({ day }) => day,
  account: ({ account }) => account,
  provider: ({ platform }) => platform,
  asset: ({ asset }) => asset,
  received: ({ amountNative, isEstimate }) => isEstimate ? `about ${amountNative}` : `${amountNative}`,
  kept: ({ keptNative }) => `${keptNative}`,
  charged: ({ chargedNative }) => `${chargedNative}`,
  swaps: ({ swaps }) => swaps,
}

const millisPerDay = 86_400_000

const day = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.withSchema(UtcDay.annotate({ message: "must be a day of the calendar, such as 2030-01-31" })),
    Flag.optional,
  )

/** `commission` */
export const commission = Command.make(
  "commission",
  {
    from: day("from", "First day (UTC), such as 2030-01-01; 29 days before the last one when not given"),
    to: day("to", "Last day (UTC), itself included; today when not given"),
    by: choices(
      "by",
      "What sums are told apart by, with commas; account when not given",
      CommissionKey.literals,
    ),
    account: accountFlag,
    platform: platformFlag,
    asset: asset("asset", "Only commission in this asset"),
  },
  Effect.fnUntraced(function* (flags) {
    const now = yield* currentMillis
    const dayOf = (millis: number) => UtcDay.make(new Date(millis).toISOString().slice(0, 10))
    const to = Option.getOrElse(flags.to, () => dayOf(now))
    const from = Option.getOrElse(flags.from, () => dayOf(Date.parse(to) - 29 * millisPerDay))
    const { accountsCommission } = yield* acts
    const body = yield* notCsv(
      yield* accountsCommission({
        query: {
          from,
          to,
          ...spread(Option.getOrUndefined(flags.by), (by) => ({ by })),
          ...spread(Option.getOrUndefined(flags.account), (account) => ({ account })),
          ...spread(Option.getOrUndefined(flags.platform), (platform) => ({ platform })),
          ...spread(Option.getOrUndefined(flags.asset), (asset) => ({ asset })),
        },
      }),
    )
    yield* print(
      encodeSums(body),
      body.sums.length === 0 ? `Nothing was earned from ${from} to ${to}` : table(sumColumns, body.sums),
    )
  }),
).pipe(
  Command.withDescription("Sum the commission that accounts have earned; amounts in native units"),
  Command.withExamples([{ command: "commission --from 2030-01-01 --to 2030-01-31 --by account,platform" }]),
)

const channelColumns: Columns<OpenChannelBody> = {
  swap: ({ id }) => id,
  account: ({ account }) => account,
  provider: ({ platform }) => platform,
  channel: ({ channel }) => channel,
  from: ({ sourceAsset }) => sourceAsset,
  to: ({ destinationAsset }) => destinationAsset,
  address: ({ depositAddress }) => depositAddress,
  state: ({ state }) => state,
  expires: ({ expiresAt }) => timeCell(expiresAt),
}

const countColumns: Columns<typeof ChannelCountBody.Type> = {
  account: ({ account }) => account,
  provider: ({ platform }) => platform,
  channels: ({ channels }) => channels,
  unknown: ({ unknown }) => unknown,
}

/** `channels` */
export const channels = Command.make(
  "channels",
  {
    account: accountFlag,
    platform: platformFlag,
    limit: limit("channels"),
    counts: Flag.Boolean("counts").pipe(
      Flag.withDescription("How many there are by account and provider, instead of each"),
      Flag.withDefault(false),
    ),
  },
  Effect.fnUntraced(function* ({ account, counts, limit, platform }) {
    const { channelCounts, openChannels } = yield* acts
    if (counts) return yield* printRows(countColumns, yield* channelCounts(), "No channel is open")
    const filters = {
      ...spread(Option.getOrUndefined(account), (account) => ({ account })),
      ...spread(Option.getOrUndefined(platform), (platform) => ({ platform })),
    }
    const open = yield* listUpTo(
      limit,
      (part) => openChannels({ query: { ...filters, ...part }, responseMode: "decoded-and-response" }),
    )
    yield* printRows(channelColumns, open, "No channel is open")
  }),
).pipe(Command.withDescription("List the open deposit channels of all accounts, the oldest first"))
