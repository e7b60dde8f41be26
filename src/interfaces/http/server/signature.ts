import { Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import type { CaseKey, CaseKeys } from "#application/cases/CaseKeys.ts"
import type { KeyId } from "#domain/accounts/Key.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { SentBytes } from "../../requests/RequestMeta.ts"

/** What a client sent, and the API key with which it asked, if that is known. */
export interface SignedRequest extends SentBytes {
  readonly keyId: KeyId | undefined
}

/** Signs an answer, where there is a key and the answer is no stream. */
export type Sign = (
  request: HttpServerRequest.HttpServerRequest,
  asked: SignedRequest,
  response: HttpServerResponse.HttpServerResponse,
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** A digest as `Content-Digest` has it (RFC 9530). */
const digestOf = (bytes: Uint8Array): string =>
  `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`

/** A component that is signed: its identifier (RFC 9421 2), and its value. */
type Component = readonly [identifier: string, value: string | number]

interface Signed {
  /** The list of components with its parameters, as `Signature-Input` has it. */
  readonly input: string
  readonly signature: string
}

/** Signs components (RFC 9421 2.5). A text of which a case file is signed begins with a brace, none of these does. */
const signed = (key: CaseKey, components: ReadonlyArray<Component>, parameters: string): Signed => {
  const input = `(${components.map(([identifier]) => identifier).join(" ")});${parameters}`
  const lines = [...components, ['"@signature-params"', input]].map(([identifier, value]) =>
    `${identifier}: ${value}`
  )
  const signature = Buffer.from(key.sign(new TextEncoder().encode(lines.join("\n"))), "hex")
  return { input, signature: `:${signature.toString("base64")}:` }
}

/**
 * Signs answers with the first key of case files (RFC 9421), so that a client sees where somebody on the way has changed
 * an address, or the request (decisions 47 and 65). `Signature` is made for one API key and one `Idempotency-Key`: the
 * answer that another account gets to the same request does not pass for it. `Swap-Signature`, which is deprecated, covers
 * neither; it is a dictionary of `input`, as `Signature-Input` has it, and `signature`.
 */
export const signing = ({ all }: CaseKeys["Service"]): Sign =>
  Effect.fnUntraced(function* ({ headers, method }, { body: asked, keyId, target }, response) {
    const { body, status } = response
    const keys = yield* Effect.option(all)
    if (body._tag !== "Uint8Array" || Option.isNone(keys)) return response
    const [key] = keys.value
    const created = Math.floor((yield* currentMillis) / 1_000)
    const parameters = `created=${created};keyid="${key.id}";alg="ed25519"`
    const own = {
      "content-digest": digestOf(body.body),
      ...(keyId === undefined ? {} : { "swap-key-id": keyId }),
      "swap-request-digest": digestOf(asked),
    }
    const answered: Component = ['"@status"', status]
    const requested: ReadonlyArray<Component> = [['"@method";req', method], ['"@request-target";req', target]]
    const idempotencyKey = headers["idempotency-key"]
    const whole = signed(key, [
      answered,
      ...Object.entries(own).map(([name, value]): Component => [`"${name}"`, value]),
      ...requested,
      ...(idempotencyKey === undefined
        ? []
        : [['"idempotency-key";req', idempotencyKey] satisfies Component]),
    ], `${parameters};tag="swap-broker"`)
    const former = signed(key, [
      answered,
      ['"content-digest"', own["content-digest"]],
      ...requested,
      ['"content-digest";req', own["swap-request-digest"]],
    ], parameters)
    return HttpServerResponse.setHeaders(response, {
      ...own,
      "signature-input": `swap=${whole.input}`,
      signature: `swap=${whole.signature}`,
      "swap-signature": `input=${former.input}, signature=${former.signature}`,
    })
  })
