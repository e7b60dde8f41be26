import { BadRequest, InternalServerError, problemCodes, ServiceUnavailable } from "../api/Problems.ts"
import type { ProviderAnswer } from "../api/Problems.ts"
import type { Issues } from "../domain/Issues.ts"
import type { ProblemCode } from "../domain/ProblemCode.ts"

/** A failure as the caller is told of it: the problem, and the headers that belong to it alone. */
export interface Told<Problem> {
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>
}

/** What a problem has of its request: the trace, and what each provider said where several were asked for a quote. */
export interface OfRequest {
  readonly traceId: string
  readonly providers?: ReadonlyArray<ProviderAnswer>
}

export const told = <Problem>(problem: Problem, headers: Told<Problem>["headers"] = {}): Told<Problem> => ({
  problem,
  headers,
})

/** How long to wait before trying again when nothing better is known. */
export const unclassifiedRetrySeconds = 5
const maintenanceRetrySeconds = 60

export const retryAfter = (seconds: number) => ({ "retry-after": `${Math.max(1, Math.ceil(seconds))}` })

/** `destinationAddress: must be …`: the name first, and only once. */
const named = (name: string, sentence: string): string =>
  `${name}: ${sentence.startsWith(`${name} `) ? sentence.slice(name.length + 1) : sentence}`

/** A 400 for these issues. Its detail begins with the first of them, as many clients show nothing else. */
export const refused = (errors: Issues, request: OfRequest): Told<BadRequest> => {
  const [first = "The request has parameters that do not fit", ...others] = Object.entries(errors).flatMap(
    ([name, sentences]) => sentences.map((sentence) => named(name, sentence)),
  )
  const more = others.length === 0 ? "" : `; ${others.length} more in errors`
  return told(new BadRequest({ detail: `${first}${more}`, errors, ...request }))
}

/** A failure that is safe to retry after so many seconds. */
export const temporary = (
  detail: string,
  seconds: number,
  request: OfRequest,
): Told<ServiceUnavailable> => told(new ServiceUnavailable({ detail, ...request }), retryAfter(seconds))

/** The codes of what a provider or the service says of a quote, an opening or a payload. */
type Code = Exclude<ProblemCode, typeof problemCodes[403][number]>

const isOf = <Own extends Code>(codes: ReadonlyArray<Own>) => (code: Code): code is Own =>
  codes.some((own) => own === code)

/** The codes for which the request as sent will not succeed. */
export const isRefusal = isOf(problemCodes[400])
const isUpstreamFailure = isOf(problemCodes[500])

/** A failure with a code, in the status that the code goes with. `seconds` is when to try again where that may help. */
export const coded = (
  code: Code,
  detail: string,
  request: OfRequest,
  seconds: number = maintenanceRetrySeconds,
): Told<BadRequest | InternalServerError | ServiceUnavailable> => {
  if (isRefusal(code)) return told(new BadRequest({ detail, code, ...request }))
  if (isUpstreamFailure(code)) return told(new InternalServerError({ detail, code, ...request }))
  return told(new ServiceUnavailable({ detail, code, ...request }), retryAfter(seconds))
}
