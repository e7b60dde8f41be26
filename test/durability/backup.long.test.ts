import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { temporaryFolder } from "#test/support/folder.ts"
import { cliProcess, type Environment, type RunningService, startService } from "#test/support/process.ts"
import { byId, openByGet, type Opened } from "./client.ts"
import { plans } from "./swaps.ts"

/** Requests a second; `deno task backups` asks for more. */
const rate = Number(Deno.env.get("BACKUP_RATE") ?? "25")

/** A folder that is filled already, for a database of the size that is meant. */
const filled = Deno.env.get("BACKUP_OF")

/** One of so many requests opens a channel; the others ask for quotes. */
const oneIn = 5

/** How long requests come before the backup begins, and after it. */
const around = Duration.seconds(rate > 100 ? 15 : 3)

/** The channels that are there before the backup begins, at least. */
const fewest = 5

/** A busy machine is late, and refuses nothing for that. */
const patient = {
  QUOTE_BULKHEAD: "5000",
  OPEN_BULKHEAD: "1000",
  BULKHEAD_WAIT: "1 minute",
  QUOTE_TIMEOUT: "1 minute",
  QUOTE_DEADLINE: "1 minute",
}

interface Acknowledged extends Opened {
  readonly at: number
}

/** What came of the requests: how long each took, when it was sent, and every channel that was answered. */
interface Record {
  readonly took: Array<{ readonly at: number; readonly millis: number }>
  readonly opened: Array<Acknowledged>
  readonly failed: Array<unknown>
}

const quote = async ({ apiKey, url }: RunningService) => {
  const query = "sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.25"
  const answer = await fetch(new URL(`/quotes?${query}`, url), { headers: { "x-api-key": apiKey } })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
}

const ask = (service: RunningService, record: Record, turn: number) =>
  Effect.gen(function* () {
    const at = performance.now()
    if (turn % oneIn === 0) {
      const { parameters } = plans[(turn / oneIn) % plans.length] ?? plans[0]
      const opened = yield* openByGet(service, parameters)
      record.opened.push({ ...opened, at: performance.now() })
    } else {
      yield* Effect.tryPromise(() => quote(service))
    }
    record.took.push({ at, millis: performance.now() - at })
  }).pipe(Effect.catch((error) => Effect.sync(() => record.failed.push(error))))

/**
 * Sends requests at the rate until it is over, with a second's worth of them under way at the most, so that a busy
 * machine is not asked for what it never catches up with; then waits for those under way.
 */
const load = (service: RunningService, record: Record, isOver: () => boolean) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const fibers = new Set<Fiber.Fiber<unknown>>()
    for (let turn = 0; !isOver(); turn++) {
      for (const fiber of fibers) if (fiber.pollUnsafe() !== undefined) fibers.delete(fiber)
      if (fibers.size < rate) fibers.add(yield* Effect.forkChild(ask(service, record, turn)))
      yield* Effect.sleep(Math.max(0, begun + (turn + 1) * 1_000 / rate - performance.now()))
    }
    yield* Effect.forEach(fibers, Fiber.await, { discard: true })
  })

const ran = (environment: Environment, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const process = yield* cliProcess(environment, args)
    const { code } = yield* process.ended
    assert.strictEqual(code, 0, process.output())
  })

const percentile = (took: Record["took"], part: number): number =>
  took.map(({ millis }) => millis).toSorted((a, b) => a - b).at(Math.floor(took.length * part)) ?? 0

const told = (name: string, took: Record["took"]): string =>
  `${name}: ${took.length} requests, p50 ${percentile(took, 0.5).toFixed(1)} ms, p99 ${
    percentile(took, 0.99).toFixed(1)
  } ms`

describe("a backup of the embedded database", () => {
  it.live("is made while the service serves, and has all that was acknowledged before it began", () =>
    Effect.gen(function* () {
      const folder = filled ?? (yield* temporaryFolder)
      const home = yield* temporaryFolder
      const record: Record = { took: [], opened: [], failed: [] }
      const service = yield* startService({ DATA_DIR: folder, ...patient })
      let isOver = false
      const requests = yield* Effect.forkChild(load(service, record, () => isOver))
      yield* Effect.sleep(around)
      while (record.opened.length < fewest) yield* Effect.sleep("100 millis")

      const begun = performance.now()
      yield* ran({ DATA_DIR: folder }, "backup", `${home}/backup.tgz`)
      const done = performance.now()
      yield* Effect.sleep(around)
      isOver = true
      yield* Fiber.join(requests)
      assert.deepStrictEqual(record.failed, [])
      yield* service.kill("SIGKILL")

      const restored = { DATA_DIR: `${home}/restored` }
      yield* ran(restored, "restore", `${home}/backup.tgz`)
      const elsewhere = yield* startService(restored)
      const before = record.opened.filter(({ at }) => at < begun)
      assert.isAbove(before.length, 0)
      yield* Effect.forEach(
        before,
        ({ address, id }) =>
          Effect.map(
            byId(elsewhere, id),
            ({ status }) => assert.strictEqual(status.depositChannel.depositAddress, address, `swap ${id}`),
          ),
        {
          concurrency: 4,
          discard: true,
        },
      )

      const during = record.took.filter(({ at }) => at >= begun && at < done)
      assert.isAbove(during.length, 0, "requests went on")
      const { size } = yield* Effect.promise(() => Deno.stat(`${home}/backup.tgz`))
      console.log(
        `${rate} requests a second; a backup of ${(size / 1e6).toFixed(1)} MB in ${
          ((done - begun) / 1_000).toFixed(1)
        } s; ${before.length} of ${record.opened.length} channels from before it are in it\n  ${
          told("before", record.took.filter(({ at }) => at < begun))
        }\n  ${told("during", during)}\n  ${told("after", record.took.filter(({ at }) => at >= done))}`,
      )
    }).pipe(Effect.scoped))
})
