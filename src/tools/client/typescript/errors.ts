import { readJson } from "./json.ts"
import { type Problem, problemCodes, shapes } from "./standIn.ts"

/** The root of every error of this client, but for bad arguments and the caller's own abort. */
export class SwapBrokerError extends Error {
  override name = "SwapBrokerError"
}

/** What is known of a request that failed. */
export interface FailedRequest {
  /** The method of this client that was called. */
  readonly operation: string
  /** The key that the request was sent under: sent again under it, it opens nothing twice. */
  readonly idempotencyKey?: string | undefined
  /** How often it was sent. */
  readonly attempts: number
  /** Whether it may have been carried out nevertheless. */
  readonly isOutcomeUnknown: boolean
}

/** The service refused the request, or failed: `problem` says why, by its `code`. */
export class ProblemError extends SwapBrokerError {
  override name = "ProblemError"
  readonly problem: Problem
  readonly request: FailedRequest
  /** After how many seconds the service wants to be asked again; absent where it does not say. */
  readonly retryAfterSeconds: number | undefined

  constructor(problem: Problem, request: FailedRequest, retryAfterSeconds?: number) {
    super(`${request.operation}: ${problem.title}: ${problem.detail} (trace ${problem.traceId})`)
    this.problem = problem
    this.request = request
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Why there is no answer that can be used. */
export type NoAnswerReason = "unreachable" | "too_slow" | "unreadable"

/** No answer of the service came, or not in time, or it is nothing that this client can read. */
export class NoAnswer extends SwapBrokerError {
  override name = "NoAnswer"
  readonly reason: NoAnswerReason
  readonly request: FailedRequest

  constructor(reason: NoAnswerReason, detail: string, request: FailedRequest, cause?: unknown) {
    super(`${request.operation}: ${detail}`, { cause })
    this.reason = reason
    this.request = request
  }
}

/** Why a signature does not count. */
export type SignatureFault = "missing" | "unknown_key" | "wrong_time" | "changed" | "malformed"

/** An answer or a case file that is not as the service signed it: pay to nothing that it names. */
export class SignatureRejected extends SwapBrokerError {
  override name = "SignatureRejected"
  readonly reason: SignatureFault

  constructor(reason: SignatureFault, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** Why a message is not taken for the service's. */
export type WebhookFault = "missing_header" | "wrong_time" | "wrong_signature" | "unreadable"

/** A message that did not come from the service, or not now: answer it with 400. */
export class WebhookRejected extends SwapBrokerError {
  override name = "WebhookRejected"
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** The problem that a body is. A code that this client does not know is no longer its `code`. */
export const problemIn = (text: string): unknown => {
  const read = readJson(text, "Problem", shapes)
  if ("fault" in read || typeof read.value !== "object" || read.value === null) return undefined
  const { code, ...others }: { readonly code?: unknown } = read.value
  if (code === undefined) return others
  return typeof code === "string" && problemCodes.includes(code)
    ? { ...others, code }
    : { ...others, unknownCode: `${code}` }
}

/** Whether it has what every problem has. */
export const isProblem = (problem: unknown): problem is Problem =>
  typeof problem === "object" && problem !== null &&
  typeof Reflect.get(problem, "status") === "number" &&
  ["type", "title", "detail", "traceId"].every((name) => typeof Reflect.get(problem, name) === "string")
