import { Effect, Match, Option } from "effect"
import type { Alert, ToldAlert } from "#domain/operations/Alert.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { addValues, noValue, type UsdValue } from "#domain/money/UsdValue.ts"
import { ago, amount, dollars, minute } from "../../pages/values.tsx"
import { type Html, path, type Url, withQuery } from "../../pages/jsx-runtime.ts"
import { button, type Decision, pill, untrusted } from "../../pages/parts.tsx"
import { durationText } from "#domain/durationText.ts"
import { endingAdvice, endingText } from "#domain/operations/EndpointEnding.ts"
import { counted } from "#domain/figures.ts"
import { Overview, pausedHealth, providerTitle } from "#providers/Registry.ts"
import { latestError, operationList, providerPath } from "../providers/providerParts.tsx"
import { accountPath, webhooksPath } from "../accounts/paths.ts"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Business } from "#application/business/Business.ts"
import { Deliveries } from "#application/webhooks/Deliveries.ts"
import { Webhooks } from "#application/webhooks/Webhooks.ts"
import type { AccountSwapsQuery } from "#domain/operations/Business.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { stageOf } from "../swaps/describeSwap.tsx"
import { answerOf, isDelivering } from "../webhooks/deliveryText.tsx"

/** What the stalled or disputed swaps of a provider hold. */
export interface Held {
  /** The swap that has stalled for the longest time; the first of disputed ones. */
  readonly oldest: SwapRecordId
  /** How many there are; with `hasMore`, only of those that were added up. */
  readonly swaps: number
  readonly hasMore: boolean
  readonly value: UsdValue
  /** How many of them have a value. */
  readonly valued: number
  /** `2 receiving, 1 sending`: what they are at. */
  readonly stages: string
}

/** What the pages behind an alert know of its cause. */
interface Known {
  readonly held?: Held | undefined
  readonly cause?: Html
}

/** What an alert asks of a person, in the words of the pages. */
interface Asks {
  readonly kind: string
  readonly tone: "bad" | "warn"
  /** Since when it is so, where that is known better than by the alert itself. */
  readonly since?: EpochMillis
  readonly headline: Html
  /** Further facts in one line. */
  readonly facts?: Html
  /** What it means and what can be done in this browser. */
  readonly advice: Html | string
  readonly act?: { readonly label: string; readonly to: Url }
}

const treasury = path`/dashboard/money`
const swaps = path`/dashboard/swaps`

const linked = (provider: ProviderName): Html =>
  <a href={providerPath(provider)}>{providerTitle(provider)}</a>

/** What swaps of an alert hold, where it is known. */
const worthOf = ({ hasMore, swaps, valued, value }: Held, count = swaps): Html => (
  <>{valued > 0 && <>, {hasMore || valued < count ? "at least" : "about"} {dollars(value)}</>}</>
)

