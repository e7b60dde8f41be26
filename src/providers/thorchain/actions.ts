import { Effect, Option, Result, Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { referenceOn } from "#domain/chains/TransactionReference.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Sought, VaultSwaps } from "../Provider.ts"
import { decode } from "../upstream/decode.ts"
import { makeRest } from "../upstream/restClient.ts"
import { maybe } from "../upstream/values.ts"
import { answerReason, failAs } from "./errors.ts"
import { readMemo } from "./memo.ts"
import { type Family, findAsset } from "./networks.ts"
import type { Options } from "./settings.ts"

const WithMemo = Schema.Struct({ memo: maybe(Schema.String) })

/** `GET /v2/actions` of Midgard (thorchain/wire.md 9). */
export const WireActions = Schema.Struct({
  actions: Schema.Array(Schema.Struct({
    /** Nanoseconds since the epoch. */
    date: Schema.String.check(Schema.isPattern(/^[0-9]{1,20}$/)),
    in: Schema.Array(Schema.Struct({
      coins: Schema.Array(Schema.Struct({ asset: Schema.String })),
      txID: Schema.String,
    })),
    metadata: maybe(Schema.Struct({ swap: maybe(WithMemo), refund: maybe(WithMemo) })),
  })),
  meta: maybe(Schema.Struct({ nextPageToken: maybe(Schema.String) })),
})
type WireAction = typeof WireActions.Type["actions"][number]

/** How many actions a page has, and how many pages are asked for at most: what is older was listed before. */
const perPage = 50
const mostPages = 10

const nanosPerMilli = 1_000_000n

/** An index is behind its network, and its clock is not ours. */
const marginMillis = 10 * 60_000

/** Whether the memo of an action is one of ours: `status` tells nothing of others. */
const isOurs = (family: Family, affiliate: string, { metadata }: WireAction): boolean => {
  const memo = metadata?.swap?.memo ?? metadata?.refund?.memo
  return memo !== undefined && readMemo(family, memo)?.share?.affiliate === affiliate
}

/** The payment that an action came of, written as its chain does. */
const transactionsOf = (family: Family, { chains }: Sought, action: WireAction): ReadonlyArray<string> =>
  action.in.flatMap(({ coins: [coin], txID }) => {
    const [code = ""] = coin?.asset.split(".") ?? []
    const chain = family.chains.get(code)
    const reference = chain === undefined || !chains.includes(chain) ? undefined : referenceOn(chain, txID)
    return reference === undefined || coin === undefined || findAsset(family, coin.asset) === undefined
      ? []
      : [reference]
  })

/** Our payments in a page of actions, for who is told how many pages there are. */
export const readActions = (family: Family, affiliate: string, sought: Sought, body: unknown) =>
  Result.map(decode(WireActions, body), ({ actions, meta }) => {
    const last = actions.at(-1)
    return {
      transactions: actions.filter((action) => isOurs(family, affiliate, action))
        .flatMap((action) => transactionsOf(family, sought, action)),
      next: actions.length < perPage ? undefined : meta?.nextPageToken,
      /** The latest first, so that no later page has a later one. */
      until: last === undefined ? 0 : Number(BigInt(last.date) / nanosPerMilli),
    }
  })

/** The payments with the operator's affiliate, latest first. Absent without Midgard or affiliate. */
export const makeList = (
  client: HttpClient.HttpClient,
  family: Family,
  { affiliate, midgardUrl, simulatedTime }: Options,
): Pick<VaultSwaps, "list"> =>
  optionalMembers(
    Option.getOrUndefined(Option.all({ affiliate, midgardUrl })),
    ({ affiliate, midgardUrl }) => {
      const endpoint = `${family.name} Midgard`
      const { get } = makeRest({ client, url: midgardUrl, endpoint, reasonOf: answerReason(endpoint) })
      const page = (token: string | undefined) =>
        get("/v2/actions", { general: true }, {
          affiliate,
          type: "swap,refund",
          limit: `${perPage}`,
          ...optionalMembers(token, (nextPageToken) => ({ nextPageToken })),
        })
      const list = Effect.fnUntraced(
        function* (sought: Sought): Effect.fn.Return<ReadonlyArray<string>, ProviderErrorReason> {
          const found: Array<string> = []
          let token: string | undefined
          for (let pages = 0; pages < mostPages; pages++) {
            const { body } = yield* page(token)
            const { next, transactions, until } = yield* Effect.fromResult(
              readActions(family, affiliate, sought, body),
            )
            found.push(...transactions)
            // A sandbox has a time of its own, in which ours says nothing.
            if (next === undefined || (!simulatedTime && until < sought.since - marginMillis)) break
            token = next
          }
          return found
        },
      )
      return { list: Effect.fn(`${family.span}.list`)(list, failAs(family)("treasury")) }
    },
  )
