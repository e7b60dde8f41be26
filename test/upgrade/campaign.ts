import { Effect, Option, Redacted, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { onServer } from "#test/durability/places.ts"
import { WholeNumber } from "#infrastructure/store/database/columns.ts"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { type Environment, startProgram } from "#test/support/process.ts"
import { differences } from "./differences.ts"
import { type Arrival, receiveEvents } from "./Receiver.ts"
import { ask, read, startVersion, type Version } from "./Version.ts"

const evm = "0x2222222222222222222222222222222222222222"
const bitcoin = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"

/** Pairs with the addresses to open them with, the amount to deposit and the commission. */
const pairs = [
  {
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    destinationAddress: evm,
    refundAddress: bitcoin,
    amount: "0.25",
    commissionBps: 30,
  },
  {
    sourceAsset: "eth.eth",
    destinationAsset: "btc.btc",
    destinationAddress: bitcoin,
    refundAddress: evm,
    amount: "2",
    commissionBps: 0,
  },
  {
    sourceAsset: "usdc.eth",
    destinationAsset: "eth.arb",
    destinationAddress: evm,
    refundAddress: evm,
    amount: "5000",
    commissionBps: 30,
  },
] as const

const Quoted = Schema.Array(Schema.Struct({
  platform: Schema.String,
  quoteId: Schema.String,
  startPaths: Schema.Array(Schema.String),
  swapParameters: Schema.Record(Schema.String, Schema.Unknown),
  boostQuote: Schema.optionalKey(
    Schema.Struct({ swapParameters: Schema.Record(Schema.String, Schema.Unknown) }),
  ),
}))
const Opened = Schema.Struct({ id: Schema.Int, address: Schema.String, platform: Schema.String })
type Opened = typeof Opened.Type & {
  readonly amount: string
  readonly key: string
  readonly request: unknown
}

const Recorded = Schema.Struct({ id: Schema.Int, status: Schema.Struct({ state: Schema.String }) })
const Listed = Schema.Array(Schema.Struct({ id: Schema.Int }))
const Sandbox = Schema.Struct({
  openChannelCount: Schema.Int,
  broker: Schema.Struct({ withdrawals: Schema.Array(Schema.Unknown) }),
})
const Withdrawal = Schema.Struct({ id: Schema.Int })
const Issued = Schema.Struct({ id: Schema.String, key: Schema.String })
const counted = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ swaps: WholeNumber })))

const states = ["waiting", "receiving", "swapping", "sending", "sent", "completed", "failed"]
const historyPath = `/swaps?limit=500&${states.map((state) => `status=${state}`).join("&")}`
const ends = new Set(["completed", "failed"])

/** Gets quotes from one version, and opens each at the other: quote IDs have to be valid for both. */
const openAcross = Effect.fnUntraced(function* (quoting: Version, opening: Version, round: string) {
  const opened: Array<Opened> = []
  for (const { amount, commissionBps, ...pair } of pairs) {
    const query = {
      sourceAsset: pair.sourceAsset,
      destinationAsset: pair.destinationAsset,
      amount,
      ...(commissionBps === 0 ? {} : { commissionBps }),
    }
    const quotes = yield* read(quoting, { path: "/quotes", query }, Quoted)
    for (const { platform, quoteId, startPaths, swapParameters } of quotes) {
      if (startPaths[0] !== "/swap") continue
      const key = `${round}-${opening.name}-${pair.sourceAsset}-${platform}-${opened.length}`
      const request = { ...swapParameters, ...pair, quoteId }
      const channel = yield* read(opening, { path: "/swap", body: request, key }, Opened)
      opened.push({ ...channel, amount, key, request })
    }
  }
  return opened
})

