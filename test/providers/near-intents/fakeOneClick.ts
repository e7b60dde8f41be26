import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { Effect, Option, Redacted } from "effect"
import { dryFigures, order } from "./fixtures/quote.ts"
import { tokens } from "./fixtures/tokens.ts"
import { makeClient } from "#providers/near-intents/client.ts"
import { makeConditions } from "#providers/near-intents/conditions.ts"
import { make } from "#providers/near-intents/provider.ts"
import { signedText, SigningKey } from "#providers/near-intents/signature.ts"
import type { Options } from "#providers/near-intents/settings.ts"
import {
  type Asked,
  fakeUpstream,
  type Members,
  notBefore,
  type Provided,
  type Reply,
  type ScriptOf,
} from "../fakeUpstream.ts"

export { type Answer, type Asked, plain, reasonOf, type Reply } from "../fakeUpstream.ts"

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

type Kind = "tokens" | "dry" | "order" | "status"

/** The fake's answers by kind of call. */
export type Script = ScriptOf<Kind>

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

const ordinaryDay: Script = {
  tokens: { body: tokens },
  dry: quoted(dryFigures),
  order: quoted(order),
}

const kindOf = ({ url, body }: Asked): Kind => {
  if (url.pathname.endsWith("/v0/tokens")) return "tokens"
  if (url.pathname.endsWith("/v0/status")) return "status"
  return body["dry"] === true ? "dry" : "order"
}

/** An upstream that differs from an ordinary day by `script`. */
export const fakeOneClick = (script: Script) => fakeUpstream(kindOf, { ...ordinaryDay, ...script })

/** The provider over such an upstream. */
export const providerOver = (script: Script, differing: Partial<Options> = {}): Effect.Effect<Provided> =>
  Effect.gen(function* () {
    const { asked, client } = fakeOneClick(script)
    const settings = { ...options, ...differing }
    const oneClick = makeClient(client, settings)
    const catalogue = yield* makeConditions(oneClick)
    yield* notBefore(Date.parse(timestamp))
    return [make(settings, oneClick, catalogue), asked]
  })
