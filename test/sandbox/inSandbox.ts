import { it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { type Client, startSandbox } from "./support.ts"

type Steps = Generator<Effect.Effect<unknown, unknown, Scope.Scope>, unknown, never>

/** A test that has a sandbox of its own, as `startSandbox` starts it. */
export const inSandbox = (name: string, test: (client: Client) => Steps): void =>
  it.effect(name, () => Effect.flatMap(startSandbox(), (client) => Effect.gen(() => test(client))))

/** A test for each row of a table, each with a sandbox of its own. */
export const eachInSandbox =
  <Row>(rows: ReadonlyArray<Row>) => (name: string, test: (client: Client, row: Row) => Steps): void =>
    it.effect.each(rows)(
      name,
      (row) => Effect.flatMap(startSandbox(), (client) => Effect.gen(() => test(client, row))),
    )
