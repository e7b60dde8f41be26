import { Context, type Duration } from "effect"

/** Settings of the streams of events. */
export class EventSettings extends Context.Service<EventSettings, {
  /** The time between two comments that keep a stream open. */
  readonly heartbeat: Duration.Duration
}>()("swap-broker/http/EventSettings") {}
