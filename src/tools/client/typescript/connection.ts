import { newIdempotencyKey } from "./bytes.ts"
import {
  type FailedRequest,
  isProblem,
  NoAnswer,
  ProblemError,
  problemIn,
  SignatureRejected,
  SwapBrokerError,
} from "./errors.ts"
import { readJson } from "./json.ts"
import { type Operation, type SentWith, type WireRequest, writeRequest } from "./request.ts"
import { verifyAnswer } from "./signatures.ts"
import { type CaseKey, shapes } from "./standIn.ts"
import { limited, type Patience, pause, retryAfterIn, waitSeconds } from "./time.ts"

/** How a client reaches its service. */
export interface ClientOptions extends Patience {
  /** Where the service is, with the path that a proxy has put before it. */
  readonly url: string | URL
  /** The account's key; public endpoints need none. It goes into a header. */
  readonly apiKey?: string
  /** The language of `guidance`, such as "de"; any `Accept-Language`. */
  readonly language?: string
  /**
   * The keys of `/.well-known/swap-broker-case-keys`, had by a way that is trusted. With them the answers that begin a swap have to be signed, and
   * are given on only if nobody has changed them, and only if they were made for this `apiKey`.
   */
  readonly caseKeys?: ReadonlyArray<CaseKey>
  /**
   * The public id of `apiKey`, for `caseKeys`. A key `sbk_<id>_…` says it itself. For any other key without this, the
   * service is asked once (`GET /account`) and trusted: somebody on the way could name another key.
   */
  readonly keyId?: string
  /** Sends requests in place of the runtime's own `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** An answer as it came, for its headers and for its text. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** How one call is made. */
export interface CallOptions extends Patience {
  readonly signal?: AbortSignal
  /**
   * The key of a request that opens, encodes or withdraws: new for each that is meant, and kept where the caller would
   * send it again after a crash. One is made up where it is absent.
   */
  readonly idempotencyKey?: string
  /** Is handed each answer that the call gives on or fails with. */
  readonly onAnswer?: (answer: Answer) => void
}

/** Asks for the id of the key; the rest of the answer is not needed. */
const account: Operation<{ readonly key?: { readonly id?: unknown } }> = {
  name: "getAccount",
  method: "GET",
  path: "/account",
  sending: "freely",
  reads: { json: undefined },
}

/** Statuses of a service or a proxy that has done nothing with the request, or may be asked again about it. */
const temporary: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/** Failures in a form that the caller gets, and whether the request may be sent again after one. */
interface Failed {
  readonly error: ProblemError | NoAnswer
  readonly again: boolean
}

export class Connection {
  readonly #options: ClientOptions
  readonly #url: URL
  #keyId: string | undefined

  constructor(options: ClientOptions) {
    this.#options = options
    this.#keyId = /^sbk_([a-z2-7]{16})_/.exec(options.apiKey ?? "")?.[1] ?? options.keyId
    this.#url = new URL(options.url)
    // They are of requests; those of a query or of a page would go with each.
    this.#url.search = ""
    this.#url.hash = ""
  }

  get backoffSeconds(): number {
    return this.#options.backoffSeconds ?? 0.5
  }

