import { Effect, Option } from "effect"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { age, dollars, grouped, meter, pointsText, share, type Tile, tiles } from "../../pages/values.tsx"
import { contactUrl, type Html, nothing, path, withQuery } from "../../pages/jsx-runtime.ts"
import { button, columns, empty, kv, section, table, untrusted } from "../../pages/parts.tsx"
import { counted } from "#domain/figures.ts"
import { Refusals } from "#infrastructure/ops/Refusals.ts"
import { Budgets } from "#providers/Budgets.ts"
import { Overview, type ProviderStanding } from "#providers/Registry.ts"
import { ProviderUnknown } from "../../requests/problems.ts"
import { WireWitness } from "#providers/witness/WireWitness.ts"
import { any, choices, page, type PageRequest } from "../Page.ts"
import { type Brought, broughtBy, figuresIn } from "./providersPage.tsx"
import { periodOf } from "../overview/period.ts"
import {
  type Calls,
  type Day,
  healthNote,
  isUnhealthy,
  loadProvider,
  type Seen,
  stalledPath,
  switchPath,
} from "./healthNote.tsx"
import {
  capabilitiesOf,
  causesOf,
  millisText,
  operationList,
  operationsOf,
  providerPath,
  scopeOf,
  stateBadge,
  stoppedText,
  upperFirst,
} from "./providerParts.tsx"
import { changesOf, endingsOf, refusalsOf, roundOf } from "./apiChecks.tsx"
import { failureText, type ToldPart } from "#domain/operations/ProviderHistory.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { bars, hourLabel, lastHours } from "../../pages/charts.tsx"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { SwitchBody } from "#api/Providers.ts"
import { assetIds } from "#domain/chains/Asset.ts"
import { switchIssues, SwitchOperation } from "#domain/operations/ProviderSwitch.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { Switches } from "#providers/Switches.ts"
import {
  cards,
  choice,
  filled,
  fixed,
  formAction,
  readEntered,
  type Submitted,
  text,
  truth,
} from "../formAction.tsx"

const readSwitchProvider = readEntered(
  readerOf(SwitchBody),
  (wish) => [switchIssues(wish), heldKeyIssues("reason", wish.reason, [])],
)

const reason = text({ label: "Reason (integrators see it)", required: true })

/** Switches a provider, one of its operations or one asset off or on. */
export const switchProvider = formAction({
  path: "/dashboard/providers/:name/switch",
  button: "Switch off",
  tone: "stop",
  once: true,
  fields: {
    enabled: fixed(truth),
    operation: cards({
      label: "What to switch off",
      choices: [
        { value: "open", label: "New swaps", hint: "Quotes stay available." },
        { value: "quote", label: "Quotes", hint: "No quotes, and no new swaps that need one." },
        { value: "", label: "Everything new", hint: "No quotes, new swaps or transactions to sign." },
      ],
    }),
    asset: choice({ label: "Asset", choices: [any("All assets"), ...choices(assetIds())] }),
    reason,
  },
  done: { switched: "Switched. In effect on all replicas within a second." },
  again: {
    title: "Switch a provider",
    back: "Back to the provider",
    backTo: ({ param }) => providerPath(param("name")),
  },
  run: Effect.fnUntraced(function* ({ by, entered, param }: Submitted) {
    const found = yield* (yield* Overview).find(param("name"))
    if (Option.isNone(found)) return yield* new ProviderUnknown()
    yield* (yield* Switches).set({ ...(yield* readSwitchProvider(entered)), platform: found.value.name }, by)
    return { to: providerPath(found.value.name), said: "switched" } as const
  }),
})

const switchesTable = ({ contact, name, switches }: ProviderStanding, now: EpochMillis): Html =>
  switches.length === 0 ? nothing : table({
    caption: `What is switched off at ${contact.name}`,
    columns: [
      [
        "Switched off",
        ({ operation }) => operation === undefined ? scopeOf({}) : operationList([operation]),
      ],
      ["Asset", ({ asset }) => asset ?? "all assets"],
      ["Why", ({ reason }) => untrusted(reason), "all"],
      ["By", ({ changedBy }) => untrusted(changedBy)],
      ["Since", ({ changedAt }) => age(changedAt, now)],
      [
        "Action",
        ({ asset, operation }) => (
          <a
            href={switchPath(name, {
              enabled: "true",
              ...(operation === undefined ? {} : { operation }),
              ...(asset === undefined ? {} : { asset }),
            })}
          >
            Switch on
          </a>
        ),
        undefined,
        "",
      ],
    ],
    rows: switches,
    empty: "",
  })

