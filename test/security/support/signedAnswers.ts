import { Effect, Predicate } from "effect"
import { guides } from "#api/document/guides.ts"
import { call, get } from "#test/contract/support/call.ts"
import { testKey } from "#test/support/broker.ts"
import { find, listAt, textAt } from "#test/contract/support/Json.ts"
import { payloadKinds, payloadParameters } from "#test/contract/support/payloads.ts"
import { swapParameters } from "#test/contract/support/swaps.ts"

/** A verifier of the guide, as it stands there. */
export const verifier = (language: "js" | "python"): string => {
  const { description = "" } = guides.find(({ name }) => name === "Signed responses") ?? {}
  const code = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(description)?.[1]
  if (code === undefined) throw new Error(`The guide has no verifier in ${language}`)
  return code
}

/** An answer, and the request that it is to. */
export interface Exchange {
  readonly sent: {
    readonly method: string
    readonly target: string
    readonly body: Uint8Array
    readonly keyId: string
    readonly idempotencyKey?: string
  }
  readonly answer: {
    readonly status: number | string
    readonly headers: Headers
    readonly body: Uint8Array
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text)

/** A request as it is sent: by GET, or by POST with a body, with the key of a caller and the key of the request. */
export interface Asking {
  readonly target: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly as?: { readonly id: string; readonly key: string }
  readonly idempotencyKey?: string
}

/** The key of the default account, and its id. */
export const ownKey = Effect.map(
  get("/account"),
  (account) => ({ id: textAt(account, "key", "id"), key: testKey }),
)

/** Sends a request, and keeps all that is signed. */
export const exchange = Effect.fnUntraced(function* ({ as, body, idempotencyKey, target }: Asking) {
  const { id, key } = as ?? (yield* ownKey)
  const method = body === undefined ? "GET" : "POST"
  const underKey = idempotencyKey === undefined ? {} : { idempotencyKey }
  const { headers, status, text } = yield* call(method, target, {
    key,
    ...(body === undefined ? {} : { body }),
    ...(idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } }),
  })
  return {
    sent: {
      method,
      target,
      body: utf8(body === undefined ? "" : JSON.stringify(body)),
      keyId: id,
      ...underKey,
    },
    answer: { status, headers, body: utf8(text) },
  } satisfies Exchange
})

/** Openings by GET and POST, a payload, and a refusal; some of them under an `Idempotency-Key`. */
export const exchanges = Effect.gen(function* () {
  return [
    yield* exchange({
      target: `/swap?${new URLSearchParams(swapParameters())}`,
      idempotencyKey: crypto.randomUUID(),
    }),
    yield* exchange({ target: "/swap", body: { ...swapParameters() } }),
    ...yield* Effect.forEach(
      payloadKinds,
      (kind) => exchange({ target: `/tx-payload/${kind}?${new URLSearchParams(payloadParameters(kind))}` }),
    ),
    yield* exchange({ target: "/swap?sourceAsset=btc.btc" }),
  ]
})

/** The keys that the service tells. */
export const keys = Effect.map(
  call("GET", "/.well-known/swap-broker-case-keys", { key: null }),
  ({ body }) =>
    listAt(find(body, "keys") ?? null).map((key) => ({ kid: textAt(key, "kid"), x: textAt(key, "x") })),
)

/** The headers of an answer that are signed, or sign it. */
export const signedHeaders = [
  "content-digest",
  "swap-key-id",
  "swap-request-digest",
  "signature-input",
  "signature",
] as const

/** The parts of an exchange that are signed, or sign it. */
export const partsOf = ({ answer, sent }: Exchange): ReadonlyArray<Uint8Array> => [
  utf8(sent.method),
  utf8(sent.target),
  sent.body,
  utf8(sent.keyId),
  utf8(sent.idempotencyKey ?? ""),
  utf8(`${answer.status}`),
  answer.body,
  ...signedHeaders.map((name) => utf8(answer.headers.get(name) ?? "")),
]

/** How many bits of an exchange can be changed. */
export const bitsOf = (whole: Exchange): number =>
  8 * partsOf(whole).reduce((sum, part) => sum + part.length, 0)

/** When an answer was signed, in seconds. */
export const signedAt = ({ answer }: Exchange): number =>
  Number(/created=(\d+)/.exec(answer.headers.get("signature-input") ?? "")?.[1])

const latin1 = new TextDecoder("latin1")

/** What a verifier takes: only `get` of the headers, as a changed bit can make a value that no `Headers` has. */
export interface Given {
  readonly sent: Exchange["sent"]
  readonly answer: Omit<Exchange["answer"], "headers"> & {
    readonly headers: { readonly get: (name: string) => string | null }
  }
}

/** The exchange with one bit changed. */
export const withBit = (whole: Exchange, bit: number): Given => {
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
  const [method, target, sent, keyId, idempotencyKey, status, body, ...headers] = parts
  const text = (part: Uint8Array | undefined) => latin1.decode(part)
  const values = new Map<string, string>(signedHeaders.map((name, index) => [name, text(headers[index])]))
  return {
    sent: {
      method: text(method),
      target: text(target),
      body: sent ?? whole.sent.body,
      keyId: text(keyId),
      ...(whole.sent.idempotencyKey === undefined ? {} : { idempotencyKey: text(idempotencyKey) }),
    },
    answer: {
      status: text(status),
      headers: { get: (name) => values.get(name) ?? null },
      body: body ?? whole.answer.body,
    },
  }
}

/** A key as JWK sets have it, without what verifiers do not need. */
export interface Key {
  readonly kid: string
  readonly x: string
}

type Verify<Sent, Answer> = (
  sent: Sent,
  answer: Answer,
  keys: ReadonlyArray<Key>,
  now?: number,
) => Promise<boolean>

type IsSigned = Verify<Given["sent"], Given["answer"]>

const isVerifier = <V>(found: unknown): found is { readonly isSigned: V } =>
  Predicate.hasProperty(found, "isSigned") && typeof found.isSigned === "function"

const verifierIn = async <V>(code: string): Promise<V> => {
  const found: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  if (!isVerifier<V>(found)) throw new Error("The code exports no isSigned")
  return found.isSigned
}

/** The verifier in JavaScript. */
export const javaScript = (): Promise<IsSigned> => verifierIn(verifier("js"))

type IsSignedFormerly = Verify<
  Pick<Exchange["sent"], "body" | "method" | "target">,
  {
    readonly status: number | string
    readonly contentDigest: string | null
    readonly swapSignature: string | null
    readonly body: Uint8Array
  }
>

/** The verifier of `Swap-Signature` as the guide of version 1 had it: who copied it goes on with it. */
export const formerly = async () => {
  const code = await Deno.readTextFile(new URL("formerVerifier.js", import.meta.url))
  const isSigned = await verifierIn<IsSignedFormerly>(code)
  return (
    sent: Exchange["sent"],
    { body, headers, status }: Exchange["answer"],
    keys: ReadonlyArray<Key>,
    now?: number,
  ) =>
    isSigned(
      sent,
      {
        status,
        body,
        contentDigest: headers.get("content-digest"),
        swapSignature: headers.get("swap-signature"),
      },
      keys,
      now,
    )
}
