import { assert, describe, it, layer } from "#test/support/it.ts"
import { Effect, Layer, Redacted, Schema } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { overNetwork } from "#cli/OperatorClient.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import { openSwap } from "#test/contract/support/swaps.ts"
import { integerAt } from "#test/contract/support/Json.ts"
import { jsonDocument, jsonPlace, printed } from "#test/readme/jsonPage.ts"
import { startSandbox } from "#test/sandbox/support.ts"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { serve } from "#infrastructure/platform/serve.ts"
import { folderInMemory } from "#test/support/folder.ts"
import { preparedDatabases } from "#test/support/prepared/database.ts"
import { patient } from "./rehearse/support/rehearsed.ts"
import { cli, cliWith, done, json, newAccount } from "./running.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))
const decodeFailure = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ error: Schema.String, detail: Schema.String, exitCode: Schema.Int })),
)
const decodeId = Schema.decodeUnknownEffect(Schema.Struct({ id: Schema.Union([Schema.String, Schema.Int]) }))

/** What the commands are about. */
interface Known {
  readonly account: string
  readonly key: string
  readonly webhook: string
  readonly delivery: string
  readonly swap: string
}

type Args = (known: Known) => ReadonlyArray<string>

const ofAccount: Args = ({ account }) => [account]
const ofWebhook: Args = ({ account, webhook }) => [account, webhook]
const nothing: Args = () => []
const pair: Args = ({ account }) => [account, "btc.btc", "eth.eth"]

/** A call of every command that asks the operator's part of the service, in an order in which they succeed. */
const calls: Readonly<Record<string, Args>> = {
  "accounts create": () => ["of-json"],
  "accounts list": nothing,
  "accounts set": ({ account }) => [account, "--commission-bps", "5"],
  "accounts suspend": ofAccount,
  "accounts resume": ofAccount,
  "accounts link": ofAccount,
  "accounts errors": ofAccount,
  "merchants set": ({ account }) => [account, "--display-name", "Acme Wallet"],
  "merchants show": ofAccount,
  "keys create": ofAccount,
  "keys list": ofAccount,
  "keys rotate": ({ account, key }) => [account, key],
  "keys revoke": ({ key }) => [key],
  "routes allow": pair,
  "routes deny": pair,
  "routes list": ofAccount,
  "routes remove": pair,
  "providers list": nothing,
  "providers switch": () => ["chainflip", "on", "--reason", "tried"],
  "swaps list": nothing,
  "swaps unknown": nothing,
  "swaps show": ({ swap }) => [swap],
  "swaps move": ({ account, swap }) => [swap, account],
  "commission": nothing,
  "channels": nothing,
  "treasury": nothing,
  "enter": () => ["chainflip", "usdc.eth", "5", "--reason", "found"],
  "withdrawals list": nothing,
  "affiliates list": nothing,
  "affiliates register": () => ["chainflip", "wallet-one", "--withdrawal-address", addressFor("eth.eth")],
  "webhooks create": ({ account }) => [account, "http://127.0.0.1:1999/webhooks"],
  "webhooks list": ofAccount,
  "webhooks language": ({ account, webhook }) => [account, webhook, "de"],
  "webhooks set": ({ account, webhook }) => [account, webhook, "--types", "swap.completed"],
  "webhooks disable": ofWebhook,
  "webhooks enable": ofWebhook,
  "webhooks rotate": ofWebhook,
  "webhooks test": ofWebhook,
  "webhooks replay": ({ account, webhook }) => [account, webhook, "--since", "2026-01-01"],
  "webhooks deliveries": ofWebhook,
  "webhooks attempts": ({ account, delivery, webhook }) => [account, webhook, delivery],
  "webhooks delete": ofWebhook,
  "alerts": nothing,
  "audit": nothing,
}

/** Calls that are refused here, as there is nothing of the kind. */
const refused: Readonly<Record<string, ReadonlyArray<string>>> = {
  "swaps accept": ["999999", "1"],
  "swaps reindex": ["999999"],
  "record": ["999999", "nowhere.json"],
  "withdraw": ["nowhere", "usdc.eth"],
  "withdrawals show": ["999"],
  "withdrawals decide": ["999", "paid", "--reason", "seen"],
  "affiliates withdraw": ["nobody"],
}

