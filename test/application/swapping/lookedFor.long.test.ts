import { assert, describe, it } from "@effect/vitest"
import { Effect, identity, Layer, Option, Redacted, Result, type Scope } from "effect"
import { HttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Caller } from "#domain/accounts/Account.ts"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { anyPrice } from "#domain/money/Price.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { Guard } from "#providers/guard/Guard.ts"
import { Registry } from "#providers/Registry.ts"
import * as chainflip from "#providers/chainflip/provider.ts"
import { makeClient } from "#providers/thorchain/client.ts"
import { makeConditions } from "#providers/thorchain/conditions.ts"
import * as networks from "#providers/thorchain/networks.ts"
import { make as makeVaults } from "#providers/thorchain/provider.ts"
import { midgardPath } from "#sandbox/announced.ts"
import { toVaultSwap } from "#sandbox/controlCommands.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { makePayloadSearch } from "#application/swapping/payloads/PayloadSearch.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { simulatedRouters } from "#test/conformance/thorchain/fixtures.ts"
import { genesis } from "#test/sandbox/support.ts"
import { embeddedStore, newAccount } from "#test/support/store.ts"
import { lookupOptions, noRequests, swapsOptions } from "#test/support/swapping.ts"
import { inProcess, urlOf } from "#test/application/treasury/inProcess.ts"

/** How many transactions are made of payloads of each provider, and how many hashes nobody knows. */
const ofEach = 200
const strangers = 1_000

const evm = Address.make("0x2222222222222222222222222222222222222222")
const bitcoin = Address.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")

/** The providers that begin swaps by transactions, and where some of each begin. */
const sources: Readonly<Record<string, readonly [AssetId, AssetId]>> = {
  chainflip: ["eth.eth", "eth.arb"],
  thorchain: ["eth.eth", "btc.btc"],
  maya: ["eth.eth", "eth.arb"],
}
const names = Object.keys(sources)

const requestOf = (sourceAsset: AssetId, number: number): VaultSwapRequest => {
  const isBitcoin = chainOf(sourceAsset) === "Bitcoin"
  return {
    sourceAsset,
    destinationAsset: isBitcoin ? "eth.eth" : "btc.btc",
    destinationAddress: isBitcoin ? evm : bitcoin,
    refundAddress: isBitcoin ? bitcoin : evm,
    minimumPrice: anyPrice,
    retryDurationBlocks: 0,
    maximumBoostFeeBps: Bps.make(0),
    commissionBps: Bps.make(10),
    affiliates: [],
    amount: NativeAmount.make((1_000_000n + BigInt(number) * 7_919n) * (isBitcoin ? 1n : 20n * 10n ** 10n)),
    sender: { _tag: isBitcoin ? "bitcoin" : "evm" },
  }
}

type Networks = Effect.Success<typeof inProcess>

/** Chainflip, THORChain and Maya over simulated networks. */
const providersOver = Effect.fnUntraced(function* ({ client: http }: Networks) {
  const vaults = Effect.fnUntraced(function* (family: networks.Family, name: "thorchain" | "maya") {
    const options = {
      url: urlOf(name),
      secondUrl: Option.none<URL>(),
      midgardUrl: Option.some(new URL(`${urlOf(name).href}${midgardPath}`)),
      routers: simulatedRouters(name),
      simulatedTime: true,
      affiliate: Option.some("sb"),
    }
    const client = makeClient(http, family, options)
    return makeVaults(family, options, client, yield* makeConditions(client, family, options), http)
  })
  return [
    yield* chainflip.make({
      backendUrl: urlOf("backend"),
      nodeUrl: urlOf("node"),
      brokerUrl: Redacted.make(urlOf("broker")),
      brokerAccount,
      explorerUrl: "https://explorer.test/{depositAddress}",
    }).pipe(Effect.provideService(HttpClient.HttpClient, http)),
    yield* vaults(networks.thorchain, "thorchain"),
    yield* vaults(networks.maya, "maya"),
  ]
})

const vaultSwapOptions = { timeScale: 1, isSimulated: () => true, vaultAddresses: [], soleProcess: false }

const swappingOver = (platforms: ReadonlyArray<ProviderName>) =>
  VaultSwaps.layer({ ...vaultSwapOptions }).pipe(
    Layer.provideMerge(Swaps.layer(swapsOptions)),
    // As many look-ups a second as a service makes by default.
    Layer.provideMerge(Lookups.layer({ ...lookupOptions, lookupsPerSecond: 100 })),
    Layer.provideMerge(Registry.layer(platforms)),
    Layer.provide([noRequests, Layer.mock(Guard, { wrap: identity })]),
    Layer.provideMerge(embeddedStore.layer),
  )

/** The transaction of a payload that an account asks for. */
const send = Effect.fnUntraced(
  function* ({ world }: Networks, account: Caller, platform: ProviderName, request: VaultSwapRequest) {
    const vaultSwaps = yield* VaultSwaps
    const { payload } = yield* vaultSwaps.encode(account, { request, platform })
    const command = yield* world.read((all) =>
      Result.getOrThrow(
        toVaultSwap(all, {
          payload,
          ...(payload._tag === "bitcoin" ? { changeAddress: request.refundAddress } : {}),
        }),
      )
    )
    const sent = command._tag === "PayVault"
      ? Result.getOrThrow(yield* world.perform(command))
      : Result.getOrThrow(yield* world.perform(command))
    return sent.transactionReference
  },
)

