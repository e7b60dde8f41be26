import { EpochMillis } from "../../domain/Time.ts"
import type { EventQueue } from "./EventQueue.ts"

/** A simulated world: the time that it has come to, and what is going to happen in it. */
interface Timeline<A> {
  time: EpochMillis
  readonly events: EventQueue<A>
}

/**
 * Lets everything happen that falls due up to a time, each thing at its own moment. In one step or in many,
 * the outcome is the same. Time never runs backwards: an earlier time does nothing.
 */
export const passTime = <A>(world: Timeline<A>, to: EpochMillis, occur: (event: A) => void): void => {
  for (;;) {
    const due = world.events.takeDue(to)
    if (due === undefined) break
    world.time = EpochMillis.make(due.time)
    occur(due.value)
  }
  if (to > world.time) world.time = to
}
