import { assert, describe, it } from "#test/support/it.ts"
import { Deferred, Effect, Fiber, Layer, Option, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { DepositChannelFailed, TimedOut, UpstreamFailed } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { VaultSwapsRepo } from "#infrastructure/store/swaps/VaultSwapsRepo.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { Tracker } from "#application/swapping/following/Tracker.ts"
import { questionsFor } from "#application/swapping/following/findByTransaction.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { collectLogs } from "#test/support/collectLogs.ts"
import { ScriptedVaultSwaps } from "#test/support/provider.ts"
import { observe } from "#test/interfaces/http/observe.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { swappingLayer } from "#test/support/swapping.ts"
import { vaultSwapStatus } from "#test/support/vaultSwap.ts"
import { begin, known, newRequest, newTransaction } from "../scriptedVaultSwaps.ts"

describe("a hash of an account that swaps from chains of both spellings", () => {
  const platform = ProviderName.make("second")
  const bitcoin = { platform, chain: "Bitcoin" } as const
  const evm = { platform, chain: "Ethereum" } as const
  const digits = "ab".repeat(32)

  it("is asked for once, as it is written", () => {
    const both = [bitcoin, evm, { platform, chain: "Arbitrum" } as const]
    assert.deepStrictEqual(questionsFor(digits, both), [{ platform, transaction: digits }])
    assert.deepStrictEqual(questionsFor(`0x${digits}`, both), [{ platform, transaction: `0x${digits}` }])
  })

  it("is asked for as its chain writes it where there is only one", () => {
    assert.deepStrictEqual(questionsFor(digits, [evm]), [{ platform, transaction: `0x${digits}` }])
    assert.deepStrictEqual(questionsFor(`0x${digits}`, [bitcoin]), [{ platform, transaction: digits }])
    assert.deepStrictEqual(questionsFor("no hash", [bitcoin, evm]), [])
  })
})

onStores(swappingLayer)("VaultSwaps", (it) => {
  it.effect("encodes with the first provider that has payloads for the chain, and opens nothing", function* () {
    const { account, encode, first, second, upstream } = yield* begin
    const payload = yield* encode(newRequest())
    assert.deepInclude(payload.payload, { network: "Ethereum", calldata: "0x00000001" })
    assert.lengthOf(upstream.requests, 1)
    assert.lengthOf([...first.requests, ...second.requests], 0)
    const listed = yield* Effect.flatMap(
      Swaps,
      (swaps) => swaps.history(account, { limit: 1, states: ["waiting", "receiving"], sort: "ascending" }),
    )
    assert.lengthOf(listed.records, 0)
  })

  it.effect("says why providers were passed over where none is left", function* () {
    const { account, first, vaultSwaps } = yield* begin
    first.vaultSwaps = new ScriptedVaultSwaps("Solana")
    const errorsOf = (asked: ReturnType<typeof newRequest>, platform?: ProviderName) =>
      Effect.map(
        Effect.flip(vaultSwaps.encode(account, { request: asked, platform })),
        (error) => error._tag === "InvalidRequest" ? error.errors : error._tag,
      )
    const tron = newRequest({ sourceAsset: "trx.tron", sender: { _tag: "tron" } })
    assert.deepStrictEqual<unknown>(yield* errorsOf(tron), {
      sourceAsset: [
        "sourceAsset is on Tron, and first makes no payloads for transactions on Tron: ask /swap instead",
        "sourceAsset is on Tron, and second makes no payloads for transactions on Tron: ask /swap instead",
      ],
    })
    const named = ProviderName.make("first")
    assert.deepStrictEqual<unknown>(yield* errorsOf(newRequest(), named), {
      platform: [
        "platform first makes no payloads for transactions on Ethereum: ask /swap instead",
      ],
    })
    const unregistered = ProviderName.make("third")
    assert.strictEqual(yield* errorsOf(newRequest(), unregistered), "PairNotServed")
  })

  it.effect("asks the next provider only when the one before provably did nothing", function* () {
    const { encode, first, upstream } = yield* begin
    const preferred = new ScriptedVaultSwaps("Ethereum")
    first.vaultSwaps = preferred
    preferred.encoding = Effect.fail(first.fails(new DepositChannelFailed({ detail: "off" })))
    yield* encode(newRequest())
    assert.lengthOf(upstream.requests, 1)
    const lost = first.fails(new TimedOut({ detail: "no answer", reached: true }))
    preferred.encoding = Effect.fail(lost)
    assert.deepStrictEqual(yield* Effect.flip(encode(newRequest())), lost)
    assert.lengthOf(upstream.requests, 1)
  })

  it.effect("hands nothing out that could not be written down", function* () {
    const { account } = yield* begin
    const repo = yield* VaultSwapsRepo
    const unavailable = new StoreUnavailable({ operation: "VaultSwaps.remember", cause: "test" })
    const failing = VaultSwapsRepo.of({ ...repo, remember: () => Effect.fail(unavailable) })
    const error = yield* Effect.flatMap(
      VaultSwaps,
      (vaultSwaps) => vaultSwaps.encode(account, { request: newRequest(), platform: undefined }),
    ).pipe(
      Effect.provide(
        VaultSwaps.layer({ timeScale: 1, isSimulated: () => true, vaultAddresses: [] }).pipe(
          Layer.provide(Layer.succeed(VaultSwapsRepo, failing)),
        ),
      ),
      Effect.flip,
    )
    assert.deepStrictEqual(error, unavailable)
  })

  it.effect("hands out no payload that calls another contract than the first, unless the settings name it", function* () {
    const { account, encode, upstream } = yield* begin
    yield* encode(newRequest())
    const elsewhere = Address.make("0xABCDEF0000000000000000000000000000000001")
    upstream.to = elsewhere
    const rows = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`SELECT id FROM vault_swap_payloads WHERE account_id = ${account.id}`,
    )
    const { lines, value } = yield* collectLogs(Effect.flip(encode(newRequest())))
    assert.strictEqual(value._tag === "ProviderError" ? value.reason._tag : value._tag, "MalformedBody")
    assert.match(lines.join("\n"), /calls 0xABCDEF.* add second:Ethereum:0xABCDEF.* VAULT_ADDRESSES/)
    assert.lengthOf(yield* rows, 1)

    const address = Address.make(elsewhere.toLowerCase())
    const vaultAddresses = [{ platform: ProviderName.make("second"), chain: "Ethereum" as const, address }]
    const encodeKnowing = Effect.flatMap(
      VaultSwaps,
      (vaultSwaps) => vaultSwaps.encode(account, { request: newRequest(), platform: undefined }),
    ).pipe(Effect.provide(VaultSwaps.layer({ timeScale: 1, isSimulated: () => true, vaultAddresses })))
    yield* encodeKnowing
    assert.lengthOf(yield* rows, 2)
    // Where the settings name any, nothing else is called any more.
    upstream.to = Address.make("0x1111111111111111111111111111111111111111")
    assert.strictEqual((yield* Effect.flip(encodeKnowing))._tag, "ProviderError")
    yield* encode(newRequest())
  })

  it.effect("writes one line when a swap is found, with ids and nothing else", function* () {
    const { find, second, send } = yield* begin
    const asked = newRequest()
    const transaction = yield* send(asked)
    const observation = observe()
    const id = yield* Effect.provide(find(transaction), observation.layer)
    yield* Effect.provide(find(transaction), observation.layer)
    const lines = observation.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === "INFO")
    assert.deepStrictEqual(
      lines.map(({ annotations, message }) => [message, annotations]),
      [[
        "A vault swap was found; its state is receiving",
        { swap: Option.getOrThrow(id), platform: second.name },
      ]],
    )
    assert.notInclude(observation.lines.join(), asked.destinationAddress)
  })

  it.effect("finds a swap by its transaction once it is seen, and lists it from then on", function* () {
    const { account, encode, find, upstream } = yield* begin
    const asked = newRequest()
    yield* encode(asked)
    const transaction = newTransaction()
    assert.isTrue(Option.isNone(yield* find(transaction)))
    upstream.says(transaction, known(vaultSwapStatus(asked, "receiving", transaction)))
    const swaps = yield* Swaps
    const page = { limit: 5, states: ["receiving"], sort: "ascending" } as const
    assert.lengthOf((yield* swaps.history(account, page)).records, 0)
    const id = Option.getOrThrow(yield* find(transaction))
    const [record] = (yield* swaps.history(account, page)).records
    assert.strictEqual(record?.id, id)
    assert.strictEqual(record?.platform, "second")
    assert.strictEqual(record?.status.deposit?.transactionReference, transaction)
    assert.strictEqual((yield* swaps.byId(account, id)).status.state, "receiving")
    // In every way that a hash is written.
    for (const spelling of [transaction.toUpperCase().replace("0X", "0x"), transaction.slice(2)]) {
      assert.deepStrictEqual(yield* find(spelling), Option.some(id))
    }
  })

  it.effect("records a swap that is first told of with an end that cannot be, and disputes that end", function* () {
    const { account, encode, find, upstream } = yield* begin
    const asked = newRequest()
    yield* encode(asked)
    const transaction = newTransaction()
    const payment = { amount: NativeAmount.make(5n), transactionReference: `0x${"e".repeat(64)}` }
    const told = vaultSwapStatus(asked, "completed", transaction, { swapEgress: payment })
    upstream.says(transaction, known(told))
    const id = Option.getOrThrow(yield* find(transaction))
    yield* TestClock.adjust("20 minutes")
    yield* (yield* Tracker).lookUpDue
    const { status } = yield* (yield* Swaps).byId(account, id)
    assert.strictEqual(status.state, "swapping")
    const notes = (yield* (yield* JournalRepo).of(account.id, id)).map(({ note }) => note._tag)
    assert.deepStrictEqual(notes, ["Change", "Contradiction"])
  })

  it.effect("follows it to its end as any other swap, and then never asks again", function* () {
    const { account, find, send, upstream } = yield* begin
    const asked = newRequest()
    const transaction = yield* send(asked)
    const id = Option.getOrThrow(yield* find(transaction))
    const tracker = yield* Tracker
    const swaps = yield* Swaps
    for (const state of ["swapping", "sending", "sent", "completed"] as const) {
      yield* TestClock.adjust("6 seconds")
      upstream.says(transaction, known(vaultSwapStatus(asked, state, transaction, { swapId: "9" })))
      assert.strictEqual(yield* tracker.lookUpDue, 1)
      const page = { limit: 5, states: [state], sort: "ascending" } as const
      assert.deepStrictEqual((yield* swaps.history(account, page)).records.map((one) => one.id), [id])
    }
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* tracker.lookUpDue, 0)
    const asks = upstream.lookups.length
    assert.strictEqual((yield* swaps.byId(account, id)).status.state, "completed")
    assert.lengthOf(upstream.lookups, asks)
  })

  it.effect("shows it to no other account, even to one that asks for the same payload afterwards", function* () {
    const { encode, find, send } = yield* begin
    const other = yield* newAccount
    yield* encode(newRequest(), other)
    const asked = newRequest()
    const transaction = yield* send(asked)
    assert.isTrue(Option.isNone(yield* find(transaction, other)), "it had another payload")
    yield* encode(asked, other)
    assert.isTrue(Option.isNone(yield* find(transaction, other)), "it had the same one later")
    assert.isTrue(Option.isSome(yield* find(transaction)))
    assert.isTrue(Option.isNone(yield* find(transaction, other)), "it is somebody's already")
  })

  it.effect("takes a coin's transaction of another amount, but none of a token", function* () {
    const { find, send } = yield* begin
    const deposit = { amount: NativeAmount.make(7n) }
    assert.isTrue(Option.isSome(yield* find(yield* send(newRequest(), { deposit }))))
    const token = newRequest({ sourceAsset: "usdc.eth" })
    assert.isTrue(Option.isNone(yield* find(yield* send(token, { deposit }))))
    assert.isTrue(Option.isSome(yield* find(yield* send(token))))
  })

  it.effect("shows a payout to no other address than the swap has, from the first answer on", function* () {
    const { account, send, vaultSwaps } = yield* begin
    const asked = newRequest()
    const elsewhere = Address.make("0x9999999999999999999999999999999999999999")
    const swapEgress = { amount: NativeAmount.make(7n), destinationAddress: elsewhere }
    const transaction = yield* send(asked, { swapEgress })
    const { status } = yield* vaultSwaps.byTransaction(account, transaction)
    assert.strictEqual(status.swapEgress?.destinationAddress, asked.destinationAddress)
  })

  it.effect("finds a failed swap of which hardly more is told than its amount", function* () {
    const { find, send, upstream } = yield* begin
    const asked = newRequest()
    const transaction = yield* send(asked)
    const failed = Struct.omit(vaultSwapStatus(asked, "failed", transaction), ["fillOrKill"])
    const amountOf = (amount: bigint): SwapStatus => ({
      ...failed,
      brokers: [],
      deposit: { amount: NativeAmount.make(amount), transactionReference: transaction },
    })
    upstream.says(transaction, known(amountOf(7n)))
    assert.isTrue(Option.isNone(yield* find(transaction)))
    upstream.says(transaction, known(amountOf(asked.amount)))
    assert.isTrue(Option.isSome(yield* find(transaction)))
  })

  it.effect("records it once, however many ask at the same time", function* () {
    const { account, find, send } = yield* begin
    const transaction = yield* send(newRequest())
    const found = yield* Effect.all(Array.from({ length: 8 }, () => find(transaction)), {
      concurrency: "unbounded",
    })
    const ids = new Set(found.flatMap(Option.toArray))
    assert.strictEqual(ids.size, 1)
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`SELECT id FROM swaps WHERE account_id = ${account.id}`
    assert.lengthOf(rows, 1)
  })

  it.effect("keeps one row for a payload that is asked for again and again", function* () {
    const { account, encode } = yield* begin
    const asked = newRequest()
    yield* Effect.all([encode(asked), encode(asked), encode(asked)])
    yield* encode({ ...asked, amount: NativeAmount.make(3n) })
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`SELECT id FROM vault_swap_payloads WHERE account_id = ${account.id}`
    assert.lengthOf(rows, 2)
  })

  it.effect("keeps a payload that is asked for again until both have gone stale", function* () {
    const { account, encode, upstream } = yield* begin
    const asked = newRequest()
    const sql = yield* SqlClient.SqlClient
    const kept = Effect.map(
      sql`SELECT expires_at FROM vault_swap_payloads WHERE account_id = ${account.id}`,
      ([row]) => row?.expires_at,
    )
    const { expiresAt: first } = yield* encode(asked)
    upstream.lifetime = 1_000
    yield* encode(asked)
    assert.deepStrictEqual(yield* kept, new Date(first))
    upstream.lifetime = 7_200_000
    const { expiresAt: last } = yield* encode(asked)
    assert.deepStrictEqual(yield* kept, new Date(last))
  })

  it.effect("asks upstream only for what the account can have sent, and only by a reference of its chain", function* () {
    const { encode, find, upstream } = yield* begin
    yield* find(newTransaction())
    assert.lengthOf(upstream.lookups, 0, "it has had no payload")
    yield* encode(newRequest())
    for (const text of ["1000001", "14138313-Ethereum-77", "../networkInfo", "hash"]) yield* find(text)
    assert.lengthOf(upstream.lookups, 0)
    const transaction = newTransaction()
    yield* find(transaction.slice(2))
    assert.deepStrictEqual(upstream.lookups, [transaction])
  })

  it.effect("leaves some of what the upstream tolerates to swaps that are followed", function* () {
    const { encode, find, send, upstream } = yield* begin
    yield* encode(newRequest())
    for (let ask = 0; ask < 6; ask++) yield* find(newTransaction())
    assert.lengthOf(upstream.lookups, 4, "of one account")
    const other = yield* newAccount
    yield* encode(newRequest(), other)
    for (let ask = 0; ask < 6; ask++) yield* find(newTransaction(), other)
    assert.lengthOf(upstream.lookups, 5, "of all accounts")
    const transaction = yield* send(newRequest())
    assert.isTrue(Option.isNone(yield* find(transaction)), "it is not asked for now")
    yield* TestClock.adjust("1 minute")
    assert.isTrue(Option.isSome(yield* find(transaction)))
  })

  it.effect("knows no swap while the upstream fails", function* () {
    const { encode, find, second, upstream } = yield* begin
    yield* encode(newRequest())
    const transaction = newTransaction()
    upstream.says(transaction, Effect.fail(second.fails(new UpstreamFailed({ detail: "down" }))))
    assert.isTrue(Option.isNone(yield* find(transaction)))
    const asked = yield* Deferred.make<void>()
    upstream.says(transaction, Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
    const asking = yield* Effect.forkChild(find(transaction))
    yield* Deferred.await(asked)
    yield* TestClock.adjust("11 seconds")
    assert.isTrue(Option.isNone(yield* Fiber.join(asking)))
  })
})
