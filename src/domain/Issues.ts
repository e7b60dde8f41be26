import { Result, Schema } from "effect"

/**
 * Everything that is wrong with a request: from a parameter's name, as the contract writes it, to sentences
 * that a person understands (decision 15).
 */
export const Issues = Schema.Record(Schema.String, Schema.Array(Schema.NonEmptyString))
export type Issues = typeof Issues.Type

/** Nothing is wrong. */
export const noIssues: Issues = {}

/** One sentence about one parameter. */
export const issueWith = (parameter: string, sentence: string): Issues => ({ [parameter]: [sentence] })

/** What is wrong with one parameter, said so that its name begins the sentence. */
export const issueAbout = (parameter: string, predicate: string): Issues =>
  issueWith(parameter, `${parameter} ${predicate}`)

/** All issues together; what several say of one parameter stays in order. */
export const combineIssues = (all: ReadonlyArray<Issues>): Issues => {
  const combined = new Map<string, ReadonlyArray<string>>()
  for (const issues of all) {
    for (const [parameter, sentences] of Object.entries(issues)) {
      combined.set(parameter, [...(combined.get(parameter) ?? []), ...sentences])
    }
  }
  return Object.fromEntries(combined)
}

/** Whether anything is wrong. */
export const hasIssues = (issues: Issues): boolean => Object.keys(issues).length > 0

/** The issues of every part that has some: none hides another. */
export const issuesOf = (parts: ReadonlyArray<Result.Result<unknown, Issues>>): Issues =>
  combineIssues(parts.flatMap((part) => Result.isFailure(part) ? [part.failure] : []))

/** The request as sent will not succeed, and why: a 400 with `errors`. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  errors: Issues,
}) {}
