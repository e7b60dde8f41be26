import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { EpochMillis } from "#domain/Time.ts"
import { logVersion } from "#sandbox/World.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import type { SandboxOptions } from "#sandbox/Sandbox.ts"
import { brokerAccounts } from "#test/contract/support/addresses.ts"
import { inSandbox } from "./inSandbox.ts"
import {
  advance,
  at,
  change,
  type Client,
  defaultOptions,
  deposit,
  genesis,
  openChannel,
  quotePath,
  session,
  start,
  startSandbox,
  statusOf,
  temporaryFolder,
  textAt,
} from "./support.ts"

const logOf = (folder: string): string => `${folder}/sandbox.ndjson`
const readLog = (folder: string) => Effect.promise(() => Deno.readTextFile(logOf(folder)))
const writeLog = (folder: string, text: string) =>
  Effect.promise(() => Deno.writeTextFile(logOf(folder), text))

/** Opens channels, deposits, travels and turns controls; gives the ids. */
const use = Effect.fnUntraced(function* (client: Client) {
  const boosted = yield* openChannel(client, { boost_fee: 10 })
  const chunked = yield* openChannel(client, { dca_parameters: { number_of_chunks: 4, chunk_interval: 20 } })
  yield* deposit(client, boosted, "10000000")
  yield* advance(client, 1_200)
  yield* change(client, "movePrice", { asset: "eth.eth", bps: 100 })
  yield* deposit(client, chunked, "30000000")
  yield* advance(client, 1_300)
  return [boosted.id, chunked.id]
})

const records = (client: Client, ids: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach([...ids.map((id) => `/chainflip/backend/v2/swaps/${id}`), "/sandbox"], client.get),
    (answers) => answers.map(({ text }) => text),
  )

/** The message that a start on the folder fails with. */
const failureOf = (folder: string, options: Partial<SandboxOptions> = {}) =>
  Effect.scoped(Effect.flip(startSandbox({ dataDir: folder, ...options })))

