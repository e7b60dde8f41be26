import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { Context, Duration, Effect, Fiber, Layer } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { CircuitBreaker } from "effect/persistence"
import { TestClock } from "effect/testing"
import { AccountId } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { Budgets, type SetLimit } from "#providers/Budgets.ts"
import { Guard } from "#providers/guard/Guard.ts"
import type { Provider } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { failAs, statusReason } from "#providers/upstream/failures.ts"
import { hideSecrets, isOk, send, under } from "#providers/upstream/transport.ts"
import { Quoting } from "#application/quoting/Quoting.ts"
import { TrackRecords } from "#application/quoting/TrackRecords.ts"
import { type Replicas, sharedBudgets } from "#application/replicas/sharedBudgets.ts"
import { callerWith } from "#test/support/account.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { swapRequest } from "#test/support/swap.ts"
import { defaultKnobs } from "#test/providers/guard/support.ts"
import { noIds, options } from "./quotingOver.ts"
import { quoteOf, request } from "./support.ts"

/** What an upstream takes in a minute, and for how long it takes nothing after one call too many. */
interface Upstream {
  readonly name: string
  readonly perMinute: number
  readonly restMillis: number
  /** The path that its limit is about; absent: every call. */
  readonly path?: string
}

/** As the real ones: of Chainflip quotes alone, of Relay quotes and openings together, of a THORNode everything. */
const upstreams: ReadonlyArray<Upstream> = [
  { name: "chainflip", perMinute: 100, restMillis: 300_000, path: "/quote" },
  { name: "relay", perMinute: 50, restMillis: 0, path: "/quote" },
  { name: "thorchain", perMinute: 60, restMillis: 0 },
  { name: "near-intents", perMinute: Infinity, restMillis: 0 },
]

/** The networks behind all replicas: they take a while, and refuse what is too much in any minute. */
const networks = () => {
  const refused: Array<string> = []
  const taken = new Map<string, Array<number>>()
  const restsUntil = new Map<string, number>()
  const isTooMany = (
    { name, path, perMinute, restMillis }: Upstream,
    asked: string,
    now: number,
  ): boolean => {
    if (path !== undefined && asked !== path) return false
    if (now < (restsUntil.get(name) ?? 0)) return true
    const lately = (taken.get(name) ?? []).filter((at) => now - at < 60_000)
    taken.set(name, [...lately, now])
    if (lately.length < perMinute) return false
    restsUntil.set(name, now + restMillis)
    return true
  }
  const client = HttpClient.make((request, { hostname, pathname }) =>
    Effect.gen(function* () {
      yield* Effect.sleep("200 millis")
      const upstream = upstreams.find(({ name }) => hostname.startsWith(name))
      const now = yield* currentMillis
      const isRefused = upstream !== undefined && isTooMany(upstream, pathname, now)
      if (isRefused) refused.push(hostname)
      return HttpClientResponse.fromWeb(request, new Response("{}", { status: isRefused ? 429 : 200 }))
    })
  )
  return { client, refused, taken }
}

const limitsOf = ({ path, perMinute }: Upstream): ReadonlyArray<SetLimit> =>
  perMinute === Infinity ? [] : [{
    name: "calls",
    perMinute,
    ...(path === undefined ? {} : { call: `GET ${path}` }),
  }]

/** A provider whose every operation is a call. Relay opens with its quotes. */
const providerOver = ({ name: text }: Upstream, client: HttpClient.HttpClient): Provider => {
  const name = ProviderName.make(text)
  const scripted = new ScriptedProvider(text)
  const base = new URL(`http://${text}.test`)
  const asks = (operation: "quote" | "open" | "status", path: string) =>
    send(client, text, HttpClientRequest.get(under(base, path)), hideSecrets(base)).pipe(
      Effect.flatMap((answer) =>
        isOk(answer) ? Effect.void : Effect.fail(statusReason(answer, { endpoint: text, opening: false }))
      ),
      failAs(name)(operation),
    )
  scripted.quoting = (asked) =>
    Effect.map(asks("quote", "/quote"), () => {
      const quote = quoteOf(name, 10n)
      return [{ ...quote, ingress: { ...quote.ingress, amount: unitsOf(asked.amount) } }]
    })
  scripted.opening = asks("open", text === "relay" ? "/quote" : "/open")
  return {
    name,
    capabilities: scripted.capabilities,
    assets: scripted.assets,
    quotes: scripted.quotes,
    channels: scripted.channels,
  }
}

