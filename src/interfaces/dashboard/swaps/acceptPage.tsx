import { Effect, Option } from "effect"
import { Business } from "#application/business/Business.ts"
import {
  disputedEndIn,
  DisputedEnds,
  NoDisputedResult,
} from "#application/swapping/following/DisputedEnds.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { commissionsOf } from "#domain/money/Commission.ts"
import { JournalEntryId } from "#domain/swaps/Journal.ts"
import { promiseOf } from "#domain/swaps/OutputPromise.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { amount } from "../../pages/values.tsx"
import { type Html, path } from "../../pages/jsx-runtime.ts"
import { button, note } from "../../pages/parts.tsx"
import { swapId } from "../../requests/pathNames.ts"
import { filled, fixed, formAction, type Submitted } from "../formAction.tsx"
import { page, type PageRequest } from "../Page.ts"
import { swapBadge } from "./describeSwap.tsx"
import { loadSwap } from "./loadSwap.ts"
import { comparedSection } from "./providerComparison.tsx"
import type { SwapFacts } from "./SwapFacts.ts"

/** Accepts the result of a disputed swap that the page shows. */
export const acceptAct = formAction({
  path: "/dashboard/swaps/:id/accept",
  button: "Accept result",
  tone: "stop",
  fields: { entry: fixed() },
  done: { accepted: "Result accepted" },
  run: Effect.fnUntraced(function* ({ by, field, param }: Submitted) {
    const id = yield* swapId(param("id"))
    const entry = JournalEntryId.makeOption(Number(field("entry")))
    if (Option.isNone(entry)) {
      return yield* new NoDisputedResult({ detail: "The form names no result of this swap" })
    }
    yield* (yield* DisputedEnds).accept(id, entry.value, by)
    return { to: path`/dashboard/swaps/${id}`, said: "accepted" as const }
  }),
})

/** What accepting records, in figures. */
const effectText = (facts: SwapFacts, reported: SwapStatus): Html => {
  const { contact: { name }, swap: { record: { status: held } } } = facts
  const promise = promiseOf(held)
  const [commission] = commissionsOf(reported)
  const output = (native: bigint | undefined) =>
    native === undefined ? "nothing" : amount(held.destinationAsset, native)
  return (
    <>
      {name} reports {output(reported.swapEgress?.amount)} paid
      {promise !== undefined && <>; {output(promise.native)} expected</>}.{" "}
      {commission !== undefined && <>Your commission is {amount(commission.asset, commission.amount)}.{" "}
      </>}
      First check the payout transaction in an explorer of its chain.
    </>
  )
}

/** The confirmation of that, with the result beside our record. */
export const acceptPage = page({
  path: "/dashboard/swaps/:id/accept",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    const id = yield* swapId(asked.param("id"))
    const swap = yield* (yield* Business).swap(id)
    const { facts } = yield* loadSwap(asked, swap)
    const held = disputedEndIn(swap.record, facts.newest)
    const back = path`/dashboard/swaps/${id}`
    // Another one has decided meanwhile, or the provider has corrected itself: the page of the swap says which.
    if (held === undefined) return { to: back }
    return {
      title: `Accept ${facts.contact.name}’s result for swap ${id}?`,
      crumb: <a href={back}>Swap {id}</a>,
      state: swapBadge(swap),
      body: [
        note("warn", {
          title: "This cannot be undone",
          text: "The swap then counts as completed for its account, commission and webhooks.",
          more: <p>{effectText(facts, held.note.status)}</p>,
        }, {
          acts: (
            <>
              {acceptAct.form({ id }, { entered: filled({ entry: `${held.entry}` }) })}
              {button("Cancel", back)}
            </>
          ),
        }),
        comparedSection(facts),
      ],
    }
  }),
})
