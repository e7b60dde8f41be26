import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { onServer, servers } from "#test/durability/places.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import { type RunningService, startProgram, startService } from "#test/support/process.ts"

/** The time between two requests of an account, in milliseconds, and the refusals after which its rate has been reached. */
const pace = 50
const enoughRefusals = 5

/** One of the numbered databases of a Redis, as the accounts of each run have the same numbers. */
const redis = `${Deno.env.get("TEST_REDIS_URL") ?? "redis://127.0.0.1:6379"}/${1 + Date.now() % 15}`

interface Reply {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

const Named = Schema.fromJsonString(Schema.Struct({ key: Schema.String }))

/** A request of a service, with the key of the operator unless another is given. */
const send = (
  service: RunningService,
  [method, path]: readonly [method: string, path: string],
  { body, key = service.apiKey }: { readonly body?: unknown; readonly key?: string } = {},
): Effect.Effect<Reply> =>
  Effect.promise(async () => {
    const response = await fetch(new URL(path, service.url), {
      method,
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  })

const openPath =
  `/swap?sourceAsset=usdc.eth&destinationAsset=btc.btc&amount=100&platform=chainflip&destinationAddress=${
    addressFor("btc.btc")
  }`

/** So many requests at the same moment, by turns at each of the services. */
const atOnce = (
  services: ReadonlyArray<RunningService>,
  count: number,
  one: (at: RunningService, n: number) => Effect.Effect<Reply>,
) =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    (n) => {
      const service = services[n % services.length]
      return service === undefined ? Effect.die("No service") : one(service, n)
    },
    { concurrency: "unbounded" },
  )

const okay = (replies: ReadonlyArray<Reply>): number => replies.filter(({ status }) => status < 300).length

/** What the accounts are limited in, by turns, and how a limit of one is seen to be kept by two services. */
const kinds = ["requests", "openings", "channels", "volume", "webhooks"] as const

describe.each(servers)("Terms of accounts on two replicas", (server) => {
  it.live(
    "hold each of twenty to its own limit, and take effect within two seconds",
    () =>
      Effect.gen(function* () {
        const place = yield* onServer(server)
        const sandbox = yield* startProgram("src/sandbox.ts", {
          SANDBOX_PORT: "0",
          DATA_DIR: "memory",
          LOG_FORMAT: "json",
        })
        const settings = {
          ...place,
          SANDBOX_URL: sandbox.url.origin,
          REDIS_URL: redis,
          // Only the terms of accounts refuse: twenty accounts open at once, on a busy machine.
          OPEN_BULKHEAD: "400",
          NODE_BULKHEAD: "400",
          BULKHEAD_WAIT: "15 seconds",
          CIRCUIT_MINIMUM_CALLS: "10000",
          CIRCUIT_WINDOW: "10000",
        }
        const one = yield* startService(settings)
        const other = yield* startService(settings)
        const both = [one, other]

        const accounts = yield* Effect.forEach(Array.from({ length: 20 }, (_, n) => n), (n) =>
          Effect.gen(function* () {
            const kind = kinds[n % kinds.length]
            const most = 3 + n
            const terms = kind === "requests"
              ? { requestsPerMinute: most * 3 }
              : kind === "openings"
              ? { openingsPerMinute: most }
              : kind === "channels"
              ? { maximumOpenChannels: most }
              : kind === "volume"
              ? { maximumDailyVolumeUsd: most * 100 + 50 }
              : { maximumWebhooks: most }
            const name = `terms-${n}`
            const made = yield* send(one, ["POST", "/operator/accounts"], { body: { name, ...terms } })
            assert.strictEqual(made.status, 201, made.text)
            const { text } = yield* send(other, ["POST", `/operator/accounts/${name}/keys`])
            const { key } = yield* Schema.decodeEffect(Named)(text)
            return { n, name, kind, most, key }
          }))

        // The hour's prices are recorded some seconds after the start.
        const [, , , priced] = accounts
        if (priced === undefined) {
          return yield* Effect.die("No account")
        }
        const first = yield* send(one, ["GET", openPath], priced).pipe(
          Effect.repeat({
            until: ({ status }) =>
              status !== 503,
            schedule: Schedule.spaced("500 millis"),
            times: 120,
          }),
        )
        assert.strictEqual(first.status, 200, first.text)

        const opened = (key: string, count: number) =>
          atOnce(both, count, (service) =>
            send(service, ["GET", openPath], { key }))
        const outcomes = yield* Effect.forEach(accounts, ({ key, kind, most, n, name }) =>
          Effect.gen(function* () {
            if (kind === "requests" || kind === "openings") {
              const path = kind === "requests" ? "/account" : openPath
              const began = performance.now()
              let admitted = 0
              for (let refused = 0; refused < enoughRefusals;) {
                const service = (admitted + refused) % 2 === 0 ? one : other
                const reply = yield* send(service, ["GET", path], { key })
                if (reply.status < 300) {
                  admitted += 1
                } else {
                  assert.strictEqual(reply.status, 429, reply.text)
                  refused += 1
                }
                yield* Effect.sleep(pace)
              }
              const limit = kind === "requests" ? most * 3 : most
              const due = limit * (1 + (performance.now() - began) / 60_000)
              return { name, kind, limit, admitted, isHeld: admitted >= limit && admitted <= due + 2 }
            }
            if (kind === "webhooks") {
              const replies = yield* atOnce(both, most + 6, (service, at) =>
                send(service, ["POST", "/webhooks"], {
                  key,
                  body: { url: `http://127.0.0.1:1024/${n}/${at}` },
                }))
              return { name, kind, limit: most, admitted: okay(replies), isHeld: okay(replies) === most }
            }
            const replies = yield* opened(key, most + 8)
            const refused = replies.find(({ status }) =>
              status >= 300
            )
            const admitted = okay(replies) + (key === priced.key ? 1 : 0)
            if (kind === "volume") {
              assert.strictEqual(refused?.status, 429, refused?.text)
              assert.match(refused?.text ?? "", /may swap \$[\d,]+ a day.*next day begins at \d{4}-/)
              assert.isAtMost(Number(refused?.headers.get("retry-after")), 86_400)
            } else assert.match(refused?.text ?? "", /deposit channels open, the maximum/)
            return { name, kind, limit: most, admitted, isHeld: admitted === most }
          }), { concurrency: "unbounded" })
        yield* Effect.logInfo(`terms of 20 accounts: ${JSON.stringify(outcomes)}`)
        assert.deepStrictEqual(
          outcomes.filter(({ isHeld }) =>
            !isHeld
          ),
          [],
        )

        // A change at one replica is in force at the other, whose cache has the account.
        const delays: Array<number> = []
        for (let change = 0; change < 5; change++) {
          const { key, name } = accounts[change * 5 + 2 < 20 ? change * 5 + 2 : 2] ?? priced
          const maximumOpenChannels = 30 + change
          yield* send(other, ["GET", "/account"], { key })
          const patched = yield* send(one, ["PATCH", `/operator/accounts/${name}`], {
            body: { maximumOpenChannels },
          })
          assert.strictEqual(patched.status, 200, patched.text)
          const began = performance.now()
          yield* send(other, ["GET", "/account"], { key }).pipe(
            Effect.repeat({
              until: ({ text }) => text.includes(`"maximumOpenChannels":${maximumOpenChannels}`),
              schedule: Schedule.spaced("20 millis"),
            }),
          )
          delays.push(Math.round(performance.now() - began))
        }
        yield* Effect.logInfo(`a change took effect on the other replica after ${delays.join(", ")} ms`)
        assert.isBelow(Math.max(...delays), 2_000)
      }).pipe(Effect.scoped),
    240_000,
  )
})
