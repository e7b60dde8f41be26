import { counted } from "#domain/figures.ts"
import type { RefusedAnswer } from "#domain/RefusedAnswer.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { WireRound } from "#domain/operations/WireRound.ts"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { folded, known, kv, section, table, untrusted, verbatim } from "../../pages/parts.tsx"
import { age, ago, moment } from "../../pages/values.tsx"
import type { ProviderStanding } from "#providers/Registry.ts"
import { operationList, operationTitle } from "./providerParts.tsx"

const bodyOf = ({ at, body, operation }: RefusedAnswer, index: number): Html | string => {
  if (body === undefined) return "not stored"
  const name = `Response to ${operation} at ${at}`
  return folded(
    `${body.length} characters`,
    <>
      {verbatim(body.text, name, body.text.length)}
      {body.text.length < body.length && <p>The rest was not stored.</p>}
    </>,
    `refusal-${index}`,
  )
}

/** The latest answers of a provider that were refused, where there are any: at which member, and the whole answer. */
export const refusalsOf = (refusals: ReadonlyArray<RefusedAnswer>, now: EpochMillis): Html =>
  refusals.length === 0 ? nothing : section(
    { title: "Rejected responses", id: "refusals" },
    table({
      caption: "Rejected responses, the newest of each operation",
      columns: [
        ["When", ({ at }) => age(at, now)],
        ["Operation", ({ operation }) => operationTitle(operation)],
        ["Call", ({ call }) => untrusted(call ?? "–")],
        ["Member", ({ path }) => untrusted(path)],
        ["Expected", ({ expected }) => untrusted(expected ?? "–")],
        ["Received", ({ came }) => untrusted(came)],
        ["Response", bodyOf],
      ],
      rows: refusals,
      empty: "",
    }),
  )

const stepsOf = ({ steps }: WireRound): string =>
  steps.map(({ answered, asked, operation }) => `${operationList([operation])} ${answered} of ${asked}`).join(
    ", ",
  )

/** How responses of a provider differed from its API, where they did. */
export const changesOf = ({ drift = [] }: Partial<WireRound> = {}): Html =>
  drift.length === 0 ? nothing : section(
    { title: "API response changes", id: "drift" },
    table({
      caption: "API response changes",
      columns: [
        ["Operation", ({ operation }) => operationTitle(operation)],
        ["Call", ({ call }) => untrusted(call ?? "–")],
        ["Member", ({ member }) => untrusted(member ?? "–")],
        ["Expected", ({ expected }) => untrusted(expected ?? "–")],
        ["Received", ({ came }) => untrusted(came)],
        ["Example", ({ about }) => about],
      ],
      rows: drift,
      empty: "",
    }),
  )

/** What a provider has announced of the end of its endpoints, where it has. */
export const endingsOf = ({ endings }: ProviderStanding, now: EpochMillis): Html =>
  endings.length === 0 ? nothing : section(
    { title: "Ending endpoints", id: "endings", live: true },
    table({
      caption: "Ending endpoints, with what the provider says about them",
      columns: [
        ["Endpoint", ({ endpoint }) => untrusted(endpoint)],
        ["Used for", ({ operations }) => operationList(operations)],
        ["Deprecated", ({ deprecatedAt }) => known(deprecatedAt, moment)],
        ["Ends", ({ retiredAt, sunsetAt }) => retiredAt === undefined ? known(sunsetAt, moment) : "retired"],
        ["Announced", ({ lastSeenAt }) => age(lastSeenAt, now)],
        [
          "Provider says",
          ({ references, unreadable }) =>
            untrusted(
              [
                ...references.map(({ rel, url }) => `${rel}: ${url}`),
                ...unreadable.map(({ header, text }) => `${header} cannot be read: ${text}`),
              ].join("; ") || "–",
            ),
        ],
      ],
      rows: endings,
      empty: "",
    }),
  )

/** What the witness of a provider's wire found in its last round. */
export const roundOf = (round: WireRound | undefined, now: EpochMillis): Html =>
  round === undefined ? <p class="soft">No API check has run yet.</p> : kv([
    ["Last check", ago(round.endedAt, now)],
    ["Responses compared", `${round.exchanges}`],
    ["Pairs quoted", `${round.pairsAsked} of ${round.pairsListed}, the others next`],
    ["Answered", stepsOf(round)],
    ["Result", round.drift.length === 0 ? "all responses match" : counted(round.drift.length, "change")],
  ])
