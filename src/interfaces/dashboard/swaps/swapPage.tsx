import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { Business } from "#application/business/Business.ts"
import { Cases } from "#application/cases/Cases.ts"
import type { AccountSwap, UnknownOpening } from "#domain/operations/Business.ts"
import { SwapNotFound } from "#domain/swaps/SwapRecord.ts"
import type { Integrator, Operator, Viewer } from "#domain/accounts/Viewer.ts"
import { swapId } from "../../requests/pathNames.ts"
import { OpeningChecks } from "#application/swapping/opening/OpeningChecks.ts"
import { type Html, nothing, path, withFragment, withQuery } from "../../pages/jsx-runtime.ts"
import { button, columns, copyable, known, kv, note, pager, section, untrusted } from "../../pages/parts.tsx"
import { age, ago, amount, assetName, clock, coin, dollars, listAmount, moment } from "../../pages/values.tsx"
import { page, type PageRequest, type Shown } from "../Page.ts"
import { accountPath } from "../accounts/paths.ts"
import { providerPath } from "../providers/providerParts.tsx"
import { adviceSection, depositsText, isTroubled, statusPart } from "./problemNote.tsx"
import { isDisputed, isStalled, openingReason, pillOf, swapBadge } from "./describeSwap.tsx"
import { journalTimeline } from "./journalParts.tsx"
import { loadSwap, type SwapFacts, usdOf } from "./loadSwap.ts"
import { moneySection, transaction, transactionsSection } from "./money.tsx"
import { checkOpeningAct, moreActions, payLinkAct } from "./swapActs.tsx"
import { swapTiles } from "./swapTiles.tsx"
import { unknownLabel, unknownView, views } from "./views.ts"
import { comparedSection } from "./providerComparison.tsx"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { receivedOf, sentOf } from "#domain/quotes/ExactOutput.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { guidanceOfOpening } from "#application/guidance/guidanceOf.ts"
import { providerTitle } from "#providers/Registry.ts"
import {
  disputedEndIn,
  DisputedEnds,
  NoDisputedResult,
} from "#application/swapping/following/DisputedEnds.ts"
import { JournalEntryId } from "#domain/swaps/Journal.ts"
import { promiseOf } from "#domain/swaps/OutputPromise.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { filled, fixed, formAction, type Submitted } from "../formAction.tsx"
import type { SwapDelivery } from "#domain/accounts/Webhook.ts"
import { counted } from "#domain/figures.ts"
import { statePill } from "../webhooks/deliveryText.tsx"

const crumbOf = (swap: AccountSwap): Html => {
  const view = isDisputed(swap) ? "disputed" : isStalled(swap) ? "stalled" : undefined
  if (view === undefined) return <a href={path`/dashboard/swaps`}>Swaps</a>
  return <a href={withQuery(path`/dashboard/swaps`, { view })}>{views[view].label}</a>
}

const linkOf = ({ account, id, webhookId }: SwapDelivery) =>
  path`/dashboard/accounts/${account}/webhooks/${webhookId}/deliveries/${id}`

/** Who was notified of what, the latest first: webhooks, event streams in a line; and how often the payer’s page was seen. */
const notifiedSection = ({ deliveries, notices, now }: SwapFacts): Html => {
  const events = notices.filter(({ kind }) => kind !== "page")
  const sent = events.reduce((sum, { times }) => sum + times, 0)
  const views = notices.find(({ kind }) => kind === "page")
  if (deliveries.length + notices.length === 0) return nothing
  return section(
    { title: "Notified", id: "notified", live: true },
    kv([
      ...deliveries.map((delivery) =>
        [
          delivery.type,
          <>
            {statePill(delivery)} <a href={linkOf(delivery)}>webhook, {age(delivery.createdAt, now)}</a>
          </>,
        ] as const
      ),
      ["Webhooks", deliveries.length === 0 ? "none of this swap" : undefined],
      [
        "Event stream",
        known(
          events[0],
          ({ kind, lastAt }) => <>{counted(sent, "event")}, last {kind} at {clock(lastAt, now)} UTC</>,
        ) ?? "no event",
      ],
      [
        "Payer’s page",
        known(
          views,
          ({ lastAt, times }) => <>opened {counted(times, "time")}, last at {clock(lastAt, now)} UTC</>,
        ),
      ],
    ]),
  )
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
          : facts.contact.name} · opened {moment(createdAt)} · {ago(createdAt, now)}
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
        [moneySection(facts), isDisputed(swap) ? nothing : compared, transactionsSection(facts)],
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

const side = (asset: AssetId, native: bigint | undefined, unknown = ""): Html =>
  native === undefined ? <>{coin(asset)}{assetName(asset)}{unknown}</> : amount(asset, native)

