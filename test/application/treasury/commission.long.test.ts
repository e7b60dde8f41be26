import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option, Redacted } from "effect"
import { HttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { chargedOf, commissionsOf, sumsByAsset, UtcDay } from "#domain/money/Commission.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { anyPrice } from "#domain/money/Price.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { Provider } from "#providers/Provider.ts"
import * as chainflip from "#providers/chainflip/provider.ts"
import * as intents from "#providers/near-intents/provider.ts"
import { makeClient as intentsClient } from "#providers/near-intents/client.ts"
import { makeConditions as intentsConditions } from "#providers/near-intents/conditions.ts"
import { SigningKey } from "#providers/near-intents/signature.ts"
import * as relay from "#providers/relay/provider.ts"
import { makeClient as relayClient } from "#providers/relay/client.ts"
import { makeConditions as relayConditions } from "#providers/relay/conditions.ts"
import { makeClient as nodeClient } from "#providers/thorchain/client.ts"
import { makeConditions as nodeConditions } from "#providers/thorchain/conditions.ts"
import * as networks from "#providers/thorchain/networks.ts"
import { make as makeVaults } from "#providers/thorchain/provider.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { offerOf } from "#sandbox/near-intents/engine/offer.ts"
import * as Intents from "#sandbox/near-intents/engine/Intents.ts"
import { publicKey } from "#sandbox/near-intents/signature.ts"
import { converted, offerOf as relayOffer } from "#sandbox/relay/engine/offer.ts"
import * as Relay from "#sandbox/relay/engine/Relay.ts"
import { outboundFee, shareInNative, toWire } from "#sandbox/thorchain/engine/settlement.ts"
import * as Vaults from "#sandbox/thorchain/engine/Vaults.ts"
import { SumsRepo } from "#infrastructure/store/business/SumsRepo.ts"
import { LedgerRepo } from "#infrastructure/store/treasury/LedgerRepo.ts"
import { encodeStatus } from "#infrastructure/store/database/columns.ts"
import { simulatedRouters } from "#test/conformance/thorchain/fixtures.ts"
import { vaultSwapsOf } from "#test/conformance/verbs/kit.ts"
import { channelsOf } from "#test/support/channelsOf.ts"
import { embeddedStore, newAccount } from "#test/support/store.ts"
import { inProcess, urlOf } from "./inProcess.ts"

/** How many swaps each of the five providers makes; `deno task pairs` has 10,000 made of all. */
const many = Deno.env.get("PAIRS") === "all" ? 2_000 : 400

const evm = Address.make("0x2222222222222222222222222222222222222222")
const bitcoin = Address.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")

/** A swap that depends on its number alone: its amount, and commission of 0 to 50 basis points. */
const requestOf = (number: number, sourceAsset: AssetId, destinationAsset: AssetId) => ({
  sourceAsset,
  destinationAsset,
  destinationAddress: destinationAsset === "btc.btc" ? bitcoin : evm,
  refundAddress: sourceAsset === "btc.btc" ? bitcoin : evm,
  minimumPrice: anyPrice,
  retryDurationBlocks: 0,
  maximumBoostFeeBps: Bps.make(0),
  commissionBps: Bps.make(number % 51),
  affiliates: [],
  amount: NativeAmount.make(
    (500_000n + BigInt(number) * 7_919n) * 10n ** BigInt(factsOf(sourceAsset).decimals - 8) * (
      sourceAsset === "btc.btc" ? 1n : 20n
    ),
  ),
} satisfies SwapRequest)

const numbers = Array.from({ length: many }, (_, number) => number)

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, amount) => total + amount, 0n)

type Networks = Effect.Success<typeof inProcess>

/** Opens a channel for each request, pays into it, lets two hours pass, and tells what became of each. */
const throughChannels = Effect.fnUntraced(function* (
  { world }: Networks,
  provider: Provider,
  requests: ReadonlyArray<ReturnType<typeof requestOf>>,
) {
  const channels = channelsOf(provider)
  const opened = yield* Effect.forEach(requests, (request) =>
    Effect.gen(function* () {
      const { channel, status } = yield* channels.open(request)
      const { depositAddress } = channel
      yield* world.perform({ _tag: "Deposit", address: depositAddress, amount: request.amount })
      return { channel, status }
    }))
  yield* world.travel(2 * 60 * 60_000)
  return yield* Effect.forEach(
    opened,
    ({ channel, status }) =>
      Effect.map(channels.status(channel.id, status), (found) => {
        const told = Option.isSome(found) ? found.value.status : assert.fail("nothing is known of a swap")
        assert.strictEqual(told.state, "completed")
        return told
      }),
  )
})

