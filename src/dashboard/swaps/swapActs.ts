import { Effect, Option } from "effect"
import { actorOf } from "../../domain/Audit.ts"
import type { AccountSwap } from "../../domain/Business.ts"
import { type JournalEntry, JournalEntryId } from "../../domain/Journal.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { namedAccount, swapId } from "../../requests/pathNames.ts"
import { actForm, field, hidden } from "../../pages/forms.ts"
import { type Html, html, nothing } from "../../pages/html.ts"
import { folded, foreign, section } from "../../pages/parts.ts"
import { path } from "../../pages/Url.ts"
import { disputedEndIn, DisputedEnds, EndNotHeld } from "../../swapping/DisputedEnds.ts"
import { Moves } from "../../swapping/Moves.ts"
import { Repairs } from "../../swapping/Repairs.ts"
import type { Act } from "../Page.ts"
import { payments } from "./describeSwap.ts"

/** Has a swap's upstream look for deposits again. */
export const reindexAct: Act<Repairs> = {
  path: "/dashboard/swaps/:id/reindex",
  run: Effect.fnUntraced(function* ({ param }) {
    const id = yield* swapId(param("id"))
    const found = yield* (yield* Repairs).reindex(id)
    const said = found.length === 0 ? "nothingFound" as const : "reindexed" as const
    return { to: path`/dashboard/swaps/${id}`, said }
  }),
}

/** Accepts the end of a disputed swap that was shown beside the form. */
export const acceptAct: Act<DisputedEnds> = {
  path: "/dashboard/swaps/:id/accept",
  run: Effect.fnUntraced(function* ({ field, param, viewer }) {
    const id = yield* swapId(param("id"))
    const entry = JournalEntryId.makeOption(Number(field("entry")))
    if (Option.isNone(entry)) return yield* new EndNotHeld({ detail: "The form names no end of this swap" })
    yield* (yield* DisputedEnds).accept(id, entry.value, actorOf(viewer.caller))
    return { to: path`/dashboard/swaps/${id}`, said: "accepted" as const }
  }),
}

/** Moves a swap to another account. */
export const moveAct: Act<Moves> = {
  path: "/dashboard/swaps/:id/move",
  run: Effect.fnUntraced(function* ({ field, param, viewer }) {
    const id = yield* swapId(param("id"))
    yield* (yield* Moves).move(id, yield* namedAccount(field("account")), actorOf(viewer.caller))
    return { to: path`/dashboard/swaps/${id}`, said: "moved" as const }
  }),
}

/** The form that accepts the end which the journal disputes; it names the end that is shown with it. */
const acceptForm = (
  { record }: AccountSwap,
  latest: ReadonlyArray<JournalEntry>,
  now: EpochMillis,
): Html => {
  const held = record.standing.contradictedAt === undefined ? undefined : disputedEndIn(record, latest)
  return held === undefined ? nothing : folded(
    "Accept the end that is disputed",
    actForm({ to: path`/dashboard/swaps/${record.id}/accept`, button: "Accept this end", tone: "bad" }, [
      html`<p>${
        foreign(held.note.detail)
      }. Look these payments up on their chains first: the swap then has ended so, for its account, its commission and its webhooks.</p>`,
      payments(held.note.status, now),
      hidden("entry", `${held.entry}`),
    ]),
    "accept",
  )
}

/** The operator's acts. Only a swap with a channel can be looked for again. */
export const actsSection = (
  swap: AccountSwap,
  canReindex: boolean,
  latest: ReadonlyArray<JournalEntry>,
  now: EpochMillis,
): Html => {
  const { record: { id, status } } = swap
  return section({ title: "Acts", id: "acts" }, [
    acceptForm(swap, latest, now),
    status.depositChannel !== undefined && canReindex
      ? actForm({ to: path`/dashboard/swaps/${id}/reindex`, button: "Look for deposits again" }, [
        html`<p>Has the upstream look once more for deposits to this channel, and take up what it finds.</p>`,
      ])
      : html`<p class="empty">The provider cannot be asked to look for deposits to this swap again.</p>`,
    folded(
      "Move it to another account",
      actForm({ to: path`/dashboard/swaps/${id}/move`, button: "Move the swap", tone: "bad" }, [
        html`<p>For a swap without a channel that counts as the wrong account's. Its history, commission and events go with it, and the account before sees it no more.</p>`,
        field({ label: "Account", name: "account", required: true }),
      ]),
      "move",
    ),
  ])
}
