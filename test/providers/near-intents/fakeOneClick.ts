import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { Clock, Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import type { ProviderError, ProviderErrorReason } from "../../../src/domain/ProviderError.ts"
import type { Provider } from "../../../src/providers/Provider.ts"
import { dryFigures, order } from "./fixtures/quote.ts"
import { tokens } from "./fixtures/tokens.ts"
import { makeClient } from "../../../src/providers/near-intents/client.ts"
import { makeConditions } from "../../../src/providers/near-intents/conditions.ts"
import { make } from "../../../src/providers/near-intents/provider.ts"
import { signedText, SigningKey } from "../../../src/providers/near-intents/signature.ts"
import type { Options } from "../../../src/providers/near-intents/settings.ts"

const secretKey = sha256(utf8ToBytes("a key of the tests"))

export const publicKey = SigningKey.make(`ed25519:${base58.encode(ed25519.getPublicKey(secretKey))}`)

export const options: Options = {
  url: new URL("http://one-click.test/near-intents/"),
  token: Option.some(Redacted.make("partner-token")),
  publicKey,
  feeAccount: Option.some("operator.near"),
  commissionBasis: "charged",
  otherFeesMostBps: 60,
  waitingMillis: 0,
  explorerUrl: "https://explorer.test/{depositAddress}",
}

type Members = Readonly<Record<string, unknown>>

const Members = Schema.Record(Schema.String, Schema.Unknown)

/** An answer on the wire; text goes out as it is. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A request as the upstream got it; `body` is what a POST carried. */
export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Members
}

export type Answer = Reply | ((asked: Asked) => Reply)

/** The fake's answers by kind of call. */
export interface Script {
  readonly tokens?: Answer
  readonly dry?: Answer
  readonly order?: Answer
  readonly status?: Answer
}

/** When the fake makes its orders, which is when tests begin. */
export const timestamp = "2026-11-21T05:00:00.000Z"

/** The signature of what is signed of an answer. */
export const sign = (
  answer: { readonly quoteRequest: Members; readonly quote: Members; readonly timestamp?: string },
) => {
  const signed = { timestamp, ...answer, signature: "" }
  const message = utf8ToBytes(base58.encode(sha256(utf8ToBytes(signedText(signed)))))
  return { ...signed, signature: `ed25519:${base58.encode(ed25519.sign(message, secretKey))}` }
}

/** A signed answer to whatever was asked, with these figures. */
export const quoted =
  (quote: Members, echo: Members = {}, at: string = timestamp) => ({ body }: Asked): Reply => ({
    status: 201,
    body: { correlationId: "c-1", ...sign({ quoteRequest: { ...body, ...echo }, quote, timestamp: at }) },
  })

const ordinaryDay: Required<Omit<Script, "status">> = {
  tokens: { body: tokens },
  dry: quoted(dryFigures),
  order: quoted(order),
}

const kindOf = ({ url, body }: Asked): keyof Script => {
  if (url.pathname.endsWith("/v0/tokens")) return "tokens"
  if (url.pathname.endsWith("/v0/status")) return "status"
  return body["dry"] === true ? "dry" : "order"
}

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): Members =>
  body._tag === "Uint8Array"
    ? Schema.decodeSync(Schema.fromJsonString(Members))(new TextDecoder().decode(body.body))
    : {}

const respond = (request: HttpClientRequest.HttpClientRequest, { status = 200, headers = {}, body }: Reply) =>
  HttpClientResponse.fromWeb(
    request,
    new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers }),
  )

/** An HttpClient that answers by the script, as on an ordinary day where it says nothing, and notes all. */
export const fakeOneClick = (script: Script) => {
  const asked: Array<Asked> = []
  const client = HttpClient.make((request, url) => {
    const question = { method: request.method, url, headers: { ...request.headers }, body: bodyOf(request) }
    asked.push(question)
    const answer = { ...ordinaryDay, ...script }[kindOf(question)]
    if (answer === undefined) {
      return Effect.fail(
        new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({ request, description: "not in the script" }),
        }),
      )
    }
    return Effect.succeed(respond(request, typeof answer === "function" ? answer(question) : answer))
  })
  return { asked, client, layer: Layer.succeed(HttpClient.HttpClient, client) }
}

/** Runs a test against the provider over a fake upstream that differs from an ordinary day by `script`. */
export const withProvider = <A, E>(
  script: Script,
  test: (provider: Provider, asked: ReadonlyArray<Asked>) => Effect.Effect<A, E>,
  differing: Partial<Options> = {},
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const { asked, client } = fakeOneClick(script)
    const settings = { ...options, ...differing }
    const oneClick = makeClient(client, settings)
    const catalogue = yield* makeConditions(oneClick)
    yield* TestClock.setTime(Math.max(yield* Clock.currentTimeMillis, Date.parse(timestamp)))
    return yield* test(make(settings, oneClick, catalogue), asked)
  })

/** The reason that an operation failed for. */
export const reasonOf = <A>(
  operation: Effect.Effect<A, ProviderError>,
): Effect.Effect<ProviderErrorReason, A> => Effect.map(Effect.flip(operation), ({ reason }) => reason)

/** Tag and members of a reason, as a plain object. */
export const plain = (reason: ProviderErrorReason): unknown => ({ ...reason })
