import { assert } from "#test/support/it.ts"
import { Deferred, Effect, Equal, Fiber, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Address } from "#domain/chains/Address.ts"
import type { Account } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import {
  AssetDisabled,
  InsufficientLiquidity,
  NotCalled,
  ProviderError,
  TimedOut,
  Unreachable,
  UpstreamFailed,
} from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { routeTable } from "#domain/accounts/Route.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { Registry } from "#providers/Registry.ts"
import { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { observe } from "#test/interfaces/http/observe.ts"
import { collectLogs } from "#test/support/collectLogs.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { expired, openingRequest, swapRequest } from "#test/support/swap.ts"
import { lookupOptions, scriptedProviders, swappingLayer, swapsOptions } from "#test/support/swapping.ts"

const refused = new InsufficientLiquidity({ detail: "not enough" })

/** What the database says of an account's openings. */
const openings = (account: Account) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`
      SELECT platform, opening, opening_failure FROM swaps WHERE account_id = ${account.id} ORDER BY id`)

/** The id of an account's latest opening. */
const lastOpening = (account: Account) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`SELECT max(id)::int AS id FROM swaps WHERE account_id = ${account.id}`,
      ([row]) => SwapRecordId.make(Number(row?.id)),
    ))

/** Two providers that are there, and an account without swaps. */
const begin = Effect.gen(function* () {
  return { ...yield* scriptedProviders, account: yield* newAccount, swaps: yield* Swaps }
})