/** Opens the boost quote of one version at the other, if the first pair has one. */
const openBoosted = Effect.fnUntraced(function* (quoting: Version, opening: Version) {
  const [{ amount: _, commissionBps: __, ...pair }] = pairs
  const amount = quoting.name === "old" ? "0.3" : "0.35"
  const { destinationAsset, sourceAsset } = pair
  const quotes = yield* read(
    quoting,
    { path: "/quotes", query: { sourceAsset, destinationAsset, amount } },
    Quoted,
  )
  const opened: Array<Opened> = []
  for (
    const { boostQuote, quoteId } of quotes.filter(({ boostQuote }) => boostQuote !== undefined).slice(0, 1)
  ) {
    const key = `boosted-${opening.name}`
    const request = { ...boostQuote?.swapParameters, ...pair, quoteId }
    opened.push({
      ...yield* read(opening, { path: "/swap", body: request, key }, Opened),
      amount,
      key,
      request,
    })
  }
  return opened
})

/** Opens at both versions at the same moment under one key; the channel that came of it. */
const openAtOnce = Effect.fnUntraced(function* (versions: readonly [Version, Version], key: string) {
  const [{ amount, commissionBps: _, ...request }] = pairs
  const both = yield* Effect.forEach(
    versions,
    (version) => ask(version, { path: "/swap", body: request, key }),
    {
      concurrency: "unbounded",
    },
  )
  const channel = yield* read(versions[0], { path: "/swap", body: request, key }, Opened)
  const isRight = both.every(({ status, text }) =>
    status === 409 || status === 200 && text.includes(`"id":${channel.id},`)
  )
  const opened: Opened = { ...channel, amount, key, request }
  return {
    opened,
    breaches: isRight
      ? []
      : [`${key}: ${both.map(({ status, text }) => `${status} ${text.slice(0, 80)}`).join("; ")}`],
  }
})

/** Repeats openings under their keys at a version: each has to be the same channel. */
const repeatAt = (version: Version, opened: ReadonlyArray<Opened>) =>
  Effect.map(
    Effect.forEach(opened, ({ address, id, key, request }) =>
      Effect.map(read(version, { path: "/swap", body: request, key }, Opened), (again) =>
        again.id === id && again.address === address
          ? []
          : [`${key} at ${version.name}: swap ${again.id}, not ${id}`])),
    (all) =>
      all.flat(),
  )

const deposit = (sandbox: Version, { address, amount }: Opened) =>
  read(sandbox, { path: "/sandbox/deposits", body: { address, amount } }, Schema.Unknown)

/** Follows swaps to their end, asking the versions by turns; those that do not end in time. */
const follow = Effect.fnUntraced(function* (versions: ReadonlyArray<Version>, opened: ReadonlyArray<Opened>) {
  const open = new Map(opened.map((one) => [one.id, one]))
  for (let turn = 0; open.size > 0 && turn < 600; turn += 1) {
    for (const id of [...open.keys()]) {
      const version = versions[(turn + id) % versions.length]
      if (version === undefined) continue
      const { status } = yield* read(version, { path: `/status-by-id?swapId=${id}` }, Recorded)
      if (ends.has(status.state)) open.delete(id)
    }
    yield* Effect.sleep("300 millis")
  }
  return [...open.keys()].map((id) => `swap ${id} did not end`)
})

/** Waits for the last event of each swap; what did not arrive, and what arrived again. */
const heard = Effect.fnUntraced(function* (arrivals: ReadonlyArray<Arrival>, opened: ReadonlyArray<Opened>) {
  const lastOf = (id: number) =>
    arrivals.some(({ swapId, type }) => swapId === id && type === "swap.completed")
  const missing = () => opened.filter(({ id }) => !lastOf(id))
  for (let turn = 0; missing().length > 0 && turn < 200; turn += 1) yield* Effect.sleep("200 millis")
  yield* Effect.sleep("2 seconds")
  const byEvent = Map.groupBy(arrivals, ({ event }) => event)
  return {
    missing: missing().map(({ id }) => `no webhook for the end of swap ${id}`),
    again: [...byEvent].flatMap(([event, { length }]) =>
      length > 1 ? [`${event} arrived ${length} times`] : []
    ),
    changed: [...byEvent].flatMap(([event, all]) =>
      new Set(all.map(({ text }) => text)).size > 1 ? [`${event} arrived with two bodies`] : []
    ),
    twice: [...Map.groupBy(arrivals.filter(({ type }) => type === "swap.completed"), ({ swapId }) => swapId)]
      .flatMap(([swap, all]) =>
        new Set(all.map(({ event }) => event)).size > 1 ? [`swap ${swap} completed in two events`] : []
      ),
    events: byEvent.size,
  }
})

