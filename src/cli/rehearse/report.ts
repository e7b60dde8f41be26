import type { ProviderName } from "#domain/ProviderName.ts"
import { type Columns, table, together } from "../output.ts"
import type { CheckDifference } from "#providers/witness/CheckDifference.ts"
import type { Coverage, Rehearsal, Step } from "./rehearsal.ts"

const steps: Columns<Step> = [
  "provider",
  "operation",
  "asked",
  "answered",
  ["not offered", "refused"],
  "failed",
]

const differences: Columns<CheckDifference> = [
  ["result", ({ fits }) => fits ? "notice" : "DOES NOT FIT"],
  ["provider, operation", ({ operation, provider }) => together(provider, operation)],
  "call",
  "path",
  "expected",
  "found",
  ["times, about", ({ about, times }) => together(`${times}`, about)],
]

/** How many members of an answer are named to people; `--json` names all. */
const mostNamed = 6

const memberOf = ({ found, kind, path }: CheckDifference): string =>
  kind === "absent" ? `${path} (${found})` : `${path}`

/** The members of each call in one line: nobody needs a line for each. */
const linesOf = (heading: string, all: ReadonlyArray<CheckDifference>): ReadonlyArray<string> => {
  if (all.length === 0) return []
  const lines = [...Map.groupBy(all, ({ call, provider }) => `${provider}, ${call}`)].map(
    ([where, members]) => {
      const named = members.slice(0, mostNamed).map(memberOf).join(", ")
      const rest = members.length - mostNamed
      return `  ${where}: ${named}${rest > 0 ? `, and ${rest} more (--json)` : ""}`
    },
  )
  return [[heading, ...lines].join("\n")]
}

const coverageLine = ({ pairsAsked, pairsListed, provider }: Coverage): string =>
  `${provider}: quotes of ${pairsAsked} of ${pairsListed} pairs`

const verdict = ({ differences }: Rehearsal): string => {
  const misfits = differences.filter(({ fits }) => !fits)
  const providers = new Set<ProviderName>(misfits.map(({ provider }) => provider))
  return misfits.length === 0
    ? "Everything fits. Nothing was opened."
    : `${misfits.length} do not fit, of ${[...providers].join(", ")}. Nothing was opened.`
}

/** The outcome for people. */
export const report = (rehearsal: Rehearsal): string => {
  const ofKind = Map.groupBy(
    rehearsal.differences,
    ({ kind }) => kind === "absent" || kind === "unread" ? kind : "told",
  )
  const told = ofKind.get("told") ?? []
  return [
    table(steps, rehearsal.steps),
    rehearsal.coverage.map(coverageLine).join("\n"),
    ...(told.length === 0 ? [] : [table(differences, told)]),
    ...linesOf("Optional members that were absent:", ofKind.get("absent") ?? []),
    ...linesOf("Members that are not used:", ofKind.get("unread") ?? []),
    verdict(rehearsal),
  ].join("\n\n")
}
