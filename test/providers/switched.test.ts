import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { AssetId } from "../../src/domain/Asset.ts"
import type { ProviderError } from "../../src/domain/ProviderError.ts"
import { ProviderName } from "../../src/domain/ProviderName.ts"
import type { ProviderSwitch } from "../../src/domain/ProviderSwitch.ts"
import { EpochMillis } from "../../src/domain/Time.ts"
import { switched } from "../../src/providers/switched.ts"
import { Switches } from "../../src/providers/Switches.ts"
import { request } from "../quoting/support.ts"
import { ScriptedProvider } from "../support/provider.ts"
import { statusIn, swapRequest } from "../support/swap.ts"

type What = Pick<ProviderSwitch, "operation" | "asset">

const off = (what: What): ProviderSwitch => ({
  ...what,
  platform: ProviderName.make("first"),
  enabled: false,
  reason: "its prices are off",
  changedBy: "default",
  changedAt: EpochMillis.make(0),
})

const channel = { issuedBlock: 1, network: "Bitcoin", channelId: 1 } as const

const under = (...whats: ReadonlyArray<What>) => {
  const provider = new ScriptedProvider("first")
  const switches = Switches.of({
    current: () => Effect.succeed(whats.map(off)),
    set: () => Effect.die("is not asked for"),
  })
  return { provider, through: switched(switches, provider) }
}

const endOf = <A>(call: Effect.Effect<A, ProviderError>) =>
  Effect.match(call, { onSuccess: () => "answered", onFailure: ({ reason }) => reason._tag })

/** How each operation ends, of a swap from btc.btc to eth.eth. */
const ends = Effect.fnUntraced(function* (...whats: ReadonlyArray<What>) {
  const { through } = under(...whats)
  return {
    assets: yield* endOf(through.assets),
    quote: yield* endOf(through.quotes(request)),
    open: yield* endOf(through.open(swapRequest)),
    status: yield* endOf(through.status(channel, statusIn("waiting"))),
  }
})

const everything = { assets: "answered", quote: "answered", open: "answered", status: "answered" }
const notCalled = "NotCalled"
const disabled = "AssetDisabled"

const rows: ReadonlyArray<readonly [title: string, what: What, ends: Partial<typeof everything>]> = [
  ["a provider: quotes and openings, while open swaps are followed", {}, {
    assets: notCalled,
    quote: notCalled,
    open: notCalled,
  }],
  ["its quotes alone", { operation: "quote" }, { quote: notCalled }],
  ["its openings alone", { operation: "open" }, { open: notCalled }],
  ["the following of its swaps, by that name only", { operation: "status" }, { status: notCalled }],
  ["an asset that is deposited", { asset: "btc.btc" }, { quote: disabled, open: disabled }],
  ["an asset that is paid out", { asset: "eth.eth" }, { quote: disabled, open: disabled }],
  ["an asset of neither", { asset: "sol.sol" }, {}],
  ["an asset for quotes alone", { operation: "quote", asset: "btc.btc" }, { quote: disabled }],
  ["an asset for openings alone", { operation: "open", asset: "eth.eth" }, { open: disabled }],
]

describe("switched", () => {
  it.effect("lets everything through while nothing is switched off", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ends(), everything)
    }))

  for (const [title, what, changed] of rows) {
    it.effect(`switches off ${title}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* ends(what), { ...everything, ...changed })
      }))
  }

  it.effect("never calls what is switched off, and says why with when to try again", () =>
    Effect.gen(function* () {
      const { provider, through } = under({ operation: "open" })
      const { message, operation, reason } = yield* Effect.flip(through.open(swapRequest))
      assert.strictEqual(operation, "open")
      assert.strictEqual(reason._tag === "NotCalled" && reason.retryAfterSeconds, 60)
      assert.strictEqual(
        reason._tag === "NotCalled" && reason.detail,
        "switched off by the operator: its prices are off",
      )
      assert.strictEqual(message, "first open: NotCalled")
      assert.lengthOf(provider.requests, 0)
    }))

  it.effect("names the asset that is switched off", () =>
    Effect.gen(function* () {
      const { reason } = yield* Effect.flip(under({ asset: "eth.eth" }).through.quotes(request))
      assert.strictEqual(
        reason._tag === "AssetDisabled" && reason.detail,
        "eth.eth is switched off by the operator: its prices are off",
      )
    }))

  it.effect("shows assets that are off as neither taken nor paid out, and only those", () =>
    Effect.gen(function* () {
      const { through } = under({ asset: "btc.btc" }, { operation: "quote", asset: "eth.eth" })
      const unserved: ReadonlyArray<AssetId> = (yield* through.assets)
        .filter(({ ingress, egress }) => !ingress && !egress)
        .map(({ asset }) => asset)
      assert.deepStrictEqual(unserved, ["btc.btc"])
    }))
})
