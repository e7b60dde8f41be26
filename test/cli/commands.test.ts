import { assert, layer } from "#test/support/it.ts"
import { Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { CommandFailed } from "#cli/failures.ts"
import { type OperatorClient, overNetwork } from "#cli/OperatorClient.ts"
import { operatorServices, overDatabase } from "#cli/operator.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { TimedOut } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { operatorHandlers } from "#interfaces/http/Operator.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { embeddedStore, newAccount as storedAccount } from "#test/support/store.ts"
import { openingRequest, paid, statusWithDeposit } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer } from "#test/support/swapping.ts"
import { simulatedNames } from "#test/support/simulated.ts"
import { cli, done, Issued, json, newAccount, rowsOf } from "./running.ts"

const webhookSettings = {
  mode: "sandbox",
  encryptionKey: Option.none(),
  privateDestinations: [],
  most: 10,
  timeout: Duration.seconds(1),
} as const

const options = {
  actor: { type: "cli", user: "somebody" },
  providers: simulatedNames.map((name) => ProviderName.make(name)),
  publicUrl: Option.some(new URL("https://swap.example")),
} as const

const database = overDatabase(options, operatorHandlers)

const service = Layer.unwrap(
  Effect.map(brokerUrl, (url) => overNetwork({ url, apiKey: Redacted.make(testKey) })),
).pipe(Layer.provide([FetchHttpClient.layer, broker()]), Layer.orDie)

const decodeIssued = Schema.decodeUnknownEffect(Issued)
const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))
const decodeAudit = Schema.decodeUnknownEffect(Schema.Array(
  Schema.Struct({
    actor: Schema.Struct({ type: Schema.String, user: Schema.optionalKey(Schema.String) }),
    change: Schema.Struct({ action: Schema.String }),
  }),
))

const decodeJournal = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({
  kind: Schema.String,
  status: Schema.Struct({ fillOrKillParams: Schema.Struct({ minimumPrice: Schema.String }) }),
})))

const decodeListed = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({
  id: Schema.Int,
  account: Schema.String,
})))

