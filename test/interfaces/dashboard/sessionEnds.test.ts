import { assert, describe, it } from "#test/support/it.ts"
import { Context, Deferred, Effect, Layer } from "effect"
import { Server } from "#interfaces/http/server/Server.ts"
import { textAt } from "#test/contract/support/Json.ts"
import { issue, newAccount, operate } from "#test/contract/support/operator.ts"
import { broker } from "#test/support/broker.ts"
import { preparedDatabase } from "#test/support/prepared/template.ts"
import { cookieOf, request, send, signIn } from "./support/signIn.ts"

const serverUrl = Deno.env.get("TEST_DATABASE_URL")

/** Two brokers over one Postgres; without a server one, as nobody can share the embedded database. */
const replicas = Effect.gen(function* () {
  if (serverUrl === undefined) return [Context.get(yield* Layer.build(broker()), Server)]
  const environment = { DATABASE_URL: yield* preparedDatabase(serverUrl) }
  return yield* Effect.forEach(
    [1, 2],
    () =>
      Effect.map(Layer.build(Layer.fresh(broker(environment))), (context) => Context.get(context, Server)),
  )
})

/** The time by which no page may be shown any more, on a replica that was not told of the end itself. */
const mostMillis = 1_000

/** A key that may operate, of an account of its own. */
const newOperator = Effect.fnUntraced(function* (terms: Readonly<Record<string, unknown>> = {}) {
  const account = yield* newAccount()
  return { account, ...(yield* issue(account, { scopes: ["operate"], ...terms })) }
})

/** Ends a key; when the service had answered, or when the key's time was up. */
type Ends = Effect.Effect<number, never, Server>

const asAnswered = <A>(act: Effect.Effect<A, never, Server>): Ends => Effect.map(act, () => Date.now())

const endings: ReadonlyArray<
  readonly [name: string, begin: Effect.Effect<{ key: string; end: Ends }, never, Server>]
> = [
  [
    "is revoked",
    Effect.map(newOperator(), ({ id, key }) => ({ key, end: asAnswered(operate("DELETE", `/keys/${id}`)) })),
  ],
  [
    "has an account that is suspended",
    Effect.map(newOperator(), ({ account, key }) => ({
      key,
      end: asAnswered(operate("PATCH", `/accounts/${account}`, { suspended: true })),
    })),
  ],
  [
    "expires",
    Effect.gen(function* () {
      const begun = Date.now()
      yield* signIn((yield* newOperator()).key)
      // Twenty times as long as this machine just took to come in.
      const expiresAt = Date.now() + 1_000 + 20 * (Date.now() - begun)
      const { key } = yield* newOperator({ expiresAt })
      return { key, end: Effect.as(Effect.sleep(Math.max(0, expiresAt - Date.now())), expiresAt) }
    }),
  ],
]

/** How often the pages are asked for after the time by which none may be shown. */
const looksAfter = 3

/**
 * Asks for a page again and again, until it was asked for often enough after a limit that is known later: the statuses
 * before it and after it. `shown` is done when the page was shown.
 */
const keepLooking = Effect.fnUntraced(function* (
  cookie: string,
  shown: Deferred.Deferred<void>,
  limit: () => number,
) {
  const looks: Array<{ readonly sentAt: number; readonly status: number }> = []
  const sentAfter = () => looks.filter(({ sentAt }) => sentAt > limit())
  while (sentAfter().length < looksAfter) {
    const sentAt = Date.now()
    const { status } = yield* request("/dashboard/alerts", { headers: { cookie } })
    looks.push({ sentAt, status })
    if (status === 200) yield* Deferred.succeed(shown, undefined)
  }
  const after = sentAfter()
  return {
    before: looks.filter((look) => !after.includes(look)).map(({ status }) => status),
    after: after.map(({ status }) => status),
  }
})

/** Somebody who came in by a link that this key had made. */
const enterBy = Effect.fnUntraced(function* (key: string) {
  const account = yield* newAccount()
  const answer = yield* request(`/operator/accounts/${account}/portal-link`, {
    method: "POST",
    headers: { "x-api-key": key },
  })
  const [, code = ""] = textAt(JSON.parse(answer.text), "url").split("#")
  return cookieOf(yield* send("/dashboard/enter", { code }))
})

describe(`a session whose key ends, with ${serverUrl === undefined ? "one broker" : "two brokers"}`, () => {
  for (const [name, begin] of endings) {
    it.live(
      `shows nothing a second after the key ${name}, and nothing at once where that was done`,
      function* () {
        const servers = yield* replicas
        const [here] = servers
        assert.isDefined(here)
        const on = (server: Server["Service"]) => Effect.provideService(Server, server)
        const { end, key } = yield* on(here)(begin)
        // Every replica takes the session of every other one.
        const cookie = yield* on(here)(signIn(key))
        const guest = yield* on(here)(enterBy(key))
        const looking = yield* Effect.forEach(
          servers,
          (server) => Effect.map(Deferred.make<void>(), (shown) => ({ server, shown })),
        )
        let endedAt = Infinity
        const [looks] = yield* Effect.all([
          Effect.forEach(
            looking,
            ({ server, shown }, replica) =>
              on(server)(keepLooking(cookie, shown, () => endedAt + (replica === 0 ? 0 : mostMillis))),
            {
              concurrency: "unbounded",
            },
          ),
          Effect.gen(function* () {
            for (const { shown } of looking) {
              yield* Deferred.await(shown)
            }
            endedAt = yield* on(here)(end)
          }),
        ], { concurrency: "unbounded" })
        for (const { after, before } of looks) {
          assert.include(before, 200, "it was shown before")
          assert.deepStrictEqual(
            after,
            after.map(() => 303),
          )
        }
        for (const server of servers) {
          const answer = yield* on(server)(request("/dashboard", { headers: { cookie: guest } }))
          assert.strictEqual(answer.status, 303, "a guest by a link that the key had made")
        }
      },
    )
  }
})
