import { Result } from "effect"
import type { ReplayBody } from "#api/WebhookBodies.ts"
import { issueAbout, type Issues } from "#domain/Issues.ts"
import { beforeAllEvents, SwapEventId } from "#domain/swaps/SwapEvent.ts"
import { firstMillis, lastMillis } from "#domain/Time.ts"
import type { EventRange } from "#infrastructure/store/webhooks/DeliveryListRepo.ts"

/** The range that a request asks for. An empty request is refused, so that nobody replays everything by mistake. */
export const rangeOf = (
  { eventId, fromEventId, since, toEventId, until, which = "all" }: typeof ReplayBody.Type,
): Result.Result<EventRange, Issues> => {
  const others = [fromEventId, toEventId, since, until].filter((one) => one !== undefined)
  if (eventId !== undefined && others.length > 0) {
    return Result.fail(issueAbout("eventId", "cannot be combined with a range"))
  }
  if (eventId === undefined && others.length === 0) {
    return Result.fail(issueAbout("eventId", "is required, or fromEventId, toEventId, since or until"))
  }
  return Result.succeed({
    ids: {
      from: eventId ?? fromEventId ?? beforeAllEvents,
      to: eventId ?? toEventId ?? SwapEventId.make(Number.MAX_SAFE_INTEGER),
    },
    times: { from: since ?? firstMillis, to: until ?? lastMillis },
    which,
  })
}
