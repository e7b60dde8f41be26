import { Effect, Option } from "effect"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { dollars, grouped, pointsText, share } from "../../pages/values.tsx"
import { meter, type Tile, tiles } from "../../pages/figures.tsx"
import { contactUrl, type Html, nothing, path, withQuery } from "../../pages/jsx-runtime.ts"
import { button, columns, section } from "../../pages/parts.tsx"
import { counted } from "#domain/figures.ts"
import { Refusals } from "#infrastructure/ops/Refusals.ts"
import { Budgets } from "#providers/Budgets.ts"
import { Overview } from "#providers/Overview.ts"
import { ProviderUnknown } from "../../requests/HttpFailure.ts"
import { WireWitness } from "#providers/witness/WireWitness.ts"
import { page, type PageRequest } from "../Page.ts"
import { type Brought, broughtBy, figuresIn, lastWeek } from "./businessSection.ts"
import type { Calls, Day } from "./dayOf.ts"
import { healthNote, isUnhealthy, stalledPath, switchPath } from "./healthNote.tsx"
import { callsSection, causesSection } from "./providerHistory.tsx"
import { capabilitiesOf, millisText, operationsOf, stateBadge, stopOf } from "./providerParts.tsx"
import { loadProvider, type Seen } from "./loadProvider.ts"
import { switchBox } from "./switchProvider.tsx"
import { changesOf, endingsOf, refusalsOf, roundOf } from "./apiChecks.tsx"

const answeredPercent = ({ calls, failed }: Calls): number => (calls - failed) / calls * 100

/** How the hour is beside the one before; only the day's failed calls where either had none. */
const lastHour = ({ calls, failed, hours }: Day): Html => {
  const [before, current] = hours.slice(-2)
  if (before === undefined || current === undefined || before.calls === 0 || current.calls === 0) {
    return <>{grouped(`${failed}`)} of {counted(calls, "call")} failed</>
  }
  return (
    <>
      {share(current.calls - current.failed, current.calls)} this hour,{" "}
      {pointsText(answeredPercent(current), answeredPercent(before))} from the hour before
    </>
  )
}

const figuresOf = (
  { day, held, stalls, standing }: Seen,
  { best, offered, totals }: Brought,
  used: number | undefined,
): Html => {
  const slow = day.p90Millis
  const stopped = stopOf(standing)
  const bestOffer = share(best, offered)
  const shown: ReadonlyArray<Tile> = [
    stopped === undefined
      ? {
        label: "Answered, 24 h",
        figure: share(day.calls - day.failed, day.calls) ?? "–",
        note: lastHour(day),
      }
      : { label: "Calls now", ...stopped },
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
    const week = lastWeek(now)
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
        isUnhealthy(seen) ? <div id="ill" data-live>{healthNote([seen], now, isSwitching)}</div> : nothing,
        switchBox(standing, asked, now),
        figuresOf(seen, brought, yield* (yield* Budgets).used(name)),
        ...(isSwitching ? [] : [
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
