import { Context, Effect, Layer, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import type { Address, NativeAmount, VaultSwapPayload } from "#exports/domain.ts"
import { type NetworkCommand, VaultSwapCommand } from "#api/SandboxCommands.ts"
import { type FaultRule } from "#api/SandboxFaults.ts"
import type { OpenedChannel } from "#providers/Provider.ts"
import { Sandbox, type SandboxFailure } from "#sandbox/Sandbox.ts"
import { clientOf, defaultOptions, genesis, textAt } from "#test/sandbox/support.ts"
import { type Tamper, Tampering } from "./Tampering.ts"

/** A change of the simulated network in JSON, and the one that undoes it. */
export interface Change {
  readonly change: typeof NetworkCommand.Encoded
  readonly undo: typeof NetworkCommand.Encoded
}

const encodeVaultSwap = Schema.encodeEffect(VaultSwapCommand)

/**
 * Sets the test clock to when simulated time begins. It walks there from 1970 by every single sleep on the
 * way, so that whatever repeats a sleep has to be built after this: a connection pool, which looks for idle
 * connections each minute, would do so thirty million times.
 */
export const atGenesis: Layer.Layer<never> = Layer.effectDiscard(TestClock.setTime(genesis))

/** A running sandbox and the way to it, as fixtures make trouble in them. */
export class SandboxWorld extends Context.Service<SandboxWorld, {
  readonly fault: (rule: typeof FaultRule.Encoded) => Effect.Effect<void>
  /** Changes the network until it heals. */
  readonly change: (change: Change) => Effect.Effect<void>
  /** Changes the network for good. */
  readonly settle: (change: Change["change"]) => Effect.Effect<void>
  readonly tamper: (tamper: Tamper) => Effect.Effect<void>
  readonly deposit: (opened: OpenedChannel, amount: NativeAmount) => Effect.Effect<void>
  /** Makes the transaction of a payload, whose change goes to the given address; gives its reference. */
  readonly sendPayload: (payload: VaultSwapPayload, changeAddress: Address) => Effect.Effect<string>
  /** What `GET /sandbox` says. */
  readonly view: Effect.Effect<unknown>
  readonly heal: Effect.Effect<void>
}>()("swap-broker/test/conformance/sandbox/SandboxWorld") {
  /** Everything in memory, on a free port, in the time of the test clock. */
  static readonly layer: Layer.Layer<
    SandboxWorld | Sandbox | HttpClient.HttpClient,
    SandboxFailure
  > = Layer.effect(
    SandboxWorld,
    Effect.gen(function* () {
      const client = clientOf((yield* Sandbox).url)
      const tampering = yield* Tampering
      let undos: ReadonlyArray<Change["undo"]> = []

      const control = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
        const { json, status, text } = yield* client.send(method, `/sandbox${path}`, body)
        if (status >= 300) yield* Effect.die(new Error(`The sandbox refused ${path}: ${text}`))
        return json
      })
      const settle = (change: Change["change"]) => Effect.asVoid(control("PATCH", "/network", change))

      return SandboxWorld.of({
        fault: (rule) => Effect.asVoid(control("PUT", "/faults", rule)),
        settle,
        change: ({ change, undo }) =>
          Effect.andThen(Effect.sync(() => undos = [...undos, undo]), settle(change)),
        tamper: tampering.start,
        deposit: ({ channel }, amount) =>
          Effect.asVoid(
            control("POST", "/deposits", { address: channel.depositAddress, amountNative: `${amount}` }),
          ),
        sendPayload: (payload, changeAddress) =>
          encodeVaultSwap({ payload, ...(payload._tag === "bitcoin" ? { changeAddress } : {}) }).pipe(
            Effect.orDie,
            Effect.flatMap((command) => control("POST", "/vault-swaps", command)),
            Effect.map((json) => textAt(json, "transactionHash")),
          ),
        view: Effect.map(client.get("/sandbox"), ({ json }) => json),
        heal: Effect.gen(function* () {
          yield* tampering.stop
          yield* control("DELETE", "/faults")
          yield* Effect.forEach(undos, settle, { discard: true })
          undos = []
        }),
      })
    }),
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(
      Sandbox.layer({ ...defaultOptions, speed: 1 }).pipe(Layer.provide(atGenesis)),
      Tampering.layer,
    )),
  )
}
