import { assert, describe, it } from "#test/support/it.ts"
import { Context, Effect, Layer, Schema } from "effect"
import { ProviderDefinitions } from "#providers/mod.ts"
import { serve } from "#infrastructure/platform/serve.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { connectionLayer } from "#infrastructure/store/database/Sql.ts"
import { EndpointEndingsRepo } from "#infrastructure/store/ops/EndpointEndingsRepo.ts"
import { checklist } from "#cli/doctor/doctor.ts"
import { live, readFrom } from "#test/infrastructure/config/read.ts"
import { addresses, brokerAccounts } from "#test/contract/support/addresses.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"
import { defaultOptions } from "#test/sandbox/support.ts"
import { respServer } from "#test/support/redis/respServer.ts"
import type { Environment } from "#test/support/process.ts"
import { withBazaar } from "#test/support/bazaar.ts"
import { placesOf, settingsOfSimulated, simulatedNames } from "#test/support/simulated.ts"
import { section } from "#test/readme/section.ts"
import { cliWith } from "./running.ts"

const decode = Schema.decodeEffect(Schema.fromJsonString(Schema.Array(Schema.Struct({
  check: Schema.String,
  ok: Schema.Boolean,
  detail: Schema.String,
  todo: Schema.optionalKey(Schema.String),
}))))

/** The exit code, what stands well and what does not. */
const examine = (env: Environment) =>
  Effect.gen(function* () {
    const { code, output } = yield* cliWith({ DATA_DIR: "memory", ...env }, "doctor", "--json")
    const findings = yield* decode(output)
    for (const { ok, todo } of findings) assert.isTrue(ok || todo !== undefined, "what fails says what to do")
    type Found = typeof findings[number]
    const names = (is: (one: Found) => boolean) => findings.filter(is).map(({ check }) => check)
    return {
      code,
      well: names(({ ok, todo }) => ok && todo === undefined),
      advised: names(({ ok, todo }) => ok && todo !== undefined),
      ill: names(({ ok }) => !ok),
      output,
    }
  })

/** Where anything answers. */
const upstreamUrl = serve({
  hostname: "127.0.0.1",
  port: 0,
  handler: () => Promise.resolve(new Response("here")),
})

const places = [
  ...settingsOfSimulated.filter(({ isPlace }) => isPlace).map(({ name }) => name),
  ...simulatedNames.map((name) => `provider ${name}`),
]

/** All of them where nothing listens, with a secret in every path. */
const away = Object.fromEntries(
  settingsOfSimulated.map(({ isPlace, name, text }) => [name, isPlace ? `${text}/secret-of-${name}` : text]),
)

const serverUrl = Deno.env.get("TEST_DATABASE_URL")

/** A database without tables on the server, where there is one. */
const newServerDatabase = serverUrl === undefined
  ? Effect.succeed([])
  : Effect.map(temporaryDatabase(serverUrl), (url) => [{ DATABASE_URL: url }])

