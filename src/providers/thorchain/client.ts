import { Deferred, Duration, Effect, Option, Result } from "effect"
import type { HttpClient } from "effect/http"
import {
  AmountBelowMinimum,
  AssetDisabled,
  AssetNotListed,
  DepositBelowMinimum,
  EgressFeeNotCovered,
  healthOf,
  InsufficientLiquidity,
  type ProviderErrorReason,
  QuotingMaintenance,
  SwappingMaintenance,
} from "#domain/ProviderError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import {
  failAs as failuresOf,
  meaningIn,
  type Meanings,
  refusalText,
  refused,
  statusReason,
  type WireCall,
  withLookupTimeout,
} from "../upstream/failures.ts"
import { makeRest } from "../upstream/restClient.ts"
import { type Answer, type Heard, type Query, sameAs } from "../upstream/transport.ts"
import type { Family } from "./networks.ts"
import type { Options } from "./settings.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { limitNotMet } from "../Capabilities.ts"
import { coverWire } from "./amounts.ts"

/** An answer or the meaning of its refusal; fails if the host is unreachable or at fault itself. */
type Saying<A> = Effect.Effect<Result.Result<A, ProviderErrorReason>, ProviderErrorReason>

/** How long one host is waited for before the other is asked, too: an attempt of a call has time for both. */
const hostPatience = Duration.seconds(1)

/** How long a host that has failed is asked after the other, so that not every call waits for it. */
const restMillis = 30_000

/** Asks `other` when `one` fails or stays silent for a while; the first answer counts. Fails as `one` does. */
const inTurn = <A>(one: Saying<A>, other: Saying<A>): Saying<A> =>
  Effect.gen(function* () {
    const failed = yield* Deferred.make<ProviderErrorReason>()
    return yield* Effect.race(
      Effect.tapError(one, (reason) => Deferred.succeed(failed, reason)),
      Effect.andThen(Effect.timeoutOption(Deferred.await(failed), hostPatience), other),
    ).pipe(Effect.catch(() => Effect.flatMap(Deferred.await(failed), Effect.fail)))
  })

/** Makes a function that asks `first`, and `second` if it fails. `endpoint` names the host in messages. */
const makeAsk = <Host>(endpoint: string, first: Host, second: Option.Option<Host>) => {
  let restsUntil = 0

  const note = (isFirst: boolean) =>
    Effect.gen(function* () {
      const now = yield* currentMillis
      if (isFirst) restsUntil = 0
      else if (now >= restsUntil) {
        restsUntil = now + restMillis
        yield* Effect.logWarning(
          `The ${endpoint} fails, is slow or is asked as often as it may be: the second one answers in its place`,
        )
      }
    })

  return <A>(say: (host: Host) => Saying<A>): Effect.Effect<A, ProviderErrorReason> =>
    Option.match(second, {
      onNone: () => say(first),
      onSome: (second) =>
        Effect.flatMap(currentMillis, (now) => {
          const ofFirst = Effect.tap(say(first), note(true))
          const ofSecond = Effect.tap(say(second), note(false))
          return now < restsUntil ? inTurn(ofSecond, ofFirst) : inTurn(ofFirst, ofSecond)
        }),
    }).pipe(Effect.flatMap(Effect.fromResult))
}

export const failAs = ({ name }: Family) => failuresOf(name)

interface Subject {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  /** Native units of the source asset. */
  readonly amount: NativeAmount
  /** Whether it is asked for a payload, whose addresses are the caller's. */
  readonly paying: boolean
}

/** A quote has no addresses, so a message about one cannot be about the caller's. */
const ofCaller =
  (parameter: string, predicate: string) =>
  (_: RegExpExecArray, { paying }: Subject): ProviderErrorReason | undefined =>
    paying ? refused(parameter, predicate) : undefined

/** All trading stands still: no new quote, and no payment that could be swapped. */
export const paused = (paying: boolean): ProviderErrorReason =>
  paying
    ? new SwappingMaintenance({ detail: "The network does not swap now: try again later" })
    : new QuotingMaintenance({ detail: "The network does not trade now: try again later" })

