import { assert, collectLogs, describe, it, statusIn, swapRequest, vaultSwapRequest } from "./support.ts"
import { Duration, Effect, Layer, Option, Record, Stream } from "effect"
import { HttpClient } from "effect/http"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Contact } from "#domain/operations/Contact.ts"
import { JsonText } from "#domain/JsonText.ts"
import { NodeReply } from "#domain/operations/NodeCall.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { Comparison, WithdrawalTrace } from "#domain/operations/Treasury.ts"
import { type Configured, layerOf } from "#providers/definition.ts"
import { Guard } from "#providers/guard/Guard.ts"
import type { PortOperation } from "#providers/operations.ts"
import { nothingListed, OpeningTrace, type Provider, Reindexed } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { request } from "#test/application/quoting/support.ts"
import { openedChannel, ScriptedProvider, ScriptedVaultSwaps } from "#test/support/provider.ts"
import { ours } from "#test/support/treasury.ts"
import { guardLayer } from "./guard/support.ts"

/** The ways in which code ends that no port has. */
const ways: Readonly<Record<string, () => Effect.Effect<never>>> = {
  "throws": () => {
    throw new TypeError("a bug of the provider")
  },
  "rejects a promise": () => Effect.promise(() => Promise.reject(new TypeError("a bug of the provider"))),
  "dies": () => Effect.die(new TypeError("a bug of the provider")),
  "dies in a stream": () =>
    Effect.andThen(Stream.runDrain(Stream.die("a bug of the provider")), Effect.never),
  "interrupts itself": () => Effect.interrupt,
}

const { capabilities } = new ScriptedProvider("any")
const vaultSwaps = new ScriptedVaultSwaps("Ethereum")
const taken = { reference: "1", amount: NativeAmount.make(1n), fee: NativeAmount.make(1n), destination: ours }

/** A provider with every operation of the port, each of which does what `before` says before it answers. */
const providerOf = (name: string, before: (operation: PortOperation) => Effect.Effect<void>): Provider => {
  const doing = <A>(operation: PortOperation, answer: Effect.Effect<A, ProviderError>) =>
    Effect.andThen(before(operation), answer)
  return {
    name: ProviderName.make(name),
    capabilities,
    assets: Effect.suspend(() => doing("assets", Effect.succeed([]))),
    quotes: () => doing("quotes", Effect.succeed([])),
    channels: {
      open: (request) => doing("channels.open", Effect.sync(() => openedChannel(request))),
      list: Effect.suspend(() => doing("channels.list", Effect.succeed(nothingListed))),
      findOpening: () => doing("channels.findOpening", Effect.succeed(OpeningTrace.NotKnown())),
      status: () => doing("channels.status", Effect.succeedNone),
      findTransaction: () => doing("channels.findTransaction", Effect.succeedNone),
      reindex: () => doing("channels.reindex", Effect.succeed(Reindexed.NotKnown())),
    },
    vaultSwaps: {
      chains: ["Ethereum"],
      encode: (request) => doing("vaultSwaps.encode", vaultSwaps.encode(request)),
      status: () => doing("vaultSwaps.status", Effect.succeedNone),
      list: () => doing("vaultSwaps.list", Effect.succeed([])),
    },
    node: () => doing("node", Effect.succeed(NodeReply.Error({ json: JsonText.make("{}") }))),
    treasury: {
      account: Effect.suspend(() =>
        doing("treasury.account", Effect.succeed({ account: "operator", earned: [], affiliates: [] }))
      ),
      comparison: Comparison.Exact(),
      withdrawals: {
        withdraw: () => doing("treasury.withdrawals.withdraw", Effect.succeed(taken)),
        find: () => doing("treasury.withdrawals.find", Effect.succeed(WithdrawalTrace.NotKnown())),
        standing: () => doing("treasury.withdrawals.standing", Effect.succeedNone),
      },
      affiliates: {
        asset: "usdc.eth",
        register: () =>
          doing(
            "treasury.affiliates.register",
            Effect.succeed({ account: "1", earned: [], withdrawalAddress: ours }),
          ),
      },
    },
  }
}

const lacking = Effect.die("The guard took the operation away")
const channel = { issuedBlock: 1, network: "Bitcoin", channelId: 1 } as const
const order = { asset: "usdc.eth", destination: ours } as const
const none = { asset: "usdc.eth", amount: NativeAmount.make(0n) } as const
const at = EpochMillis.make(0)

