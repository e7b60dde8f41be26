import { Effect, Option } from "effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import type { CaseKeys } from "../../cases/CaseKeys.ts"
import { currentMillis } from "../../platform/currentMillis.ts"
import type { Sent } from "../../requests/RequestMeta.ts"

/** Signs an answer, where there is a key and the answer is no stream. */
export type Sign = (
  request: HttpServerRequest.HttpServerRequest,
  sent: Sent,
  response: HttpServerResponse.HttpServerResponse,
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** A digest as `Content-Digest` has it (RFC 9530). */
const digestOf = (bytes: Uint8Array): string =>
  `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`

/** What is signed, in this order: the answer, and the request that it is the answer to (RFC 9421 2.2, 2.4). */
const components = [
  '"@status"',
  '"content-digest"',
  '"@method";req',
  '"@request-target";req',
  '"content-digest";req',
] as const

/**
 * Signs answers with the first key of case files (RFC 9421), so that a client sees where somebody on the way has changed
 * an address, or the request. `Swap-Signature` is a dictionary: `input` as RFC 9421 has it in `Signature-Input`, and the
 * `signature`. A text of which a case file is signed begins with a brace, so none is ever taken for the other.
 */
export const signing = ({ all }: CaseKeys["Service"]): Sign =>
  Effect.fnUntraced(function* ({ method }, { body: asked, target }, response) {
    const { body, status } = response
    const keys = yield* Effect.option(all)
    if (body._tag !== "Uint8Array" || Option.isNone(keys)) return response
    const [key] = keys.value
    const created = Math.floor((yield* currentMillis) / 1_000)
    const input = `(${components.join(" ")});created=${created};keyid="${key.id}";alg="ed25519"`
    const digest = digestOf(body.body)
    const values = [status, digest, method, target, digestOf(asked)]
    const lines = [
      ...components.map((name, index) => `${name}: ${values[index]}`),
      `"@signature-params": ${input}`,
    ]
    const signature = Buffer.from(key.sign(new TextEncoder().encode(lines.join("\n"))), "hex").toString(
      "base64",
    )
    return HttpServerResponse.setHeaders(response, {
      "content-digest": digest,
      "swap-signature": `input=${input}, signature=:${signature}:`,
    })
  })
