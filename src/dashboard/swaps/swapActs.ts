import { Effect, Option } from "effect"
import type { AccountSwap } from "../../domain/Business.ts"
import { type JournalEntry, JournalEntryId } from "../../domain/Journal.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { namedAccount, swapId } from "../../requests/pathNames.ts"
import { type Html, html, nothing } from "../../pages/html.ts"
import { folded, foreign, section } from "../../pages/parts.ts"
import { path } from "../../pages/Url.ts"
import { disputedEndIn, DisputedEnds, EndNotHeld } from "../../swapping/DisputedEnds.ts"
import { Moves } from "../../swapping/Moves.ts"
import { Repairs } from "../../swapping/Repairs.ts"
import { act, filled, fixed, type Submitted, text } from "../act.ts"
import { payments } from "./describeSwap.ts"

/** Has a swap's upstream look for deposits again. */
export const reindexAct = act({
  path: "/dashboard/swaps/:id/reindex",
  button: "Look for deposits again",
  done: {
    reindexed: "The upstream has looked for deposits again. What it found shows in the swap's next look-ups.",
    nothingFound: "The upstream has looked again, and found no deposit.",
  },
  run: Effect.fnUntraced(function* ({ param }: Submitted) {
    const id = yield* swapId(param("id"))
    const found = yield* (yield* Repairs).reindex(id)
    const said = found.length === 0 ? "nothingFound" as const : "reindexed" as const
    return { to: path`/dashboard/swaps/${id}`, said }
  }),
})

/** Accepts the end of a disputed swap that was shown beside the form. */
export const acceptAct = act({
  path: "/dashboard/swaps/:id/accept",
  button: "Accept this end",
  tone: "stop",
  fields: { entry: fixed() },
  done: { accepted: "The end is accepted: the swap has ended as its provider says." },
  run: Effect.fnUntraced(function* ({ by, field, param }: Submitted) {
    const id = yield* swapId(param("id"))
    const entry = JournalEntryId.makeOption(Number(field("entry")))
    if (Option.isNone(entry)) return yield* new EndNotHeld({ detail: "The form names no end of this swap" })
    yield* (yield* DisputedEnds).accept(id, entry.value, by)
    return { to: path`/dashboard/swaps/${id}`, said: "accepted" as const }
  }),
})

/** Moves a swap to another account. */
export const moveAct = act({
  path: "/dashboard/swaps/:id/move",
  button: "Move the swap",
  tone: "stop",
  fields: { account: text({ label: "Account", required: true }) },
  done: { moved: "The swap belongs to the other account now." },
  run: Effect.fnUntraced(function* ({ by, field, param }: Submitted) {
    const id = yield* swapId(param("id"))
    yield* (yield* Moves).move(id, yield* namedAccount(field("account")), by)
    return { to: path`/dashboard/swaps/${id}`, said: "moved" as const }
  }),
})

/** The form that accepts the end which the journal disputes; it names the end that is shown with it. */
const acceptForm = (
  { record }: AccountSwap,
  latest: ReadonlyArray<JournalEntry>,
  now: EpochMillis,
): Html => {
  const held = record.standing.contradictedAt === undefined ? undefined : disputedEndIn(record, latest)
  return held === undefined ? nothing : folded(
    "Accept the end that is disputed",
    acceptAct.form({ id: record.id }, {
      lead: html`<p>${
        foreign(held.note.detail)
      }. Look these payments up on their chains first: the swap then has ended so, for its account, its commission and its webhooks.</p>${
        payments(held.note.status, now)
      }`,
      entered: filled({ entry: `${held.entry}` }),
    }),
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
      ? reindexAct.form({ id }, {
        lead:
          html`<p>Has the upstream look once more for deposits to this channel, and take up what it finds.</p>`,
      })
      : html`<p class="soft">The provider cannot be asked to look for deposits to this swap again.</p>`,
    folded(
      "Move it to another account",
      moveAct.form({ id }, {
        lead:
          html`<p>For a swap without a channel that counts as the wrong account's. Its history, commission and events go with it, and the account before sees it no more.</p>`,
      }),
      "move",
    ),
  ])
}
