import { EpochMillis } from "#domain/Time.ts"

/** The time at which an event falls due, and its place among events of the same time. */
interface Due<A> {
  readonly time: number
  readonly phase: number
  readonly sequence: number
  readonly value: A
}

const isBefore = <A>(one: Due<A>, other: Due<A>): boolean =>
  one.time !== other.time
    ? one.time < other.time
    : one.phase !== other.phase
    ? one.phase < other.phase
    : one.sequence < other.sequence

/** Future events in a binary heap: by time, then phase, then order of adding, so that nothing depends on chance. */
export class EventQueue<A> {
  readonly #heap: Array<Due<A>> = []
  #added = 0

  add(time: number, phase: number, value: A): void {
    const due = { time, phase, sequence: this.#added++, value }
    let hole = this.#heap.push(due) - 1
    while (hole > 0) {
      const parentAt = (hole - 1) >> 1
      const parent = this.#heap[parentAt]
      if (parent === undefined || !isBefore(due, parent)) break
      this.#heap[hole] = parent
      hole = parentAt
    }
    this.#heap[hole] = due
  }

  /** Takes the first event that is due at `until` or before; undefined if there is none. */
  takeDue(until: number): { readonly time: number; readonly value: A } | undefined {
    const first = this.#heap[0]
    if (first === undefined || first.time > until) return undefined
    const last = this.#heap.pop()
    if (last !== undefined && last !== first) this.#sink(last)
    return first
  }

  /** Puts an event into the free place at the top and lets it sink to its own. */
  #sink(due: Due<A>): void {
    let hole = 0
    for (;;) {
      const left = 2 * hole + 1
      const one = this.#heap[left]
      const other = this.#heap[left + 1]
      if (one === undefined) break
      const [child, childAt] = other !== undefined && isBefore(other, one) ? [other, left + 1] : [one, left]
      if (isBefore(due, child)) break
      this.#heap[hole] = child
      hole = childAt
    }
    this.#heap[hole] = due
  }
}

/** A simulated world: its present time, and what is to happen in it. */
export interface Timeline<Phase extends string> {
  time: EpochMillis
  readonly events: EventQueue<() => void>
  /** The kinds of events, in the order in which those of the same moment happen. */
  readonly phases: ReadonlyArray<Phase>
}

export const scheduleAt = <Phase extends string>(
  { events, phases }: Timeline<Phase>,
  time: number,
  phase: NoInfer<Phase>,
  happen: () => void,
): void => events.add(time, phases.indexOf(phase), happen)

/** Events up to a time happen, each at its own moment; one step or many are the same. An earlier time does nothing. */
export const passTime = (world: Pick<Timeline<string>, "time" | "events">, to: EpochMillis): void => {
  for (;;) {
    const due = world.events.takeDue(to)
    if (due === undefined) break
    world.time = EpochMillis.make(due.time)
    due.value()
  }
  if (to > world.time) world.time = to
}
