import { Effect, Schema } from "effect"
import type { Environment } from "#test/support/process.ts"
import { cliWith } from "../../running.ts"

const Count = Schema.Int

const Rehearsal = Schema.Struct({
  fits: Schema.Boolean,
  steps: Schema.Array(Schema.Struct({
    provider: Schema.String,
    operation: Schema.String,
    asked: Count,
    answered: Count,
    refused: Count,
    failed: Count,
  })),
  coverage: Schema.Array(
    Schema.Struct({ provider: Schema.String, pairsListed: Count, pairsAsked: Count }),
  ),
  differences: Schema.Array(Schema.Struct({
    fits: Schema.Boolean,
    provider: Schema.String,
    operation: Schema.String,
    kind: Schema.String,
    call: Schema.optionalKey(Schema.String),
    path: Schema.optionalKey(Schema.String),
    expected: Schema.optionalKey(Schema.String),
    found: Schema.String,
    about: Schema.optionalKey(Schema.String),
    times: Count,
  })),
})
export type Told = typeof Rehearsal.Type["differences"][number]

const decode = Schema.decodeEffect(Schema.fromJsonString(Rehearsal))

const groups = ["QUOTE", "STATUS", "NODE"]

/** Settings with which a busy machine is not taken for an upstream that hangs. */
export const patient: Environment = {
  DATA_DIR: "memory",
  ...Object.fromEntries(
    groups.flatMap((group) => [
      [`${group}_TIMEOUT`, "30 seconds"],
      [`${group}_DEADLINE`, "40 seconds"],
      [`${group}_SLOW_CALL`, "30 seconds"],
      [`${group}_RETRIES`, "0"],
    ]),
  ),
}

/** Runs the command as fast as the sandbox answers. */
export const rehearseWith = (env: Environment, ...args: ReadonlyArray<string>) =>
  cliWith({ ...patient, ...env }, "rehearse", "--per-second", "1000", ...args)

/** What the command tells with `--json`. */
export const rehearsed = Effect.fnUntraced(function* (env: Environment, ...args: ReadonlyArray<string>) {
  const { code, errors, output } = yield* rehearseWith(env, "--json", ...args)
  return { code, errors, output, ...yield* decode(output) }
})

/** The differences that do not fit, in a form that is easily compared. */
export const misfits = (differences: ReadonlyArray<Told>): ReadonlyArray<string> =>
  differences.filter(({ fits }) => !fits)
    .map(({ call = "-", found, operation, path = "-", provider }) =>
      [provider, operation, call, path, found].join(" | ")
    )
