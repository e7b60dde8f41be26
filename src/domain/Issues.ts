import { Result, Schema } from "effect"

/** The faults of a request: by parameter name in the contract, plain sentences (decision 15). */
export const Issues = Schema.Record(Schema.String, Schema.Array(Schema.NonEmptyString))
export type Issues = typeof Issues.Type

export const noIssues: Issues = {}

/** One issue of a parameter, as a sentence that begins with the parameter's name. */
export const issueAbout = (parameter: string, predicate: string): Issues => ({
  [parameter]: [`${parameter} ${predicate}`],
})

/** All issues together; the sentences about one parameter stay in order. */
export const combineIssues = (all: ReadonlyArray<Issues>): Issues => {
  const combined = new Map<string, Array<string>>()
  for (const issues of all) {
    for (const [parameter, sentences] of Object.entries(issues)) {
      const own = combined.get(parameter)
      if (own === undefined) combined.set(parameter, [...sentences])
      else own.push(...sentences)
    }
  }
  return Object.fromEntries(combined)
}

/** Whether anything is wrong. */
export const hasIssues = (issues: Issues): boolean => Object.keys(issues).length > 0

/** The issues of every part that failed, so that no issue hides another. */
export const issuesOf = (parts: ReadonlyArray<Result.Result<unknown, Issues>>): Issues =>
  combineIssues(parts.flatMap((part) => Result.isFailure(part) ? [part.failure] : []))

/** The request cannot succeed as it was sent: a 400 with `errors`. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  errors: Issues,
}) {}
