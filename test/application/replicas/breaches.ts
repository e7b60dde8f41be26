import { Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { StatusJson, WholeNumber } from "#infrastructure/store/database/columns.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { tellTheSame } from "#application/swapping/following/Progress.ts"
import { replay } from "#test/support/replay.ts"
import type { Delivery } from "./Receiver.ts"

/** Something that must not be, in one sentence. */
export type Breach = string

const decodeSwaps = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
  status: StatusJson,
})))

/** Every swap is at its end, and its journal, replayed from nothing, gives what is stored. */
export const swapBreaches = Effect.fnUntraced(function* (expected: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  const journal = yield* JournalRepo
  const breaches: Array<Breach> = []
  const swaps = yield* decodeSwaps(yield* sql`SELECT id, status FROM swaps WHERE status IS NOT NULL`)
  const stored = new Set<number>(swaps.map(({ id }) => id))
  for (const id of expected) if (!stored.has(id)) breaches.push(`swap ${id} is gone`)
  for (const { id, status } of swaps) {
    if (status.state !== "completed") breaches.push(`swap ${id} is ${status.state}`)
    const replayed = replay(yield* journal.ofAny(id))
    if (Result.isFailure(replayed)) breaches.push(`the journal of swap ${id}: ${replayed.failure.detail}`)
    else if (!tellTheSame(replayed.success, status)) {
      breaches.push(`swap ${id} is not what its journal comes to`)
    }
  }
  return breaches
})

const OutboxRow = Schema.Struct({
  id: WholeNumber,
  swap_id: WholeNumber,
  type: SwapEventType,
  payload: Schema.String,
})
const decodeOutbox = Schema.decodeUnknownEffect(Schema.Array(OutboxRow))
type Written = typeof OutboxRow.Type

/** Everything that was written for the receiver, in order. */
export const writtenEvents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* decodeOutbox(yield* sql`SELECT id, swap_id, type, payload FROM outbox ORDER BY id`)
})

/** How far a swap is when it is told of; what may come at any time is not in it. */
const steps: Readonly<Partial<Record<SwapEventType, number>>> = {
  "swap.waiting": 0,
  "swap.receiving": 1,
  "swap.swapping": 2,
  "swap.sending": 3,
  "swap.sent": 3,
  "swap.completed": 4,
}

/** What was written tells of each swap from its beginning to its end, in order. */
export const storyBreaches = (written: ReadonlyArray<Written>): ReadonlyArray<Breach> => {
  const bySwap = Map.groupBy(written, ({ swap_id }) => swap_id)
  return [...bySwap].flatMap(([swap, events]) => {
    const story = events.flatMap(({ type }) => steps[type] ?? [])
    const types = events.map(({ type }) => type).join(", ")
    const isOrdered = story.every((step, index) => index === 0 || step >= (story[index - 1] ?? 0))
    const isWhole = story[0] === 0 && story.filter((step) => step === 4).length === 1
    return isOrdered && isWhole ? [] : [`swap ${swap} is told of as ${types}`]
  })
}

const firstOfEach = (deliveries: ReadonlyArray<Delivery>): ReadonlyMap<number, Delivery> =>
  new Map(deliveries.toReversed().map((delivery) => [delivery.id, delivery]))

/** Ids of the first delivery of each event, as they came, have to rise within each swap. */
const orderBreaches = (deliveries: ReadonlyArray<Delivery>): ReadonlyArray<Breach> => {
  const seen = new Set<number>()
  const last = new Map<number, number>()
  return deliveries.flatMap(({ id, swapId }) => {
    if (seen.has(id)) return []
    seen.add(id)
    const before = last.get(swapId) ?? 0
    last.set(swapId, Math.max(before, id))
    return id > before ? [] : [`event ${id} of swap ${swapId} came first after event ${before}`]
  })
}

/**
 * Every event is delivered at least once and in order for each swap, as it was written, however often. What stands
 * behind what was written are the words for its state.
 */
export const deliveryBreaches = (
  written: ReadonlyArray<Written>,
  deliveries: ReadonlyArray<Delivery>,
): ReadonlyArray<Breach> => {
  const delivered = firstOfEach(deliveries)
  const known = new Map(written.map((event) => [event.id, event]))
  const lost = written.filter(({ id }) => !delivered.has(id))
    .map(({ id, swap_id, type }) => `event ${id} (${type} of swap ${swap_id}) was not delivered`)
  const wrong = deliveries.flatMap(({ id, swapId, text, type }) => {
    const event = known.get(id)
    const isRight = event !== undefined && event.swap_id === swapId && event.type === type &&
      text.includes(event.payload.slice(0, -1)) && text === delivered.get(id)?.text
    return isRight ? [] : [`event ${id} (${type} of swap ${swapId}) is not what was written`]
  })
  return [...lost, ...wrong, ...orderBreaches(deliveries)]
}
