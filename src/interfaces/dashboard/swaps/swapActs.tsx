import { Effect, Option, Redacted } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Business } from "#application/business/Business.ts"
import type { AccountSwap } from "#domain/operations/Business.ts"
import { JournalEntryId } from "#domain/swaps/Journal.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { namedAccount, swapId } from "../../requests/pathNames.ts"
import { baseOf, PublicUrl } from "../../requests/PublicUrl.ts"
import { amount } from "../../pages/amounts.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { button } from "../../pages/links.tsx"
import { code, copyable, folded, kv, section, untrusted } from "../../pages/parts.tsx"
import { known } from "../../pages/table.tsx"
import { path } from "../../pages/Url.ts"
import {
  type disputedEndIn,
  DisputedEnds,
  NoDisputedResult,
} from "#application/swapping/following/DisputedEnds.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { SwapTransfers } from "#application/swapping/SwapTransfers.ts"
import { PayLinks } from "#application/swapping/PayLinks.ts"
import { Reindexing } from "#application/swapping/following/Reindexing.ts"
import { filled, fixed, formAction, type Submitted, text } from "../formAction.tsx"
import { stateBadge } from "./describeSwap.tsx"
import type { SwapFacts } from "./SwapFacts.ts"

/** Asks a swap's upstream at once, whenever it would be asked by itself. */
export const askAgainAct = formAction({
  path: "/dashboard/swaps/:id/ask",
  button: "Ask again now",
  tone: "go",
  done: {
    answered: "The provider was asked, and has answered: this is what it says now.",
    unanswered:
      "The provider was asked, and gave no usable answer. It is asked again by itself, and nothing that is known is lost.",
    notAsked:
      "The provider was not asked: it has been asked as often as it may be for the moment. Try again in some seconds.",
  },
  run: Effect.fnUntraced(function* ({ param }: Submitted) {
    const id = yield* swapId(param("id"))
    const business = yield* Business
    const isAsked = yield* (yield* Lookups).refresh((yield* business.swap(id)).record)
    const { record } = yield* business.swap(id)
    const said = !isAsked
      ? "notAsked" as const
      : record.standing.lookupFailures > 0
      ? "unanswered" as const
      : "answered" as const
    return { to: path`/dashboard/swaps/${id}`, said }
  }),
})

/** Has a swap's upstream look for deposits again. */
export const reindexAct = formAction({
  path: "/dashboard/swaps/:id/reindex",
  button: "Look for deposits again",
  done: {
    reindexed:
      "The upstream has looked for deposits again. What it found shows once it is asked about the swap.",
    nothingFound: "The upstream has looked again, and found no deposit.",
  },
  run: Effect.fnUntraced(function* ({ param }: Submitted) {
    const id = yield* swapId(param("id"))
    const found = yield* (yield* Reindexing).reindex(id)
    const said = found.length === 0 ? "nothingFound" as const : "reindexed" as const
    return { to: path`/dashboard/swaps/${id}`, said }
  }),
})

/** Accepts the end of a disputed swap that was shown beside the form. */
export const acceptAct = formAction({
  path: "/dashboard/swaps/:id/accept",
  button: "Accept this end",
  tone: "stop",
  fields: { entry: fixed() },
  done: { accepted: "The end is accepted: the swap has ended as its provider says." },
  run: Effect.fnUntraced(function* ({ by, field, param }: Submitted) {
    const id = yield* swapId(param("id"))
    const entry = JournalEntryId.makeOption(Number(field("entry")))
    if (Option.isNone(entry)) {
      return yield* new NoDisputedResult({ detail: "The form names no end of this swap" })
    }
    yield* (yield* DisputedEnds).accept(id, entry.value, by)
    return { to: path`/dashboard/swaps/${id}`, said: "accepted" as const }
  }),
})

