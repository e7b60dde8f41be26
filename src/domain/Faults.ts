import { Result, Schema } from "effect"

/**
 * Everything that is wrong with a request: from a parameter's name, as the contract writes it, to sentences
 * that a person understands (decision 15).
 */
export const Faults = Schema.Record(Schema.String, Schema.Array(Schema.NonEmptyString))
export type Faults = typeof Faults.Type

/** Nothing is wrong. */
export const noFaults: Faults = {}

/** One sentence about one parameter. */
export const fault = (parameter: string, sentence: string): Faults => ({ [parameter]: [sentence] })

/** What is wrong with one parameter, said so that its name begins the sentence. */
export const wrong = (parameter: string, predicate: string): Faults =>
  fault(parameter, `${parameter} ${predicate}`)

/** All faults together; what several say of one parameter stays in order. */
export const combineFaults = (all: ReadonlyArray<Faults>): Faults => {
  const combined = new Map<string, ReadonlyArray<string>>()
  for (const faults of all) {
    for (const [parameter, sentences] of Object.entries(faults)) {
      combined.set(parameter, [...(combined.get(parameter) ?? []), ...sentences])
    }
  }
  return Object.fromEntries(combined)
}

/** Whether anything is wrong. */
export const hasFaults = (faults: Faults): boolean => Object.keys(faults).length > 0

/** The faults of every part that has some: none hides another. */
export const faultsOf = (parts: ReadonlyArray<Result.Result<unknown, Faults>>): Faults =>
  combineFaults(parts.flatMap((part) => Result.isFailure(part) ? [part.failure] : []))

/** The request as sent will not succeed, and why: a 400 with `errors`. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  errors: Faults,
}) {}
