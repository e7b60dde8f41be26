import { Effect, Option } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Business } from "#application/business/Business.ts"
import { Cases } from "#application/cases/Cases.ts"
import type { AccountSwap } from "#domain/operations/Business.ts"
import { JournalEntryId } from "#domain/swaps/Journal.ts"
import { isSettled, type SwapStatus } from "#domain/swaps/Swap.ts"
import { SwapNotFound, type SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { Integrator, Operator, Viewer } from "#domain/accounts/Viewer.ts"
import { Guide } from "#application/guidance/Guide.ts"
import { healthOf, Overview } from "#providers/Overview.ts"
import { swapId } from "../../requests/pathNames.ts"
import { OpeningChecks } from "#application/swapping/opening/OpeningChecks.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { Journals } from "#application/swapping/Journals.ts"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { button, pager } from "../../pages/links.tsx"
import { columns, section } from "../../pages/parts.tsx"
import { durationText } from "#domain/durationText.ts"
import { moment } from "../../pages/times.tsx"
import { path, withFragment, withQuery } from "../../pages/Url.ts"
import { contactsPart } from "../../pages/contactsPart.tsx"
import { page, type PageRequest, type Shown } from "../Page.ts"
import { isDisputed, isStalled, swapBadge } from "./describeSwap.tsx"
import { journalTimeline } from "./journalParts.tsx"
import { moneySection } from "./moneyTable.tsx"
import { openingShown } from "./openingPage.tsx"
import { moreActions, payLinkAct } from "./swapActs.tsx"
import type { SwapFacts } from "./SwapFacts.ts"
import { swapTiles } from "./swapTiles.tsx"
import { transactionsSection } from "./transactionsSection.tsx"
import { views } from "./views.ts"
import { isTroubled, troubleNote } from "./problemNote.tsx"
import { comparedSection, responsesSection } from "./providerComparison.tsx"

/** The most entries of a journal on a page, which keeps it small. */
const mostEntries = 12

/** A page of the journal, newest first, and its newest entries, by which the rest of the page goes. */
const journalFor = Effect.fnUntraced(function* ({ query, viewer }: PageRequest<Viewer>, id: SwapRecordId) {
  const journals = yield* Journals
  const offset = Option.getOrUndefined(JournalEntryId.makeOption(Number(query("entry"))))
  // One more than is shown tells what was new in the last one.
  const part = {
    limit: mostEntries + 1,
    sort: "descending" as const,
    ...(offset === undefined ? {} : { offset }),
  }
  const read = (query: typeof part) =>
    viewer._tag === "Operator" ? journals.pageOfAny(id, query) : journals.page(viewer.account, id, query)
  const { items } = yield* read(part)
  const entries = items.slice(0, mostEntries)
  const newest = offset === undefined
    ? entries
    : (yield* read({ limit: mostEntries, sort: "descending" as const })).items
  return { entries, newest, older: items.slice(mostEntries) }
})

const assetsOf = ({ destinationAsset, fees, sourceAsset }: SwapStatus) => [
  ...new Set([sourceAsset, destinationAsset, ...fees.map(({ asset }) => asset)]),
]

/** What can be done, after where it stands where nothing is wrong. */
const adviceSection = (facts: SwapFacts): Html => {
  const { text, whatYouCanDo, whomToAsk: asked } = facts.guidance
  return section({ title: "What can be done", id: "advice", live: true }, [
    isTroubled(facts) ? nothing : <p>{text}</p>,
    whatYouCanDo.length === 0
      ? <p class="soft">No action needed.</p>
      : <ul class="points">{whatYouCanDo.map((sentence) => <li>{sentence}</li>)}</ul>,
    asked === undefined || asked.contacts.length === 0 ? nothing : contactsPart(asked),
  ])
}

const factsOf = Effect.fnUntraced(function* (
  { now, viewer }: PageRequest<Viewer>,
  swap: AccountSwap,
  { entries, newest }: Pick<SwapFacts, "entries" | "newest">,
) {
  const { record: { platform, standing: { changedAt }, status } } = swap
  const standing = Option.getOrUndefined(yield* (yield* Overview).find(platform))
  const facts: SwapFacts = {
    swap,
    guidance: yield* (yield* Guide).swap(swap.record, viewer._tag === "Operator" ? "operator" : "integrator"),
    entries,
    newest,
    prices: yield* (yield* Business).pricesAt(assetsOf(status), isSettled(status) ? changedAt : now),
    now,
    isOperator: viewer._tag === "Operator",
    contact: standing?.contact ?? { name: platform },
    isDown: standing !== undefined && !isSettled(status) && healthOf(standing) === "down",
    canReindex: status.depositChannel !== undefined && standing?.registered?.channels === true,
    network: (yield* OpeningRules).networkOf(platform),
  }
  return facts
})

const crumbOf = (swap: AccountSwap): Html => {
  const view = isDisputed(swap) ? "disputed" : isStalled(swap) ? "stalled" : undefined
  if (view === undefined) return <a href={path`/dashboard/swaps`}>Swaps</a>
  return <a href={withQuery(path`/dashboard/swaps`, { view })}>{views[view].label}</a>
}

const swapShown = Effect.fnUntraced(function* (asked: PageRequest<Viewer>, swap: AccountSwap) {
  const { account, createdAt, record: { id, status } } = swap
  const { older, ...pages } = yield* journalFor(asked, id)
  const facts = yield* factsOf(asked, swap, pages)
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
  const advice = adviceSection(facts)
  const compared = isOperator ? comparedSection(facts) : nothing
  const shown: Shown = {
    title: `Swap ${id}`,
    crumb: crumbOf(swap),
    state: swapBadge(swap),
    line: (
      <>
        {isOperator && <>{account} ·{" "}</>}
        {facts.contact.name} · opened {moment(createdAt)} · {durationText(now - createdAt)} ago
      </>
    ),
    acts: [
      button("Case file", withQuery(here, { format: "json" })),
      isOperator && status.depositChannel !== undefined ? payLinkAct.form({ id }) : nothing,
    ],
    body: [
      <div class="stack tight" id="standing" data-live="">
        {troubleNote(facts)}
        {isDisputed(swap) && compared}
        {swapTiles(facts)}
      </div>,
      columns(
        "wide",
        [
          moneySection(facts),
          isDisputed(swap) ? nothing : compared,
          isOperator ? responsesSection(facts) : nothing,
          transactionsSection(facts),
        ],
        [
          ...(isTroubled(facts) ? [advice, journal] : [journal, advice]),
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
  const { items: [opening] } = yield* business.unknownOpenings({ sort: "ascending", offset: id, limit: 1 })
  if (opening?.id !== id) return yield* new SwapNotFound()
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

/** The page of a swap: why it is where it is, what can be done, and everything that happened to it. */
export const swapPage = page({
  path: "/dashboard/swaps/:id",
  operator: ofOperator,
  integrator: ofIntegrator,
  json: { operator: caseFile, integrator: caseFile },
})
