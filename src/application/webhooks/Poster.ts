import { Context, Duration, Effect, Layer, Result, Schema } from "effect"
import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { Attempt, AttemptFailure } from "#domain/accounts/Webhook.ts"
import { checkAddresses, hostOf, type Reach, readUrl } from "./destination.ts"
import { exchange, type Outcome } from "./exchange.ts"

export class NameUnresolved extends Schema.TaggedError<NameUnresolved>()("NameUnresolved", {
  cause: Schema.Defect(),
}) {}

export class Resolver extends Context.Service<Resolver, {
  readonly addresses: (host: string) => Effect.Effect<ReadonlyArray<string>, NameUnresolved>
}>()("swap-broker/webhooks/Resolver") {
  /** Resolves names as the operating system does. */
  static readonly layer = Layer.succeed(Resolver, {
    addresses: (host) =>
      Effect.tryPromise({
        try: async () => (await lookup(host, { all: true })).map(({ address }) => address),
        catch: (cause) => new NameUnresolved({ cause }),
      }),
  })
}

/** One message on its way. */
export interface Posting {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface PosterOptions extends Reach {
  /** The longest time of a whole attempt. */
  readonly timeout: Duration.Duration
  /** Certificates to trust instead of the system's, as PEM. */
  readonly trusted?: string
}

/** An attempt, and the wait that the receiver asked for. */
export interface Posted extends Attempt {
  readonly retryAfterSeconds?: number
}

const failed = (failure: AttemptFailure): Outcome => ({ failure })

/** The most addresses of a host that are tried. */
const mostAddresses = 3

/**
 * Sends messages to endpoints, which are URLs of strangers. The host's name is resolved and its addresses checked for
 * every attempt, and the connection goes to the checked address: a name that resolves differently a moment later gains
 * nothing (DNS rebinding). Redirects are not followed, only the beginning of an answer is read, and no attempt takes
 * longer than `timeout`.
 */
export class Poster extends Context.Service<Poster, {
  readonly post: (posting: Posting) => Effect.Effect<Posted>
  /** Checks that a message may go where a URL leads at present; fails with the reason. */
  readonly check: (url: string) => Effect.Effect<void, AttemptFailure>
}>()("swap-broker/webhooks/Poster") {
  static readonly layer = (options: PosterOptions) =>
    Layer.effect(Poster)(Effect.gen(function* () {
      const resolver = yield* Resolver
      const { timeout, trusted } = options

      const addressesOf = (host: string) =>
        isIP(host) === 0 ? resolver.addresses(host) : Effect.succeed([host])

      const locate = Effect.fnUntraced(function* (text: string) {
        const url = yield* Effect.fromResult(readUrl(text, options)).pipe(
          Effect.mapError((): AttemptFailure => "address_forbidden"),
        )
        const found = yield* Effect.mapError(
          addressesOf(hostOf(url)),
          (): AttemptFailure => "name_unresolved",
        )
        const addresses = yield* Effect.fromResult(Result.mapError(
          checkAddresses(url, options, found),
          (): AttemptFailure => "address_forbidden",
        ))
        return { url, addresses: addresses.slice(0, mostAddresses) }
      })

      const send = Effect.fnUntraced(function* ({ url: text, headers, body }: Posting) {
        const { url, addresses } = yield* locate(text)
        let outcome = failed("unreachable")
        for (const address of addresses) {
          outcome = yield* exchange({
            url,
            address,
            headers,
            body,
            ...defined({ trusted }),
          })
          // Nothing was sent where no connection came about, so another address may be tried.
          if (outcome.failure !== "unreachable") break
        }
        return outcome
      })

      const within = <A>(work: Effect.Effect<A, AttemptFailure>) =>
        Effect.timeoutOrElse(work, {
          duration: timeout,
          orElse: () => Effect.fail<AttemptFailure>("timeout"),
        })

      const post = Effect.fn("Poster.post")(function* (posting: Posting) {
        const at = yield* currentMillis
        const outcome = yield* Effect.catch(
          within(send(posting)),
          (failure) => Effect.succeed(failed(failure)),
        )
        return { at, durationMillis: (yield* currentMillis) - at, ...outcome }
      })

      return Poster.of({ post, check: (url) => Effect.asVoid(within(locate(url))) })
    }))
}
