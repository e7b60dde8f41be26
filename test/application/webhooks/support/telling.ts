import { Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { inTransaction } from "#infrastructure/store/database/inTransaction.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { Guide } from "#application/guidance/Guide.ts"
import { Contacts } from "#providers/Registry.ts"
import { Deliveries } from "#application/webhooks/Deliveries.ts"
import { Dispatcher } from "#application/webhooks/Dispatcher.ts"
import { type Posted, Poster, type Posting } from "#application/webhooks/Poster.ts"
import { SecretBox } from "#application/webhooks/SecretBox.ts"
import { Webhooks } from "#application/webhooks/Webhooks.ts"
import { newAccount } from "#test/support/store.ts"
import { openingRequest, statusIn } from "#test/support/swap.ts"
import { scriptedProviders } from "#test/support/swapping.ts"

/** What a message says. */
export const told = ({ headers, body }: Posting) => ({
  id: headers["webhook-id"],
  type: /"type":"([^"]+)"/.exec(body)?.[1],
})

type Answer =
  & Pick<Posted, "status" | "failure" | "retryAfterSeconds">
  & Partial<Pick<Posted, "durationMillis">>

/** Endpoints that answer as a test says, and remember what they were told. */
export const makeReceivers = () => {
  const posted: Array<Posting> = []
  const answers = new Map<string, Effect.Effect<Answer>>()
  const post = Effect.fnUntraced(function* (posting: Posting) {
    posted.push(posting)
    const at = yield* currentMillis
    const answer = yield* answers.get(posting.url) ?? Effect.succeed({ status: 200 })
    return { at, durationMillis: 1, ...answer }
  })
  /** What an endpoint was told since this was asked last. */
  const taken = (url: string) => {
    const own = posted.filter((posting) => posting.url === url)
    posted.splice(0, posted.length, ...posted.filter((posting) => posting.url !== url))
    return own
  }
  return {
    layer: Layer.succeed(Poster, { post, check: () => Effect.void }),
    answer: (url: string, answer: Answer | Effect.Effect<Answer>) =>
      Effect.sync(() => void answers.set(url, Effect.isEffect(answer) ? answer : Effect.succeed(answer))),
    taken,
    /** The types of that. */
    typesTold: (url: string) => taken(url).map((posting) => told(posting).type),
  }
}

let count = 0

/** An account of its own with an endpoint, and swaps that things happen to. */
export const begin = Effect.gen(function* () {
  yield* scriptedProviders
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* OutboxRepo
  const account = yield* newAccount
  const url = `https://receiver-${++count}.example/x`
  const aSwap = Effect.map(
    Effect.flatMap(Swaps, (swaps) => swaps.open(account, openingRequest())),
    ({ id, platform }) => ({ id, platform, status: statusIn("receiving") }),
  )
  type Record = Effect.Success<typeof aSwap>
  return {
    account,
    url,
    aSwap,
    webhooks: yield* Webhooks,
    deliveries: yield* Deliveries,
    dispatcher: yield* Dispatcher,
    actor: { type: "cli" } as const,
    happen: (record: Record, ...events: ReadonlyArray<SwapEventType>) =>
      Effect.flatMap(currentMillis, (at) =>
        inTransaction(sql, "test")(
          outbox.add({ accountId: account.id, record, at: EpochMillis.make(at), events }),
        )),
  }
})

const guide = Layer.provide(
  Guide.layerOfRecords,
  Layer.succeed(Contacts, { operator: { name: "The operator" }, providers: new Map() }),
)

const boxes = SecretBox.layer(Option.none())

/** Deliveries under way to one endpoint at most. */
export const endpointConcurrency = 4

/** Deliveries under way in one process at most. */
export const concurrency = 16

/** Webhooks, their deliveries and a dispatcher at rest, over these endpoints. */
export const webhooksTo = (receivers: ReturnType<typeof makeReceivers>) =>
  Layer.mergeAll(
    Deliveries.layer.pipe(
      Layer.provideMerge(Webhooks.layer({ mode: "live", privateDestinations: [], most: 3 })),
    ),
    Dispatcher.layer({ concurrency, accountShare: 0.5, endpointConcurrency, timeout: Duration.seconds(10) }),
  ).pipe(Layer.provide([receivers.layer, boxes, guide]))

/** Makes deliveries of all events that there are. */
export const fanOutAll = Effect.gen(function* () {
  const { fanOut } = yield* Dispatcher
  while ((yield* fanOut) > 0) continue
})

/** Attempts what is due at present: how many deliveries that were. */
const deliverDue = Effect.gen(function* () {
  const { claim, run } = yield* Dispatcher
  const due = yield* claim(16)
  yield* Effect.forEach(due, run, { concurrency: "unbounded", discard: true })
  return due.length
})

/** Delivers until nothing is due. */
export const settle = Effect.gen(function* () {
  yield* fanOutAll
  while ((yield* deliverDue) > 0) continue
})