const suite = (
  name: string,
  operator: Layer.Layer<OperatorClient, CommandFailed>,
  actor: { readonly type: string; readonly user?: string },
) =>
  layer(operator, { excludeTestServices: true })(`the commands over ${name}`, (it) => {
    it.effect("list alerts", function* () {
      assert.strictEqual((yield* done(cli("alerts"))).trim(), "No alerts")
      assert.strictEqual((yield* done(cli("alerts", "--from", "ended-12", "--json"))).trim(), "[]")
    })

    it.effect("create, list, set, suspend and resume accounts", function* () {
      const account = yield* newAccount
      const origins = "https://app.example,https://b.example"
      const set = [
        "accounts",
        "set",
        account,
        "--commission-bps",
        "25",
        "--no-affiliates",
        "--origins",
        origins,
        "--no-mcp",
      ]
      yield* done(cli(...set))
      const [row] = rowsOf(yield* done(cli("accounts", "suspend", account)))
      assert.deepStrictEqual(row?.slice(0, 6), [account, "25", "no", origins.replace(",", ", "), "no", "yes"])
      yield* done(cli("accounts", "resume", account))
      const all = rowsOf(yield* done(cli("accounts", "list")))
      assert.deepStrictEqual(all.find(([name]) => name === account)?.slice(1, 6), [
        "25",
        "no",
        origins.replace(",", ", "),
        "no",
        "no",
      ])
      yield* done(cli("accounts", "set", account, "--origins", "none"))
      assert.deepInclude(yield* json("accounts", "set", account, "--affiliates", "--mcp"), {
        name: account,
        affiliates: true,
        mcp: true,
        allowedOrigins: [],
      })
      const limits = ["--requests-per-minute", "600", "--daily-volume-usd", "50000", "--open-channels", "7"]
      const own = { requestsPerMinute: 600, maximumDailyVolumeUsd: 50_000, maximumOpenChannels: 7 }
      assert.deepInclude(yield* json("accounts", "set", account, ...limits), own)
      const choice = ["--providers", "prefer:chainflip:50", "--open-channels", "default"]
      const shown = yield* json("accounts", "set", account, ...choice)
      assert.deepInclude(shown, { providers: { use: "preferred", provider: "chainflip", unlessBps: 50 } })
      assert.notProperty(shown, "maximumOpenChannels")
      for (
        const wrong of [["--requests-per-minute", "0"], ["--providers", "prefer:chainflip"], [
          "--providers",
          "nobody",
        ]]
      ) {
        const { code, errors } = yield* cli("accounts", "set", account, ...wrong)
        assert.notStrictEqual(code, 0)
        assert.match(errors, /must (be|name)|Invalid value/)
      }
    })

    it.effect("create, list, rotate and revoke keys", function* () {
      const account = yield* newAccount
      const create = ["keys", "create", account, "--label", "backend", "--scopes", "quote,swap"]
      const shown = yield* done(cli(...create, "--expires", "2999-01-31"))
      assert.match(shown, /API key \(shown only now\): sbk_[a-z2-7]{16}_[a-z2-7]{48}$/)
      const [old] = yield* decodeIds(yield* json("keys", "list", account))
      const issued = yield* decodeIssued(yield* json("keys", "rotate", account, old?.id ?? ""))
      assert.notStrictEqual(issued.id, old?.id)
      const both = rowsOf(yield* done(cli("keys", "list", account)))
      assert.deepStrictEqual(both.map((cells) => [...cells.slice(1, 3), cells[4], cells[6]]), [
        ["backend", "quote, swap", "2999-01-31 00:00:00 UTC", "-"],
        ["backend", "quote, swap", "2999-01-31 00:00:00 UTC", "-"],
      ])
      yield* done(cli("keys", "revoke", old?.id ?? ""))
      assert.strictEqual((yield* cli("keys", "rotate", account, old?.id ?? "")).code, 2)
      yield* done(cli("keys", "rotate", account, issued.id, "--revoke"))
      const revoked = rowsOf(yield* done(cli("keys", "list", account))).map((cells) => cells[6] !== "-")
      assert.deepStrictEqual(revoked, [false, true, true])
    })

    it.effect("keep no API key in a label, a reason or the URL of a webhook", function* () {
      const account = yield* newAccount
      const { key } = yield* decodeIssued(yield* json("keys", "create", account))
      for (
        const [parameter, ...args] of [
          ["label", "keys", "create", account, "--label", `of ${key}`],
          ["reason", "providers", "switch", "chainflip", "on", "--reason", key],
          ["url", "webhooks", "create", account, `https://example.com/?key=${key}`],
        ] as const
      ) {
        const { code, errors, output } = yield* cli(...args)
        assert.strictEqual(code, 2)
        assert.include(errors, `${parameter} contains an API key`)
        assert.notInclude(errors + output, key)
      }
      assert.lengthOf(rowsOf(yield* done(cli("keys", "list", account))), 1)
    })

    it.effect("allow, deny, remove and list routes", function* () {
      const account = yield* newAccount
      assert.include(yield* done(cli("routes", "list", account)), "may swap every pair")
      yield* done(cli("routes", "deny", account, "*", "*"))
      const allowed = yield* done(cli("routes", "allow", account, "btc.btc", "eth.eth"))
      assert.deepStrictEqual(rowsOf(allowed), [["btc.btc", "eth.eth", "yes"], ["*", "*", "no"]])
      assert.deepStrictEqual(yield* json("routes", "remove", account, "*", "*"), [
        { sourceAsset: "btc.btc", destinationAsset: "eth.eth", allowed: true },
      ])
    })

    it.effect("list and switch providers", function* () {
      const off = ["providers", "switch", "chainflip", "off", "--reason", "maintenance"]
      assert.deepInclude(yield* json(...off), {
        name: "chainflip",
        enabled: false,
        disabledReason: "maintenance",
      })
      yield* done(cli("providers", "switch", "chainflip", "on", "--reason", "over"))
      yield* done(cli(...off, "--operation", "quote", "--asset", "btc.btc"))
      const rows = rowsOf(yield* done(cli("providers", "list")))
      assert.deepStrictEqual<unknown>(
        rows.map(([name, enabled]) => [name, enabled]),
        simulatedNames.map((name) => [name, "yes"]),
      )
      assert.match(rows[0]?.at(-1) ?? "", /^quote btc\.btc by .+: maintenance$/)
      assert.strictEqual((yield* cli("providers", "switch", "no-such", "on", "--reason", "x")).code, 3)
      assert.strictEqual((yield* cli(...off, "--operation", "status", "--asset", "btc.btc")).code, 2)
    })

    it.effect("create, change, rotate, test, replay, list and delete webhooks", function* () {
      const account = yield* newAccount
      const url = "http://127.0.0.1:1999/webhooks"
      const shown = yield* done(
        cli("webhooks", "create", account, url, "--types", "swap.completed,swap.failed"),
      )
      assert.match(shown, /Secret \(shown only now\): whsec_[A-Za-z0-9+/]{43}=$/)
      const [row] = rowsOf(yield* done(cli("webhooks", "list", account)))
      assert.deepStrictEqual(row?.slice(1, 4), [url, "swap.completed, swap.failed", "yes"])
      const id = row?.[0] ?? ""
      assert.deepInclude(yield* json("webhooks", "disable", account, id), {
        enabled: false,
        disabledReason: "asked",
      })
      assert.strictEqual((yield* cli("webhooks", "test", account, id)).code, 3)
      assert.deepInclude(yield* json("webhooks", "enable", account, id), { enabled: true })
      assert.deepInclude(yield* json("webhooks", "language", account, id, "de"), { language: "de" })
      const [all] = rowsOf(yield* done(cli("webhooks", "set", account, id, "--types", "*")))
      assert.strictEqual(all?.[2], "*")
      assert.match(yield* done(cli("webhooks", "rotate", account, id, "--overlap", "60")), /whsec_/)
      const [test] = rowsOf(yield* done(cli("webhooks", "test", account, id)))
      const [, messageId, type, , state] = test ?? []
      assert.deepStrictEqual([messageId, type, state], [`test_${test?.[0]}`, "webhook.test", "pending"])
      const listed = rowsOf(yield* done(cli("webhooks", "deliveries", account, id, "--limit", "1")))
      assert.deepStrictEqual(listed.map(([delivery]) => delivery), [test?.[0]])
      assert.include(yield* done(cli("webhooks", "attempts", account, id, test?.[0] ?? "")), "webhook.test")
      const replayed = yield* done(cli("webhooks", "replay", account, id, "--since", "2026-01-01"))
      assert.strictEqual(replayed, "0 events queued to be resent")
      const codes = yield* Effect.forEach([
        ["replay", account, id],
        ["replay", account, id, "--event", "1", "--from", "1"],
        ["create", account, "ftp://example.com"],
        ["create", account, url, "--types", "swap.lost"],
        ["deliveries", account, id, "--state", "lost"],
        ["set", account, id],
        ["language", account, id, "fr"],
        ["rotate", account, "whk_aaaaaaaaaaaaaaaa"],
        ["list", "nobody"],
      ], (args) => Effect.map(cli("webhooks", ...args), ({ code }) => code))
      assert.deepStrictEqual(codes, [2, 2, 2, 2, 2, 2, 2, 3, 3])
      assert.deepInclude(yield* json("webhooks", "delete", account, id), { id })
      assert.isEmpty(yield* json("webhooks", "list", account))
      const log = yield* done(cli("audit", "--limit", "6"))
      assert.isTrue(rowsOf(log).some(([, , , , about]) => about === `${account} ${id}`), log)
      assert.notInclude(log, "whsec_")
    })

    it.effect("show in the audit log who changed what", function* () {
      const account = yield* newAccount
      yield* done(cli("accounts", "suspend", account))
      const entries = yield* decodeAudit(yield* json("audit", "--limit", "2"))
      assert.deepStrictEqual(entries.map(({ change }) => change.action), [
        "account.changed",
        "account.created",
      ])
      assert.deepStrictEqual(entries.map(({ actor }) => actor), [actor, actor])
      assert.strictEqual(rowsOf(yield* done(cli("audit", "--limit", "1")))[0]?.[4], account)
      assert.deepStrictEqual((yield* decodeAudit(yield* json("audit", "--from", "1"))).length, 1)
    })

    it.effect("find in the audit log what was done to an account, by whom and when", function* () {
      const account = yield* newAccount
      yield* done(cli("accounts", "suspend", account))
      const of = (...args: ReadonlyArray<string>) =>
        Effect.map(
          Effect.flatMap(json("audit", "--account", account, ...args), decodeAudit),
          (entries) => entries.map(({ change }) => change.action),
        )
      const all = ["account.changed", "account.created"]
      assert.deepStrictEqual(yield* of(), all)
      assert.deepStrictEqual(yield* of("--action", "account.created,key.issued"), ["account.created"])
      assert.deepStrictEqual(yield* of("--actor", actor.type === "cli" ? "cli" : "default"), all)
      assert.deepStrictEqual(yield* of("--actor", "somebody-else"), [])
      assert.deepStrictEqual(yield* of("--since", "2020-01-01", "--until", "2099-01-01"), all)
      assert.deepStrictEqual(yield* of("--until", "2020-01-01"), [])
      assert.strictEqual((yield* cli("audit", "--action", "account.lost")).code, 2)
    })

    it.effect("make a link into the pages of an account, shown once", function* () {
      const account = yield* newAccount
      const text = yield* done(cli("accounts", "link", account))
      assert.match(
        text,
        /^Link \(shown only now\): https?:\/\/[a-z0-9.:]+\/dashboard\/enter#[A-Za-z0-9_-]{43}\nIt works once, until 20/,
      )
      const [row] = rowsOf(yield* done(cli("audit", "--limit", "1")))
      assert.includeMembers([...(row ?? [])], ["portal.linked", account])
      assert.strictEqual((yield* cli("accounts", "link", "nobody")).code, 3)
    })

    it.effect("look at the business of all accounts, or of one that is there", function* () {
      const account = yield* newAccount
      const days = ["--from", "2030-01-01", "--to", "2030-01-31"]
      const of = (...args: ReadonlyArray<string>) => done(cli(...args, "--account", account))
      assert.strictEqual(
        (yield* of("swaps", "list", "--state", "failed,sent", "--stalled")).trim(),
        "No swaps found",
      )
      assert.strictEqual(
        (yield* of("commission", ...days, "--by", "account,day")).trim(),
        "No commission from 2030-01-01 to 2030-01-31",
      )
      assert.strictEqual((yield* of("channels")).trim(), "No channel is open")
      assert.strictEqual((yield* of("channels", "--json")).trim(), "[]")
      for (const command of [["swaps", "list"], ["commission"], ["channels"]]) {
        assert.strictEqual((yield* cli(...command, "--account", "nobody-at-all")).code, 3)
      }
      for (
        const args of [
          ["swaps", "list", "--state", "lost"],
          ["swaps", "list", "--asset", "shib.eth"],
          [
            "commission",
            "--by",
            "colour",
          ],
          ["commission", "--from", "2030-02-30"],
          ["channels", "--limit", "0"],
        ]
      ) assert.strictEqual((yield* cli(...args)).code, 2, args.join(" "))
    })

    it.effect("say by their exit code what is the matter", function* () {
      const account = yield* newAccount
      const codes = (commands: ReadonlyArray<ReadonlyArray<string>>) =>
        Effect.forEach(
          commands,
          (args) => Effect.map(cli(...args), ({ code, output }) => [code, output === ""]),
        )
      assert.deepStrictEqual(
        yield* codes([
          ["accounts", "create", account],
          ["accounts", "suspend", "nobody"],
          ["keys", "revoke", "aaaaaaaaaaaaaaaa"],
          ["swaps", "show", "999999999"],
          ["accounts", "set", account],
          ["keys", "create", account, "--expires", "1999-01-01"],
        ]),
        [[3, true], [3, true], [3, true], [3, true], [2, true], [2, true]],
      )
      for (
        const args of [
          ["accounts", "create", "Not A Name"],
          ["accounts", "create", "one", "--commission-bps", "996"],
          ["accounts", "create"],
          ["keys", "create", account, "--scopes", "quote,fly"],
          ["routes", "allow", account, "btc.btc", "no.such"],
          ["accounts", "no-such-command"],
          ["audit", "--limit", "0"],
          ["alerts", "--limit", "0"],
          ["alerts", "--from", "12"],
        ]
      ) {
        assert.strictEqual((yield* cli(...args)).code, 2, args.join(" "))
      }
    })

    it.effect("list what was withdrawn and shared, and order nothing that is not there", function* () {
      assert.match(yield* done(cli("withdrawals", "list")), /No withdrawals/)
      assert.deepStrictEqual(yield* json("withdrawals", "list"), [])
      assert.strictEqual((yield* cli("affiliates", "list")).code, 0)
      assert.strictEqual((yield* cli("treasury")).code, 0)
      assert.isArray(yield* json("treasury"))
      for (const [args, code] of orderedNothing) {
        assert.strictEqual((yield* cli(...args)).code, code, args.join(" "))
      }
    })
  })

