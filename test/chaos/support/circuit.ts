import { assert } from "@effect/vitest"
import { Array, Effect } from "effect"
import { askQuotes } from "./quotes.ts"
import type { Gate } from "./Gate.ts"

/** More requests than any circuit takes to open. */
const patience = 60

/** Asks for quotes until the provider behind the gate is not asked any more; every answer on the way. */
export const askUntilOpen = Effect.fnUntraced(function* (gate: Pick<Gate, "attempts">) {
  const answers = []
  for (let requests = 0; requests < patience; requests += 4) {
    const before = gate.attempts()
    answers.push(...yield* Effect.all(Array.replicate(askQuotes, 4), { concurrency: 4 }))
    if (gate.attempts() === before) return answers
  }
  return assert.fail(`The circuit is still closed after ${patience} requests`)
})