/** What the records say of commission, which is all in one asset. */
const figuresOf = (status: SwapStatus) => {
  const [one, ...others] = commissionsOf(status)
  assert.deepStrictEqual(others, [])
  const figures = one ?? { amount: 0n, kept: 0n, isEstimate: false }
  return { ...figures, charged: chargedOf(figures) }
}

const outputOf = ({ swapEgress }: SwapStatus): bigint => swapEgress?.amount ?? assert.fail("nothing was paid")

/** Asserts that ledger and sums of commission are what the records of a provider's swaps say. */
const assertLedger = Effect.fnUntraced(function* (platform: string, swaps: ReadonlyArray<SwapStatus>) {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* newAccount
  // All in one statement, as the sums of a day follow each of them.
  const statuses = yield* Effect.forEach(swaps, (status) => encodeStatus(status))
  yield* sql`
    INSERT INTO swaps (account_id, platform, opening, request, state, status, created_at, updated_at, shares_channel)
    SELECT ${id}, ${platform}, 'opened', '{}', 'completed', status, now(), now(), true
    FROM jsonb_array_elements(${`[${statuses.join()}]`}::jsonb) AS status`
  const sums = yield* (yield* SumsRepo).commission({
    from: UtcDay.make("2026-01-01"),
    to: UtcDay.make("2026-12-31"),
    by: ["platform"],
  })
  const expected = sumsByAsset(swaps.flatMap(commissionsOf).map((one) => ({ ...one, swaps: 1 })))
  assert.deepStrictEqual<unknown>(
    sums.map(({ unvalued: _, value: __, ...sum }) => sum),
    [...expected].toSorted(([one], [other]) => one < other ? -1 : 1)
      .map(([asset, figures]) => ({ platform, asset, ...figures })),
  )
  assert.deepStrictEqual<unknown>(
    yield* (yield* LedgerRepo).earned(ProviderName.make(platform)),
    new Map(sums.map(({ amount, asset }) => [asset, amount])),
  )
}, Effect.provide(embeddedStore.layer))

const begin = TestClock.adjust("1 day")

