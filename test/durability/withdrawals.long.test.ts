import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Fiber, Random } from "effect"
import { advance } from "#test/sandbox/support.ts"
import { type Environment, type RunningService, startService } from "#test/support/process.ts"
import { preparedFolder } from "#test/support/prepared/database.ts"
import { nameAffiliate, orderOnce, withdrawalIn, withdrawals, type WithdrawalTold } from "./client.ts"
import { type Earners, type Earning, paymentsOf, startEarners } from "./earnings.ts"
import { eventually } from "./eventually.ts"
import { type OrderGate, startOrderGate, Treatment } from "./OrderGate.ts"
import { onServer, servers } from "./places.ts"

/** Draws the moments of the kills. */
const seed = "withdrawals"

/**
 * When a service is killed that was asked for a withdrawal: a little after that, when the order is at the gate, when the
 * gate has treated it, and another time when the service that was started next looks the order up.
 */
const moments = ["on its way", "at the gate", "treated", "looked up"] as const
type Moment = typeof moments[number]

interface Point {
  readonly treatment: Treatment
  readonly moment: Moment
}

const points: ReadonlyArray<Point> = Treatment.flatMap((treatment) =>
  moments.map((moment) => ({ treatment, moment }))
)

/** In the suite: each treatment is met by one order of two, and each moment by one. */
const some: ReadonlyArray<Point> = [
  { treatment: "swallow", moment: "at the gate" },
  { treatment: "withhold", moment: "looked up" },
  { treatment: "halve", moment: "treated" },
]

const chosen = Deno.env.get("KILLS") === "all" ? points : some

/** Longer than a transaction of the broker's may take to get into a block. */
const mortalSeconds = 1_000

/** An order of the test: what it is of, and its key. */
interface Order {
  readonly earning: Earning
  readonly key: string
}

const countOf = (all: ReadonlyArray<string>, { subject }: Earning): number =>
  all.filter((one) => one === subject).length

const isOf = ({ subject, withdrawn }: Earning) => ({ affiliate, asset }: WithdrawalTold): boolean =>
  "asset" in withdrawn ? affiliate === undefined && asset === withdrawn.asset : affiliate === subject

const isOpen = ({ state }: WithdrawalTold): boolean => state === "requested" || state === "unknown"

/** Nothing more becomes known of it. */
const isSettled = ({ state }: WithdrawalTold): boolean => state === "sent" || state === "failed"

const kill = (service: RunningService) => Effect.andThen(service.kill("SIGKILL"), service.ended)

const ask = (service: RunningService, { earning, key }: Order) => orderOnce(service, key, earning.withdrawn)

/** Starts a service again, and kills it while it looks an order up, if it has to. */
const killAtLookUp = Effect.fnUntraced(function* (settings: Environment, gate: OrderGate, order: Order) {
  const service = yield* startService(settings)
  const before = gate.lookUps()
  // A client that repeats its request sees that there is an order, and never makes another.
  assert.strictEqual((yield* ask(service, order)).status, 202)
  yield* eventually(
    Effect.all({ lookUps: Effect.sync(gate.lookUps), told: withdrawals(service) }),
    ({ lookUps, told }) => lookUps > before || !told.filter(isOf(order.earning)).some(isOpen),
  )
  yield* kill(service)
}, Effect.scoped)

/** Starts a service, asks it for a withdrawal, and kills it at this point. */
const killAt = Effect.fnUntraced(
  function* (settings: Environment, gate: OrderGate, { moment, treatment }: Point, order: Order) {
    const treated = gate.treat(order.earning.subject, treatment)
    yield* Effect.scoped(Effect.gen(function* () {
      const service = yield* startService(settings)
      const asking = yield* Effect.forkChild(Effect.result(ask(service, order)))
      if (moment === "on its way") yield* Effect.sleep(yield* Random.nextIntBetween(0, 400))
      else yield* moment === "treated" ? treated.treated : treated.arrived
      if (moment === "treated") yield* Effect.sleep(yield* Random.nextIntBetween(0, 40))
      yield* kill(service)
      yield* Fiber.join(asking)
    }))
    if (moment === "looked up") yield* killAtLookUp(settings, gate, order)
    yield* treated.release
  },
)

/** Names the affiliates, so that their shares can be withdrawn. */
const nameAll = (settings: Environment, { earnings }: Earners) =>
  Effect.scoped(Effect.gen(function* () {
    const service = yield* startService(settings)
    for (const { account, withdrawn } of earnings) {
      if (account === undefined || !("affiliate" in withdrawn)) continue
      yield* nameAffiliate(service, withdrawn.affiliate, account)
    }
    yield* service.kill("SIGTERM")
    yield* service.ended
  }))

/** Every payment of the records is one of the network's, with its figures. */
const assertPaid = Effect.fnUntraced(function* ({ client }: Earners, told: ReadonlyArray<WithdrawalTold>) {
  const payments = yield* paymentsOf(client)
  assert.strictEqual(payments.size, told.length)
  for (const { amountNative = "0", feeNative = "0", reference = "none" } of told) {
    assert.strictEqual(BigInt(amountNative) + BigInt(feeNative), payments.get(reference), reference)
  }
})

