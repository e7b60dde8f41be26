import { Effect, Option } from "effect"
import { Business } from "../../business/Business.ts"
import type { AccountSwap } from "../../domain/Business.ts"
import { formatChannelId } from "../../domain/Channel.ts"
import { isWrong } from "../../domain/Guidance.ts"
import { askedBpsOf, commissionsOf } from "../../domain/Commission.ts"
import { type JournalEntry, JournalEntryId } from "../../domain/Journal.ts"
import { isSettled, outcomeOf, type SwapStatus } from "../../domain/Swap.ts"
import { SwapNotFound } from "../../domain/SwapRecord.ts"
import { EpochMillis } from "../../domain/Time.ts"
import type { Viewer } from "../../domain/Viewer.ts"
import { swapId } from "../../requests/pathNames.ts"
import { healthOf, Overview } from "../../providers/Overview.ts"
import { Guide } from "../../guidance/Guide.ts"
import { Journals } from "../../swapping/Journals.ts"
import { type Html, html, nothing } from "../../pages/html.ts"
import { amount } from "../../pages/amounts.ts"
import { pager } from "../../pages/links.ts"
import { code, copyable, foreign, kv, note, section } from "../../pages/parts.ts"
import { table } from "../../pages/table.ts"
import { time } from "../../pages/times.ts"
import { path, withFragment, withQuery } from "../../pages/Url.ts"
import { figuresColumns, perhapsAbout } from "../treasury/commission.ts"
import { type Asked, page } from "../Page.ts"
import {
  amountIn,
  amountOut,
  failuresOf,
  failureText,
  nowOf,
  pair,
  payments,
  stalledBadge,
  stateBadge,
} from "./describeSwap.ts"
import { actsSection } from "./swapActs.ts"
import { journalTimeline } from "./journalParts.ts"

/** The most entries of a journal on a page, which keeps it small. */
const mostEntries = 12

/** The swap, where this viewer may see it. Another account's looks as if it did not exist (decision 23). */
export const swapFor = Effect.fnUntraced(function* ({ param, viewer }: Asked<Viewer>) {
  const swap = yield* (yield* Business).swap(yield* swapId(param("id")))
  return viewer._tag === "Operator" || viewer.account.name === swap.account ? swap : yield* new SwapNotFound()
})

/** A page of the journal, the latest entry first. */
const journalFor = Effect.fnUntraced(function* ({ query, viewer }: Asked<Viewer>, { record }: AccountSwap) {
  const journals = yield* Journals
  const offset = Option.getOrUndefined(JournalEntryId.makeOption(Number(query("entry"))))
  const part = {
    limit: mostEntries,
    sort: "descending" as const,
    ...(offset === undefined ? {} : { offset }),
  }
  return yield* viewer._tag === "Operator"
    ? journals.pageOfAny(record.id, part)
    : journals.page(viewer.account, record.id, part)
})

const depositSection = ({ depositChannel, fillOrKill, sourceAsset }: SwapStatus, now: EpochMillis): Html =>
  depositChannel === undefined
    ? section(
      { title: "Deposit", id: "deposit" },
      html`<p class="soft">This swap has no channel: the payer's own transaction carried it.</p>`,
    )
    : section(
      { title: "Deposit", id: "deposit" },
      kv([
        ["Address", copyable(depositChannel.depositAddress, "deposit address")],
        ["Memo", depositChannel.memo === undefined ? undefined : copyable(depositChannel.memo, "memo")],
        [
          "Exactly",
          depositChannel.exactAmount === undefined
            ? undefined
            : amount(sourceAsset, depositChannel.exactAmount),
        ],
        [
          depositChannel.isExpired ? "Expired" : "Expires",
          depositChannel.isExpired
            ? html`${time(depositChannel.estimatedExpiryTime, now)}`
            : time(depositChannel.estimatedExpiryTime, now),
        ],
        [
          "Refunds go to",
          fillOrKill === undefined ? undefined : copyable(fillOrKill.refundAddress, "refund address"),
        ],
      ]),
    )

/** How far what arrived is from what was quoted, in percent: `+0.12 %`. */
const difference = (bps: number): string => `${bps < 0 ? "−" : "+"}${(Math.abs(bps) / 100).toFixed(2)} %`

/** What became of the quote that the swap was opened by. */
const outcomeSection = (status: SwapStatus): Html => {
  const outcome = outcomeOf(status)
  if (outcome === undefined) return nothing
  const { bps, promised, quoted, received } = outcome
  return section(
    { title: "Outcome of the quote", id: "outcome" },
    kv([
      ["Quoted", amount(status.destinationAsset, quoted)],
      ["Promised at least", amount(status.destinationAsset, promised)],
      ["Received", amount(status.destinationAsset, received)],
      ["Compared with the quote", difference(bps)],
    ]),
  )
}