onStores(swappingLayer)("Swaps.open", (it) => {
  it.effect("opens with the preferred provider and keeps the request and the figures exactly", function* () {
    const { account, first, second, swaps } = yield* begin
    const sql = yield* SqlClient.SqlClient

    const opened = yield* swaps.open(account, openingRequest())
    assert.strictEqual(opened.platform, "first")
    assert.deepStrictEqual([first.requests.length, second.requests.length], [1, 0])
    const record = yield* swaps.byId(account, opened.id)
    assert.strictEqual(record.status.state, "waiting")
    assert.deepStrictEqual(record.status.depositChannel?.id, opened.channel.id)
    assert.isTrue(Equal.equals(record.status.fillOrKill?.minimumPrice, swapRequest.minimumPrice))

    const [row] = yield* sql`SELECT request, opening_fee FROM swaps WHERE id = ${opened.id}`
    assert.strictEqual(row?.opening_fee, "0")
    const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(SwapRequest))
    assert.isTrue(Equal.equals(yield* decode(row?.request), swapRequest))
  })

  it.effect("gives fifty concurrent openings fifty rows, ids and channels", function* () {
    const { account, swaps } = yield* begin
    const opened = yield* Effect.all(
      Array.from({ length: 50 }, () => swaps.open(account, openingRequest())),
      { concurrency: "unbounded" },
    )
    assert.strictEqual(new Set(opened.map((swap) => swap.id)).size, 50)
    assert.strictEqual(new Set(opened.map((swap) => swap.channel.id.channelId)).size, 50)
    const rows = yield* openings(account)
    assert.strictEqual(rows.filter((row) => row.opening === "opened").length, 50)
    for (const { id, channel } of opened) {
      assert.strictEqual((yield* swaps.byChannel(account, channel.id)).id, id)
    }
  })

  it.effect("asks the next provider when the first refuses, or was not reached", function* () {
    const { account, first, swaps } = yield* begin
    first.opening = Effect.fail(first.fails(refused))
    const afterRefusal = yield* swaps.open(account, openingRequest())
    first.opening = Effect.fail(first.fails(new Unreachable({ detail: "refused", reached: false })))
    const afterSilence = yield* swaps.open(account, openingRequest())
    // As `beforeOpening` has it of a look-up that came before the opening itself.
    first.opening = Effect.fail(first.fails(new TimedOut({ detail: "conditions", reached: false })))
    const afterTimeOut = yield* swaps.open(account, openingRequest())
    assert.deepStrictEqual(
      [afterRefusal.platform, afterSilence.platform, afterTimeOut.platform],
      ["second", "second", "second"],
    )
    assert.deepStrictEqual(
      (yield* openings(account)).map((row) => [row.platform, row.opening]),
      [["second", "opened"], ["second", "opened"], ["second", "opened"]],
    )
  })

  it.effect("never asks a second provider when the first may have opened a channel", function* () {
    const { account, first, second, swaps } = yield* begin
    const outcomes = [
      new TimedOut({ detail: "no answer", reached: true }),
      new UpstreamFailed({ detail: "unknown error" }),
    ]
    for (const reason of outcomes) {
      first.opening = Effect.fail(first.fails(reason))
      const told = observe()
      const error = yield* Effect.flip(Effect.provide(swaps.open(account, openingRequest()), told.layer))
      const swap = yield* lastOpening(account)
      assert.deepStrictEqual(error, new ProviderError({ ...first.fails(reason), swap }))
      const { annotations } = JSON.parse(
        told.lines.find((line) => line.includes("outcome of an opening is unknown")) ?? "{}",
      )
      assert.deepStrictEqual(annotations, {
        swap,
        platform: "first",
        account: account.name,
        reason: reason._tag,
      })
    }
    assert.strictEqual(second.requests.length, 0)
    assert.deepStrictEqual(yield* openings(account), [
      { platform: "first", opening: "unknown", opening_failure: "TimedOut" },
      { platform: "first", opening: "unknown", opening_failure: "UpstreamFailed" },
    ])
  })

  it.effect("records by which key a channel was asked for, and in which request", function* () {
    const { account, swaps } = yield* begin
    const opened = Effect.andThen(swaps.open(account, openingRequest()), Effect.currentSpan)
    const { traceId } = yield* Effect.withSpan(opened, "request")
    const sql = yield* SqlClient.SqlClient
    assert.deepStrictEqual(
      yield* sql`SELECT opening_key, opening_request FROM swaps WHERE account_id = ${account.id}`,
      [{ opening_key: account.keyId, opening_request: traceId }],
    )
  })

  it.effect("records an opening that dies inside the adapter as unknown", function* () {
    const { account, first, swaps } = yield* begin
    first.opening = Effect.die("a bug")
    yield* Effect.exit(swaps.open(account, openingRequest()))
    assert.deepStrictEqual(yield* openings(account), [
      { platform: "first", opening: "unknown", opening_failure: "Defect" },
    ])
  })

  it.effect("fails with the preferred provider's reason when every provider refuses", function* () {
    const { account, first, second, swaps } = yield* begin
    first.opening = Effect.fail(first.fails(refused))
    second.opening = Effect.fail(second.fails(new AssetDisabled({ detail: "off" })))
    const error = yield* Effect.flip(swaps.open(account, openingRequest()))
    assert.deepStrictEqual(error, first.fails(refused))
    assert.deepStrictEqual(yield* openings(account), [
      { platform: "second", opening: "refused", opening_failure: "AssetDisabled" },
    ])
  })

  it.effect("fails with the refusal of one that was called, or else with the shortest wait", function* () {
    const { account, first, second, swaps } = yield* begin
    const off = new NotCalled({ detail: "switched off", retryAfterSeconds: 60 })
    const resting = new NotCalled({ detail: "rests", retryAfterSeconds: 3 })
    for (
      const [ofFirst, ofSecond, told] of [
        [off, refused, second.fails(refused)],
        [refused, off, first.fails(refused)],
        [off, resting, second.fails(resting)],
        [resting, off, first.fails(resting)],
        [off, off, first.fails(off)],
      ] as const
    ) {
      first.opening = Effect.fail(first.fails(ofFirst))
      second.opening = Effect.fail(second.fails(ofSecond))
      assert.deepStrictEqual(yield* Effect.flip(swaps.open(account, openingRequest())), told)
    }
  })

  it.effect("asks only the named provider", function* () {
    const { account, first, second, swaps } = yield* begin
    const named = ProviderName.make("second")
    assert.strictEqual((yield* swaps.open(account, openingRequest(named))).platform, "second")
    second.opening = Effect.fail(second.fails(refused))
    yield* Effect.flip(swaps.open(account, openingRequest(named)))
    assert.strictEqual(first.requests.length, 0)
    const disabled = ProviderName.make("third")
    const error = yield* Effect.flip(swaps.open(account, openingRequest(disabled)))
    assert.strictEqual(error._tag, "PairNotServed")
  })

  it.effect("refuses a pair that the account may not swap, and writes nothing", function* () {
    const { account, first } = yield* begin
    const denied = {
      ...account,
      routes: routeTable([{ sourceAsset: "*", destinationAsset: "*", allowed: false }]),
    }
    const swaps = yield* Swaps
    const error = yield* Effect.flip(swaps.open(denied, openingRequest()))
    assert.strictEqual(error._tag, "RouteDenied")
    assert.deepStrictEqual(yield* openings(account), [])
    assert.strictEqual(first.requests.length, 0)
  })

  it.effect("passes over a provider that does not serve the pair, and writes nothing when none does", function* () {
    const { account, first, second, swaps } = yield* begin
    const minimumDeposit = NativeAmount.make(1n)
    first.supported = Effect.succeed([
      { asset: "btc.btc", ingress: false, egress: true, minimumDeposit },
      { asset: "eth.eth", ingress: true, egress: true, minimumDeposit },
    ])
    assert.strictEqual((yield* swaps.open(account, openingRequest())).platform, "second")
    second.supported = Effect.succeed([])
    const error = yield* Effect.flip(swaps.open(account, openingRequest()))
    assert.strictEqual(error.message, "No provider swaps btc.btc to eth.eth now")
    assert.strictEqual((yield* openings(account)).length, 1)
  })

  it.effect("asks a provider that cannot say what it serves all the same", function* () {
    const { account, first, swaps } = yield* begin
    first.supported = Effect.fail(first.fails(new UpstreamFailed({ detail: "down" })))
    assert.strictEqual((yield* swaps.open(account, openingRequest())).platform, "first")
  })

  it.effect("goes on to its end when the caller goes away", function* () {
    const { account, first, swaps } = yield* begin
    const asked = yield* Deferred.make<void>()
    const answer = yield* Deferred.make<void>()
    first.opening = Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(answer))
    const caller = yield* Effect.forkChild(swaps.open(account, openingRequest()))
    yield* Deferred.await(asked)
    yield* Fiber.interrupt(caller)
    assert.deepStrictEqual((yield* openings(account)).map((row) => row.opening), ["requested"])
    yield* Deferred.succeed(answer, undefined)
    const page = { limit: 1, states: ["waiting"], sort: "descending" } as const
    const recorded = yield* Effect.repeat(swaps.history(account, page), {
      until: ({ records }) => records.length > 0,
    })
    assert.strictEqual(recorded.records.length, 1)
  })

  it.effect("says that the outcome is unknown while the database does not take a channel, until it does", function* () {
    const { account } = yield* begin
    const repo = yield* OpeningsRepo
    const tried = yield* Deferred.make<void>()
    const recorded = yield* Deferred.make<void>()
    const unavailable = new StoreUnavailable({ operation: "Swaps.opened", cause: "test" })
    let isAvailable = false
    const failing = OpeningsRepo.of({
      ...repo,
      opened: (...opened) =>
        Effect.suspend(() =>
          isAvailable
            ? Effect.tap(repo.opened(...opened), () => Deferred.succeed(recorded, undefined))
            : Effect.andThen(Deferred.succeed(tried, undefined), Effect.fail(unavailable))
        ),
    })
    const context = yield* Layer.build(
      Swaps.layer(swapsOptions).pipe(
        Layer.provide(Lookups.layer(lookupOptions)),
        Layer.provide(Layer.succeed(OpeningsRepo, failing)),
      ),
    )
    const opening = yield* Swaps.pipe(
      Effect.flatMap((swaps) => swaps.open(account, openingRequest())),
      Effect.flip,
      Effect.provideContext(context),
      Effect.forkChild,
    )
    yield* Deferred.await(tried)
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual((yield* Fiber.join(opening))._tag, "OpeningNotRecorded")
    assert.deepStrictEqual((yield* openings(account)).map((row) => row.opening), ["requested"])

    isAvailable = true
    yield* TestClock.adjust("5 seconds")
    yield* Deferred.await(recorded)
    assert.deepStrictEqual((yield* openings(account)).map((row) => row.opening), ["opened"])
  })

  const denials: ReadonlyArray<readonly [what: string, said: (opened: SwapStatus) => SwapStatus]> = [
    ["another destination address", (opened) => ({
      ...opened,
      destinationAddress: Address.make("0x2222222222222222222222222222222222222222"),
    })],
    ["a deposit that nobody can have made", (opened) => ({
      ...opened,
      state: "receiving",
      deposit: { amount: NativeAmount.make(1n) },
    })],
    ["that it has expired", expired],
  ]

  it.effect.each(denials)(
    "hands no channel out of which its upstream says %s",
    function* ([, said]) {
      const { account, first, second, swaps } = yield* begin
      first.atFirst = (opened) => Effect.succeed(Option.some(said(opened)))
      const { value: error } = yield* collectLogs(Effect.flip(swaps.open(account, openingRequest())))
      assert(error._tag === "ProviderError" && error.reason._tag === "MalformedBody")
      assert.isTrue(error.reason.reached)
      assert.strictEqual(second.requests.length, 0)
      assert.deepStrictEqual(yield* openings(account), [
        { platform: "first", opening: "unknown", opening_failure: "MalformedBody" },
      ])
    },
  )

  it.effect("waits a second at most for what an upstream says of a channel, and then not for a minute", function* () {
    const { account, first, swaps } = yield* begin
    yield* TestClock.adjust("1 minute")
    let asked = 0
    first.atFirst = () => Effect.andThen(Effect.sync(() => asked++), Effect.never)
    const opening = yield* Effect.forkChild(swaps.open(account, openingRequest()))
    while (asked === 0) yield* Effect.yieldNow
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Fiber.join(opening)).platform, "first")
    yield* swaps.open(account, openingRequest())
    assert.strictEqual(asked, 1)
    yield* TestClock.adjust("1 minute")
  })

  it.effect("hands a channel out that its upstream does not know yet, or fails to tell of", function* () {
    const { account, first, swaps } = yield* begin
    const silences = [Effect.succeedNone, Effect.fail(first.fails(new UpstreamFailed({ detail: "down" })))]
    for (const silence of silences) {
      yield* TestClock.adjust("1 minute")
      first.atFirst = () => silence
      assert.strictEqual((yield* swaps.open(account, openingRequest())).platform, "first")
    }
    yield* TestClock.adjust("1 minute")
  })

  it.effect("hands no channel out a second time, to nobody", function* () {
    const { first, swaps } = yield* begin
    const given = yield* first.open(swapRequest)
    const same = {
      ...first,
      name: first.name,
      channels: { ...first.channels, open: () => Effect.succeed(given) },
    }
    yield* (yield* Registry).register({ ...same, assets: first.assets })
    const [one, other] = [yield* newAccount, yield* newAccount]
    const owned = yield* swaps.open(one, openingRequest())
    for (const account of [other, one]) {
      const { value, lines } = yield* collectLogs(Effect.flip(swaps.open(account, openingRequest())))
      assert.strictEqual(value._tag, "OpeningNotRecorded")
      assert.include(lines, "A channel was opened but could not be recorded")
      assert.deepStrictEqual((yield* openings(account)).at(-1), {
        platform: "first",
        opening: "unknown",
        opening_failure: "ChannelTaken",
      })
    }
    assert.strictEqual((yield* Effect.flip(swaps.byChannel(other, given.channel.id)))._tag, "SwapNotFound")
    assert.strictEqual((yield* swaps.byChannel(one, given.channel.id)).id, owned.id)
  })

  it.effect("hands no address out again that its upstream gives out once, whatever coordinates it has then", function* () {
    const { first, swaps } = yield* begin
    let opened = yield* first.open(swapRequest)
    const open = () => Effect.succeed({ ...opened, isAddressUnique: true })
    yield* (yield* Registry).register({
      ...first,
      name: first.name,
      assets: first.assets,
      channels: { ...first.channels, open },
    })
    const [one, other] = [yield* newAccount, yield* newAccount]
    yield* swaps.open(one, openingRequest())
    const id = { ...opened.channel.id, issuedBlock: opened.channel.id.issuedBlock + 1 }
    opened = { ...opened, channel: { ...opened.channel, id } }
    for (const account of [other, one]) {
      const error = yield* Effect.flip(swaps.open(account, openingRequest()))
      assert.strictEqual(error._tag, "OpeningNotRecorded")
      assert.strictEqual((yield* openings(account)).at(-1)?.opening_failure, "ChannelTaken")
    }
    const depositAddress = Address.make(`${opened.channel.depositAddress}-new`)
    opened = { ...opened, channel: { ...opened.channel, depositAddress } }
    yield* swaps.open(other, openingRequest())
  })

  /** A row as a process leaves it that dies while it asks; its lease has so many milliseconds left. */
  const abandoned = Effect.fnUntraced(function* (platform: ProviderName, leaseMillis: number) {
    const account = yield* newAccount
    const repo = yield* OpeningsRepo
    const at = yield* currentMillis
    const id = yield* repo.request({
      accountId: account.id,
      platform,
      request: swapRequest,
      keyId: account.keyId,
      requestId: "none",
      at,
      leaseUntil: EpochMillis.make(at + leaseMillis),
      openChannelsMost: 1,
    })
    return { account, at, id, repo }
  })

  it.effect("gives openings up at the start whose process is gone, not those of other replicas", function* () {
    const { first } = yield* scriptedProviders
    const gone = yield* abandoned(first.name, 1_000)
    const replicas = yield* abandoned(first.name, 1_001)
    yield* TestClock.adjust("1 second")
    const told = observe()
    yield* Effect.provide(Layer.build(Swaps.layer(swapsOptions)), told.layer)
    const line = told.lines.map((text) => JSON.parse(text)).find(({ message }) =>
      message === "A process ended while this swap was opened; a channel may exist"
    )
    assert.deepStrictEqual(line?.annotations, {
      swap: gone.id,
      platform: first.name,
      account: gone.account.name,
    })
    assert.deepStrictEqual((yield* openings(gone.account)).map((row) => row.opening), ["unknown"])
    assert.deepStrictEqual((yield* openings(replicas.account)).map((row) => row.opening), ["requested"])
    yield* Layer.build(Swaps.layer({ ...swapsOptions, soleProcess: true }))
    assert.deepStrictEqual((yield* openings(replicas.account)).map((row) => row.opening), ["unknown"])
  })

  it.effect("asks no other provider once others have given the opening up", function* () {
    const { account, first, second } = yield* begin
    const repo = yield* OpeningsRepo
    const swaps = yield* Swaps
    first.opening = Effect.andThen(
      Effect.orDie(repo.giveUpLapsed(EpochMillis.make(24 * 3_600_000))),
      Effect.fail(first.fails(refused)),
    )
    const error = yield* Effect.flip(swaps.open(account, openingRequest()))
    assert.deepStrictEqual(error, first.fails(refused))
    assert.strictEqual(second.requests.length, 0)
    assert.deepStrictEqual(yield* openings(account), [
      { platform: "first", opening: "refused", opening_failure: "InsufficientLiquidity" },
    ])
  })

  it.effect("records the answer to an opening that was given up, when it still comes", function* () {
    const { first, swaps } = yield* begin
    const { account, at, id, repo } = yield* abandoned(first.name, 0)
    yield* Layer.build(Swaps.layer(swapsOptions))
    assert.deepStrictEqual((yield* openings(account)).map((row) => row.opening), ["unknown"])
    assert.strictEqual((yield* Effect.flip(swaps.byId(account, id)))._tag, "SwapNotFound")

    const more = { platform: first.name, at, nextLookupAt: at, stallsAt: Option.none(), events: [] }
    const { channel, status } = yield* first.open(swapRequest)
    assert.isTrue(yield* repo.opened(id, { channel, status, ...more }))
    assert.strictEqual((yield* swaps.byId(account, id)).id, id)
    assert.isTrue(yield* repo.opened(id, { channel, status, ...more }), "can be repeated")
    const other = yield* first.open(swapRequest)
    assert.isFalse(yield* repo.opened(id, { ...other, ...more }), "but by no other channel")
  })
})
