import { reach } from "#test/support/reach.ts"
import { assert } from "@effect/vitest"
import { words } from "#application/guidance/words/renderGuidance.ts"
import { linesOf } from "#application/guidance/words/sentences.ts"
import type { SwapPhase } from "#domain/swaps/Guidance.ts"
import { Effect } from "effect"
import { call } from "#test/contract/support/call.ts"
import { find, integerAt, type Json, listAt, objectAt, textAt } from "#test/contract/support/Json.ts"
import { pass, recordOf } from "#test/contract/support/swaps.ts"

/** The phase that a record is in. */
export const phaseIn = (record: Json): string => textAt(record, "guidance", "phase")

const patience = 300

/** Lets time pass in steps until a swap is in a phase; its record then. */
export const passUntilPhase = Effect.fnUntraced(function* (opened: Json, phase: string, step = 6) {
  const seen = new Set<string>()
  for (let steps = 0; steps < patience; steps++) {
    const record = yield* recordOf(opened)
    const now = phaseIn(record)
    if (now === phase) return record
    seen.add(now)
    yield* pass(step)
  }
  throw new Error(`The swap was never ${phase}, but ${[...seen].join(", ")}`)
})

/** Every text that the forms of this run had, by phase. */
const told = new Map<string, Json>()

/** That a record is in a phase, and what is said of it is of that phase: whole, with times in their order. */
export const assertForm = (record: Json, phase: SwapPhase): void => {
  const guidance = objectAt(record, "guidance")
  assert.strictEqual(guidance.phase, phase, JSON.stringify(record))
  const text = textAt(record, "guidance", "text")
  const constant = (linesOf(words[phase])[0] ?? "").split(/\{\w+\}/).map((part) => RegExp.escape(part))
  assert.match(text, new RegExp(`^${constant.join("[^]*")}$`))
  for (const sentence of [text, ...listAt(record, "guidance", "whatYouCanDo")]) {
    assert.notMatch(`${sentence}`, /undefined|NaN|\[object|\{|\}| {2}/)
  }
  const since = integerAt(guidance, "since")
  if (guidance.expectedBy !== undefined) assert.isAtLeast(integerAt(guidance, "expectedBy"), since)
  told.set(phase, guidance)
}

/** What the page of the payer says, in each phase that it was looked at in. */
const toldToPayers = new Map<string, string>()

/** Names of providers and words of our own trade, which no payer is told. */
const notForPayers =
  /chainflip|near|relay|thorchain|1click|provider|operator|account|channel|undefined|NaN|\[object/i

/**
 * Looks at the payer's page of a swap that is in a phase, once for each: it asks for a payment only where the swap waits
 * for one, and names nobody behind it.
 */
export const lookAsPayer = Effect.fnUntraced(function* (record: Json) {
  const phase = phaseIn(record)
  if (toldToPayers.has(phase)) return
  const link = yield* call("POST", `/swap/${integerAt(record, "id")}/pay-link`)
  const text = yield* Effect.promise(() => reach(textAt(link.body, "url")).then((answer) => answer.text()))
  // What is said of the phase, before the addresses and the steps; where the payment is asked for, it stands among these.
  const now = /<div id="pay"[\s\S]*?(?=<div id="receive")/.exec(text)?.[0] ?? assert.fail(text)
  const said = now.replaceAll(/<li>/g, "\n  - ").replaceAll(/<[^>]*>/g, " ").replaceAll(/[^\S\n]+/g, " ")
  assert.notMatch(said, notForPayers, phase)
  assert.strictEqual(text.includes('id="paying"'), /^waiting_for_(?:exact_)?deposit/.test(phase), phase)
  assert.strictEqual(
    /waiting for payment/i.test(said),
    /^waiting_for_(?:exact_)?deposit/.test(phase),
    phase,
  )
  toldToPayers.set(phase, said)
})

/** Prints the table of forms and texts where `GUIDANCE_TABLE` is set. */
export const printForms = Effect.sync(() => {
  if (Deno.env.get("GUIDANCE_TABLE") === undefined) return
  for (const [phase, guidance] of [...told].toSorted(([one], [other]) => one < other ? -1 : 1)) {
    console.log(`${phase}\n  ${textAt(guidance, "text")}`)
    for (const sentence of listAt(guidance, "whatYouCanDo")) console.log(`  - ${sentence}`)
    console.log(`  TO THE PAYER: ${toldToPayers.get(phase)?.trim()}`)
  }
  console.log(`${told.size} forms`)
})

/** A member of a record's status, as text. */
export const inStatus = (record: Json, ...path: ReadonlyArray<string>): string =>
  `${find(record, "status", ...path) ?? assert.fail(`No ${path.join(".")} in ${JSON.stringify(record)}`)}`