/** What is switched off at a provider, and the form that changes it where a link asked for it; else nothing. */
const switchBox = (
  standing: ProviderStanding,
  { now, query }: Pick<PageRequest<Operator>, "now" | "query">,
  { totals: { ended, volume } }: Brought,
): Html => {
  const at = { name: standing.name }
  const cancel = providerPath(standing.name)
  const set = query("set")
  if (set === undefined && standing.switches.length === 0) return nothing
  const part = { operation: query("of") ?? "", asset: query("asset") ?? "" }
  const of = scopeOf({
    ...optionalMembers(
      SwitchOperation.literals.find((one) => one === part.operation),
      (operation) => ({ operation }),
    ),
    ...optionalMembers(assetIds().find((one) => one === part.asset), (asset) => ({ asset })),
  })
  const title = set === undefined
    ? "Switched off"
    : set === "true"
    ? `Switch ${standing.contact.name} on: ${of}`
    : `Switch off at ${standing.contact.name}`
  return section({ title, id: "switch", isBox: set !== undefined }, [
    switchesTable(standing, now),
    set === undefined ? nothing : set === "true"
      ? switchProvider.form(at, {
        isLine: true,
        cancel,
        button: "Switch on",
        tone: "go",
        fields: { enabled: fixed(truth), operation: fixed(), asset: fixed(), reason },
        entered: filled({ enabled: "true", ...part }),
      })
      : switchProvider.form(at, {
        isLine: true,
        lead: (
          <p>
            In 7 days {counted(ended, "swap")} with {dollars(volume.value)} went through{" "}
            {standing.contact.name}. Open swaps are still followed, and withdrawals work. What you switch off
            stays off until you switch it on here.
          </p>
        ),
        cancel,
        entered: filled({ enabled: "false", ...part }),
      }),
  ])
}

const answeredPercent = ({ calls, failed }: Calls): number => (calls - failed) / calls * 100

/** How the hour is beside the one before, or alone; only the day's failed calls where it had none. */
const lastHour = ({ calls, failed, hours }: Day): Html => {
  const [before, current] = hours.slice(-2)
  if (current === undefined || current.calls === 0) {
    return <>{grouped(`${failed}`)} of {counted(calls, "call")} failed</>
  }
  return (
    <>
      {share(current.calls - current.failed, current.calls)} this hour
      {before !== undefined && before.calls > 0 &&
        `, ${pointsText(answeredPercent(current), answeredPercent(before))} from the hour before`}
    </>
  )
}

const figuresOf = (
  { day, held, stalls, standing }: Seen,
  { best, offered, totals }: Brought,
  used: number | undefined,
): Html => {
  const slow = day.p90Millis
  const bestOffer = share(best, offered)
  const stopped = stoppedText(standing)
  const shown: ReadonlyArray<Tile> = [
    {
      label: "Answered, 24 h",
      figure: share(day.calls - day.failed, day.calls) ?? "–",
      note: <>{stopped !== undefined && `${stopped}; `}{lastHour(day)}</>,
    },
    {
      label: "Median, 24 h",
      figure: day.p50Millis === undefined ? "–" : millisText(day.p50Millis),
      note: slow === undefined ? "no call was timed" : `nine in ten within ${millisText(slow)}`,
    },
    ...(used === undefined ? [] : [{
      label: "Limit used",
      figure: share(used, 1) ?? "–",
      note: <>{meter(used, 1)}of the calls allowed at once</>,
    }]),
    {
      label: "Stalled",
      figure: grouped(`${stalls?.swaps ?? 0}`),
      note: stalls === undefined ? "no stalled swaps" : (
        <a href={stalledPath(standing.name)}>
          {held !== undefined && held.valued > 0
            ? <>{dollars(held.value, "whole", "of the deposits")} held</>
            : "Show swaps"}
        </a>
      ),
    },
    {
      label: "Volume, 7 d",
      figure: dollars(totals.volume.value),
      note: (
        <>
          {dollars(totals.commission.value, "cents")} commission; {grouped(`${totals.ended}`)}{" "}
          swaps{bestOffer !== undefined && `; best quote in ${bestOffer}`}
          {totals.volume.unvalued > 0 && `; ${grouped(`${totals.volume.unvalued}`)} without a price`}
        </>
      ),
    },
  ]
  return <div id="figures" data-live>{tiles(shown)}</div>
}

