import { assert, channelsOf, describe, it, statusIn, swapRequest, vaultSwapRequest } from "./support.ts"
import { Effect, Option } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import { JsonText } from "#domain/JsonText.ts"
import { NodeReply } from "#domain/operations/NodeCall.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { ProviderSwitch } from "#domain/operations/ProviderSwitch.ts"
import { EpochMillis } from "#domain/Time.ts"
import { request } from "#test/application/quoting/support.ts"
import { ScriptedProvider, ScriptedVaultSwaps } from "#test/support/provider.ts"
import { switched, Switches } from "#providers/Switches.ts"

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
  const vaultSwaps = new ScriptedVaultSwaps("Bitcoin")
  provider.vaultSwaps = vaultSwaps
  provider.node = () => Effect.succeed(NodeReply.Result({ json: JsonText.make("[]") }))
  provider.findTransaction = () => Effect.succeedNone
  const switches = Switches.of({
    current: () => Effect.succeed(whats.map(off)),
    set: () => Effect.die("is not asked for"),
  })
  const through = switched(switches, provider)
  assert.isDefined(through.vaultSwaps)
  assert.isDefined(through.node)
  const channels = channelsOf(through)
  assert.isDefined(channels.findTransaction)
  return {
    provider,
    vaultSwaps,
    through,
    throughVaultSwaps: through.vaultSwaps,
    throughNode: through.node,
    channels,
    findTransaction: channels.findTransaction,
  }
}

const endOf = <A>(call: Effect.Effect<A, ProviderError>) =>
  Effect.match(call, { onSuccess: () => "answered", onFailure: ({ reason }) => reason._tag })

const payloadRequest = { ...vaultSwapRequest, ...swapRequest, amount: vaultSwapRequest.amount }

/** How each operation ends, of a swap from btc.btc to eth.eth. */
const ends = Effect.fnUntraced(function* (...whats: ReadonlyArray<What>) {
  const { channels, findTransaction, through, throughNode, throughVaultSwaps } = under(...whats)
  return {
    assets: yield* endOf(through.assets),
    quote: yield* endOf(through.quotes(request)),
    open: yield* endOf(channels.open(swapRequest)),
    encode: yield* endOf(throughVaultSwaps.encode(payloadRequest)),
    status: yield* endOf(channels.status(channel, statusIn("waiting"))),
    vaultSwapStatus: yield* endOf(throughVaultSwaps.status({ transaction: "tx", marks: [] }, Option.none())),
    transaction: yield* endOf(findTransaction("tx")),
    node: yield* endOf(throughNode({ method: "cf_environment" })),
  }
})

const answered = "answered"
const everything = {
  assets: answered,
  quote: answered,
  open: answered,
  encode: answered,
  status: answered,
  vaultSwapStatus: answered,
  transaction: answered,
  node: answered,
}
const notCalled = "NotCalled"
const disabled = "AssetDisabled"

const rows: ReadonlyArray<readonly [title: string, what: What, ends: Partial<typeof everything>]> = [
  ["a provider: quotes, openings and payloads, while open swaps are followed", {}, {
    assets: notCalled,
    quote: notCalled,
    open: notCalled,
    encode: notCalled,
    node: notCalled,
  }],
  ["its quotes alone", { operation: "quote" }, { quote: notCalled }],
  ["its openings alone", { operation: "open" }, { open: notCalled }],
  ["its payloads alone", { operation: "encode" }, { encode: notCalled }],
  ["the following of its swaps, by that name only", { operation: "status" }, {
    status: notCalled,
    vaultSwapStatus: notCalled,
    transaction: notCalled,
  }],
  ["an asset that is deposited", { asset: "btc.btc" }, { quote: disabled, open: disabled, encode: disabled }],
  ["an asset that is paid out", { asset: "eth.eth" }, { quote: disabled, open: disabled, encode: disabled }],
  ["an asset of neither", { asset: "sol.sol" }, {}],
  ["an asset for quotes alone", { operation: "quote", asset: "btc.btc" }, { quote: disabled }],
  ["an asset for openings alone", { operation: "open", asset: "eth.eth" }, { open: disabled }],
  ["an asset for payloads alone", { operation: "encode", asset: "btc.btc" }, { encode: disabled }],
]

describe("switched", () => {
  it.effect("lets everything through while nothing is switched off", function* () {
    assert.deepStrictEqual(yield* ends(), everything)
  })

  for (const [title, what, changed] of rows) {
    it.effect(`switches off ${title}`, function* () {
      assert.deepStrictEqual(yield* ends(what), { ...everything, ...changed })
    })
  }

  it.effect("never calls what is switched off, and says why with when to try again", function* () {
    const { provider, through } = under({ operation: "open" })
    const { message, operation, reason } = yield* Effect.flip(channelsOf(through).open(swapRequest))
    assert.strictEqual(operation, "open")
    assert.strictEqual(reason._tag === "NotCalled" && reason.retryAfterSeconds, 60)
    assert.strictEqual(
      reason._tag === "NotCalled" && reason.detail,
      "switched off by the operator: its prices are off",
    )
    assert.strictEqual(message, "first open: NotCalled")
    assert.lengthOf(provider.requests, 0)
  })

  it.effect("never asks for a payload that is switched off", function* () {
    const { throughVaultSwaps, vaultSwaps } = under({ operation: "encode" })
    const { operation, reason } = yield* Effect.flip(throughVaultSwaps.encode(payloadRequest))
    assert.strictEqual(operation, "encode")
    assert.strictEqual(reason._tag, "NotCalled")
    assert.lengthOf(vaultSwaps.requests, 0)
  })

  it.effect("adds neither payloads, nor transactions, nor a node to a provider that has none", () =>
    Effect.sync(() => {
      const switches = Switches.of({
        current: () => Effect.succeed([]),
        set: () => Effect.die("is not asked for"),
      })
      const { channels, node, vaultSwaps } = switched(switches, new ScriptedProvider("first"))
      assert.isUndefined(vaultSwaps)
      assert.isUndefined(channels?.findTransaction)
      assert.isUndefined(node)
    }))

  it.effect("names the asset that is switched off", function* () {
    const { reason } = yield* Effect.flip(under({ asset: "eth.eth" }).through.quotes(request))
    assert.strictEqual(
      reason._tag === "AssetDisabled" && reason.detail,
      "eth.eth is switched off by the operator: its prices are off",
    )
  })

  it.effect("shows assets that are off as neither taken nor paid out, and only those", function* () {
    const { through } = under({ asset: "btc.btc" }, { operation: "quote", asset: "eth.eth" })
    const unserved: ReadonlyArray<AssetId> = (yield* through.assets)
      .filter(({ ingress, egress }) => !ingress && !egress)
      .map(({ asset }) => asset)
    assert.deepStrictEqual(unserved, ["btc.btc"])
  })
})