describe("doctor", () => {
  it.live("finds nothing where everything answers", () =>
    Effect.gen(function* () {
      const { url } = Context.get(yield* Layer.build(Sandbox.layer(defaultOptions)), Sandbox)
      const redis = yield* respServer
      const { advised, code, ill, output, well } = yield* examine({
        SANDBOX_URL: url.origin,
        REDIS_URL: redis.href,
      })
      assert.strictEqual(code, 0, output)
      assert.deepStrictEqual(ill, [])
      assert.deepStrictEqual(advised, [])
      assert.deepStrictEqual(well, ["settings", "database", "redis", ...places])
    }).pipe(Effect.scoped))

  it.live("says that a broker has no private Bitcoin channel, or that its node does not tell", () =>
    Effect.gen(function* () {
      const { url } = Context.get(yield* Layer.build(Sandbox.layer(defaultOptions)), Sandbox)
      const node = (method: string) =>
        Effect.promise(() =>
          fetch(new URL("/chainflip/broker", url), {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] }),
          }).then((answer) => answer.json())
        )
      yield* node("broker_close_private_btc_channel")
      const without = yield* examine({ SANDBOX_URL: url.origin })
      assert.strictEqual(without.code, 0, without.output)
      assert.deepStrictEqual(without.advised, ["provider chainflip"])
      assert.include(without.output, "the broker has no private Bitcoin channel")
      const other = yield* examine({ SANDBOX_URL: url.origin, CHAINFLIP_BROKER_ACCOUNT: brokerAccounts[0] })
      assert.include(other.output, "private Bitcoin channel of the broker unknown (UpstreamFailed)")
    }).pipe(Effect.scoped))

  it.live("says of everything that is away what to do, and shows no secret", function* () {
    const { code, ill, output, well } = yield* examine({
      MODE: "live",
      ...away,
      REDIS_URL: "redis://:secret-of-redis@127.0.0.1:9",
      DATABASE_URL: "postgres://user:secret-of-postgres@127.0.0.1:9/broker",
    })
    assert.strictEqual(code, 1)
    assert.deepStrictEqual(well, ["settings", "records", "encryption", "broker", "first key"])
    assert.deepStrictEqual(ill, ["database", "redis", ...places])
    assert.notInclude(output, "secret-of")
  })

  it.live("checks what the sandbox does not simulate as in live mode, and says that it is real", () =>
    Effect.gen(function* () {
      const url = yield* upstreamUrl
      const bazaarSettings = { BAZAAR_URL: url.href, BAZAAR_KEY: "secret-of-the-bazaar" }
      const found = yield* examine(bazaarSettings)
      assert.strictEqual(found.code, 0, found.output)
      assert.deepStrictEqual(found.ill, [])
      assert.deepStrictEqual(found.advised, ["upstreams"])
      assert.include(found.output, "bazaar is not simulated")
      assert.include(found.output, url.host)
      assert.notInclude(found.output, "secret-of")
      assert.deepStrictEqual(found.well, [
        "settings",
        "database",
        "redis",
        "BAZAAR_URL",
        "provider bazaar",
      ])
      const away = yield* examine({ ...bazaarSettings, BAZAAR_URL: "http://127.0.0.1:9" })
      assert.strictEqual(away.code, 1)
      assert.deepStrictEqual(away.ill, ["BAZAAR_URL"])
      const { advised, well } = yield* examine({})
      assert.deepStrictEqual(advised, [])
      assert.deepStrictEqual(well, ["settings", "database", "redis", "upstreams"])
    }).pipe(Effect.provideService(ProviderDefinitions, withBazaar), Effect.scoped))

  it.live("says of a provider that leaves a shared sandbox that it is real", () =>
    Effect.gen(function* () {
      const { url } = Context.get(yield* Layer.build(Sandbox.layer(defaultOptions)), Sandbox)
      const { advised, code, output } = yield* examine({
        SANDBOX_URL: url.origin,
        RELAY_URL: `${url.origin}/relay/`,
      })
      assert.strictEqual(code, 0, output)
      assert.deepStrictEqual(advised, ["upstreams"])
      assert.include(output, "relay is not simulated")
      const places = { ...placesOf(url), SANDBOX_URL: url.origin, MODE: "live" }
      const all = yield* examine(places)
      assert.notInclude(all.output, "is simulated")
      const some = yield* examine({
        ...places,
        RELAY_URL: `${url.origin}/relay/`,
        PROVIDERS: "maya,relay",
      })
      assert.include(some.advised, "upstreams", some.output)
      assert.include(some.output, "MODE=live, but maya is simulated. No money moves there")
    }).pipe(Effect.scoped))

  it.live("finds nothing to do about a database that is not there yet, nor about a new one", function* () {
    const folder = yield* temporaryFolder
    const places = [{ DATA_DIR: `${folder}/new` }, ...yield* newServerDatabase]
    for (const place of places) {
      const before = yield* examine(place)
      assert.deepStrictEqual([before.code, before.ill, before.advised], [0, [], []], before.output)
      assert.strictEqual((yield* cliWith(place, "migrate")).code, 0)
      const after = yield* examine(place)
      assert.deepStrictEqual([after.code, after.ill, after.advised], [0, [], []], after.output)
      assert.includeMembers(after.well, ["database", "migrations"])
    }
  })

  it.live("says which endpoints of upstreams end by the database's records, and what has to be done", function* () {
    const folder = yield* temporaryFolder
    const DATA_DIR = `${folder}/new`
    assert.strictEqual((yield* cliWith({ DATA_DIR }, "migrate")).code, 0)
    const now = yield* currentMillis
    const ending = {
      ...{
        endpoint: "POST /quote/v2",
        operations: ["quote", "open"] as const,
        references: [],
        unreadable: [],
      },
      ...{ firstSeenAt: now, lastSeenAt: now, sunsetAt: EpochMillis.make(Date.UTC(2027, 1, 23)) },
    }
    const keep = (more: object) =>
      Effect.flatMap(
        EndpointEndingsRepo,
        (repo) => repo.keep({ provider: ProviderName.make("relay"), ending: { ...ending, ...more } }),
      ).pipe(
        Effect.provide(
          Layer.provide(
            EndpointEndingsRepo.layer,
            connectionLayer(DatabaseLocation.Folder({ folder: DATA_DIR })),
          ),
        ),
      )
    yield* keep({})
    const announced = yield* examine({ DATA_DIR })
    assert.deepStrictEqual([announced.code, announced.advised], [0, ["provider relay"]])
    assert.include(
      announced.output,
      "has announced the end of POST /quote/v2 for 2027-02-23 00:00 UTC. Used for: quote, open",
    )
    const listed = yield* cliWith({ DATA_DIR }, "providers", "list")
    assert.include(listed.output, "has announced the end")
    yield* keep({ retiredAt: now })
    const retired = yield* examine({ DATA_DIR })
    assert.deepStrictEqual([retired.code, retired.ill], [1, ["provider relay"]])
    assert.include(retired.output, "has retired POST /quote/v2")
  })

  it.live("names every wrong setting, and checks the database all the same", function* () {
    const { code, ill, output, well } = yield* examine({ PORT: "no", MODE: "dead" })
    assert.strictEqual(code, 1)
    assert.deepStrictEqual(ill, ["settings", "settings"])
    assert.include(output, "cli deploy env")
    assert.deepStrictEqual(well, ["database"])
  })

  it.live("goes through what has to be thought of before real money", () =>
    Effect.gen(function* () {
      const away = { ...live, NEAR_INTENTS_URL: "http://127.0.0.1:9", NEAR_INTENTS_TOKEN: "" }
      const bare = yield* examine(away)
      assert.include(bare.ill, "records")
      assert.deepStrictEqual(bare.advised, [
        "refund addresses",
        "encryption key",
        "tokens",
        "host",
        "public URL",
        "broker",
        "commission",
        "withdrawals",
      ])
      assert.include(bare.output, "REFUND_ADDRESS_TRON")
      const careful = yield* examine({
        ...away,
        DATA_DIR: yield* temporaryFolder,
        REFUND_ADDRESS_BITCOIN: addresses.btc,
        REFUND_ADDRESS_ETHEREUM: addresses.eth,
        WEBHOOK_ENCRYPTION_KEY: btoa("\u0001".repeat(32)),
        NEAR_INTENTS_TOKEN: "secret-of-the-partner",
        NEAR_INTENTS_FEE_ACCOUNT: "operator.near",
        BOOTSTRAP_COMMISSION_BPS: "15",
        TRUSTED_PROXIES: "10.0.0.1",
        PUBLIC_URL: "https://swaps.example",
        WITHDRAWAL_ADDRESS_ETHEREUM: addresses.eth,
        CHAINFLIP_BROKER_URL: "http://broker.internal:10997",
      })
      assert.includeMembers(careful.well, [
        "case files",
        "encryption key",
        "tokens",
        "host",
        "public URL",
        "encryption",
        "broker",
        "first key",
        "commission",
        "withdrawals",
      ])
      assert.deepStrictEqual(careful.advised, ["records", "refund addresses"])
      assert.notInclude(careful.output, "REFUND_ADDRESS_ETHEREUM")
      assert.notInclude(careful.output, "secret-of")
    }).pipe(Effect.scoped))

  it.live("fails what others could read or change on the way, and names it without its secret", function* () {
    const open = yield* examine({
      ...live,
      CHAINFLIP_NODE_URL: "http://node.test/secret-of-node",
      CHAINFLIP_BROKER_URL: "http://203.0.114.7/secret-of-broker",
      DATABASE_URL: "postgres://user:secret-of-postgres@db.test/broker",
      REDIS_URL: "redis://:secret-of-redis@cache.test",
      PUBLIC_URL: "http://swaps.test",
      BOOTSTRAP_API_KEY: "secret-of-the-first-account-0123",
    })
    assert.includeMembers(open.ill, ["encryption", "public URL"])
    assert.includeMembers(open.advised, ["broker", "first key"])
    assert.include(
      open.output,
      "CHAINFLIP_NODE_URL, CHAINFLIP_BROKER_URL, DATABASE_URL, REDIS_URL: not encrypted",
    )
    assert.notInclude(open.output, "secret-of")
    const closed = yield* examine({
      ...live,
      CHAINFLIP_NODE_URL: "http://node:9944",
      CHAINFLIP_BROKER_URL: "http://[fd00::7]:10997",
      DATABASE_URL: "postgres://user@db.test/broker?sslmode=verify-full",
      REDIS_URL: "rediss://cache.test",
    })
    assert.includeMembers(closed.well, ["encryption", "broker", "first key"])
  })

  it.live("goes through what the page about running it lists", function* () {
    const settings = yield* readFrom({ ...live, DATA_DIR: "memory" })
    const page = yield* Effect.promise(() =>
      Deno.readTextFile(new URL("../../src/running.md", import.meta.url))
    )
    const listed = [...section(page, "checklist").matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
    assert.deepStrictEqual(checklist(settings, []).map(({ check }) => check), listed)
  })

  it.live("has no such list for the sandbox, where no money moves", function* () {
    const { advised, well } = yield* examine({ SANDBOX_URL: "http://127.0.0.1:9" })
    assert.deepStrictEqual(advised, [])
    assert.notInclude(well, "records")
  })
})