/** Transactions of each provider's payloads, in the order in which they were made. */
const begun = Effect.fnUntraced(function* (network: Networks) {
  const registry = yield* Registry
  for (const provider of yield* providersOver(network)) yield* registry.register(provider)
  const account = yield* newAccount
  const transactions: Array<string> = []
  for (const provider of yield* registry.enabled) {
    const [one, other] = sources[provider.name] ?? assert.fail(`no sources of ${provider.name}`)
    for (let number = 0; number < ofEach; number++) {
      const request = requestOf(number % 2 === 0 ? one : other, number)
      transactions.push(yield* send(network, account, provider.name, request))
    }
  }
  // Every network has seen every one.
  yield* network.world.travel(60 * 60_000)
  return { account, transactions }
})

/** In an order that is the same in every run and follows nothing. */
const shuffled = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
  let seed = 20_260_729
  const next = () => seed = (seed * 48_271) % 2_147_483_647
  return items.map((item) => ({ item, at: next() })).toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

const run = <A, E>(
  test: (
    network: Networks,
  ) => Effect.Effect<A, E, Scope.Scope | Layer.Success<ReturnType<typeof swappingOver>>>,
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(genesis)
    const network = yield* inProcess
    const platforms = (yield* providersOver(network)).map(({ name }) => name)
    return yield* Effect.provide(test(network), swappingOver(platforms))
  }).pipe(Effect.scoped)

const makeSearch = makePayloadSearch({ ...vaultSwapOptions })

describe(`${ofEach} transactions of payloads of each of ${names.join(", ")}`, () => {
  it.effect(`are found within 30 seconds in random order among ${strangers} unknown hashes, and never a 404`, () =>
    run((network) =>
      Effect.gen(function* () {
        const { account, transactions } = yield* begun(network)
        const search = yield* makeSearch
        const vaultSwaps = yield* VaultSwaps
        const unknown = Array.from(
          { length: strangers },
          (_, number) => `${number % 3 === 0 ? "" : "0x"}${`${number}`.padStart(64, "e")}`,
        )
        const isKnown = new Set(transactions)
        const started = yield* currentMillis
        let due: ReadonlyArray<{ readonly transaction: string; readonly at: number }> = shuffled(
          [...transactions, ...unknown],
        ).map((transaction) => ({ transaction, at: started }))
        let notMade = 0
        const found = new Map<string, number>()
        // A hundred hashes a second, each again when it is said to be worth it, and a search every ten seconds.
        for (let second = 0; second < 60 && found.size < transactions.length; second++) {
          const now = yield* currentMillis
          if (second % 10 === 9) yield* Effect.forkChild(search)
          const asked = due.filter(({ at }) => at <= now).slice(0, 100)
          due = due.filter((one) => !asked.includes(one))
          for (const { transaction } of asked) {
            const answer = yield* Effect.result(vaultSwaps.byTransaction(account, transaction))
            if (Result.isSuccess(answer)) {
              assert.isTrue(isKnown.has(transaction))
              found.set(transaction, now)
            } else if (answer.failure._tag === "LookupNotMade") {
              notMade++
              due = [...due, { transaction, at: now + answer.failure.retryAfterSeconds * 1_000 }]
            } else {
              assert.strictEqual(answer.failure._tag, "SwapNotFound")
              assert.isFalse(isKnown.has(transaction), `a 404 of ${transaction}, which its network knows`)
            }
          }
          yield* TestClock.adjust("1 second")
        }
        assert.strictEqual(found.size, transactions.length)
        const longest = Math.max(...found.values()) - started
        assert.isAtMost(longest, 30_000)
        assert.isAbove(notMade, 0, "all look-ups were made: the budgets were not met")
      })
    ))

  it.effect("are on record with their events within two minutes without any question", () =>
    run((network) =>
      Effect.gen(function* () {
        const { account, transactions } = yield* begun(network)
        const search = yield* makeSearch
        const sql = yield* SqlClient.SqlClient
        const recorded = Effect.map(
          sql`SELECT vault_transaction AS hash FROM swaps WHERE account_id = ${account.id}`,
          (rows) => rows.map(({ hash }) => `${hash}`),
        )
        // Time stands still while anything is written, so that a slow machine counts no more of it.
        const settled = Effect.gen(function* () {
          let before = -1
          for (let same = 0; same < 40;) {
            const { length } = yield* recorded
            same = length === before ? same + 1 : 0
            before = length
          }
        })
        for (let second = 0; second < 120; second++) {
          yield* TestClock.adjust("1 second")
          if (second % 10 === 9) yield* Effect.forkChild(search)
          yield* settled
          if ((yield* recorded).length === transactions.length) break
        }
        assert.sameMembers(yield* recorded, transactions)
        const told = yield* sql`
          SELECT DISTINCT swap_id FROM outbox WHERE account_id = ${account.id}`
        assert.lengthOf(told, transactions.length)
      })
    ))
})