const idsSection = ({ record: { id, platform, status } }: AccountSwap): Html =>
  section(
    { title: "Ids", id: "ids" },
    kv([
      ["Ours", copyable(`${id}`, "id")],
      [
        `${platform}'s`,
        status.swapId === undefined ? "none yet" : copyable(status.swapId, "id of the upstream"),
      ],
      [
        "Channel",
        status.depositChannel === undefined ? undefined : code(formatChannelId(status.depositChannel.id)),
      ],
      [
        "Channel's name",
        status.depositChannel?.reference === undefined
          ? undefined
          : copyable(status.depositChannel.reference, "name of the channel"),
      ],
      ["Pays to", copyable(status.destinationAddress, "destination address")],
    ]),
  )

const moneySection = ({ record: { status } }: AccountSwap): Html => {
  const commissions = commissionsOf(status)
  return section({ title: "Fees", id: "fees" }, [
    status.fees.length === 0
      ? nothing
      : kv(status.fees.map((fee) => [fee.type, perhapsAbout(fee, fee.amount)] as const)),
    commissions.length === 0
      ? html`<p class="soft">No commission was charged so far: it is taken when the deposit is swapped.</p>`
      : table({
        caption: `Commission: ${askedBpsOf(status)} basis points were asked for`,
        columns: [["Asset", ({ asset }) => asset], ...figuresColumns],
        rows: commissions,
        empty: "",
      }),
  ])
}

/** What the latest entries of the journal say of why the swap does not go on. */
const detailsOf = (
  { stalledSince }: AccountSwap,
  latest: ReadonlyArray<JournalEntry>,
): ReadonlyArray<string> => {
  const contradiction = latest.find(({ note }) => note._tag === "Contradiction")?.note
  const stall = stalledSince === undefined
    ? undefined
    : latest.find(({ note }) => note._tag === "Stall")?.note
  return [contradiction, stall].flatMap((note) =>
    note === undefined || note._tag === "Change" ? [] : [note.detail]
  )
}

const show = Effect.fnUntraced(function* (asked: Asked<Viewer>) {
  const { now, viewer } = asked
  const isOperator = viewer._tag === "Operator"
  const swap = yield* swapFor(asked)
  const { account, createdAt, record: { id, platform, status } } = swap
  const journal = yield* journalFor(asked, swap)
  const standing = Option.getOrUndefined(yield* (yield* Overview).find(platform))
  const registered = standing?.registered
  const guidance = yield* (yield* Guide).swap(swap.record)
  const isDown = standing !== undefined && !isSettled(status) && healthOf(standing) === "down"
  const here = path`/dashboard/swaps/${id}`
  return {
    title: `Swap ${id}`,
    crumb: html`<a href="${path`/dashboard/swaps`}">Swaps</a>`,
    body: [
      html`<div class="cols even">${
        section({ title: "Where it stands", id: "state", live: true }, [
          note(isWrong(guidance.phase) ? "bad" : "info", { text: guidance.text }),
          ...detailsOf(swap, journal.items).map((detail) => note("bad", { text: html`${foreign(detail)}.` })),
          isDown
            ? note("bad", {
              text: html`<strong>${platform} is down.</strong> New is only what it tells when it is back.`,
            })
            : nothing,
          ...failuresOf(status).map(([of, failure]) =>
            note("bad", { text: html`<strong>${of} failed.</strong> ${failureText(failure)}.` })
          ),
          kv([
            ["State", html`${stateBadge(status)} ${stalledBadge(swap)}`],
            ["Pair", pair(status)],
            ["In", amountIn(status) ?? "not known yet"],
            ["Out", amountOut(status) ?? (isSettled(status) ? "nothing" : "not known yet")],
            ["Provider", platform],
            ["Account", isOperator ? account : undefined],
            ["Recorded", time(createdAt, now)],
          ]),
        ])
      }<div>${
        section(
          { title: "What can be done", id: "advice", live: true },
          html`<ul class="points">${
            guidance.whatYouCanDo.map((sentence) => html`<li>${sentence}</li>`)
          }</ul>`,
        )
      }${depositSection(status, nowOf(status, now))}</div></div>`,
      html`<div class="cols even">${
        section({ title: "Payments", id: "payments", live: true }, payments(status, now))
      }<div>${outcomeSection(status)}${idsSection(swap)}${moneySection(swap)}</div></div>`,
      section({ title: "What happened, the latest first", id: "journal" }, [
        journalTimeline({ swap: id, entries: journal.items, now, hasAnswers: isOperator }),
        pager({
          first: asked.query("entry") === undefined ? undefined : withFragment(here, "journal"),
          next: journal.next === undefined
            ? undefined
            : withFragment(withQuery(here, { entry: journal.next }), "journal"),
        }),
      ]),
      isOperator ? actsSection(swap, registered?.channels === true, journal.items, now) : nothing,
    ],
  }
})

/** The page of a swap: why it is where it is, what can be done, and everything that happened to it. */
export const swapPage = page({
  path: "/dashboard/swaps/:id",
  operator: show,
  integrator: show,
})