  request(operation: Operation<unknown>, input: object, sentWith: Partial<SentWith>): WireRequest {
    const { apiKey, language } = this.#options
    return writeRequest(this.#url, operation, input, { apiKey, language, ...sentWith })
  }

  send({ body, headers, method, url }: WireRequest, signal: AbortSignal): Promise<Response> {
    const { fetch = globalThis.fetch } = this.#options
    // A redirect would take the key to somebody else.
    return fetch(url, { method, headers, body: body ?? null, signal, redirect: "error", cache: "no-store" })
  }

  /** The id of the API key, for which answers have to be signed. */
  async #ownKeyId(options: CallOptions): Promise<string> {
    if (this.#keyId !== undefined) return this.#keyId
    const { onAnswer: _, ...bounds } = options
    const id = (await this.call(account, {}, bounds)).key?.id
    if (typeof id !== "string") {
      throw new SignatureRejected("unknown_key", "The service names no id of the API key")
    }
    return this.#keyId = id
  }

  /** Sends a request until there is an answer to give on, and reads it. */
  async call<A>(operation: Operation<A>, input: object, options: CallOptions = {}): Promise<A> {
    const patience = { ...this.#options, ...options }
    const { attempts: most = 4, attemptSeconds = 30, deadlineSeconds = 60 } = patience
    const idempotencyKey = operation.sending === "keyed"
      ? options.idempotencyKey ?? await newIdempotencyKey()
      : undefined
    const request = this.request(operation, input, { idempotencyKey })
    const deadline = performance.now() + deadlineSeconds * 1_000
    const { caseKeys } = this.#options
    const signed = operation.isSigned && caseKeys !== undefined
      ? { caseKeys, keyId: await this.#ownKeyId(options) }
      : undefined
    for (let attempts = 1;; attempts++) {
      const left = (deadline - performance.now()) / 1_000
      const outcome = await this.#attempt<A>(operation, request, options, {
        attempts,
        idempotencyKey,
        signed,
        seconds: Math.min(attemptSeconds, left),
      })
      if ("answer" in outcome) return outcome.answer
      const { again, error } = outcome
      const wait = waitSeconds(
        attempts,
        patience.backoffSeconds ?? this.backoffSeconds,
        error instanceof ProblemError ? error.retryAfterSeconds : 0,
      )
      const inTime = performance.now() + wait * 1_000 < deadline
      if (!again || operation.sending === "once" || attempts >= most || !inTime) throw error
      await pause(wait, options.signal)
    }
  }

  async #attempt<A>(
    operation: Operation<A>,
    request: WireRequest,
    options: CallOptions,
    { attempts, idempotencyKey, seconds, signed }: {
      readonly attempts: number
      readonly idempotencyKey: string | undefined
      readonly signed: { readonly caseKeys: ReadonlyArray<CaseKey>; readonly keyId: string } | undefined
      readonly seconds: number
    },
  ): Promise<{ readonly answer: A } | Failed> {
    const failed = (isOutcomeUnknown: boolean): FailedRequest => ({
      operation: operation.name,
      idempotencyKey,
      attempts,
      isOutcomeUnknown: isOutcomeUnknown && operation.sending !== "freely",
    })
    options.signal?.throwIfAborted()
    const limit = limited(options.signal)
    limit.give(seconds)
    try {
      const response = await this.send(request, limit.signal)
      const received = new Uint8Array(await response.arrayBuffer())
      const answer = {
        status: response.status,
        headers: response.headers,
        text: new TextDecoder().decode(received),
      }
      options.onAnswer?.(answer)
      if (!response.ok) return refusal(answer, failed)
      if (signed !== undefined) {
        const { pathname, search } = new URL(request.url)
        const { body: sent = new Uint8Array(), method } = request
        const { caseKeys, keyId } = signed
        const target = `${pathname}${search}`
        await verifyAnswer({ ...answer, method, target, sent, keyId, idempotencyKey, received }, caseKeys)
      }
      const read = readAnswer(operation, answer.text)
      if ("fault" in read) {
        return {
          error: new NoAnswer("unreadable", `${read.fault} (${answer.status})`, failed(true)),
          again: false,
        }
      }
      return read
    } catch (cause) {
      if (cause instanceof SwapBrokerError) throw cause
      options.signal?.throwIfAborted()
      const error = limit.isOver()
        ? new NoAnswer("too_slow", `No answer within ${seconds} seconds`, failed(true), cause)
        : new NoAnswer("unreachable", `The service was not reached: ${messageOf(cause)}`, failed(true), cause)
      return { error, again: true }
    } finally {
      limit.end()
    }
  }
}

const messageOf = (cause: unknown): string => cause instanceof Error ? cause.message : `${cause}`

const readAnswer = <A>(
  operation: Operation<A>,
  text: string,
): { readonly answer: A } | { readonly fault: string } => {
  const { reads } = operation
  const read = typeof reads === "object" && "json" in reads
    ? readJson(text, reads.json, shapes)
    : { value: text }
  if ("fault" in read) return read
  return isAnswer(operation, read.value) ? { answer: read.value } : { fault: "the body is of another kind" }
}

/** The reader has held the body to the shape of the operation; what has no shape is held to its kind. */
const isAnswer = <A>({ reads }: Operation<A>, value: unknown): value is A =>
  reads === "text" ? typeof value === "string" : typeof value === "object" && value !== null

/** What the service or a proxy has refused, and whether it may be asked again. */
export const refusal = (
  { headers, status, text }: Answer,
  failed: (isOutcomeUnknown: boolean) => FailedRequest,
): Failed => {
  const problem = problemIn(text)
  const retryAfterSeconds = retryAfterIn(headers)
  if (!isProblem(problem)) {
    const error = new NoAnswer(
      "unreadable",
      `The answer ${status} is no problem of the service`,
      failed(true),
    )
    return { error, again: temporary.has(status) }
  }
  const isReplayed = headers.get("idempotent-replayed") === "true"
  const error = new ProblemError(
    problem,
    failed(status === 500 && problem.code === undefined),
    retryAfterSeconds,
  )
  // What a key stands for never changes: neither a failure with a code, nor what was given before.
  const isKept = isReplayed || (error.request.idempotencyKey !== undefined && problem.code !== undefined)
  const isInProgress = status === 409 && retryAfterSeconds !== undefined
  return { error, again: !isKept && (temporary.has(status) || isInProgress) }
}