export const halted = (asset: AssetId): ProviderErrorReason =>
  new AssetDisabled({ detail: `Swaps with ${asset} are halted: ${chainOf(asset)} is at rest in the network` })

/** The asset is swapped by the network's contract alone, and the row of its chain names none. */
export const noContract = (asset: AssetId): ProviderErrorReason =>
  new AssetDisabled({ detail: `Swaps from ${asset} are halted: the network names no contract that takes it` })

/** Nothing is swapped from a chain whose vault is not believed. The operator is told; other chains go on. */
export const notBelieved = (asset: AssetId, reason: ProviderErrorReason): ProviderErrorReason =>
  reason._tag === "MalformedBody"
    ? sameAs(
      reason,
      new AssetDisabled({
        detail: `Swaps from ${asset} are halted: it is not sure yet where payments on ${chainOf(asset)} go`,
      }),
    )
    : reason

/** The advised minimum in native units. None if the amount follows it already: the pools are too thin then. */
const minimumReason = ({ amount, sourceAsset }: Subject, digits: string | undefined): ProviderErrorReason => {
  const minimum = digits === undefined
    ? Option.none()
    : NativeAmount.makeOption(coverWire(sourceAsset, BigInt(digits)))
  return Option.match(minimum, {
    onNone: () => feeNotCovered,
    onSome: (minimum) => minimum <= amount ? notEnough : belowMinimum(sourceAsset, minimum),
  })
}

/** The pools pay nothing for this amount. */
export const notEnough = new InsufficientLiquidity({
  detail: "The pools have not enough for this amount: try another one",
})

/** So little is kept by the network. */
export const feeNotCovered = new EgressFeeNotCovered({
  detail: "The amount does not cover what it costs to pay out or back: swap more",
})