describe("the sandbox's memory", () => {
  it.effect("builds the same records up again after a stop", function* () {
    const folder = yield* temporaryFolder
    const [ids, before] = yield* session(
      folder,
      (client) =>
        Effect.flatMap(use(client), (ids) => Effect.map(records(client, ids), (all) => [ids, all] as const)),
    )
    assert.deepStrictEqual(yield* session(folder, (client) => records(client, ids)), before)
  })

  it.effect("has every command on the disk before it is answered", function* () {
    const folder = yield* temporaryFolder
    const copy = yield* temporaryFolder
    const [ids, before] = yield* session(folder, (client) =>
      Effect.gen(function* () {
        const ids = yield* use(client)
        // What a kill −9 leaves behind: the file as it is while the process runs.
        yield* writeLog(copy, yield* readLog(folder))
        return [ids, yield* records(client, ids)] as const
      }))
    assert.deepStrictEqual(yield* session(copy, (client) => records(client, ids)), before)
  })

  it.effect("keeps commands that came at the same time in the order of their effects", function* () {
    const folder = yield* temporaryFolder
    const [ids, before] = yield* session(folder, (client) =>
      Effect.gen(function* () {
        const channels = yield* Effect.forEach(
          Array.from({ length: 30 }),
          () => openChannel(client),
          { concurrency: "unbounded" },
        )
        const ids = channels.map(({ id }) => id)
        return [ids, yield* records(client, ids)] as const
      }))
    assert.strictEqual(new Set(ids).size, 30)
    assert.deepStrictEqual(yield* session(folder, (client) => records(client, ids)), before)
  })

  it.effect("drops a torn last entry and goes on behind the whole ones", function* () {
    const folder = yield* temporaryFolder
    const ids = yield* session(folder, use)
    const whole = yield* readLog(folder)
    yield* writeLog(folder, `${whole}{"_tag":"CommandAccepted","time":17`)
    const before = yield* session(folder, (client) => records(client, ids))
    const added = yield* session(folder, (client) => Effect.map(openChannel(client), ({ id }) => id))
    assert.isTrue((yield* readLog(folder)).startsWith(whole))
    const after = yield* session(folder, (client) => records(client, ids))
    assert.deepStrictEqual(after.slice(0, 2), before.slice(0, 2))
    const record = yield* session(folder, (client) => statusOf(client, added))
    assert.strictEqual(record.status, 200)
  })

  it.effect("starts anew on a log whose header is torn", function* () {
    const folder = yield* temporaryFolder
    yield* writeLog(folder, '{"log":"swap-bro')
    const view = yield* session(folder, (client) => client.get("/sandbox"))
    assert.strictEqual(at(view.json, "timeMillis"), genesis)
  })

  it.effect("refuses a damaged line and says which", function* () {
    const folder = yield* temporaryFolder
    yield* session(folder, use)
    const lines = (yield* readLog(folder)).split("\n")
    yield* writeLog(folder, lines.with(3, "{}").join("\n"))
    const failure = yield* failureOf(folder)
    assert.strictEqual(failure._tag, "CorruptLog")
    assert.match(failure.message, /^Line 4 of the sandbox's log .* cannot be read: .*Restore the file/s)
  })

  it.effect("refuses a log of another seed, genesis or version and says what to do", function* () {
    const folder = yield* temporaryFolder
    yield* session(folder, use)
    const otherSeed = yield* failureOf(folder, { seed: "other" })
    assert.strictEqual(otherSeed._tag, "ForeignLog")
    assert.match(otherSeed.message, /has seed "test", but "other" is wanted\. Start with the settings/)
    const otherGenesis = yield* failureOf(folder, { genesis: EpochMillis.make(genesis + 1) })
    assert.match(otherGenesis.message, /has genesis "1785333864000"/)
    yield* writeLog(
      folder,
      (yield* readLog(folder)).replace(`"version":${logVersion}`, `"version":${logVersion + 1}`),
    )
    assert.include(
      (yield* failureOf(folder)).message,
      `has version "${logVersion + 1}", but "${logVersion}" is wanted`,
    )
  })

  it.effect("goes on with a log of an earlier version, and its affiliates", function* () {
    const folder = yield* temporaryFolder
    const ids = yield* session(folder, use)
    const earlier = (yield* readLog(folder)).replace(`"version":${logVersion}`, '"version":1')
    const affiliate = JSON.stringify({
      _tag: "CommandAccepted",
      time: genesis + 86_400_000,
      command: { _tag: "RegisterAffiliate", account: brokerAccounts[0] },
    })
    yield* writeLog(folder, `${earlier}${affiliate}\n`)
    const [records, account] = yield* session(folder, (client) =>
      Effect.all([
        Effect.forEach(ids, (id) => statusOf(client, id)),
        client.call("node", "cf_get_affiliates", [brokerAccount]),
      ]))
    assert.deepStrictEqual(records.map(({ status }) => status), [200, 200])
    assert.strictEqual(at(account, "result", 0, 0), brokerAccounts[0])
  })

  it.effect("lets one process at a time have a log", function* () {
    const folder = yield* temporaryFolder
    yield* startSandbox({ dataDir: folder })
    const failure = yield* failureOf(folder)
    assert.strictEqual(failure._tag, "LockedLog")
    assert.match(failure.message, /in use by another process/)
  })

  it.effect("says when the folder cannot be used", function* () {
    const folder = yield* temporaryFolder
    yield* writeLog(folder, "")
    const failure = yield* failureOf(logOf(folder))
    assert.strictEqual(failure._tag, "UnusableLog")
    assert.match(failure.message, /DATA_DIR can be written to/)
  })
})

describe("the sandbox's time", () => {
  const timeOf = (client: Client) =>
    Effect.map(client.get("/sandbox"), ({ json }) => Number(at(json, "timeMillis")) - genesis)

  it.effect("runs at its speed", function* () {
    const client = yield* startSandbox({ speed: 60 })
    assert.strictEqual(yield* timeOf(client), 0)
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* timeOf(client), 600_000)
    yield* advance(client, 5)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* timeOf(client), 665_000)
  })

  inSandbox("stands still at speed 0", function* (client) {
    yield* TestClock.adjust("10 days")
    assert.strictEqual(yield* timeOf(client), 0)
  })

  it.effect("goes on while the sandbox is down, at the speed that it had", function* () {
    const folder = yield* temporaryFolder
    yield* session(folder, (client) => advance(client, 100), { speed: 60 })
    yield* TestClock.adjust("10 seconds")
    const after = yield* session(folder, timeOf, { speed: 2 })
    assert.strictEqual(after, 700_000)
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* session(folder, timeOf, { speed: 2 }), 720_000)
  })

  it.effect("begins at the real time where no genesis is given", function* () {
    yield* TestClock.setTime(1_900_000_000_123)
    const client = yield* start(defaultOptions)
    assert.strictEqual(at((yield* client.get("/sandbox")).json, "timeMillis"), 1_900_000_000_123)
  })
})

describe("the same seed and the same requests", () => {
  const transcript = Effect.fnUntraced(function* (seed: string) {
    const client = yield* startSandbox({ seed })
    const ids = yield* use(client)
    const answers = yield* records(client, ids)
    const quote = yield* client.get(quotePath("25000000"))
    const environment = yield* client.call("node", "cf_environment", [])
    return [...answers, quote.text, JSON.stringify(environment)]
  })

  it.effect("give the same answers byte for byte", function* () {
    const [first, second] = yield* Effect.all([transcript("one"), transcript("one")])
    assert.deepStrictEqual(second, first)
  })

  it.effect("of another seed have other addresses", function* () {
    const [one] = yield* transcript("one")
    const [two] = yield* transcript("two")
    const addressOf = (record: string | undefined) =>
      textAt(JSON.parse(record ?? ""), "depositChannel", "depositAddress")
    assert.notStrictEqual(addressOf(two), addressOf(one))
  })
})
