import { Context, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Attempt, AttemptFailure } from "#domain/accounts/Webhook.ts"
import { checkAddresses, hostOf, portOf, type Reach, readUrl } from "./destination.ts"
import { Buffer } from "node:buffer"
import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http"
import { request as secureRequest } from "node:https"
import { parseRetryAfter } from "#infrastructure/platform/httpTime.ts"

/** The outcome of an attempt, without its time, and the wait that the receiver asked for. */
interface Outcome extends Pick<Attempt, "status" | "failure" | "excerpt"> {
  readonly retryAfterSeconds?: number
}

/** A message to an address that was checked. */
interface Exchange {
  readonly url: URL
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly trusted?: string
}

/** The most bytes of an answer that are read, and the time for them once the status is there. */
const mostBytes = 2_048
const readMillis = 1_000

/** The most characters of an answer that are kept. */
const longestExcerpt = 500

const controls = /\p{Cc}+/gu

/** The beginning of an answer on one line; empty where it has no text. */
const excerptOf = (chunks: ReadonlyArray<Uint8Array>): string => {
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, mostBytes))
  return text.replaceAll(controls, " ").trim().slice(0, longestExcerpt).toWellFormed()
}

const noConnection = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT"]

const wrongCertificate = /CERT|SELF_SIGNED|UNABLE_TO_|TLS|SSL|EPROTO|ISSUER/

const failureOf = (error: Error & { readonly code?: unknown }): AttemptFailure => {
  const code = `${error.code ?? ""}`
  if (noConnection.includes(code)) return "unreachable"
  return wrongCertificate.test(code) || /certificate/i.test(error.message)
    ? "certificate_invalid"
    : "answer_broken"
}

/** Reads the beginning of an answer's body, within `readMillis` however slow it is; the rest is never read. */
const beginningOf = (answer: IncomingMessage, done: (excerpt: string) => void): void => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  let timer: ReturnType<typeof setTimeout> | undefined = undefined
  const finish = () => {
    clearTimeout(timer)
    answer.destroy()
    done(excerptOf(chunks))
  }
  timer = setTimeout(finish, readMillis)
  answer.on("data", (chunk: Uint8Array) => {
    chunks.push(chunk)
    length += chunk.length
    if (length >= mostBytes) finish()
  })
  answer.once("end", finish)
  answer.once("error", finish)
}

const busy: ReadonlyArray<number> = [429, 503]

/** The seconds that a receiver which is busy asks to be left alone for. */
const waitOf = ({ headers, statusCode = 0 }: IncomingMessage): Pick<Outcome, "retryAfterSeconds"> =>
  optionalMembers(
    busy.includes(statusCode)
      ? Option.getOrUndefined(parseRetryAfter(headers["retry-after"], Date.now()))
      : undefined,
    (retryAfterSeconds) => ({ retryAfterSeconds }),
  )

/** The connection goes to the address; `Host` has the name, and the certificate has to match it. */
const optionsOf = ({ url, address, headers, body, trusted }: Exchange): RequestOptions => {
  const host = hostOf(url)
  return {
    method: "POST",
    host: address,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      host: url.host,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "user-agent": "swap-broker",
      connection: "close",
    },
    agent: false,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...defined({ ca: trusted }),
  }
}

/** Sends a message once, to exactly this address, and reads the beginning of the answer. */
const exchange = (message: Exchange): Effect.Effect<Outcome> =>
  Effect.callback<Outcome>((resume) => {
    const send = message.url.protocol === "https:" ? secureRequest : plainRequest
    const request = send(optionsOf(message), (answer) => {
      const { statusCode: status } = answer
      if (status === undefined) return
      beginningOf(answer, (excerpt) => {
        resume(Effect.succeed({ status, ...(excerpt === "" ? {} : { excerpt }), ...waitOf(answer) }))
      })
    })
    request.on("error", (error) => resume(Effect.succeed({ failure: failureOf(error) })))
    request.end(message.body)
    return Effect.sync(() => request.destroy())
  })

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
          outcome = yield* exchange({ url, address, headers, body, ...defined({ trusted }) })
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