/** A call of each operation: the compiler asks for one that is new in the port. */
const calls: Readonly<Record<PortOperation, (provider: Provider) => Effect.Effect<unknown, ProviderError>>> =
  {
    assets: ({ assets }) => assets,
    quotes: (provider) => provider.quotes(request),
    "channels.open": ({ channels }) => channels?.open(swapRequest) ?? lacking,
    "channels.list": ({ channels }) => channels?.list ?? lacking,
    "channels.findOpening": ({ channels }) =>
      channels?.findOpening?.(swapRequest, at, nothingListed) ?? lacking,
    "channels.status": ({ channels }) => channels?.status(channel, statusIn("waiting")) ?? lacking,
    "channels.findTransaction": ({ channels }) => channels?.findTransaction?.("tx") ?? lacking,
    "channels.reindex": ({ channels }) => channels?.reindex?.(channel, statusIn("waiting")) ?? lacking,
    "vaultSwaps.encode": ({ vaultSwaps }) => vaultSwaps?.encode(vaultSwapRequest) ?? lacking,
    "vaultSwaps.status": ({ vaultSwaps }) =>
      vaultSwaps?.status({ transaction: "tx", marks: [] }, Option.none()) ?? lacking,
    "vaultSwaps.list": ({ vaultSwaps }) => vaultSwaps?.list?.({ chains: ["Ethereum"], since: at }) ?? lacking,
    node: ({ node }) => node?.({ method: "cf_environment" }) ?? lacking,
    "treasury.account": ({ treasury }) => treasury?.account ?? lacking,
    "treasury.withdrawals.withdraw": ({ treasury }) => treasury?.withdrawals?.withdraw(order) ?? lacking,
    "treasury.withdrawals.find": ({ treasury }) => treasury?.withdrawals?.find?.(order, none, at) ?? lacking,
    "treasury.withdrawals.standing": ({ treasury }) => treasury?.withdrawals?.standing(taken) ?? lacking,
    "treasury.affiliates.register": ({ treasury }) => treasury?.affiliates?.register(ours) ?? lacking,
  }

const operations = Record.keys(calls)

const honest = ["one", "two", "three", "four"].map((name) => ProviderName.make(name))

let count = 0
/** A name of its own for each, as lines about one provider and operation are few in a second. */
const newName = () => ProviderName.make(`faulty-${count += 1}`)

const registryOf = (names: ReadonlyArray<ProviderName>) =>
  Layer.provideMerge(Registry.layer(names), guardLayer())

/** How the call of each provider ends, and how many failures a provider has had in all. */
const endsOf = Effect.fnUntraced(function* (operation: PortOperation, faulty: ProviderName) {
  const guard = yield* Guard
  const { enabled } = yield* Registry
  const ends = yield* Effect.forEach(
    yield* enabled,
    (provider) =>
      Effect.match(calls[operation](provider), {
        onSuccess: () => "answered",
        onFailure: ({ reason }) => reason._tag,
      }),
    { concurrency: "unbounded" },
  )
  const groups = yield* guard.view(faulty)
  return { ends, failed: Object.values(groups).reduce((sum, { calls: { failed } }) => sum + failed, 0) }
})

const answered = "answered"

describe("a provider whose code fails, beside four whose code does not", () => {
  for (const [way, failing] of Object.entries(ways)) {
    it.each(operations)(`${way} in %s: a failure of its own, a line and a count`, (operation) => {
      const faulty = newName()
      return Effect.gen(function* () {
        const { register } = yield* Registry
        for (const name of honest) yield* register(providerOf(name, () => Effect.void))
        const { ends } = yield* endsOf(operation, faulty)
        yield* register(providerOf(faulty, (called) => called === operation ? failing() : Effect.void))
        const { lines, value } = yield* collectLogs(endsOf(operation, faulty))
        assert.deepStrictEqual(value, { ends: [...ends, "ProviderDefect"], failed: 1 })
        assert.lengthOf(lines.filter((line) => typeof line === "string" && line.includes(faulty)), 1)
      }).pipe(Effect.scoped, Effect.provide(registryOf([...honest, faulty])), Effect.runPromise)
    })
  }

  it.effect("fails alone when its layer throws or dies, and leaves the start of others as it is", function* () {
    const [throwing, dying] = [newName(), newName()]
    const configured = (name: ProviderName, layer: Configured["layer"]): Configured => ({
      name,
      layer,
      limits: [],
      places: [],
      isSimulated: false,
      contact: Contact.make({ name: "any" }),
    })
    const layers = [
      ...honest.map((name) =>
        configured(name, () =>
          Layer.effectDiscard(
            Effect.flatMap(Registry, ({ register }) => register(providerOf(name, () => Effect.void))),
          ))
      ),
      configured(throwing, () => {
        throw new TypeError("a bug of the provider")
      }),
      configured(dying, () => Layer.effectDiscard(Effect.die("a bug of the provider"))),
    ]
    const surroundings = { networks: ["mainnet"], lookupTimeout: Duration.seconds(1) } as const
    const noClient = Layer.succeed(HttpClient.HttpClient, HttpClient.make(() => Effect.never))
    const { lines, value } = yield* collectLogs(
      endsOf("quotes", dying).pipe(
        Effect.provide(
          Layer.provideMerge(layerOf(layers, surroundings), registryOf([...honest, throwing, dying])),
        ),
        Effect.provide(noClient),
      ),
    )
    assert.deepStrictEqual(value, {
      ends: [...honest.map(() => answered), "ProviderDefect", "ProviderDefect"],
      failed: 1,
    })
    for (const name of [throwing, dying]) {
      assert.lengthOf(lines.filter((line) => typeof line === "string" && line.includes(name)), 1)
    }
  })
})