/** The page of an opening with an unknown outcome. `nextBy`: by when the next automatic check is made. */
const openingShown = (opening: UnknownOpening, now: EpochMillis, nextBy?: EpochMillis): Shown => {
  const provider = providerTitle(opening.platform)
  const { account, amount: fixed, checkedAt, createdAt, id, idempotencyKey, keyLabel, platform } = opening
  const subject = { platform, outcome: "unknown" as const, at: createdAt }
  const { text, whatYouCanDo } = guidanceOfOpening(subject, "operator")
  const points = (sentences: ReadonlyArray<string>) => (
    <ul class="points">{sentences.map((sentence) => <li>{sentence}</li>)}</ul>
  )
  return {
    title: `Swap ${id}`,
    crumb: <a href={withQuery(path`/dashboard/swaps`, { view: unknownView })}>{unknownLabel}</a>,
    state: pillOf("unknown"),
    line: (
      <>
        <a href={accountPath(account)}>{account}</a> · <a href={providerPath(platform)}>{provider}</a>{" "}
        · requested {moment(createdAt)} · {ago(createdAt, now)}
      </>
    ),
    acts: button("Case file", withQuery(path`/dashboard/swaps/${id}`, { format: "json" })),
    body: [
      note("warn", {
        title: `Unknown whether ${provider} opened a channel`,
        text,
        more: (
          <p>
            {openingReason(platform, opening.reason)}.{" "}
            {checkedAt !== undefined && <>Last check at {clock(checkedAt, now)} UTC.{" "}</>}
            {nextBy === undefined
              ? "No further automatic checks."
              : <>{checkedAt === undefined ? "First" : "Next"} check by {clock(nextBy, now)} UTC.</>}
          </p>
        ),
      }, { acts: checkOpeningAct.form({ id }) }),
      columns(
        "wide",
        section(
          { title: "Request", id: "request" },
          kv([
            ["Deposit", side(opening.sourceAsset, sentOf(fixed))],
            ["Payout", side(opening.destinationAsset, receivedOf(fixed), " not quoted")],
            ["Destination address", copyable(opening.destinationAddress, "destination address")],
            ["Refund address", copyable(opening.refundAddress, "refund address")],
            [
              "API key",
              known(
                opening.keyId,
                (id) => (
                  <>{keyLabel !== undefined && <>{untrusted(keyLabel)}{" "}</>}{copyable(id, "key ID")}</>
                ),
              ),
            ],
            [
              "Idempotency-Key",
              known(idempotencyKey, (key) => copyable(key, "Idempotency-Key")) ?? "none sent",
            ],
            ["Request ID", known(opening.requestId, (id) => copyable(id, "request ID"))],
          ]),
        ),
        section({ title: "What can be done", id: "advice" }, [
          points(whatYouCanDo),
          <h3>What to tell the account</h3>,
          points(
            guidanceOfOpening(subject).whatYouCanDo.slice(...(idempotencyKey === undefined ? [-1] : [0, 1])),
          ),
        ]),
      ),
    ],
  }
}

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

/** What accepting records, in figures, and what to look up first. */
const effectText = (facts: SwapFacts, reported: SwapStatus): Html => {
  const { contact: { name }, swap: { record: { status: held } } } = facts
  const promise = promiseOf(held)
  const { amount: paid = 0n, transactionReference } = reported.swapEgress ?? {}
  const usd = usdOf(facts, held.destinationAsset, paid - (promise?.native ?? paid))
  return (
    <>
      <p>
        {depositsText(facts, reported)}You accept a payout of {amount(held.destinationAsset, paid)}
        {promise !== undefined && (
          <>{" "}instead of {amount(held.destinationAsset, promise.native)} expected</>
        )}
        {usd !== undefined && usd.value !== 0n && <>{" "}(≈ {dollars(usd)})</>}
        .
      </p>
      <p>
        First look up the payout in an explorer of its chain: {transactionReference === undefined
          ? `${name} named no transaction.`
          : transaction(facts, held.destinationAsset, transactionReference, "payout transaction")}
      </p>
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
    const { destinationAsset: asset, swapEgress: { amount: paid } = { amount: 0n } } = held.note.status
    return {
      title: `Accept ${facts.contact.name}’s result for swap ${id}?`,
      crumb: <a href={back}>Swap {id}</a>,
      state: swapBadge(swap),
      body: [
        note("warn", {
          title: "This cannot be undone",
          text: "The swap then counts as completed for its account, commission and webhooks.",
          more: effectText(facts, held.note.status),
        }),
        comparedSection(facts),
        <div class="acts">
          {acceptAct.form({ id }, {
            entered: filled({ entry: `${held.entry}` }),
            button: `Accept ${listAmount(asset, paid)} ${factsOf(asset).ticker} as paid`,
          })}
          {button("Cancel", back)}
        </div>,
      ],
    }
  }),
})