/** The history of both versions, member by member. A record can change between two requests, so five times decide. */
const compareHistories = Effect.fnUntraced(function* (old: Version, fresh: Version) {
  const requests = Effect.forEach(
    [old, fresh],
    (version) => read(version, { path: historyPath }, Schema.Unknown),
    { concurrency: "unbounded" },
  )
  const compared = Effect.map(requests, ([before, after]) => differences(before, after))
  const found = yield* Effect.repeat(compared, {
    schedule: Schedule.spaced("1 second"),
    times: 4,
    until: (found) => found.length === 0,
  })
  const listed = yield* read(fresh, { path: historyPath }, Listed)
  return { swaps: listed.length, breaches: found }
})

const swapCount = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ swaps }] = yield* counted(yield* sql`SELECT count(*) AS swaps FROM swaps WHERE status IS NOT NULL`)
  return swaps
})

/** Shared by both versions, where it is set. */
const redis = Deno.env.get("TEST_REDIS_URL")

/** What was seen, and whatever is not as it must be. */
export interface Outcome {
  readonly breaches: ReadonlyArray<string>
}

/**
 * Upgrades a service while it serves: the old version alone, both versions on one database and one sandbox, the old one
 * killed while swaps are open, the new one alone, the old one again, and at the end the new one.
 */