/** Moves a swap to another account. */
export const moveAct = formAction({
  path: "/dashboard/swaps/:id/move",
  button: "Move the swap",
  tone: "stop",
  fields: { account: text({ label: "Account", required: true }) },
  done: { moved: "The swap belongs to the other account now." },
  run: Effect.fnUntraced(function* ({ by, field, param }: Submitted) {
    const id = yield* swapId(param("id"))
    yield* (yield* SwapTransfers).move(id, yield* namedAccount(field("account")), by)
    return { to: path`/dashboard/swaps/${id}`, said: "moved" as const }
  }),
})

/** Makes a link to the page of who pays, and shows it this once. */
export const payLinkAct = formAction({
  path: "/dashboard/swaps/:id/pay-link",
  button: "Payer’s page",
  run: Effect.fnUntraced(function* ({ host, param }: Submitted) {
    const id = yield* swapId(param("id"))
    const { account } = yield* (yield* Business).swap(id)
    const token = Redacted.value(
      yield* (yield* PayLinks).make(yield* (yield* Accounts).find(account), id),
    )
    return {
      title: "The payer’s page",
      crumb: <a href={path`/dashboard/swaps/${id}`}>Swap {id}</a>,
      body: section({ title: "A new link to it", id: "link" }, [
        <p class="secret">{copyable(`${baseOf(yield* PublicUrl, host)}/pay/${token}`, "link")}</p>,
        <p class="soft">
          It is shown this once. Whoever has it sees this swap alone, what to pay and how far it is, and can
          change nothing.
        </p>,
        <p class="row">{button("Open the payer’s page", path`/pay/${token}`)}</p>,
      ]),
    }
  }),
})

/** The button that asks the provider now: the one filled button of a page. */
export const askAgainForm = (id: SwapRecordId, provider: string): Html =>
  askAgainAct.form({ id }, { button: `Ask ${provider} again now` })

export const reindexForm = (id: SwapRecordId): Html => reindexAct.form({ id })

/** The form that accepts the end which the journal disputes; it names the end that is shown with it. */
export const acceptForm = (
  { record }: AccountSwap,
  { entry, note }: NonNullable<ReturnType<typeof disputedEndIn>>,
): Html => {
  const { destinationAsset, refundEgress, sourceAsset, swapEgress } = note.status
  return folded(
    "Accept this end",
    acceptAct.form({ id: record.id }, {
      lead: (
        <>
          <p>
            Look these payments up on their chains first: the swap then has ended so, for its account, its
            commission and its webhooks. To reject it nothing has to be done: the provider is asked again, and
            what it says is held until it can be true.
          </p>
          {kv([
            ["It says", stateBadge(note.status)],
            ["Paid out", known(swapEgress, ({ amount: native }) => amount(destinationAsset, native))],
            ["By", known(swapEgress?.transactionReference, (text) => code(text))],
            ["Sent back", known(refundEgress, ({ amount: native }) => amount(sourceAsset, native))],
            ["By", known(refundEgress?.transactionReference, (text) => code(text))],
            ["Why not believed", untrusted(note.detail)],
          ])}
        </>
      ),
      entered: filled({ entry: `${entry}` }),
    }),
    "accept",
  )
}

/** The operator's acts that no trouble calls for. `isTroubled`: what the callout has is not here again. */
export const moreActions = ({ canReindex, swap: { record: { id } } }: SwapFacts, isTroubled: boolean): Html =>
  section({ title: "More actions", id: "acts" }, [
    !canReindex
      ? <p class="soft">The provider cannot be asked to look for deposits to this swap again.</p>
      : isTroubled
      ? nothing
      : folded(
        "Look for deposits again",
        reindexAct.form({ id }, {
          lead: (
            <p>Has the upstream look once more for deposits to this channel, and take up what it finds.</p>
          ),
        }),
        "reindex",
      ),
    folded(
      "Move it to another account",
      moveAct.form({ id }, {
        lead: (
          <p>
            For a swap without a channel that counts as the wrong account's. Its history, commission and
            events go with it, and the account before sees it no more.
          </p>
        ),
      }),
      "move",
    ),
  ])
