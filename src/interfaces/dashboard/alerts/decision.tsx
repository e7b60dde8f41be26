import { Match } from "effect"
import type { Alert, ToldAlert } from "#domain/operations/Alert.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { UsdValue } from "#domain/money/UsdValue.ts"
import { amount, dollars } from "../../pages/amounts.tsx"
import { type Html } from "../../pages/jsx-runtime.ts"
import { button } from "../../pages/links.tsx"
import { type Decision, pill, untrusted } from "../../pages/parts.tsx"
import { durationText } from "#domain/durationText.ts"
import { exactTime } from "../../pages/times.tsx"
import { path, type Url, withQuery } from "../../pages/Url.ts"
import { providerTitle } from "#providers/Contacts.ts"
import { providerPath } from "../providers/providerParts.tsx"
import { webhooksPath } from "../accounts/paths.ts"

/** What the stalled swaps of a provider hold. */
export interface Held {
  /** The swap that has stalled for the longest time. */
  readonly oldest: SwapRecordId
  readonly value: UsdValue
  /** How many of them have a value. */
  readonly valued: number
}

/** What an alert asks of a person, in the words of the pages. */
interface Asks {
  readonly kind: "Money held" | "Books" | "Funds" | "Provider" | "Integrator" | "Service"
  readonly tone: "bad" | "warn"
  readonly headline: Html
  /** Further facts in one line. */
  readonly facts?: Html
  /** What it means and what can be done in this browser. */
  readonly advice: Html
  readonly act?: { readonly label: string; readonly to: Url }
}

