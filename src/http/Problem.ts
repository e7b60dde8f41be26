import { problemCodes, type ProblemStatus } from "../api/Problems.ts"
import type { Issues } from "../domain/Issues.ts"
import type { ProblemCode } from "../domain/ProblemCode.ts"
import type { ProviderName } from "../domain/ProviderName.ts"

/** A problem before it is written: RFC 7807 without what follows from its status (decision 14). */
export interface Problem {
  readonly status: ProblemStatus
  readonly detail: string
  readonly code?: ProblemCode
  readonly errors?: Issues
  /** What each provider said, where several were asked for a quote. */
  readonly providers?: ReadonlyArray<ProviderAnswer>
  readonly headers?: Readonly<Record<string, string>>
}

/** Why one provider had no quote. */
export interface ProviderAnswer {
  readonly platform: ProviderName
  readonly code?: ProblemCode
  readonly detail: string
  readonly minimumAmountNative?: string
}

/** How long to wait before trying again when nothing better is known. */
export const unclassifiedRetrySeconds = 5
const maintenanceRetrySeconds = 60

export const retryAfter = (seconds: number) => ({
  headers: { "retry-after": `${Math.max(1, Math.ceil(seconds))}` },
})

export const coded = (code: ProblemCode, detail: string): Problem => ({
  status: problemCodes[code],
  detail,
  code,
})

export const temporary = (
  code: ProblemCode,
  detail: string,
  seconds: number = maintenanceRetrySeconds,
): Problem => ({
  ...coded(code, detail),
  ...retryAfter(seconds),
})

export const invalid = (detail: string, errors: Issues): Problem => ({ status: 400, detail, errors })

/** `destinationAddress: must be …`: the name first, and only once. */
const named = (name: string, sentence: string): string =>
  `${name}: ${sentence.startsWith(`${name} `) ? sentence.slice(name.length + 1) : sentence}`

/** A 400 for these issues. Its detail begins with the first of them, as many clients show nothing else. */
export const faulty = (errors: Issues): Problem => {
  const [first = "The request has parameters that do not fit", ...others] = Object.entries(errors).flatMap(
    ([name, sentences]) => sentences.map((sentence) => named(name, sentence)),
  )
  const more = others.length === 0 ? "" : `; ${others.length} more in errors`
  return invalid(`${first}${more}`, errors)
}
