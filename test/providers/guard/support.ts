import { Context, Duration, Effect, Layer, Option, Random } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { NativeAmount } from "#domain/money/Amount.ts"
import { noBps } from "#domain/money/Bps.ts"
import { JsonText } from "#domain/JsonText.ts"
import { NodeReply } from "#domain/operations/NodeCall.ts"
import { ProviderError, type ProviderErrorReason, RateLimited, Unreachable } from "#domain/ProviderError.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import { Comparison } from "#domain/operations/Treasury.ts"
import { Budgets } from "#providers/Budgets.ts"
import { Guard } from "#providers/guard/Guard.ts"
import type { GuardOptions } from "#providers/guard/GroupGuard.ts"
import type { OperationGroup } from "#providers/operations.ts"
import { reasonsWith } from "#test/support/reasons.ts"
import { ScriptedProvider, ScriptedVaultSwaps } from "#test/support/provider.ts"
import { channelsOf, statusIn, swapRequest, vaultSwapRequest } from "../support.ts"

/** The figures that a service has unless its settings say otherwise. */
export const defaultKnobs: GuardOptions = {
  circuit: {
    openTime: Duration.seconds(5),
    openTimeMost: Duration.seconds(120),
    retryAfterMost: Duration.minutes(10),
  },
  sharing: { share: 0.5, wait: Duration.seconds(1) },
  groups: {
    quote: {
      attemptTimeout: Duration.seconds(3),
      retries: 1,
      deadline: Duration.seconds(5),
      bulkhead: 64,
      trip: CircuitBreaker.rate({ threshold: 0.5, size: 20, minimumCalls: 10 }),
      slowCall: Duration.millis(2_500),
    },
    open: {
      attemptTimeout: Duration.seconds(60),
      retries: 0,
      deadline: Duration.seconds(65),
      bulkhead: 16,
      trip: CircuitBreaker.consecutive(5),
    },
    status: {
      attemptTimeout: Duration.seconds(3),
      retries: 2,
      deadline: Duration.seconds(5),
      bulkhead: 32,
      trip: CircuitBreaker.rate({ threshold: 0.5, size: 20, minimumCalls: 10 }),
      slowCall: Duration.millis(2_500),
    },
    node: {
      attemptTimeout: Duration.seconds(3),
      retries: 1,
      deadline: Duration.seconds(5),
      bulkhead: 32,
      trip: CircuitBreaker.rate({ threshold: 0.5, size: 20, minimumCalls: 10 }),
      slowCall: Duration.millis(2_500),
    },
    treasury: {
      attemptTimeout: Duration.seconds(60),
      retries: 0,
      deadline: Duration.seconds(65),
      bulkhead: 4,
      trip: CircuitBreaker.rate({ threshold: 0.5, size: 20, minimumCalls: 10 }),
    },
  },
}

/** The same, where who finds no place is refused at once. */
export const impatientKnobs: GuardOptions = {
  ...defaultKnobs,
  sharing: { ...defaultKnobs.sharing, wait: Duration.zero },
}

/** As long as the longest opening: no shorter, or a circuit would forget its openings before its time. */
export const idleTimeToLive = defaultKnobs.circuit.retryAfterMost

/** A guard of its own; its circuits are kept in memory, unless in another store. */
export const guardLayer = (
  knobs: GuardOptions = defaultKnobs,
  store: Layer.Layer<CircuitBreaker.CircuitBreakerStore> = CircuitBreaker.layerStoreMemory({
    idleTimeToLive,
  }),
) => Guard.layer(knobs).pipe(Layer.provide([store, Budgets.layer]))

const quoteRequest: QuoteRequest = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amount: NativeAmount.make(100_000_000n),
  commissionBps: noBps,
}

export type Script = Effect.Effect<void, ProviderErrorReason>

/** What is asked of the guarded upstream: one operation of each group, and those that are in a group with it. */
export type Asked =
  | "assets"
  | "quote"
  | "open"
  | "encode"
  | "status"
  | "vaultSwapStatus"
  | "transaction"
  | "node"
  | "treasury"

const channel = { issuedBlock: 1, network: "Bitcoin", channelId: 1 } as const