const orderedNothing = [
  [["withdraw", "nowhere", "usdc.eth"], 3],
  [["withdraw", "chainflip", "no.such"], 2],
  [["withdrawals", "show", "999"], 3],
  [["withdrawals", "decide", "999", "paid", "--reason", "seen"], 3],
  [["withdrawals", "decide", "999", "perhaps", "--reason", "seen"], 2],
  [["affiliates", "register", "nowhere", "wallet-one", "--account", "any"], 3],
  [["affiliates", "register", "chainflip", "cF-Not-A-Name"], 2],
  [["affiliates", "withdraw", "nobody"], 3],
  [["enter", "nowhere", "usdc.eth", "5", "--reason", "found"], 3],
] as const

/** A swap that has an account of its own, in the database of the commands. */
const openedSwap = Effect.gen(function* () {
  yield* scriptedProviders
  const account = yield* storedAccount
  const { id } = yield* (yield* Swaps).open(account, openingRequest())
  return id
})

layer(
  database.pipe(
    Layer.provideMerge(swappingLayer),
    Layer.provideMerge(operatorServices(webhookSettings, options)),
    Layer.provideMerge(embeddedStore.layer),
  ),
  { excludeTestServices: true },
)("the commands about swaps", (it) => {
  it.effect("show everything that happened to one, to people and to scripts", function* () {
    const id = yield* openedSwap
    const text = yield* done(cli("swaps", "show", `${id}`))
    assert.match(text, /^\S[^\n]+\n(?:\S[^\n]+\n)+\nSwap: [^]*\nAccount: [^]*\nPair: [^]*\nDeposit address: /)
    const [row, ...more] = rowsOf(text)
    assert.deepStrictEqual(row?.slice(2, 5), ["opened", "waiting", "-"])
    assert.isEmpty(more)
    const [entry] = yield* decodeJournal(yield* json("swaps", "show", `${id}`))
    assert.strictEqual(entry.kind, "opened")
    assert.strictEqual(entry.status.fillOrKillParams.minimumPrice, "32.12345678901234567890123456789")
    const recorded = yield* cli("record", `${id}`, "never-written.json")
    assert.strictEqual(recorded.code, 2, "a database does not know whether a swap was simulated")
    assert.include(recorded.errors, "BROKER_URL")
  })

  it.effect("begin with the present guidance of one, which may be another than its newest entry's", function* () {
    const { first } = yield* scriptedProviders
    const { channel, id } = yield* (yield* Swaps).open(yield* storedAccount, openingRequest())
    first.says(channel.id, Effect.fail(first.fails(new TimedOut({ detail: "no answer", reached: false }))))
    for (let times = 0; times < 2; times++) yield* (yield* Lookups).refresh({ id, platform: first.name })
    const text = yield* done(cli("swaps", "show", `${id}`))
    assert.match(text, /^First is not responding to status checks/)
    assert.deepStrictEqual(rowsOf(text).map(([, , what]) => what), ["opened"])
  })

  it.effect("list those of all accounts, and find one by what names it", function* () {
    const ids: Array<number> = []
    for (let count = 0; count < 3; count++) ids.unshift(yield* openedSwap)
    const firstCells = (text: string) => rowsOf(text).map(([first]) => Number(first))
    const text = yield* done(cli("swaps", "list", "--limit", "3"))
    assert.deepStrictEqual(firstCells(text), ids)
    assert.lengthOf(text.split("\n").filter((line) => line !== ""), 5, "a line for each swap")
    const oldest = firstCells(yield* done(cli("swaps", "list", "--ascending", "--limit", "2")))
    assert.lengthOf(oldest, 2)
    assert.deepStrictEqual(firstCells(yield* done(cli("swaps", "list", "--find", `${ids[1]}`))), [ids[1]])
    const [found] = yield* decodeListed(yield* json("swaps", "list", "--find", `${ids[0]}`))
    assert.strictEqual(found.id, ids[0])
    assert.include(firstCells(yield* done(cli("channels", "--limit", "500"))), ids[2])
    const counts = rowsOf(yield* done(cli("channels", "--counts")))
    assert.isTrue(counts.some(([account, , channels]) => account === found.account && channels === "1"))
  })

  it.effect("list the openings of which nobody knows what came of them, with account and reason", function* () {
    const none = yield* done(cli("swaps", "unknown"))
    assert.strictEqual(none.trim(), "No openings with an unknown outcome")
    const { first } = yield* scriptedProviders
    const account = yield* storedAccount
    first.opening = Effect.fail(first.fails(new TimedOut({ detail: "no answer", reached: true })))
    const lost = yield* Effect.flip((yield* Swaps).open(account, openingRequest()))
    assert.strictEqual(lost._tag, "ProviderError")
    const [row, ...more] = rowsOf(yield* done(cli("swaps", "unknown", "--account", account.name)))
    assert.isEmpty(more)
    assert.includeMembers([...(row ?? [])], [account.name, "first", "btc.btc", "eth.eth", "TimedOut"])
    const [listed] = yield* decodeListed(yield* json("swaps", "unknown"))
    assert.strictEqual(`${listed.id}`, row?.[0])
  })

  it.effect("accept the end of one that is disputed, as its journal numbers it", function* () {
    const { first } = yield* scriptedProviders
    const account = yield* storedAccount
    const { channel, id } = yield* (yield* Swaps).open(account, openingRequest())
    const end = statusWithDeposit("completed", "0xdeposit", { swapId: "7" })
    const paidTooLittle = { ...end, swapEgress: { ...paid, amount: NativeAmount.make(5n) } }
    first.says(channel.id, Effect.succeedSome(paidTooLittle))
    yield* (yield* Lookups).refresh({ id, platform: first.name })
    const rows = rowsOf(yield* done(cli("swaps", "show", `${id}`)))
    const [entry = "", , what] = rows.at(-1) ?? []
    assert.strictEqual(what, "contradicted")
    const refused = yield* cli("swaps", "accept", `${id}`, rows[0]?.[0] ?? "")
    assert.strictEqual(refused.code, 3)
    assert.include(refused.errors, `in entry ${entry} of the journal`)
    for (let times = 0; times < 2; times++) {
      assert.deepStrictEqual(rowsOf(yield* done(cli("swaps", "accept", `${id}`, entry))), [[
        `${id}`,
        entry,
      ]])
    }
    const [row] = rowsOf(yield* done(cli("audit", "--limit", "1")))
    assert.includeMembers([...(row ?? [])], ["swap.accepted", `swap ${id}`])
    const accepted = yield* done(cli("swaps", "show", `${id}`))
    assert.match(accepted, new RegExp(`^Payout: .+, transaction ${paid.transactionReference}$`, "m"))
    assert.includeMembers([...(rowsOf(accepted).at(-1) ?? [])], [
      "changed",
      "completed",
      "The operator accepted the result",
    ])
  })

  it.effect("move one to another account, which has to be there", function* () {
    const id = yield* openedSwap
    const { name } = yield* storedAccount
    assert.deepStrictEqual(rowsOf(yield* done(cli("swaps", "move", `${id}`, name))), [[`${id}`, name]])
    assert.strictEqual((yield* cli("swaps", "move", `${id}`, "nobody-at-all")).code, 3)
    assert.strictEqual((yield* cli("swaps", "move", "999999999", name)).code, 3)
    const [row] = rowsOf(yield* done(cli("audit", "--limit", "1")))
    assert.includeMembers([...(row ?? [])], ["swap.moved", `swap ${id}`])
  })
})

suite(
  "the database",
  database.pipe(
    Layer.provide(operatorServices(webhookSettings, options)),
    Layer.provide(embeddedStore.layer),
  ),
  { type: "cli", user: "somebody" },
)
suite("HTTP", service, { type: "key" })