const treasury = path`/dashboard/money`
const swaps = path`/dashboard/swaps`

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`

const name = (provider: ProviderName): Html => untrusted(providerTitle(provider))

type Context = (provider: ProviderName) => Held | undefined

const asksOf = (heldBy: Context, now: EpochMillis): (alert: Alert) => Asks =>
  Match.type<Alert>().pipe(
    Match.discriminatorsExhaustive("type")({
      flip_low: ({ busiest, channelsLeft, freeNative, provider }): Asks => ({
        kind: "Funds",
        tone: "warn",
        headline: (
          <>
            <b>{counted(channelsLeft, "more channel", "more channels")}</b> can be opened at {name(provider)}
          </>
        ),
        facts: (
          <>
            {amount("flip.eth", BigInt(freeNative), "list")} left{busiest !== undefined &&
              <>; {untrusted(busiest.name)} has opened {busiest.channels} of late</>}
          </>
        ),
        advice: (
          <>
            Each channel costs FLIP of the account there. Without it {name(provider)}{" "}
            gets no new swaps: send FLIP to the account.
          </>
        ),
        act: { label: "Top up", to: treasury },
      }),
      ledger_mismatch: ({ asset, differenceNative, earnedNative, ledgerNative, provider }): Asks => ({
        kind: "Books",
        tone: "bad",
        headline: (
          <>
            <b>The books and {name(provider)} differ</b> by {amount(asset, BigInt(differenceNative))}
          </>
        ),
        facts: (
          <>
            it says {amount(asset, BigInt(earnedNative))}, the books say {amount(asset, BigInt(ledgerNative))}
          </>
        ),
        advice: <>Compare the balance with the commission of the same time before anything is withdrawn.</>,
        act: { label: "Compare", to: treasury },
      }),
      withdrawals_disabled: ({ provider }): Asks => ({
        kind: "Funds",
        tone: "warn",
        headline: (
          <>
            <b>Nothing can be withdrawn at {name(provider)}</b> at present
          </>
        ),
        advice: (
          <>It has switched withdrawals off, and says why in its own channels. What was earned stays there.</>
        ),
        act: { label: "See balances", to: treasury },
      }),
      node_out_of_sync: ({ provider }): Asks => ({
        kind: "Provider",
        tone: "warn",
        headline: <b>The node behind {name(provider)} is behind its chain</b>,
        advice: <>What it says of balances and openings is old. Look at its log and its peers.</>,
        act: { label: "See why", to: providerPath(provider) },
      }),
      bond_missing_for_btc_vault_swaps: ({ provider }): Asks => ({
        kind: "Funds",
        tone: "warn",
        headline: (
          <>
            <b>No payments from Bitcoin wallets at {name(provider)}</b>: the private channel or its bond is
            missing
          </>
        ),
        advice: <>Fund the bond and open the private channel, or switch transactions of Bitcoin off there.</>,
        act: { label: "See the account", to: treasury },
      }),
      swaps_stalled: ({ provider, stalledSince, swaps: stalled }): Asks => {
        const held = heldBy(provider)
        const list = withQuery(swaps, { view: "stalled", platform: provider })
        return {
          kind: "Money held",
          tone: "bad",
          headline: (
            <>
              <b>
                <a href={list}>{counted(stalled, "swap", "swaps")}</a> {stalled === 1 ? "is" : "are"}{" "}
                stalled at {name(provider)}
              </b>
              {held !== undefined && held.valued > 0 &&
                <>, about {held.valued < stalled && "at least "}{dollars(held.value)} held</>}
            </>
          ),
          facts: <>the first for {durationText(now - stalledSince)}</>,
          advice: (
            <>
              They stay in a state for longer than swaps of their pair do. They go on by themselves when{" "}
              {name(provider)} does; if not, its support can tell, or refund them.
            </>
          ),
          act: held === undefined
            ? { label: "Show them", to: list }
            : { label: "Why it is stuck", to: path`/dashboard/swaps/${`${held.oldest}`}` },
        }
      },
      end_disputed: ({ disputedSince, provider, swaps: disputed }): Asks => ({
        kind: "Money held",
        tone: "bad",
        headline: <b>{counted(disputed, "end", "ends")} told by {name(provider)} cannot be true</b>,
        facts: <>the first for {durationText(now - disputedSince)}</>,
        advice: (
          <>
            What it says of the payment does not fit the books. Look the payments up on their chains: an end
            that is true can be accepted on the swap's page.
          </>
        ),
        act: { label: "Look at them", to: withQuery(swaps, { view: "disputed", platform: provider }) },
      }),
      channels_unrecorded: ({ asset, channels, provider }): Asks => ({
        kind: "Books",
        tone: "bad",
        headline: (
          <b>
            {counted(channels, "channel", "channels")} from {asset} at {name(provider)}{" "}
            {channels === 1 ? "is" : "are"} in no record
          </b>
        ),
        advice: (
          <>This service told nobody their addresses. Ask who else opens channels with the same account.</>
        ),
        act: { label: "See the channels", to: providerPath(provider) },
      }),
      outcome_unknown: ({ openings, provider, unknownSince, withdrawals }): Asks => {
        const parts = [
          ...(withdrawals > 0 ? [counted(withdrawals, "withdrawal", "withdrawals")] : []),
          ...(openings > 0 ? [counted(openings, "opening", "openings")] : []),
        ]
        return {
          kind: "Money held",
          tone: withdrawals > 0 ? "bad" : "warn",
          headline: (
            <>
              <b>{parts.join(" and ")} at {name(provider)}</b> {openings + withdrawals === 1 ? "has" : "have"}
              {" "}
              an unknown outcome
            </>
          ),
          facts: <>the first for {durationText(now - unknownSince)}; {name(provider)} did not answer</>,
          advice: withdrawals > 0
            ? (
              <>
                Look in an explorer whether the money arrived, then say so: a withdrawal is not ordered again
                by itself.
              </>
            )
            : (
              <>
                A channel may have been opened that nobody was told of. Nothing is lost unless somebody pays
                to it.
              </>
            ),
          act: withdrawals > 0
            ? { label: "Decide", to: path`/dashboard/money/withdrawals` }
            : { label: "Show them", to: withQuery(swaps, { view: "unknown" }) },
        }
      },
      provider_down: ({ operations, provider }): Asks => ({
        kind: "Provider",
        tone: "bad",
        headline: (
          <>
            <b>{name(provider)} fails</b>: no calls go to it for {operations.join(", ")}
          </>
        ),
        advice: (
          <>It is tried again by itself. Its page has the last answers; switch it off there if it stays so.</>
        ),
        act: { label: "See why", to: providerPath(provider) },
      }),
      wire_drift: ({ call, expected, member, operation, provider }): Asks => ({
        kind: "Provider",
        tone: "warn",
        headline: (
          <>
            <b>{name(provider)} answers otherwise than before</b>:{" "}
            {untrusted([call ?? operation, member].join(" ").trim())}
          </>
        ),
        ...(expected === undefined ? {} : { facts: <>expected {untrusted(expected)}</> }),
        advice: <>Its page has what came. Update the service, or switch it off until a version reads it.</>,
        act: { label: "See what came", to: providerPath(provider) },
      }),
      webhook_failing: ({ account, failingSince, webhooks }): Asks => ({
        kind: account === undefined ? "Service" : "Integrator",
        tone: "warn",
        headline: account === undefined
          ? <b>The operator's own webhook takes no message</b>
          : <b>{untrusted(account)}: {counted(webhooks, "webhook takes", "webhooks take")} no message</b>,
        facts: <>for {durationText(now - failingSince)}</>,
        advice: account === undefined
          ? (
            <>
              Look at the receiver of <code>OPERATOR_WEBHOOK_URL</code>. Messages are tried for three days.
            </>
          )
          : <>Tell the account. Its deliveries show what the receiver answers, and can be sent again.</>,
        ...(account === undefined ? {} : { act: { label: "See why", to: webhooksPath(account) } }),
      }),
      database_slow: ({ medianMillis }): Asks => ({
        kind: "Service",
        tone: "warn",
        headline: (
          <>
            <b>The database is slow</b>: {durationText(medianMillis)} for the simplest question
          </>
        ),
        advice: <>Look at the load and the disk of the database, and at the network on the way.</>,
      }),
    }),
  )

const order = { bad: 0, warn: 1 } as const

/** The alerts as decisions, what holds money first. In a `tall` list each says what it means and what to do. */
export const decisionsOf = (
  alerts: ReadonlyArray<ToldAlert>,
  heldBy: Context,
  now: EpochMillis,
  shape: "short" | "tall",
): ReadonlyArray<Decision> =>
  alerts.map(({ alert, beganAt }) => ({ ...asksOf(heldBy, now)(alert), beganAt }))
    .toSorted((one, other) => order[one.tone] - order[other.tone] || one.beganAt - other.beganAt)
    .map(({ act, advice, beganAt, facts, headline, kind, tone }) => ({
      state: pill(kind, tone),
      text: shape === "short" ? <>{headline} {facts !== undefined && <small>{facts}</small>}</> : (
        <>
          <h2>{headline}</h2>
          <p>{advice}</p>
          <small>{facts !== undefined && <>{facts} ·{" "}</>}alert since {exactTime(beganAt)}</small>
        </>
      ),
      acts: act && button(act.label, act.to),
    }))

/** What an alert was about, in one line, for the list of those that ended. */
export const headlineOf = (alert: Alert, now: EpochMillis): Html =>
  asksOf(() => undefined, now)(alert).headline