const asksOf = ({ cause, held }: Known): (alert: Alert) => Asks =>
  Match.type<Alert>().pipe(
    Match.discriminatorsExhaustive("type")({
      flip_low: ({ busiest, channelsLeft, freeNative, provider }): Asks => ({
        kind: "Funds",
        tone: "warn",
        headline: <>{linked(provider)} has FLIP for {counted(channelsLeft, "more channel")}</>,
        facts: (
          <>
            {amount("flip.eth", BigInt(freeNative), "list")} left{busiest !== undefined &&
              <>; {untrusted(busiest.name)} opened {busiest.channels} recently</>}
          </>
        ),
        advice:
          "Each channel costs FLIP. Without it the provider gets no new swaps. Send FLIP to the account.",
        act: { label: "Top up", to: treasury },
      }),
      ledger_mismatch: ({ asset, differenceNative, earnedNative, ledgerNative, provider }): Asks => ({
        kind: "Ledger",
        tone: "bad",
        headline: (
          <>
            {linked(provider)} reports {amount(asset, BigInt(differenceNative.replace("-", "")))}{" "}
            {differenceNative.startsWith("-") ? "less" : "more"} than our ledger
          </>
        ),
        facts: (
          <>
            {providerTitle(provider)} reports {amount(asset, BigInt(earnedNative))}, our ledger{" "}
            {amount(asset, BigInt(ledgerNative))}
          </>
        ),
        advice: "Compare the balance with the commission of the same period before you withdraw.",
        act: { label: "Compare", to: treasury },
      }),
      withdrawals_disabled: ({ provider }): Asks => ({
        kind: "Funds",
        tone: "warn",
        headline: <>{linked(provider)} has paused withdrawals</>,
        advice: "Your balance stays there. Check the status channels of the provider for the reason.",
        act: { label: "See balances", to: treasury },
      }),
      node_out_of_sync: ({ provider }): Asks => ({
        kind: "Provider",
        tone: "warn",
        headline: <>The node behind {linked(provider)} is behind its chain</>,
        advice: "Its balances and openings are out of date. Check the log and the peers of the node.",
        act: { label: "See why", to: providerPath(provider) },
      }),
      bond_missing_for_btc_vault_swaps: ({ provider }): Asks => ({
        kind: "Funds",
        tone: "warn",
        headline: <>No Bitcoin wallet payments at {linked(provider)}: private channel or bond missing</>,
        advice: "Fund the bond and open the private channel, or switch Bitcoin transactions off.",
        act: { label: "See the account", to: treasury },
      }),
      swaps_stalled: ({ provider, stalledSince, swaps: stalled }): Asks => {
        const count = held?.swaps ?? stalled
        const list = withQuery(swaps, { view: "stalled", platform: provider })
        return {
          kind: held !== undefined && held.valued > 0 ? "Money held" : "Stalled",
          tone: "bad",
          since: stalledSince,
          headline: (
            <>
              <a href={list}>{held?.hasMore === true && "Over "}{counted(count, "swap")}</a> stalled at{" "}
              {linked(provider)}
              {held !== undefined && <>{worthOf(held, count)}{held.valued > 0 && " held"}</>}
            </>
          ),
          advice: `${held?.stages ?? "Slower than usual"}. If it lasts, ask ${
            providerTitle(provider)
          } support.`,
          act: held === undefined
            ? { label: "Show swaps", to: list }
            : { label: "Open the oldest", to: path`/dashboard/swaps/${`${held.oldest}`}` },
        }
      },
      end_disputed: ({ disputedSince, provider, swaps: disputed }): Asks => ({
        kind: "Disputed",
        tone: "warn",
        since: disputedSince,
        headline: (
          <>
            {counted(disputed, "disputed result")} at {linked(provider)}
            {held !== undefined && worthOf(held)}
          </>
        ),
        advice:
          "The result contradicts our records. Look up the payments on their chains. If the result is right, accept it on the swap’s page.",
        act: held?.swaps === 1
          ? { label: `Decide swap ${held.oldest}`, to: path`/dashboard/swaps/${`${held.oldest}`}` }
          : { label: "Decide", to: withQuery(swaps, { view: "disputed", platform: provider }) },
      }),
      channels_unrecorded: ({ asset, channels, provider }): Asks => ({
        kind: "Ledger",
        tone: "bad",
        headline: <>{counted(channels, "untracked channel")} from {asset} at {linked(provider)}</>,
        advice:
          "This service gave out none of their addresses. Find out who else opens channels with this account.",
        act: { label: "See the channels", to: providerPath(provider) },
      }),
      outcome_unknown: ({ openings, provider, unknownSince, withdrawals }): Asks => {
        const parts = [
          ...(withdrawals > 0 ? [counted(withdrawals, "withdrawal")] : []),
          ...(openings > 0 ? [counted(openings, "opening")] : []),
        ]
        return {
          kind: "Unknown",
          tone: withdrawals > 0 ? "bad" : "warn",
          since: unknownSince,
          headline: (
            <>
              {parts.join(" and ")} at {linked(provider)} {openings + withdrawals === 1 ? "has" : "have"}{" "}
              an unknown outcome
            </>
          ),
          facts: <>no valid reply came from {providerTitle(provider)}</>,
          advice: withdrawals > 0
            ? "Check in an explorer whether the payment arrived, then record it. Withdrawals are never retried."
            : "The provider may have opened a channel. Its address was never shown, so no deposit is expected.",
          act: withdrawals > 0
            ? { label: "Decide", to: path`/dashboard/money/withdrawals` }
            : { label: "Show openings", to: withQuery(swaps, { view: "unknown" }) },
        }
      },
      provider_down: ({ operations, provider }): Asks => ({
        kind: "Provider",
        tone: "bad",
        headline: <>{linked(provider)} is {pausedHealth(operations)}: {operationList(operations)} paused</>,
        ...optionalMembers(cause, (facts) => ({ facts })),
        advice: "Calls are retried automatically. If it lasts, switch it off on its page.",
        act: { label: "See the errors", to: providerPath(provider) },
      }),
      wire_drift: ({ call, expected, member, operation, provider }): Asks => ({
        kind: "Provider",
        tone: "warn",
        headline: (
          <>
            API response changed at {linked(provider)}:{" "}
            {untrusted([call ?? operation, member].join(" ").trim())}
          </>
        ),
        ...(expected === undefined ? {} : { facts: <>expected {untrusted(expected)}</> }),
        advice: "Update the service, or switch the provider off until then.",
        act: { label: "See the response", to: providerPath(provider) },
      }),
      endpoint_ending: ({ operations, provider, ...ending }): Asks => ({
        kind: "Provider",
        tone: ending.retiredAt === undefined ? "warn" : "bad",
        headline: <>{linked(provider)} {endingText(ending)}. Used for {operationList(operations)}</>,
        advice: `${endingAdvice}.`,
        act: { label: "See the announcement", to: providerPath(provider) },
      }),
      webhook_failing: ({ account, failingSince, webhooks }): Asks => ({
        kind: account === undefined ? "Service" : "Integrator",
        tone: "warn",
        headline: account === undefined ? <>The operator’s webhook is failing</> : (
          <>
            <a href={accountPath(account)}>{account}</a>: {counted(webhooks, "webhook")} failing
          </>
        ),
        ...optionalMembers(cause, (facts) => ({ facts })),
        since: failingSince,
        advice: account === undefined
          ? (
            <>
              Check the receiver of <code>OPERATOR_WEBHOOK_URL</code>. Deliveries are retried for three days.
            </>
          )
          : "Tell the account. Its deliveries show each response and can be resent.",
        ...(account === undefined ? {} : { act: { label: "See deliveries", to: webhooksPath(account) } }),
      }),
      database_slow: ({ medianMillis }): Asks => ({
        kind: "Service",
        tone: "warn",
        headline: <>The database is slow: {durationText(medianMillis)} for a trivial statement</>,
        advice: "Check the load and the disk of the database, and the network to it.",
      }),
    }),
  )