/** A replica: quotes, and openings, over the same networks and the same shared store as the others. */
const replicaOver = Effect.fnUntraced(function* (client: HttpClient.HttpClient, replicas: Replicas) {
  const budgets = yield* sharedBudgets({
    ask: (question) => Effect.option(question({ replicas })),
    sharing: Effect.succeed({ scope: "shared" }),
  })
  const services = yield* Quoting.layer(options).pipe(
    Layer.provideMerge(Registry.layer(upstreams.map(({ name }) => ProviderName.make(name)))),
    Layer.provide([TrackRecords.layerEmpty, noIds]),
    Layer.provide(Guard.layer(defaultKnobs)),
    Layer.provide([CircuitBreaker.layerStoreMemory(), Layer.succeed(Budgets, budgets)]),
    Layer.build,
  )
  const registry = Context.get(services, Registry)
  for (const upstream of upstreams) {
    const name = ProviderName.make(upstream.name)
    yield* registry.register(
      providerOver(upstream, budgets.limited({ name, limits: limitsOf(upstream) })(client)),
    )
  }
  return { quoting: Context.get(services, Quoting), registry }
})

let amount = 0n

describe("demand at ten times what upstreams allow, for three minutes, on a pair of replicas", () => {
  it.effect("brings no 429, opens every swap, answers every quote in a second, and those who ask little get all", function* () {
    const { client, refused, taken } = networks()
    const said = new Map<string, string>()
    const replicas: Replicas = {
      say: (replica, words) => Effect.sync(() => [...said.set(replica, words).values()]),
      forget: (replica) => Effect.sync(() => void said.delete(replica)),
    }
    const [first, second] = [yield* replicaOver(client, replicas), yield* replicaOver(client, replicas)]
    const at = (number: number) => number % 2 === 0 ? first : second
    yield* TestClock.adjust("2 seconds")

    /** The providers of an answer, and how long it took. */
    const quote = Effect.fnUntraced(function* (number: number, id: number) {
      const replica = at(number)
      amount += 1n
      const from = yield* currentMillis
      const order = { ...request, amount: NativeAmount.make(100_000_000n + amount), platform: undefined }
      const { quotes } = yield* replica.quoting.quotes(callerWith({ id: AccountId.make(id) }), order)
      return { id, providers: quotes.map(({ platform }) => platform), millis: (yield* currentMillis) - from }
    }, (asking, _, id) => Effect.provideService(asking, OnBehalfOf, AccountId.make(id)))
    const open = Effect.fnUntraced(function* (number: number, platform: string) {
      const replica = at(number)
      const provider = (yield* replica.registry.enabled).find(({ name }) => name === platform)
      const { channels } = provider ?? {}
      return yield* channels === undefined ? Effect.die("It opens channels") : Effect.isSuccess(
        Effect.provideService(channels.open(swapRequest), OnBehalfOf, AccountId.make(9)),
      )
    })

    const quotes: Array<
      Fiber.Fiber<{ id: number; providers: ReadonlyArray<string>; millis: number }, unknown>
    > = []
    const openings: Array<Fiber.Fiber<boolean>> = []
    const ticks = 3 * 60 * 10
    for (let tick = 0; tick < ticks; tick++) {
      // Ten times 100 in a minute, by one account.
      const due = Math.floor((tick + 1) * 100 / 60) - Math.floor(tick * 100 / 60)
      for (let count = 0; count < due; count++) {
        quotes.push(yield* Effect.forkScoped(quote(tick + count, 1), { startImmediately: true }))
      }
      // Three others, each once in eighteen seconds, which is less than a share of what openings leave.
      if (tick % 60 === 0) {
        const number = tick / 60
        quotes.push(yield* Effect.forkScoped(quote(number, 2 + number % 3), { startImmediately: true }))
      }
      if (tick % 100 === 0) {
        openings.push(yield* Effect.forkScoped(open(tick / 100, "relay"), { startImmediately: true }))
      }
      if (tick % 20 === 0) {
        openings.push(yield* Effect.forkScoped(open(tick / 20, "chainflip"), { startImmediately: true }))
      }
      yield* TestClock.adjust("100 millis")
    }
    yield* TestClock.adjust(Duration.seconds(10))

    assert.deepStrictEqual(refused, [])
    assert.isTrue((yield* Effect.forEach(openings, Fiber.join)).every((isOpened) => isOpened))
    const answers = yield* Effect.forEach(quotes, Fiber.join)
    assert.isAtLeast(answers.length, 3_000)
    const inTime = answers.filter(({ millis, providers }) => millis <= 1_000 && providers.length > 0)
    assert.isAtLeast(inTime.length / answers.length, 0.95)
    const few = answers.filter(({ id }) => id !== 1)
    assert.deepStrictEqual(few.filter(({ providers }) => providers.length < upstreams.length), [])
    // What there is is used, too.
    for (const [name, perMinute] of [["chainflip", 100], ["relay", 50], ["thorchain", 60]] as const) {
      assert.isAtLeast(taken.get(name)?.length ?? 0, perMinute * 0.5, name)
    }
  })
})