export const upgrade = (oldFolder: string, server: string, say: (line: string) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const breaches: Array<string> = []
    const expect = (found: ReadonlyArray<string>) => Effect.sync(() => void breaches.push(...found))
    const holds = (what: string, is: boolean) => expect(is ? [] : [what])
    const place = yield* onServer(server)
    const sandboxProcess = yield* startProgram("src/sandbox.ts", {
      SANDBOX_SPEED: "40",
      SANDBOX_PORT: "0",
      DATA_DIR: "memory",
      LOG_FORMAT: "json",
    })
    const settings: Environment = {
      ...place,
      SANDBOX_SPEED: "40",
      SANDBOX_URL: sandboxProcess.url.origin,
      ...(redis === undefined ? {} : { REDIS_URL: redis }),
      // Secrets of webhooks and quote IDs have to be readable by both.
      WEBHOOK_ENCRYPTION_KEY: "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
    }
    const startOld = startVersion("old", settings, oldFolder)
    const startNew = startVersion("new", settings)

    const old = yield* startOld
    const sandbox: Version = { ...old, url: sandboxProcess.url }
    const view = read(sandbox, { path: "/sandbox" }, Sandbox)
    const arrivals = yield* receiveEvents(old)
    const issued = yield* read(old, {
      path: "/operator/accounts/default/keys",
      body: { label: "made by the old version" },
    }, Issued)
    const first = yield* openAcross(old, old, "first")
    yield* Effect.forEach(first.slice(0, 2), (one) => deposit(sandbox, one))
    yield* say(
      `the old version serves alone: ${first.length} swaps of ${
        [...new Set(first.map(({ platform }) => platform))].join(", ")
      }`,
    )

    const fresh = yield* startNew
    const versions = [old, fresh] as const
    const ready = yield* Effect.forEach(versions, (version) => ask(version, { path: "/readyz" }))
    yield* holds(
      `/readyz of the two: ${ready.map(({ status, text }) => `${status} ${text}`).join("; ")}`,
      ready.every(({ status }) => status === 200),
    )
    yield* say(
      `the new version has migrated; /readyz of the two: ${ready.map(({ text }) => text).join(" and ")}`,
    )

    const withOldKey = yield* ask({ ...fresh, apiKey: issued.key }, { path: "/swaps" })
    yield* holds(`a key of the old version at the new one: ${withOldKey.status}`, withOldKey.status === 200)
    const rounds = [
      yield* openAcross(old, fresh, "second"),
      yield* openAcross(fresh, old, "third"),
      yield* openAcross(fresh, fresh, "fourth"),
      yield* openAcross(old, old, "fifth"),
      yield* openBoosted(old, fresh),
      yield* openBoosted(fresh, old),
    ].flat()
    const atOnce: Array<Opened> = []
    for (let turn = 0; turn < 10; turn += 1) {
      const { breaches, opened } = yield* openAtOnce(versions, `at-once-${turn}`)
      yield* expect(breaches)
      atOnce.push(opened)
    }
    const opened = [...first, ...rounds, ...atOnce]
    for (const version of versions) yield* expect(yield* repeatAt(version, opened))
    const records = sqlLayer(DatabaseLocation.Server({
      url: Redacted.make(Option.getOrThrow(Option.fromUndefinedOr(place.DATABASE_URL))),
      maximumConnections: 1,
    }))
    const stored = yield* Effect.provide(swapCount, records)
    yield* holds(`${stored} swaps are stored, ${opened.length} were opened`, stored === opened.length)
    yield* say(
      `${rounds.length} swaps opened with the quotes of either version, ${atOnce.length} at both at once; ${
        opened.length * 2
      } repeats; ${stored} records`,
    )

    const earned = { change: "shiftEarned", asset: "usdc.eth", difference: "500000000" }
    yield* ask(sandbox, { path: "/sandbox/network", method: "PATCH", body: earned })
    const order = {
      path: "/operator/treasury/withdrawals",
      body: { provider: "chainflip", asset: "usdc.eth" },
      key: "one-withdrawal",
    }
    const ordered = yield* read(old, order, Withdrawal)
    const orderedAgain = yield* ask(fresh, order)

    const depositing = Effect.forEach(
      [...first.slice(2), ...rounds, ...atOnce],
      (one) => Effect.andThen(deposit(sandbox, one), Effect.sleep("100 millis")),
    )
    yield* depositing
    yield* expect(yield* follow(versions, opened))
    const together = yield* heard(arrivals, opened)
    yield* expect([...together.missing, ...together.again, ...together.twice])
    yield* say(
      `both followed ${opened.length} swaps to their end; ${together.events} events, ${arrivals.length} deliveries`,
    )
    const histories = yield* compareHistories(old, fresh)
    yield* expect(histories.breaches)
    yield* say(
      `the histories of both versions: ${histories.swaps} swaps, ${histories.breaches.length} differences`,
    )
    const { broker } = yield* view
    yield* holds(
      `${broker.withdrawals.length} withdrawals were paid, one was ordered`,
      broker.withdrawals.length === 1,
    )
    yield* say(
      `withdrawal ${ordered.id} ordered at the old version, repeated at the new one: ${orderedAgain.status}; ${broker.withdrawals.length} paid`,
    )

    const last = [...yield* openAcross(fresh, old, "sixth"), ...yield* openAcross(old, fresh, "seventh")]
    yield* Effect.forEach(last, (one) => deposit(sandbox, one))
    yield* old.kill("SIGKILL")
    yield* expect(yield* repeatAt(fresh, last))
    yield* expect(yield* follow([fresh], last))
    const alone = yield* heard(arrivals, [...opened, ...last])
    yield* expect([...alone.missing, ...alone.changed, ...alone.twice])
    yield* say(
      `the old version was killed with ${last.length} swaps open, and the new one followed them; ${alone.events} events, ${arrivals.length} deliveries`,
    )

    yield* fresh.kill("SIGTERM")
    const again = yield* startOld
    const back = yield* openAcross(again, again, "eighth")
    yield* Effect.forEach(back, (one) => deposit(sandbox, one))
    yield* expect(yield* follow([again], back))
    const final = yield* startNew
    const finalHistories = yield* compareHistories(again, final)
    yield* expect(finalHistories.breaches)
    const all = yield* heard(arrivals, [...opened, ...last, ...back])
    yield* expect([...all.missing, ...all.twice])
    yield* say(
      `the old version was started again on the migrated database, with ${back.length} swaps more; ${finalHistories.swaps} in both histories, ${finalHistories.breaches.length} differences`,
    )
    yield* Effect.forEach([again, final], (version) => version.kill("SIGTERM"))
    const outcome: Outcome = { breaches }
    return outcome
  }).pipe(Effect.scoped)
