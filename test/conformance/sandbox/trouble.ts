import { Effect } from "effect"
import type { FaultCode, FaultKind, FaultOperation, SimulatedProvider } from "#api/SandboxFaults.ts"
import { type Change, SandboxWorld } from "./SandboxWorld.ts"
import type { Tamper } from "./Tampering.ts"

/** What makes an operation fail, in the sandbox or on the way to it. */
export type Trouble = Effect.Effect<void, never, SandboxWorld>

/** The upstream refuses with the message that stands for a code. */
export const refuses =
  (provider: SimulatedProvider) => (operation: FaultOperation, code: FaultCode): Trouble =>
    Effect.flatMap(SandboxWorld, ({ fault }) => fault({ provider, operation, code }))

/** The connection to the upstream, or its answer, breaks. */
export const breaks =
  (provider: SimulatedProvider) => (operation: FaultOperation, kind: FaultKind): Trouble =>
    Effect.flatMap(SandboxWorld, ({ fault }) => fault({ provider, operation, kind }))

/** Somebody in the middle meddles. */
export const tampers = (tamper: Tamper): Trouble =>
  Effect.flatMap(SandboxWorld, (world) => world.tamper(tamper))

/** The network changes until it heals. */
export const changes = (change: Change): Trouble =>
  Effect.flatMap(SandboxWorld, (world) => world.change(change))

/** The network changes for good, or the next time that something happens. */
export const settles = (change: Change["change"]): Trouble =>
  Effect.flatMap(SandboxWorld, (world) => world.settle(change))
