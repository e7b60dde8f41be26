import { Deferred, Duration, Effect, Option, Result } from "effect"
import type { HttpClient } from "effect/http"
import { healthOf, type ProviderErrorReason } from "#domain/ProviderError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { withLookupTimeout } from "../upstream/failures.ts"
import { makeRest } from "../upstream/restClient.ts"
import type { Heard, Query } from "../upstream/transport.ts"
import { answerReason, type Subject, type UpstreamCall } from "./errors.ts"
import type { Family } from "./networks.ts"
import type { Options } from "./settings.ts"

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

/** What every caller would be told alike. */
const general: UpstreamCall = { general: true }

type Answered = Effect.Effect<Heard, ProviderErrorReason>

/** The REST API of a node (thorchain/wire.md 1). Every call only reads. */
export interface Client {
  /** The vaults by the first node alone, and by the second alone where there is one. */
  readonly inboundAddresses: { readonly first: Answered; readonly second: Option.Option<Answered> }
  readonly pools: Answered
  readonly lastBlock: Answered
  readonly quote: (query: Query, subject: Subject) => Answered
  /** Stages of a transaction, which is written in capitals and without 0x. */
  readonly status: (hash: string) => Answered
}

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
): Client => {
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
    inboundAddresses: {
      first: Option.isNone(second)
        ? inboundOf(first)
        : withLookupTimeout(family.endpoint, patience)(inboundOf(first)),
      second: Option.map(second, (say) => withLookupTimeout(secondEndpoint, patience)(inboundOf(say))),
    },
    pools: get("/pools", general),
    lastBlock: get("/lastblock", general),
    quote: (query, subject) => get("/quote/swap", { subject }, query),
    status: (hash) => get(`/tx/status/${encodeURIComponent(hash)}`),
  }
}
