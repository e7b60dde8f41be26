import { assert, describe, it } from "#test/support/it.ts"
import { type Json, parseJson } from "#test/contract/support/Json.ts"
import { advance, openChannel, startSandbox } from "#test/sandbox/support.ts"
import { writeJson } from "#test/tampering/support/json.ts"
import { bystander, callOf } from "./support/Bystander.ts"
import { changedAt, patternOf, type Way } from "./support/mutations.ts"
import { rehearsed } from "./support/rehearsed.ts"

/** A value of the right form that no honest upstream says, and what a rehearsal makes of it. */
interface Lie {
  readonly provider: string
  readonly operation: string
  readonly call: string
  readonly way: Way
  readonly value: Json
  /** The path that is named; absent where the difference is told without any. */
  readonly path?: string
  readonly kind: "contradiction" | "unclear"
  readonly found: RegExp
}

const stranger = "0x9999999999999999999999999999999999999999"
const backendQuote = "GET /chainflip/backend/v2/quote"
const encoding = "broker_request_swap_parameter_encoding"

const lies: ReadonlyArray<Lie> = [
  {
    provider: "relay",
    operation: "quote",
    call: "POST /relay/quote/v2",
    way: ["details", "recipient"],
    value: stranger,
    path: "details.recipient",
    kind: "contradiction",
    found: /something else/,
  },
  {
    provider: "near-intents",
    operation: "quote",
    call: "POST /near-intents/v0/quote",
    way: ["quoteRequest", "refundTo"],
    value: stranger,
    path: "quoteRequest.refundTo",
    kind: "contradiction",
    found: /something else/,
  },
  {
    provider: "near-intents",
    operation: "quote",
    call: "POST /near-intents/v0/quote",
    way: ["quote", "amountOutUsd"],
    value: "1.0",
    path: "signature",
    kind: "contradiction",
    found: /does not verify/,
  },
  {
    provider: "chainflip",
    operation: "quote",
    call: backendQuote,
    way: ["*", "depositAmount"],
    value: "7",
    path: "[*].depositAmount",
    kind: "contradiction",
    found: /7/,
  },
  {
    provider: "chainflip",
    operation: "quote",
    call: backendQuote,
    way: ["*", "egressAmount"],
    value: "0",
    kind: "contradiction",
    found: /a quote of nothing/,
  },
  {
    provider: "chainflip",
    operation: "quote",
    call: backendQuote,
    way: ["*", "type"],
    value: "TELEPORTED",
    kind: "unclear",
    found: /TELEPORTED/,
  },
  {
    provider: "chainflip",
    operation: "encode",
    call: encoding,
    way: ["result", "value"],
    value: "7",
    path: "result.value",
    kind: "contradiction",
    found: /expected/,
  },
  {
    provider: "chainflip",
    operation: "status",
    call: "GET /chainflip/backend/v2/swaps/…",
    way: ["state"],
    value: "TELEPORTING",
    kind: "unclear",
    found: /TELEPORTING/,
  },
  {
    provider: "thorchain",
    operation: "encode",
    call: "GET /thorchain/thorchain/quote/swap",
    way: ["inbound_address"],
    value: stranger,
    path: "inbound_address",
    kind: "contradiction",
    found: /another/,
  },
]

describe("a rehearsal of answers that cannot be true", () => {
  it.live.each(lies)(
    "tells of a lie of $provider about $way in $call",
    function* (lie) {
      const client = yield* startSandbox()
      const { id } = yield* openChannel(client)
      yield* advance(client, 60)
      const { tamper, url } = yield* bystander(client.url)
      tamper((exchange) =>
        callOf(exchange) === lie.call
          ? writeJson(changedAt(parseJson(exchange.answer), lie.way, () => lie.value))
          : exchange.answer
      )
      const args = ["--provider", lie.provider, "--pairs", "8"]
      const known = lie.operation === "status" ? ["--channel", id] : []
      const { code, differences } = yield* rehearsed({ SANDBOX_URL: url.origin }, ...args, ...known)
      assert.strictEqual(code, 1)
      const told = differences.find(({ fits, found, kind }) =>
        !fits && kind === lie.kind && lie.found.test(found)
      )
      assert.strictEqual(
        told?.operation,
        lie.operation,
        JSON.stringify(differences.filter(({ fits }) => !fits)),
      )
      assert.strictEqual(told?.path === undefined ? undefined : patternOf(told.path), lie.path)
      if (lie.path !== undefined) assert.strictEqual(told?.call, lie.call)
    },
  )
})