describe("Withdrawals of a service that is killed again and again", () => {
  it.live(
    `are each ordered once, whatever becomes of the order or its answer, at ${chosen.length} kills`,
    () =>
      Effect.gen(function* () {
        const earners = yield* startEarners
        const gate = yield* startOrderGate(earners.client.url)
        const settings = { DATA_DIR: yield* preparedFolder, SANDBOX_URL: gate.url.origin }
        yield* nameAll(settings, earners)
        const orders = chosen.flatMap((point, index) => {
          const earning = earners.earnings[index]
          return earning === undefined ? [] : [{ point, earning, key: crypto.randomUUID() }]
        })
        assert.lengthOf(orders, chosen.length)
        for (const { point, ...order } of orders) {
          yield* killAt(settings, gate, point, order)
          assert.isAtMost(countOf(gate.orders(), order.earning), 1)
          // So that a second order would find something to take.
          yield* earners.earnAgain
        }

        gate.behave()
        // Whatever is not in a block by now will never be.
        yield* advance(earners.client, mortalSeconds)
        const service = yield* startService(settings)
        const settled = yield* eventually(withdrawals(service), (told) => told.every(isSettled))
        const sent = gate.orders()
        const ordered = yield* earners.ordered
        for (const { earning, point } of orders) {
          const found = settled.filter(isOf(earning))
          assert.isAtMost(found.length, 1)
          const name = `${point.treatment}, ${point.moment}: ${found[0]?.state} ${found[0]?.detail}`
          assert.isAtMost(countOf(sent, earning), 1, name)
          assert.strictEqual(countOf(ordered, earning), found[0]?.state === "sent" ? 1 : 0, name)
          if (found[0]?.state === "failed") assert.strictEqual(found[0].detail, "Nothing was ordered", name)
        }
        yield* assertPaid(earners, settled.filter(({ state }) => state === "sent"))

        // Asked for again under their keys: only what was never ordered is ordered now.
        const told = yield* Effect.forEach(
          orders,
          (order) => Effect.flatMap(ask(service, order), withdrawalIn),
        )
        assert.isFalse(told.some(isOpen), JSON.stringify(told))
        const orderedNow = yield* earners.ordered
        for (const { earning } of orders) {
          assert.strictEqual(countOf(orderedNow, earning), 1, earning.subject)
          const isNew = countOf(ordered, earning) === 0
          assert.strictEqual(countOf(gate.orders(), earning), countOf(sent, earning) + (isNew ? 1 : 0))
        }
        assert.lengthOf(orderedNow, orders.length)
        yield* assertPaid(earners, yield* withdrawals(service))
      }).pipe(Random.withSeed(seed)),
  )
})

const keyCount = 11
const requestCount = 40

describe.each(servers)("Two replicas over one Postgres server", (url) => {
  it.live(
    "send each order once, whichever of them is asked for it, and how often",
    function* () {
      const earners = yield* startEarners
      const gate = yield* startOrderGate(earners.client.url)
      const settings = {
        ...(yield* onServer(url)),
        SANDBOX_URL: gate.url.origin,
        // As many at once as the test sends.
        TREASURY_BULKHEAD: `${requestCount}`,
      }
      yield* nameAll(settings, earners)
      const replicas = [yield* startService(settings), yield* startService(settings)]
      const requestsOf = (orders: ReadonlyArray<Order>) =>
        Effect.forEach(
          Array.from({ length: requestCount }, (_, index) => index),
          (index) =>
            Effect.gen(function* () {
              const order = orders[index % orders.length]
              const replica = replicas[index % replicas.length]
              if (order === undefined || replica === undefined) return assert.fail("There is none")
              return { order, answer: yield* ask(replica, order) }
            }),
          { concurrency: "unbounded" },
        )

      const orders = earners.earnings.slice(0, keyCount).map((earning) => ({
        earning,
        key: crypto.randomUUID(),
      }))
      for (const { answer } of yield* requestsOf(orders)) {
        assert.strictEqual(answer.status, 202, answer.text)
      }
      for (const { earning } of orders) assert.strictEqual(countOf(gate.orders(), earning), 1)
      assert.lengthOf(yield* earners.ordered, keyCount)

      // Eleven keys for one and the same.
      const [rival] = earners.earnings.slice(keyCount)
      if (rival === undefined) return assert.fail("There is nothing else to withdraw")
      const rivals = Array.from({ length: keyCount }, () => ({ earning: rival, key: crypto.randomUUID() }))
      const answers = yield* requestsOf(rivals)
      const won = answers.filter(({ answer }) => answer.status === 202)
      assert.lengthOf(new Set(won.map(({ order }) => order.key)), 1)
      assert.strictEqual(countOf(gate.orders(), rival), 1)
      assert.lengthOf(yield* earners.ordered, keyCount + 1)
      yield* assertPaid(
        earners,
        yield* eventually(
          Effect.flatMap(
            Effect.succeed(replicas[0]),
            (replica) => replica === undefined ? Effect.succeed([]) : withdrawals(replica),
          ),
          (told) => told.length === keyCount + 1 && told.every(({ state }) => state === "sent"),
        ),
      )
    },
  )
})
