import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { Business } from "#application/business/Business.ts"
import { Cases } from "#application/cases/Cases.ts"
import type { AccountSwap } from "#domain/operations/Business.ts"
import { SwapNotFound } from "#domain/swaps/SwapRecord.ts"
import type { Integrator, Operator, Viewer } from "#domain/accounts/Viewer.ts"
import { swapId } from "../../requests/pathNames.ts"
import { OpeningChecks } from "#application/swapping/opening/OpeningChecks.ts"
import { type Html, nothing, path, withFragment, withQuery } from "../../pages/jsx-runtime.ts"
import { button, columns, pager, section } from "../../pages/parts.tsx"
import { durationText } from "#domain/durationText.ts"
import { moment } from "../../pages/values.tsx"
import { page, type PageRequest, type Shown } from "../Page.ts"
import { accountPath } from "../accounts/paths.ts"
import { providerPath } from "../providers/providerParts.tsx"
import { adviceSection } from "./adviceSection.tsx"
import { isDisputed, isStalled, swapBadge } from "./describeSwap.tsx"
import { journalTimeline } from "./journalParts.tsx"
import { loadSwap } from "./loadSwap.ts"
import { moneySection } from "./moneyTable.tsx"
import { notifiedSection } from "./notifiedSection.tsx"
import { openingShown } from "./openingPage.tsx"
import { moreActions, payLinkAct } from "./swapActs.tsx"
import { swapTiles } from "./swapTiles.tsx"
import { transactionsSection } from "./transactionsSection.tsx"
import { views } from "./views.ts"
import { isTroubled, statusPart } from "./problemNote.tsx"
import { comparedSection } from "./providerComparison.tsx"

const crumbOf = (swap: AccountSwap): Html => {
  const view = isDisputed(swap) ? "disputed" : isStalled(swap) ? "stalled" : undefined
  if (view === undefined) return <a href={path`/dashboard/swaps`}>Swaps</a>
  return <a href={withQuery(path`/dashboard/swaps`, { view })}>{views[view].label}</a>
}

const swapShown = Effect.fnUntraced(function* (asked: PageRequest<Viewer>, swap: AccountSwap) {
  const { account, createdAt, record: { id, platform, status } } = swap
  const { facts, older } = yield* loadSwap(asked, swap)
  const { isOperator, now } = facts
  const here = path`/dashboard/swaps/${id}`
  const isLatest = asked.query("entry") === undefined
  const journal = section({ title: "Timeline", id: "journal" }, [
    journalTimeline(facts, older, isLatest),
    pager({
      first: isLatest ? undefined : withFragment(here, "journal"),
      next: older[0] === undefined
        ? undefined
        : withFragment(withQuery(here, { entry: older[0].id }), "journal"),
    }),
  ])
  const compared = isOperator ? comparedSection(facts) : nothing
  const shown: Shown = {
    title: `Swap ${id}`,
    crumb: crumbOf(swap),
    state: swapBadge(swap),
    line: (
      <>
        {isOperator
          ? (
            <>
              <a href={accountPath(account)}>{account}</a> ·{" "}
              <a href={providerPath(platform)}>{facts.contact.name}</a>
            </>
          )
          : facts.contact.name} · opened {moment(createdAt)} · {durationText(now - createdAt)} ago
      </>
    ),
    acts: [
      button("Case file", withQuery(here, { format: "json" })),
      isOperator && status.depositChannel !== undefined ? payLinkAct.form({ id }) : nothing,
    ],
    body: [
      <div class="stack tight" id="standing" data-live="">
        {statusPart(facts)}
        {isDisputed(swap) && compared}
        {swapTiles(facts)}
      </div>,
      columns(
        "wide",
        [
          moneySection(facts),
          isDisputed(swap) ? nothing : compared,
          transactionsSection(facts),
        ],
        [
          adviceSection(facts),
          journal,
          notifiedSection(facts),
          isOperator ? moreActions(facts, isTroubled(facts)) : nothing,
        ],
      ),
    ],
  }
  return shown
})

const ofOperator = Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
  const id = yield* swapId(asked.param("id"))
  const business = yield* Business
  const found = yield* Effect.option(business.swap(id))
  if (Option.isSome(found)) return yield* swapShown(asked, found.value)
  const opening = yield* business.unknownOpening(id)
  if (opening === undefined) return yield* new SwapNotFound()
  return openingShown(opening, asked.now, (yield* OpeningChecks).nextBy(opening, asked.now))
})

const ofIntegrator = Effect.fnUntraced(function* (asked: PageRequest<Integrator>) {
  const swap = yield* (yield* Business).swap(yield* swapId(asked.param("id")))
  // Another account's looks as if it did not exist (decision 23).
  return asked.viewer.account.name === swap.account
    ? yield* swapShown(asked, swap)
    : yield* new SwapNotFound()
})

/** The signed case file of a swap or an opening, to keep or to send on. */
const caseFile = Effect.fnUntraced(function* ({ param, viewer }: PageRequest<Viewer>) {
  const id = yield* swapId(param("id"))
  const cases = yield* Cases
  const { text } = yield* viewer._tag === "Operator" ? cases.ofAny(id) : cases.of(viewer.account, id)
  return HttpServerResponse.text(text, {
    contentType: "application/json",
    headers: { "content-disposition": `attachment; filename="swap-${id}-case.json"` },
  })
})

/** The page of a swap: its state and why, what can be done, and its timeline. */
export const swapPage = page({
  path: "/dashboard/swaps/:id",
  operator: ofOperator,
  integrator: ofIntegrator,
  json: { operator: caseFile, integrator: caseFile },
})
