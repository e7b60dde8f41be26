import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Layer, Schema } from "effect"
import { AccountName } from "#domain/accounts/Account.ts"
import { run } from "#cli/cli.ts"
import { operatorLayer } from "#cli/operator.ts"
import { operatorHandlers } from "#interfaces/http/Operator.ts"
import { OperatorClient } from "#cli/OperatorClient.ts"
import type { Environment } from "#test/support/process.ts"

/** What a command came to. */
export interface Ran {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** Runs a command: what it printed is kept. */
export const captured = <R>(command: Effect.Effect<number, never, R>) =>
  Effect.suspend(() => {
    const output: Array<string> = []
    const errors: Array<string> = []
    const quiet: Console.Console = {
      ...console,
      log: (...texts) => void output.push(texts.join(" ")),
      error: (...texts) => void errors.push(texts.join(" ")),
    }
    return command.pipe(
      Effect.provideService(Console.Console, quiet),
      Effect.provide(NodeServices.layer),
      Effect.map((code): Ran => ({ code, output: output.join("\n"), errors: errors.join("\n") })),
    )
  })

/** Runs a command with the operator of the context. */
export const cli = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(
    OperatorClient,
    (operator) => captured(run(args, Layer.succeed(OperatorClient, operator))),
  )

/** Runs a command with these settings and no others, as a process of its own would. */
export const cliWith = (env: Environment, ...args: ReadonlyArray<string>) =>
  captured(run(args, Layer.fresh(operatorLayer(operatorHandlers)))).pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
  )

/** What a command printed that has to succeed. */
export const done = <E, R>(command: Effect.Effect<Ran, E, R>) =>
  Effect.map(command, ({ code, errors, output }) => {
    assert.strictEqual(code, 0, errors)
    assert.strictEqual(errors, "")
    return output
  })

const decodeJson = Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))

/** The JSON of a command that has to succeed. */
export const json = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(done(cli(...args, "--json")), decodeJson)

/** The line below the headings of a table. */
const ruler = /^-+(?: {2}-+)*$/

/** A table's rows, each as its cells: those of several lines are put together again. A row begins where its first cell does. */
export const rowsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = text.split("\n")
  const below = lines.findIndex((line) => ruler.test(line))
  const places = [...(lines[below] ?? "").matchAll(/-+/g)].map(({ index, 0: { length } }) =>
    [index, index + length] as const
  )
  const rows: Array<Array<string>> = []
  for (const line of lines.slice(below + 1)) {
    if (line === "") break
    const cells = places.map(([from, to]) => line.slice(from, to).trim())
    const last = rows.at(-1)
    if (last === undefined || cells[0] !== "") rows.push(cells)
    else {cells.forEach((cell, index) =>
        last[index] = [last[index], cell].filter((part) => part !== "").join(" ")
      )}
  }
  return rows
}

let count = 0

/** An account that no other test uses. */
export const newAccount = Effect.gen(function* () {
  const name = AccountName.make(`account-${++count}`)
  yield* done(cli("accounts", "create", name))
  return name
})

export const Issued = Schema.Struct({ id: Schema.String, key: Schema.String })