/** An upstream behind a guard; each call is told what the upstream does to every attempt of it. */
export const guardedUpstream = Effect.fnUntraced(function* (layer: Layer.Layer<Guard> = guardLayer()) {
  const guard = Context.get(yield* Layer.build(layer), Guard)
  const upstream = new ScriptedProvider("upstream")
  const vaultSwaps = new ScriptedVaultSwaps("Ethereum")
  let attempts = 0

  const scripted = <A>(script: Script, value: Effect.Effect<A>): Effect.Effect<A, ProviderError> =>
    Effect.suspend(() => {
      attempts += 1
      return Effect.andThen(script, value)
    }).pipe(
      Effect.mapError((reason) => new ProviderError({ provider: upstream.name, operation: "quote", reason })),
    )

  /** The calls differ only in what they do upstream, so each wraps the provider with its own script. */
  const call = (asked: Asked, script: Script): Effect.Effect<unknown, ProviderError> => {
    const provider = guard.wrap({
      name: upstream.name,
      capabilities: upstream.capabilities,
      assets: scripted(script, Effect.succeed([])),
      quotes: () => scripted(script, Effect.succeed([])),
      channels: {
        open: (request) => scripted(script, Effect.orDie(upstream.open(request))),
        status: () => scripted(script, Effect.succeedNone),
        findTransaction: () => scripted(script, Effect.succeedNone),
      },
      vaultSwaps: {
        chains: vaultSwaps.chains,
        encode: (request) => scripted(script, Effect.orDie(vaultSwaps.encode(request))),
        status: () => scripted(script, Effect.succeedNone),
      },
      node: () => scripted(script, Effect.succeed(NodeReply.Error({ json: JsonText.make("{}") }))),
      treasury: {
        account: scripted(script, Effect.succeed({ account: "operator", earned: [], affiliates: [] })),
        comparison: Comparison.Exact(),
      },
    })
    return {
      assets: provider.assets,
      quote: provider.quotes(quoteRequest),
      open: channelsOf(provider).open(swapRequest),
      encode: provider.vaultSwaps?.encode(vaultSwapRequest) ?? Effect.die("The guard took the payloads away"),
      status: channelsOf(provider).status(channel, statusIn("waiting")),
      vaultSwapStatus: provider.vaultSwaps?.status({ transaction: "tx", marks: [] }, Option.none()) ??
        Effect.die("The guard took the vault swaps away"),
      transaction: channelsOf(provider).findTransaction?.("tx") ??
        Effect.die("The guard took the transactions away"),
      node: provider.node?.({ method: "cf_environment" }) ?? Effect.die("The guard took the node away"),
      treasury: provider.treasury?.account ?? Effect.die("The guard took the treasury away"),
    }[asked]
  }

  return {
    guard,
    /** The answer of a call: `answered`, or the tag of its reason. */
    ask: (asked: Asked, script: Script = Effect.void): Effect.Effect<Answer> =>
      Effect.match(call(asked, script), {
        onSuccess: () => "answered",
        onFailure: ({ reason }) => reason._tag,
      }),
    /** The same, with the whole reason of a failure. */
    reasonOf: (asked: Asked, script: Script = Effect.void) =>
      Effect.map(Effect.flip(call(asked, script)), ({ reason }) => reason),
    call,
    view: guard.view(upstream.name),
    /** The circuit of a group. */
    circuit: (group: OperationGroup) => Effect.map(guard.view(upstream.name), (view) => view[group].circuit),
    /** How often the upstream was asked so far. */
    attempts: () => attempts,
  }
})

/** How a call ended for its caller. */
export type Answer = "answered" | ProviderErrorReason["_tag"]

/** The same call so many times, one after another. */
export const times = <A, E, R>(count: number, call: Effect.Effect<A, E, R>) =>
  Effect.replicateEffect(call, count)

/** Lets every fiber go as far as it can without time passing. */
export const settle = Effect.replicateEffect(Effect.yieldNow, 20)

/** Begins a call in the background, as far as it goes without time passing. */
export const begin = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.tap(Effect.forkScoped(call), settle)

/** Every random number is the same: 0 gives the shortest jitter, 0.5 none. */
export const withChance = (chance: number) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Random.Random, {
    nextIntUnsafe: () => 0,
    nextDoubleUnsafe: () => chance,
  })

const detail = "as the test wants it"

/** Every reason that a provider's failure can have. */
export const reasons = reasonsWith(detail)

/** The upstream fails with an error of its own. */
export const fails: Script = Effect.fail(reasons.UpstreamFailed)

/** The upstream asks to be left alone for so long. */
export const limits = (retryAfterSeconds: number): Script =>
  Effect.fail(new RateLimited({ detail, retryAfterSeconds }))

/** The upstream answers no call of the operation for so long. */
export const shuts = (retryAfterSeconds: number): Script =>
  Effect.fail(new RateLimited({ detail, retryAfterSeconds, isShut: true }))

/** The connection is cut; a proxy may say when to come back. */
export const cut = (retryAfterSeconds?: number): Script =>
  Effect.fail(
    new Unreachable({
      detail,
      reached: false,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    }),
  )

/** The upstream takes so long, and then does as told. */
export const after = (duration: Duration.Input, script: Script = Effect.void): Script =>
  Effect.andThen(Effect.sleep(duration), script)

/** What the upstream does to one attempt of a call after another. */
export const inTurn = (...scripts: ReadonlyArray<Script>): Script => {
  let attempt = 0
  return Effect.suspend(() => scripts[attempt++] ?? Effect.die("There is no script for so many attempts"))
}
