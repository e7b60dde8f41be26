import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { get, type Options } from "./call.ts"
import { at, find, isList, isObject, type Json, listAt, numberAt, textAt } from "./Json.ts"

const states = ["waiting", "receiving", "swapping", "sending", "sent", "completed", "failed"]

/** The journal of a swap by the answer that opened it, or by its record. */
export const journalOf = (swap: Json, options: Options = {}) =>
  Effect.map(get(`/swaps/${numberAt(swap, "id")}/journal`, {}, options), (body) => listAt(body))

/** A channel without how to pay into it, which is told at present only. */
const withoutPayment = (channel: Json | undefined): Json | undefined => {
  if (!isObject(channel)) return channel
  const { payment: _, ...rest } = channel
  return rest
}

/** A status without dollars, of which journals have none. */
export const withoutValues = (json: Json): Json =>
  isList(json) ? json.map(withoutValues) : isObject(json)
    ? Object.fromEntries(
      Object.entries(json).filter(([name]) => !/valueUsd/i.test(name)).map((
        [name, value],
      ) => [name, withoutValues(value)]),
    )
    : json

/** What a status tells; when the upstream last looked is no part of that. */
const told = (status: Json | undefined): Json | undefined =>
  isObject(status)
    ? Object.fromEntries(
      Object.entries(status).filter(([name]) => !name.startsWith("lastStateChainUpdateAt"))
        .map(([name, value]) => [name, (name === "depositChannel" ? withoutPayment(value) : value) ?? null]),
    )
    : undefined

/** The kinds of entries, with the states that they brought. */
export const kindsIn = (journal: ReadonlyArray<Json>): ReadonlyArray<string> =>
  journal.map((entry) => `${textAt(entry, "kind")} ${textAt(entry, "status", "state")}`)

/**
 * For the end of a suite: the latest status in the journal of every swap of the account is the one that its record
 * has. What happens meanwhile is in both, or the journal is asked again.
 */
export const assertJournalsTell = Effect.gen(function* () {
  const query = [...states.map((state) => ["status", state] as const), ["limit", "500"] as const]
  const records = listAt(yield* get("/swaps", query))
  assert.isAbove(records.length, 0)
  for (const record of records) {
    const changes = (yield* journalOf(record)).filter(
      (entry) => !["contradicted", "stalled"].includes(textAt(entry, "kind")),
    )
    const seen = changes.map((entry) => JSON.stringify(told(find(entry, "status"))))
    assert.include(
      seen,
      JSON.stringify(told(withoutValues(at(record, "status")))),
      textAt(record, "status", "state"),
    )
  }
})
