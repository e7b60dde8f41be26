import { Effect, Option } from "effect"
import type { Observed } from "#providers/Provider.ts"

/** Of what an upstream said, only what it means. */
export const toStatus = <E, R>(look: Effect.Effect<Option.Option<Observed>, E, R>) =>
  Effect.map(look, Option.map(({ status }) => status))