/** Every text that has a meaning of its own (thorchain/wire.md 6). */
const knownMessages: Meanings<Subject> = [
  [/streaming swaps? (?:are |is )?paused/i, refused("numberOfChunks", "is not possible now")],
  [
    // A pause comes first, as whatever else a node says with it is a consequence. A node says so of all trading, and where one
    // of the two chains, assets or pools is at rest; the flags of pauses tell which.
    /(?:trading|swaps?|swapping|pools?|chains?)(?: [\w.~-]{1,80})??(?: (?:is|are))? (globally )?(?:halted|paused|suspended)\b/i,
    ([, globally], { destinationAsset, paying, sourceAsset }) =>
      globally === undefined
        ? new AssetDisabled({ detail: `Swaps from ${sourceAsset} to ${destinationAsset} are halted now` })
        : paused(paying),
  ],
  [
    /less than dust threshold/i,
    new AmountBelowMinimum({ detail: "The amount is too little for the network to see: swap more" }),
  ],
  [
    /(?:less than min swap amount|swap too small)(?:.*recommended.min\w*:?\s*([0-9]{1,30}))?/is,
    ([, digits], subject) => minimumReason(subject, digits),
  ],
  [
    /not enough (?:asset|fund\w*) to pay for fees?|not enough fees?\b|less than outbound fee|does not meet requirements/i,
    (_, subject) => minimumReason(subject, undefined),
  ],
  // Only a payload has a limit.
  [/less than price limit/i, (_, { paying }) => paying ? limitNotMet : notEnough],
  [
    /emit asset|not enough (?:balance|liquidity)|swap amount too large/i,
    new InsufficientLiquidity({ detail: "The pools have not enough for this amount: try a lower one" }),
  ],
  [
    /pool (?:does not exist|.*(?:not available|not found|doesn't exist))|asset is not (?:supported|available)|bad (?:from|to) asset/i,
    (_, { destinationAsset, sourceAsset }) =>
      new AssetNotListed({ detail: `The network has no pool for ${sourceAsset} and ${destinationAsset}` }),
  ],
  [
    /bad destination address|destination address is not the same chain/i,
    ofCaller("destinationAddress", "is not an address that the network can pay out to"),
  ],
  [/bad refund address/i, ofCaller("refundAddress", "is not an address that the network can refund to")],
  [
    /affiliate fee must not be more than|affiliate fee must be less/i,
    refused("commissionBps", "is more than the network takes"),
  ],
  [/memo too long/i, refused("destinationAddress", "leaves no room in a transaction of the source chain")],
  [/bad streaming (?:interval|quantity)/i, refused("numberOfChunks", "is not one that the network takes")],
  [/bad amount/i, refused("amount", "is not one that the network takes")],
]

/** A payment of so little would be swapped at a loss, or kept. */
export const belowMinimum = (asset: AssetId, minimum: NativeAmount) =>
  new DepositBelowMinimum({ asset, minimum })

interface UpstreamCall extends Pick<WireCall, "general"> {
  readonly subject?: Subject
}

/** The reason of a failure: known texts count more than the status. Calls only read, so none is an opening. */
export const answerReason =
  (endpoint: string) => (answer: Answer, asked: UpstreamCall): ProviderErrorReason =>
    Option.all({ text: refusalText(answer), subject: Option.fromUndefinedOr(asked.subject) }).pipe(
      Option.flatMap(({ subject, text }) => meaningIn(knownMessages, text, subject)),
      Option.getOrElse(() => statusReason(answer, { ...asked, endpoint, opening: false })),
    )

/** What every caller would be told alike. */
const general: UpstreamCall = { general: true }

type Answered = Effect.Effect<Heard, ProviderErrorReason>

/** The REST API of a node (thorchain/wire.md 1). Every call only reads. */
export type Client = ReturnType<typeof makeClient>

/** A fault of the host itself, which another host need not have; also an answer that is none. */
const isOfHost = (reason: ProviderErrorReason): boolean =>
  reason._tag !== "RateLimited" && healthOf(reason) === "failure"

/** How long each of two nodes is waited for where both are asked: what is put together of them is waited for 3 seconds. */
const patience = Duration.seconds(2)

/** The API at `url`, or at the second URL where the first fails. No host is asked twice in a call. */
export const makeClient = (
  client: HttpClient.HttpClient,
  family: Family,
  { secondUrl, url }: Pick<Options, "secondUrl" | "url">,
) => {
  const sayer = (url: URL, endpoint: string) => {
    const { asking, read } = makeRest({
      client,
      url,
      endpoint,
      reasonOf: answerReason(endpoint),
      asksOnce: true,
    })
    return (path: string, query: Query, asked: UpstreamCall): Saying<Heard> =>
      Effect.flatMap(asking.get(`${family.path}${path}`, query), (answer) => {
        const said = read(answer, asked)
        return Result.isFailure(said) && isOfHost(said.failure)
          ? Effect.fail(said.failure)
          : Effect.succeed(said)
      })
  }
  const secondEndpoint = `second ${family.endpoint}`
  const first = sayer(url, family.endpoint)
  const second = Option.map(secondUrl, (url) => sayer(url, secondEndpoint))
  const ask = makeAsk(family.endpoint, first, second)
  const inboundOf = (say: typeof first): Answered =>
    Effect.flatMap(say("/inbound_addresses", {}, general), Effect.fromResult)
  const get = (path: string, asked: UpstreamCall = {}, query: Query = {}): Answered =>
    ask((say) => say(path, query, asked))
  return {
    /** The vaults by the first node alone, and by the second alone where there is one. */
    inboundAddresses: {
      first: Option.isNone(second)
        ? inboundOf(first)
        : withLookupTimeout(family.endpoint, patience)(inboundOf(first)),
      second: Option.map(second, (say) => withLookupTimeout(secondEndpoint, patience)(inboundOf(say))),
    },
    pools: get("/pools", general),
    lastBlock: get("/lastblock", general),
    quote: (query: Query, subject: Subject) => get("/quote/swap", { subject }, query),
    /** Stages of a transaction, which is written in capitals and without 0x. */
    status: (hash: string) => get(`/tx/status/${encodeURIComponent(hash)}`),
  }
}
