import { Effect, identity } from "effect"
import type { Server } from "#interfaces/http/server/Server.ts"
import type { Answer } from "#test/contract/support/call.ts"
import { type Change, changesOf, type Kind, type Possible, type Share } from "./changes.ts"
import { failureOf, othersIn } from "./judge.ts"
import { writeJson } from "./json.ts"
import type { Json } from "#test/contract/support/Json.ts"
import type { Operation } from "./operations.ts"
import { later } from "./later.ts"
import { type Meanwhile, Middleman } from "./Middleman.ts"

/**
 * Longer than the service leaves a swap or an upstream alone that it could not make sense of, and than an account's part
 * of what an upstream allows in a minute is spent.
 */
const restMillis = 61_000

/** What a client was answered, and what is wrong with that. */
export interface Seen {
  readonly answers: ReadonlyArray<Answer>
  readonly faults: ReadonlyArray<string>
}

/** Requests of a client while the answers of one operation are changed. */
export interface Scene {
  readonly provider: "chainflip" | "near-intents" | "relay" | "thorchain" | "maya"
  readonly name: string
  readonly operation: Operation
  /** What the upstream is trusted with: the node of the operator says which address it opened. */
  readonly mayName?: boolean
  /** 1Click's own key signs what was changed. */
  readonly signs?: boolean
  /** What the upstream says in place of the truth, before it is changed; the truth by default. */
  readonly standIn?: (truth: Json, asked: string) => Json
  /** What another operation says all the while. */
  readonly meanwhile?: Meanwhile
  /** Done before each change, while nobody tampers. */
  readonly prepare?: Effect.Effect<unknown, never, Server | Middleman>
  /** What is wrong in the end, when nobody tampers any more. */
  readonly afterwards?: Effect.Effect<ReadonlyArray<string>, never, Server | Middleman>
  /** Answers of the operation about something else. */
  readonly others?: ReadonlyArray<Json>
  /** Quick enough for every change. */
  readonly isWhole?: boolean
  /** What is too slow to ask of every change in the suite: how many are left out after each. */
  readonly everyNth?: number
  /** Asks as a client; `turn` counts the changes. */
  readonly ask: (turn: number) => Effect.Effect<Seen, never, Server | Middleman>
}

/** What came of the changes of a scene: answers that were changed, by the kind of change. */
export interface Tally {
  readonly scene: Scene
  /** How many changes there are, of which the suite makes some. */
  readonly possible: number
  readonly counts: Readonly<Record<Kind, number>>
  /** Changes of answers that nobody asked for. */
  readonly unmet: number
  readonly refused: number
  readonly faults: ReadonlyArray<string>
}

/** Of each member. */
const wholeShare: Share = { other: 12, hostile: 4 }
const suiteShare: Share = { other: 2, hostile: 1 }

const excerpt = (value: Json | undefined): string =>
  value === undefined ? "absent" : writeJson(value).slice(0, 120)

const describe = ({ name, operation }: Scene, { kind, path, value }: Change, fault: string): string =>
  `${name}: ${operation.name} ${path.join(".")} ${kind} ${excerpt(value)}: ${fault.slice(0, 600)}`

/** Whatever breaks on our side while it is asked is a fault, too. */
const asked = (scene: Scene, turn: number): Effect.Effect<Seen, never, Server | Middleman> =>
  Effect.catchDefect(
    scene.ask(turn),
    (defect) => Effect.succeed({ answers: [], faults: [`${defect}`] }),
  )

/** The changes of a scene's answer, and how an answer to one of them has to be like the answer to the truth. */
export interface Script {
  readonly changes: (scene: Scene, told: Json) => ReadonlyArray<Possible>
  /** What is wrong with answers after a change, held against those before. */
  readonly compare?: (untouched: Seen, changed: Seen) => ReadonlyArray<string>
}

/** Every member changed to something that is not true. */
export const lies = (isWhole: boolean): Script => ({
  changes: (scene, told) => {
    const share = isWhole || scene.isWhole === true ? wholeShare : suiteShare
    return changesOf(scene.operation, told, scene.others ?? [], share)
  },
})

/** Asks once as it is and then once for each change of what the upstream answered. */
export const play = Effect.fnUntraced(function* (scene: Scene, script: Script, isWhole: boolean) {
  const middleman = yield* Middleman
  const { meanwhile, operation, prepare = Effect.void, standIn = identity } = scene
  const signs = scene.signs === true
  later.pass(restMillis)
  yield* prepare
  middleman.tamper({ operation, standIn, meanwhile, signs, change: undefined })
  const untouched = yield* asked(scene, 0)
  middleman.tamper(undefined)
  const told = middleman.last(operation)
  const faults = untouched.faults.map((fault) => `${scene.name}: untouched: ${fault}`)
  if (told === undefined) {
    return yield* Effect.die(new Error(`${scene.name}: ${operation.name} was not asked`))
  }
  const counts: Record<Kind, number> = { other: 0, hostile: 0, absent: 0, kind: 0 }
  let unmet = 0
  let refused = 0
  const all = script.changes(scene, told)
  const nth = isWhole ? 1 : scene.everyNth ?? 1
  for (const [turn, possible] of all.filter((_, index) => index % nth === 0).entries()) {
    const change = possible()
    if (change === undefined) continue
    later.pass(restMillis)
    yield* prepare
    middleman.tamper({ operation, standIn, meanwhile, signs, change })
    const seen = yield* asked(scene, turn)
    if (middleman.hits() === 0) unmet += 1
    else counts[change.kind] += 1
    middleman.tamper(undefined)
    if (seen.answers.some(({ status }) => status >= 400)) refused += 1
    const shown = scene.mayName === true
      ? []
      : seen.answers.flatMap(({ body }) => othersIn(body, change.value))
    const other = script.compare?.(untouched, seen) ?? []
    for (const fault of [...seen.faults, ...seen.answers.flatMap(failureOf), ...shown, ...other]) {
      faults.push(describe(scene, change, fault))
    }
  }
  later.pass(restMillis)
  for (const fault of yield* scene.afterwards ?? Effect.succeed([])) {
    faults.push(`${scene.name}: afterwards: ${fault}`)
  }
  return { scene, possible: all.length, counts, unmet, refused, faults } satisfies Tally
})
