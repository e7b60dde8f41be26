import { Effect, Redacted } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Business } from "#application/business/Business.ts"
import { namedAccount, swapId } from "../../requests/pathNames.ts"
import { baseOf, PublicUrl } from "../../requests/PublicUrl.ts"
import { type Html, nothing, path, withQuery } from "../../pages/jsx-runtime.ts"
import { button, copyable, folded, section } from "../../pages/parts.tsx"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { SwapTransfers } from "#application/swapping/SwapTransfers.ts"
import { PayLinks } from "#application/swapping/PayLinks.ts"
import { Reindexing } from "#application/swapping/following/Reindexing.ts"
import { formAction, type Submitted, text } from "../formAction.tsx"
import type { SwapFacts } from "./loadSwap.ts"
import { OpeningChecks } from "#application/swapping/opening/OpeningChecks.ts"
import { SwapNotFound } from "#domain/swaps/SwapRecord.ts"
import { unknownView } from "./views.ts"
import words from "../words.json" with { type: "json" }

/** Checks a swap's status at once. */
export const askAgainAct = formAction({
  path: "/dashboard/swaps/:id/ask",
  button: "Check status now",
  tone: "go",
  done: words.swapActs.asked,
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
  done: words.swapActs.reindexed,
  run: Effect.fnUntraced(function* ({ param }: Submitted) {
    const id = yield* swapId(param("id"))
    const found = yield* (yield* Reindexing).reindex(id)
    const said = found.length === 0 ? "nothingFound" as const : "reindexed" as const
    return { to: path`/dashboard/swaps/${id}`, said }
  }),
})

/** Moves a swap to another account. */
export const moveAct = formAction({
  path: "/dashboard/swaps/:id/move",
  button: "Move the swap",
  tone: "stop",
  fields: { account: text({ label: "Account", required: true }) },
  done: { moved: "Swap moved to the other account." },
  run: Effect.fnUntraced(function* ({ by, field, param }: Submitted) {
    const id = yield* swapId(param("id"))
    yield* (yield* SwapTransfers).move(id, yield* namedAccount(field("account")), by)
    return { to: path`/dashboard/swaps/${id}`, said: "moved" as const }
  }),
})

/** Makes a link to the payer's page, and shows it once. */
export const payLinkAct = formAction({
  path: "/dashboard/swaps/:id/pay-link",
  button: "Payer’s page",
  run: Effect.fnUntraced(function* ({ host, param }: Submitted) {
    const id = yield* swapId(param("id"))
    const { account } = yield* (yield* Business).swap(id)
    const token = Redacted.value(yield* (yield* PayLinks).make(yield* (yield* Accounts).find(account), id))
    return {
      title: "The payer’s page",
      crumb: <a href={path`/dashboard/swaps/${id}`}>Swap {id}</a>,
      body: section({ title: "A new link to it", id: "link" }, [
        <p class="secret">{copyable(`${baseOf(yield* PublicUrl, host)}/pay/${token}`, "link")}</p>,
        <p class="soft">
          Copy it now. You won’t see it again. It shows this swap only, and can change nothing.
        </p>,
        <p class="row">{button("Open the payer’s page", path`/pay/${token}`)}</p>,
      ]),
    }
  }),
})

/** The operator's other acts. `hasActs`: the callout has its own. */
export const moreActions = ({ canReindex, swap: { record } }: SwapFacts, hasActs: boolean): Html =>
  section({ title: "More actions", id: "acts" }, [
    !canReindex || hasActs || record.status.state === "waiting" ? nothing : folded(
      "Look for deposits again",
      reindexAct.form({ id: record.id }, {
        lead: <p>The provider searches its chain once more for deposits to this channel.</p>,
      }),
      "reindex",
    ),
    folded(
      "Move it to another account",
      moveAct.form({ id: record.id }, {
        lead: (
          <p>
            For a swap without a channel under the wrong account. Its history, commission and events move with
            it.
          </p>
        ),
      }),
      "move",
    ),
  ])

/** Checks at once whether an opening with an unknown outcome has a channel. */
export const checkOpeningAct = formAction({
  path: "/dashboard/swaps/:id/check",
  button: "Check now",
  tone: "go",
  done: words.swapActs.checked,
  run: Effect.fnUntraced(function* ({ param }: Submitted) {
    const id = yield* swapId(param("id"))
    const opening = yield* (yield* Business).unknownOpening(id)
    if (opening === undefined) return yield* new SwapNotFound()
    const said = yield* (yield* OpeningChecks).check(opening)
    const to = said === "nothingOpened"
      ? withQuery(path`/dashboard/swaps`, { view: unknownView })
      : path`/dashboard/swaps/${id}`
    return { to, said }
  }),
})