const sumAt = (parts: ReadonlyArray<ToldPart>, at: EpochMillis, figure: (part: ToldPart) => number): number =>
  parts.filter((part) => part.at === at).reduce((sum, part) => sum + figure(part), 0)

/** How calls ended, and those that were not made, as their callers got nothing either. */
const endings = [
  { ending: "succeeded", name: "succeeded", tone: "plain" },
  { ending: "refused", name: "refused", tone: "warn" },
  { ending: "failed", name: "failed", tone: "bad" },
  { ending: "rejected", name: "held back (paused or over limit)", tone: "info" },
] as const

/** The calls by hour and how they ended. */
export const callsSection = ({ parts }: Pick<Day, "parts">, now: EpochMillis): Html => {
  const isQuiet = parts.every(({ calls, rejected }) => calls + rejected === 0)
  return section(
    { title: "Calls by hour", id: "calls", live: true },
    isQuiet ? empty("No calls in the last 24 hours.") : bars({
      caption: "Calls by hour and how they ended",
      series: endings,
      bars: lastHours(now).map((at) => ({
        label: hourLabel(at),
        parts: endings.map(({ ending }) => sumAt(parts, at, (part) => part[ending])),
      })),
    }),
  )
}

/** How many calls failed for each cause that there was. */
export const causesSection = ({ parts }: Pick<Day, "parts">): Html => {
  const causes = causesOf(parts)
  return section(
    { title: "Failed calls by cause, 24 h", id: "causes", live: true },
    causes.length === 0
      ? <p class="soft">No failed calls in the last 24 hours.</p>
      : kv(causes.map(({ cause, count }) => [upperFirst(failureText[cause]), grouped(`${count}`)])),
  )
}

/** A provider: what ails it, its switch, its figures, the hour it broke, its circuits and answers, whom to ask. */
export const providerPage = page({
  path: "/dashboard/providers/:name",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    const { now, param } = asked
    const found = yield* (yield* Overview).find(param("name"))
    if (Option.isNone(found)) return yield* new ProviderUnknown()
    const standing = found.value
    const { contact, name, registered } = standing
    const seen = yield* loadProvider(standing, now)
    const isSwitching = asked.query("set") !== undefined
    const week = periodOf("7d", now)
    const brought = yield* broughtBy(name, week, yield* figuresIn(week))
    const refusals = yield* (yield* Refusals).latest(name)
    const rounds = yield* (yield* WireWitness).rounds
    const round = rounds.find(({ provider }) => provider === name)
    const support = contact.support === undefined ? undefined : contactUrl(contact.support)
    return {
      title: contact.name,
      crumb: <a href={path`/dashboard/providers`}>Providers</a>,
      state: stateBadge(standing),
      acts: [
        // The callout of one that is not well has the button.
        isUnhealthy(seen) || isSwitching ? nothing : button(
          "Switch off",
          switchPath(name, { operation: "open", enabled: "false" }),
          "stop",
        ),
        button("Swaps", withQuery(path`/dashboard/swaps`, { platform: name })),
        <>{support !== undefined && button("Contact support", support)}</>,
      ],
      body: [
        isUnhealthy(seen) && !isSwitching ? <div id="ill" data-live>{healthNote([seen], now)}</div> : nothing,
        switchBox(standing, asked, brought),
        ...(isSwitching ? [] : [
          figuresOf(seen, brought, yield* (yield* Budgets).used(name)),
          callsSection(seen.day, now),
          section(
            { title: "Operations, last 24 hours", id: "state", live: true },
            operationsOf(standing, seen.day.parts, now),
          ),
          endingsOf(standing, now),
          refusalsOf(refusals, now),
          changesOf(round),
          columns(
            "even",
            [causesSection(seen.day), section({ title: "API checks", id: "wire" }, roundOf(round, now))],
            registered === undefined
              ? nothing
              : section({ title: "Capabilities", id: "capabilities" }, capabilitiesOf(registered, contact)),
          ),
        ]),
      ],
    }
  }),
})
