import { Context, type Duration } from "effect"

/** How streams of events are kept open. */
export class EventSettings extends Context.Service<EventSettings, {
  /** After this long without an event a comment is sent. */
  readonly heartbeat: Duration.Duration
}>()("swap-broker/http/EventSettings") {}