/** Commands that work without an operator's key: with settings of their own. */
const own = [
  "doctor",
  "rehearse",
  "catalogue",
  "ready",
  "deploy docker",
  "deploy systemd",
  "deploy compose",
  "deploy env",
  "deploy key",
  "migrate",
  "backup",
  "restore",
  "export",
  "import",
]

const isJson = (output: string, name: string) =>
  Effect.map(decode(output), (value) => {
    assert.strictEqual(typeof value, "object", name)
    return value
  })

const service = Layer.unwrap(
  Effect.map(brokerUrl, (url) => overNetwork({ url, apiKey: Redacted.make(testKey) })),
).pipe(Layer.provide(FetchHttpClient.layer), Layer.provideMerge(broker()), Layer.orDie)

describe("--json", () => {
  it("is described for every command, and every command is tried here", () => {
    for (const [name, shape] of printed) assert.isDefined(shape, name)
    assert.sameMembers([...printed.keys()], [...Object.keys(calls), ...Object.keys(refused), ...own])
    assert.strictEqual(Deno.readTextFileSync(jsonPlace), jsonDocument, "deno task readme")
  })

  layer(service, { excludeTestServices: true })("of the operator's acts", (it) => {
    const known = Effect.gen(function* () {
      const account = yield* newAccount
      const webhook = yield* decodeId(
        yield* json("webhooks", "create", account, "http://127.0.0.1:1999/webhooks"),
      )
      return {
        account,
        webhook: `${webhook.id}`,
        key: `${(yield* decodeId(yield* json("keys", "create", account))).id}`,
        delivery: `${(yield* decodeId(yield* json("webhooks", "test", account, `${webhook.id}`))).id}`,
        swap: `${integerAt(yield* openSwap(), "id")}`,
      } satisfies Known
    })

    it.effect("prints one value, and without it lines of 100 columns at most", function* () {
      const ids = yield* known
      for (const [name, args] of Object.entries(calls)) {
        const typed = [...name.split(" "), ...args(ids)]
        yield* isJson(yield* done(cli(...typed, "--json")), name)
      }
      for (
        const name of [
          "accounts list",
          "providers list",
          "swaps list",
          "channels",
          "treasury",
          "audit",
          "affiliates list",
        ]
      ) {
        for (const line of (yield* done(cli(...name.split(" ")))).split("\n")) {
          assert.isAtMost(line.length, 100, line)
        }
      }
    })

    it.effect("prints a failure on standard error", function* () {
      for (const [name, args] of Object.entries(refused)) {
        const ran = yield* cli(...name.split(" "), ...args, "--json")
        assert.strictEqual(ran.output, "", name)
        assert.strictEqual((yield* decodeFailure(ran.errors)).exitCode, ran.code, name)
      }
    })
  })

  it.live("of the commands with settings of their own prints one value", () =>
    Effect.gen(function* () {
      const folder = yield* folderInMemory
      const { url } = yield* startSandbox()
      const { port } = yield* serve({ hostname: "127.0.0.1", port: 0, handler: () => new Response() })
      const asked = { ...patient, SANDBOX_URL: url.origin, DATA_DIR: "memory" }
      const tried = new Set<string>()
      const works = (env: Record<string, string>, name: string, ...args: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          tried.add(name)
          const ran = yield* cliWith(env, ...name.split(" "), ...args, "--json")
          assert.strictEqual(ran.code, 0, `${name}: ${ran.errors}`)
          yield* isJson(ran.output, name)
        })
      yield* works(asked, "doctor")
      yield* works(asked, "catalogue")
      yield* works(asked, "rehearse", "--provider", "chainflip", "--pairs", "1", "--per-second", "1000")
      for (const name of ["docker", "systemd", "compose", "env"]) yield* works({}, `deploy ${name}`)
      yield* works({}, "deploy key", "CASE_FILE_KEYS")
      yield* works({ PORT: port }, "ready")
      const data = { DATA_DIR: `${folder}/data` }
      yield* works(data, "migrate")
      yield* works(data, "backup", `${folder}/backup`)
      yield* works({ DATA_DIR: `${folder}/restored` }, "restore", `${folder}/backup`)
      yield* works(data, "export", `${folder}/export`)
      yield* works({ DATA_DIR: `${folder}/imported` }, "import", `${folder}/export`)
      assert.sameMembers([...tried], own)
    }).pipe(Effect.scoped, Effect.provide(preparedDatabases)))
})
