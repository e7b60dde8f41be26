import { assert } from "@effect/vitest"
import { eventually } from "#test/durability/eventually.ts"
import { call, withOwnBroker } from "./support/call.ts"
import { brokerAccounts } from "./support/addresses.ts"
import { textAt } from "./support/Json.ts"
import { issue, newAccount, operate, setRoute } from "./support/operator.ts"
import { openingFailures } from "./support/openingFailures.ts"
import {
  pathOf,
  payload,
  type PayloadKind,
  payloadKinds,
  payloadParameters,
  payloadWays,
} from "./support/payloads.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { affiliates } from "./support/swapRules.ts"
import { during, network, throughout } from "./support/swaps.ts"

const send = (kind: PayloadKind, key?: string) =>
  call("GET", pathOf(kind), { query: payloadParameters(kind), ...(key === undefined ? {} : { key }) })

withOwnBroker({ OPEN_TIMEOUT: "2 seconds", OPEN_CHANNELS_MOST: "1" })(
  "the failures of /tx-payload/* (decision 33)",
  (it) => {
    for (const [code, status, told] of openingFailures) {
      it.effect(`${code} is a ${status} ${told === undefined ? "without a code" : "with its code"}`, () =>
        throughout({ operation: "encode", code }, function* () {
          for (const kind of payloadKinds) {
            for (const ask of Object.values(payloadWays)) {
              const answer = yield* ask(kind, payloadParameters(kind))
              assertFailure(answer, status, told)
              if (status === 503) assert.match(answer.headers.get("retry-after") ?? "", /^[1-9][0-9]*$/)
            }
          }
        }))
    }

    for (const kind of ["timeout", "reset", "malformed"]) {
      it.effect(`after ${kind} the outcome is unknown, and there is no code (decision 16)`, () =>
        throughout({ operation: "encode", kind }, function* () {
          const answer = yield* send("evm")
          assertFailure(answer, 500)
          assert.match(textAt(answer.body, "detail"), /outcome is unknown.*Nothing was opened/)
        }))
    }

    it.effect("a fault of openings is none of payloads, and the other way round", function* () {
      yield* during({ operation: "open", code: "upstream_error" }, payload("evm"))
      const swap = call("GET", "/swap", { query: { ...payloadParameters("bitcoin"), platform: "chainflip" } })
      const opened = yield* during({ operation: "encode", code: "upstream_error" }, swap)
      assert.strictEqual(opened.status, 200, opened.text)
    })

    it.effect("a cap of open channels is no matter to them, as they open none", function* () {
      const { key } = yield* issue(yield* newAccount())
      const open = call("GET", "/swap", { query: payloadParameters("bitcoin"), key })
      assert.strictEqual((yield* open).status, 200)
      assertFailure(yield* open, 503, "too_many_channels")
      for (const kind of payloadKinds) assert.strictEqual((yield* send(kind, key)).status, 200)
    })

    it.effect("a pair that the account may not swap is a 403 without a code (decision 34)", function* () {
      const account = yield* newAccount()
      const { key } = yield* issue(account)
      yield* setRoute(account, "eth.eth", "usdc.arb", false)
      for (const method of ["GET", "POST"]) {
        const denied = yield* call(method, pathOf("evm"), { query: payloadParameters("evm"), key })
        assertFailure(denied, 403)
      }
      for (const kind of ["bitcoin", "solana", "tron"] as const) {
        assert.strictEqual((yield* send(kind, key)).status, 200)
      }
    })

    it.effect("an account that takes no affiliates names none (decision 8)", function* () {
      const { key } = yield* issue(yield* newAccount({ affiliates: false }))
      const affiliate1 = "cFJFriHLc7J1Rau7T1qAEHDsrWWH7QBbJt4D2Q38YkrtfwqoV"
      const query = payloadParameters("tron", { affiliate1, affiliate1CommissionBps: "5" })
      assert.deepStrictEqual(faultyParameters(yield* call("GET", pathOf("tron"), { query, key })), [
        "affiliate1",
      ])
    })

    it.effect("an affiliate keeps the number that the caller gave it (decision 8)", function* () {
      const [one, two, three] = brokerAccounts
      const shares = affiliates(undefined, [one, 256], [two, 1], [three, 1])
      for (const ask of Object.values(payloadWays)) {
        const answer = yield* ask("bitcoin", payloadParameters("bitcoin", shares))
        assertFailure(answer, 400)
        assert.deepStrictEqual(faultyParameters(answer), ["affiliate2CommissionBps", "affiliate4"])
        assert.match(answer.text, /"affiliate4 is one too many/)
      }
      const evm = yield* call("GET", pathOf("evm"), { query: payloadParameters("evm", shares) })
      assert.deepStrictEqual(faultyParameters(evm), ["affiliate2CommissionBps"])
    })

    it.effect("an account that is suspended, a key without the scope or none at all gets nothing", function* () {
      const account = yield* newAccount()
      const { key } = yield* issue(account)
      const reader = yield* issue(account, { scopes: ["quote", "status", "history"] })
      for (const kind of payloadKinds) {
        assertFailure(yield* send(kind, reader.key), 403)
        assertFailure(yield* call("GET", pathOf(kind), { query: payloadParameters(kind), key: null }), 401)
      }
      yield* operate("PATCH", `/accounts/${account}`, { suspended: true })
      for (const kind of payloadKinds) assertFailure(yield* send(kind, key), 403)
    })

    it.effect("an asset that the vaults do not take at present is a 503, and comes back", function* () {
      const becomes = (status: number) => eventually(send("tron"), (answer) => answer.status === status)
      yield* network("setAsset", { asset: "trx.tron", depositEnabled: false })
      assertFailure(yield* becomes(503), 503, "asset_disabled")
      yield* network("setAsset", { asset: "trx.tron", depositEnabled: true })
      yield* becomes(200)
    })
  },
)
