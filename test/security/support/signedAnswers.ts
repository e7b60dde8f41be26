import { Effect, Predicate } from "effect"
import { guides } from "../../../src/api/document/guides.ts"
import { call } from "../../contract/support/call.ts"
import { find, type Json, listAt, textAt } from "../../contract/support/Json.ts"
import { payloadKinds, payloadParameters } from "../../contract/support/payloads.ts"
import { swapParameters } from "../../contract/support/swaps.ts"

/** A verifier of the guide, as it stands there. */
export const verifier = (language: "js" | "python"): string => {
  const { description = "" } = guides.find(({ name }) => name === "Signed answers") ?? {}
  const code = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(description)?.[1]
  if (code === undefined) throw new Error(`The guide has no verifier in ${language}`)
  return code
}

/** An answer, and the request that it is to. */
export interface Exchange {
  readonly sent: { readonly method: string; readonly target: string; readonly body: Uint8Array }
  readonly answer: {
    readonly status: number | string
    readonly contentDigest: string
    readonly swapSignature: string
    readonly body: Uint8Array
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text)

/** Sends a request, and keeps all that is signed. */
const exchange = (method: string, target: string, body?: Json | Readonly<Record<string, unknown>>) =>
  Effect.map(
    call(method, target, body === undefined ? {} : { body }),
    ({ headers, status, text }): Exchange => ({
      sent: { method, target, body: utf8(body === undefined ? "" : JSON.stringify(body)) },
      answer: {
        status,
        contentDigest: headers.get("content-digest") ?? "",
        swapSignature: headers.get("swap-signature") ?? "",
        body: utf8(text),
      },
    }),
  )

/** Openings by GET and POST, a payload, and a refusal. */
export const exchanges = Effect.gen(function* () {
  return [
    yield* exchange("GET", `/swap?${new URLSearchParams(swapParameters())}`),
    yield* exchange("POST", "/swap", { ...swapParameters() }),
    ...yield* Effect.forEach(
      payloadKinds,
      (kind) => exchange("GET", `/tx-payload/${kind}?${new URLSearchParams(payloadParameters(kind))}`),
    ),
    yield* exchange("GET", "/swap?sourceAsset=btc.btc"),
  ]
})

/** The keys that the service tells. */
export const keys = Effect.map(
  call("GET", "/.well-known/swap-broker-case-keys", { key: null }),
  ({ body }) =>
    listAt(find(body, "keys") ?? null).map((key) => ({ kid: textAt(key, "kid"), x: textAt(key, "x") })),
)

/** The parts of an exchange that are signed, or sign it. */
export const partsOf = ({ answer, sent }: Exchange): ReadonlyArray<Uint8Array> => [
  utf8(sent.method),
  utf8(sent.target),
  sent.body,
  utf8(`${answer.status}`),
  utf8(answer.contentDigest),
  utf8(answer.swapSignature),
  answer.body,
]

/** How many bits of an exchange can be changed. */
export const bitsOf = (whole: Exchange): number =>
  8 * partsOf(whole).reduce((sum, part) => sum + part.length, 0)

const latin1 = new TextDecoder("latin1")

/** The exchange with one bit changed. */
export const withBit = (whole: Exchange, bit: number): Exchange => {
  const parts = partsOf(whole).map((part) => part.slice())
  let at = bit >> 3
  for (const part of parts) {
    const byte = part[at]
    if (byte !== undefined) {
      part[at] = byte ^ 1 << (bit & 7)
      break
    }
    at -= part.length
  }
  const [method, target, sent, status, digest, signature, body] = parts
  const text = (part: Uint8Array | undefined) => latin1.decode(part)
  return {
    sent: { method: text(method), target: text(target), body: sent ?? whole.sent.body },
    answer: {
      status: text(status),
      contentDigest: text(digest),
      swapSignature: text(signature),
      body: body ?? whole.answer.body,
    },
  }
}

/** A key as JWK sets have it, without what verifiers do not need. */
export interface Key {
  readonly kid: string
  readonly x: string
}

type IsSigned = (
  sent: Exchange["sent"],
  answer: Exchange["answer"],
  keys: ReadonlyArray<Key>,
  now?: number,
) => Promise<boolean>

const isVerifier = (found: unknown): found is { readonly isSigned: IsSigned } =>
  Predicate.hasProperty(found, "isSigned") && typeof found.isSigned === "function"

/** The verifier in JavaScript. */
export const javaScript = async (): Promise<IsSigned> => {
  const found: unknown = await import(`data:text/javascript,${encodeURIComponent(verifier("js"))}`)
  if (!isVerifier(found)) throw new Error("The guide's code exports no isSigned")
  return found.isSigned
}