describe(`commission of ${5 * many} simulated swaps`, () => {
  it.effect("of Chainflip is what the payers miss and what the account of the broker holds, to the unit", function* () {
    yield* begin
    const requests = numbers.map((number) =>
      requestOf(number, "btc.btc", number % 2 === 0 ? "usdc.eth" : "eth.eth")
    )
    const made = Effect.gen(function* () {
      const networks = yield* inProcess
      yield* networks.world.perform({ _tag: "SetFlip", free: NativeAmount.make(10n ** 30n) })
      const provider = yield* chainflip.make({
        backendUrl: urlOf("backend"),
        nodeUrl: urlOf("node"),
        brokerUrl: Redacted.make(urlOf("broker")),
        brokerAccount,
        explorerUrl: "https://explorer.test/{depositAddress}",
      }).pipe(Effect.provideService(HttpClient.HttpClient, networks.client))
      return { ...networks, provider }
    })
    const charging = yield* made
    const free = yield* made
    const swaps = yield* throughChannels(charging, charging.provider, requests)
    const same = yield* throughChannels(
      free,
      free.provider,
      requests.map((request) => ({ ...request, commissionBps: Bps.make(0) })),
    )
    // USDC is taken between the two legs: what is paid out, or goes into the second leg, is less by it.
    const passed = (status: SwapStatus) =>
      status.destinationAsset === "usdc.eth"
        ? outputOf(status)
        : status.swap?.swappedIntermediateAmount ?? assert.fail("there was no second leg")
    swaps.forEach((swap, index) => {
      const { charged, isEstimate, kept } = figuresOf(swap)
      const before = same[index]
      assert.isDefined(before)
      assert.strictEqual(passed(before) - passed(swap), charged)
      assert.isFalse(isEstimate)
      assert.strictEqual(kept, 0n)
    })
    const received = sum(swaps.map((swap) => figuresOf(swap).amount))
    assert.isAbove(Number(received), 0)
    const { treasury } = charging.provider
    assert.isDefined(treasury)
    assert.deepStrictEqual<unknown>((yield* treasury.account).earned, [{
      asset: "usdc.eth",
      amount: received,
    }])
    yield* assertLedger("chainflip", swaps)
  })

  it.effect("of 1Click is what the payers miss, what our account has and what 1Click keeps, to the unit", function* () {
    yield* begin
    const networks = yield* inProcess
    const options = {
      url: urlOf("nearIntents"),
      token: Option.none(),
      publicKey: SigningKey.make(publicKey),
      simulatedTime: true,
      feeAccount: Option.some("operator.near"),
      commissionBasis: "charged" as const,
      otherFeesMostBps: 60,
      waitingMillis: 0,
      explorerUrl: "https://explorer.test/{depositAddress}",
    }
    const client = intentsClient(networks.client, options)
    const provider = intents.make(options, client, yield* intentsConditions(client))
    const requests = numbers.map((number) => requestOf(number, "btc.btc", "eth.eth"))
    const swaps = yield* throughChannels(networks, provider, requests)
    yield* networks.world.read(({ intents, network }) => {
      for (const swap of swaps) {
        const { charged, isEstimate } = figuresOf(swap)
        const order = Intents.orderAt(intents, swap.depositChannel?.depositAddress ?? "")
        assert.isDefined(order)
        assert.isFalse(isEstimate)
        // The protocol takes a millionth of the whole input: the amount of which as much is left without the charge.
        const amount = unitsOf(order.terms.terms.amount)
        const left = amount - amount / 1_000_000n - charged
        const without = left + left / 999_999n
        const figures = { ...order.terms.terms, fees: [], amount: NativeAmount.make(without) }
        const offer = offerOf(network, figures)
        assert.strictEqual(without - without / 1_000_000n, left)
        assert.strictEqual(offer._tag === "Success" ? offer.success.amountOut : 0n, outputOf(swap))
      }
      const paid = Intents.feesPaid(intents)
      const ours = paid.filter(({ account }) => account === "operator.near")
      const own = paid.filter(({ account }) => account !== "operator.near")
      assert.strictEqual(
        sum(swaps.map((swap) => figuresOf(swap).amount)),
        sum(ours.map(({ amount }) => amount)),
      )
      assert.strictEqual(sum(swaps.map((swap) => figuresOf(swap).kept)), sum(own.map(({ amount }) => amount)))
    })
    yield* assertLedger("near-intents", swaps)
  })

  it.effect("of Relay is what the payers miss and what the wallet's balance is, to the unit", function* () {
    yield* begin
    const networks = yield* inProcess
    const wallet = "0x1111111111111111111111111111111111111111"
    const options = {
      url: urlOf("relay"),
      key: Option.some(Redacted.make("a-key")),
      feeRecipient: Option.some(wallet),
      explorerUrl: "https://explorer.test/{depositAddress}",
      quoteVersion: "v2" as const,
    }
    const client = relayClient(networks.client, options)
    const provider = relay.make(options, client, yield* relayConditions(client))
    const requests = numbers.map((number) => requestOf(number, "btc.btc", "eth.eth"))
    const swaps = yield* throughChannels(networks, provider, requests)
    const inUsdc = yield* networks.world.read(({ network, relay }) =>
      swaps.map((swap) => {
        const { amount, charged, isEstimate, kept } = figuresOf(swap)
        const request = Relay.findRequest(relay, swap.depositChannel?.reference ?? "")
        assert.isDefined(request)
        const { offer, terms } = request
        const without = relayOffer(network, { ...terms, appFeeBps: Bps.make(0) })
        const net = offer.amountIn - offer.gasFee - offer.serviceFee - charged
        assert.isFalse(isEstimate)
        assert.strictEqual(kept, 0n)
        assert.strictEqual(outputOf(swap), converted(net, terms, offer.prices))
        assert.strictEqual(
          (without._tag === "Success" ? without.success.amountOut : 0n) - outputOf(swap),
          converted(net + charged, terms, offer.prices) - converted(net, terms, offer.prices),
        )
        return amount * offer.prices.origin / 10n ** BigInt(factsOf(terms.origin.asset).decimals)
      })
    )
    const { treasury } = provider
    assert.isDefined(treasury)
    assert.deepStrictEqual<unknown>((yield* treasury.account).earned, [{
      asset: "usdc.eth",
      amount: sum(inUsdc),
    }])
    yield* assertLedger("relay", swaps)
  })

  it.effect.each([networks.thorchain, networks.maya])(
    "of $span is what the payers miss to the unit in quotes; of the records it is an estimate below that by the share of the fee for sending",
    function* (family) {
      yield* begin
      const name = family === networks.maya ? "maya" as const : "thorchain" as const
      const { client: http, world } = yield* inProcess
      const options = {
        url: urlOf(name),
        secondUrl: Option.none<URL>(),
        simulatedTime: true,
        routers: simulatedRouters(name),
        affiliate: Option.some("sb"),
        midgardUrl: Option.none<URL>(),
      }
      const client = nodeClient(http, family, options)
      const conditions = yield* nodeConditions(client, family, options)
      const provider = makeVaults(family, options, client, conditions, http)
      const { encode, status } = vaultSwapsOf(provider)
      const swaps = yield* Effect.forEach(numbers, (number) =>
        Effect.gen(function* () {
          const request = number % 2 === 0
            ? requestOf(number, "btc.btc", "eth.eth")
            : requestOf(number, "eth.eth", "btc.btc")
          const [quote] = yield* provider.quotes(request)
          const [free] = yield* provider.quotes({ ...request, commissionBps: Bps.make(0) })
          const sender = { _tag: number % 2 === 0 ? "bitcoin" as const : "evm" as const }
          const { mark } = yield* encode({ ...request, sender })
          const { sourceAsset, amount } = request
          const sent = yield* world.perform({
            _tag: "PayVault",
            provider: name,
            asset: sourceAsset,
            amount,
            memo: mark ?? assert.fail("a payload without a memo"),
            vault: yield* world.read(({ vaults }) =>
              Vaults.vaultAfter(vaults[name].family, chainOf(sourceAsset), 0)
            ),
            sender: request.refundAddress,
          })
          const transaction = sent._tag === "Success" ? sent.success.transactionReference : ""
          return { quote, free, transaction }
        }))
      yield* world.travel(4 * 60 * 60_000)
      const shares = yield* Effect.forEach(swaps, ({ free, quote, transaction }) =>
        Effect.gen(function* () {
          assert.isDefined(quote)
          assert.isDefined(free)
          const found = yield* status({ transaction, marks: [] }, Option.none())
          const told = Option.isSome(found) ? found.value.status : assert.fail("nothing is known of a swap")
          const charged = sum(quote.fees.flatMap(({ amount, type }) => type === "broker" ? [amount] : []))
          const { destinationAsset } = told
          assert.strictEqual(told.state, "completed")
          assert.strictEqual(free.egress.amount - quote.egress.amount, charged)
          assert.strictEqual<bigint>(outputOf(told), quote.egress.amount)
          const [{ amount: estimate, isEstimate } = { amount: 0n, isEstimate: true }] = commissionsOf(told)
          assert.isTrue(isEstimate)
          return yield* world.read(({ vaults }) => {
            const vault = vaults[name]
            const unit = 10n ** BigInt(factsOf(destinationAsset).decimals - 8)
            const fee = outboundFee(vault, destinationAsset) * unit
            const bps = told.brokers[0]?.commissionBps ?? 0
            assert.isAtLeast(Number(charged + unit - estimate), 0)
            assert.isAtMost(
              Number(charged - estimate),
              Number(fee * BigInt(bps) / BigInt(10_000 - bps) + 2n * unit),
            )
            return { told, share: shareInNative(vault, destinationAsset, toWire(destinationAsset, charged)) }
          })
        }))
      yield* assertLedger(name, shares.map(({ told }) => told))
      const paid = yield* world.read(({ vaults }) => Vaults.feesPaid(vaults[name]))
      assert.deepStrictEqual([...new Set(paid.map(({ account }) => account))], [
        name === "maya" ? "maya1sb" : "thor1sb",
      ])
      const held = sum(shares.map(({ share }) => share))
      assert.strictEqual(sum(paid.map(({ amount }) => amount)), held)
      assert.isAbove(Number(held), 0)
    },
  )
})