const order = { bad: 0, warn: 1 } as const

/** The alerts as decisions, with what is known of each, what holds money first. In a `tall` list each says what it means and what to do. */
export const decisionsOf = (
  alerts: ReadonlyArray<ToldAlert>,
  known: ReadonlyArray<Known>,
  now: EpochMillis,
  shape: "short" | "tall",
): ReadonlyArray<Decision> =>
  alerts.map(({ alert, beganAt }, at) => ({ since: beganAt, ...asksOf(known[at] ?? {})(alert) }))
    .toSorted((one, other) => order[one.tone] - order[other.tone] || one.since - other.since)
    .map(({ act, advice, facts, headline, kind, since, tone }, index) => {
      const more = facts !== undefined && <>{facts} ·{" "}</>
      return {
        state: pill(kind, tone),
        text: shape === "short"
          ? (
            <>
              <b>{headline}</b> <small>· {more}{ago(since, now)}</small>
            </>
          )
          : (
            <>
              <h2>{headline}</h2>
              <p>{advice}</p>
              <small>{more}since {minute(since)} UTC · {ago(since, now)}</small>
            </>
          ),
        acts: act && button(act.label, act.to, index === 0 && shape === "tall" ? "go" : "plain"),
      }
    })

/** What an alert was about, in one line, for the list of those that ended. */
export const headlineOf = (alert: Alert): Html => asksOf({})(alert).headline

/** The most stalled swaps of a provider whose values are added up. */
const mostAdded = 100

/** What the stalled or disputed swaps of a provider hold; nothing where there is none. */
export const heldBy = Effect.fnUntraced(function* (
  platform: ProviderName,
  which: Pick<AccountSwapsQuery, "disputed" | "stalled"> = { stalled: true },
) {
  const { items, next } = yield* (yield* Business).swaps({
    platform,
    ...which,
    sort: "ascending",
    limit: mostAdded,
  })
  const [first, ...others] = items
  if (first === undefined) return undefined
  const since = (swap: typeof first) => swap.stalledSince ?? Infinity
  const oldest = others.reduce((oldest, swap) => since(swap) < since(oldest) ? swap : oldest, first)
  const values = items.flatMap(({ value }) => value === undefined ? [] : [value])
  const held: Held = {
    oldest: oldest.record.id,
    swaps: items.length,
    hasMore: next !== undefined,
    value: values.reduce(addValues, noValue),
    valued: values.length,
    stages: [...Map.groupBy(items, ({ record }) => stageOf(record.status).toLowerCase())]
      .map(([stage, { length }]) => `${length} ${stage}`).join(", "),
  }
  return held
})

/** How many deliveries of an account wait, and what its failing webhooks last responded. */
const deliveriesOf = Effect.fnUntraced(function* (name: string) {
  const owner = (yield* (yield* Accounts).all).find((account) => account.name === name)
  const webhooks = owner === undefined ? [] : yield* (yield* Webhooks).ofAccount(owner)
  const failing = webhooks.filter((webhook) => !isDelivering(webhook)).map(({ id }) => id)
  const standings = yield* (yield* Deliveries).standings(failing)
  const waiting = standings.reduce((sum, standing) => sum + standing.waiting, 0)
  const latest = standings.flatMap(({ latest }) => latest === undefined ? [] : [answerOf(latest)]).slice(0, 1)
  return (
    <>{counted(waiting, "delivery", "deliveries")} waiting{latest.map((it) => `, last response ${it}`)}</>
  )
})

const knownOf = Effect.fnUntraced(function* (alert: Alert) {
  if (alert.type === "swaps_stalled") return { held: yield* heldBy(alert.provider) }
  if (alert.type === "end_disputed") return { held: yield* heldBy(alert.provider, { disputed: true }) }
  if (alert.type === "webhook_failing" && alert.account !== undefined) {
    return { cause: yield* deliveriesOf(alert.account) }
  }
  if (alert.type !== "provider_down") return {}
  const standing = Option.getOrUndefined(yield* (yield* Overview).find(alert.provider))
  const error = standing && latestError(standing)
  return error === undefined ? {} : { cause: <>last error: {untrusted(error.detail, 80)}</> }
})

/** What is known of the causes of alerts, in their order. */
export const causesOf = (alerts: ReadonlyArray<ToldAlert>) =>
  Effect.forEach(alerts, ({ alert }) => knownOf(alert))
