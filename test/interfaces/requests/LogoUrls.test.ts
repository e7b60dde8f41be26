import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { LogoUrls } from "#interfaces/requests/PublicUrl.ts"

const urlFor = (host: string | undefined) =>
  LogoUrls.use(({ forHost }) => Effect.succeed(forHost(host)("btc.btc"))).pipe(
    Effect.provide(LogoUrls.layer({ publicUrl: Option.none(), template: Option.none() })),
  )

describe("LogoUrls without settings", () => {
  it.effect.each(["127.0.0.1:8080", "broker.example", "Broker-1.example:443", "[::1]:8080", "localhost"])(
    "begin with the host %s, which the caller used",
    function* (host) {
      assert.strictEqual(yield* urlFor(host), `http://${host}/logos/btc.btc.svg`)
    },
  )

  it.effect.each([
    undefined,
    "",
    "evil.example/x?",
    "user@evil.example",
    'a"b',
    "a b",
    "<script>",
    "evil.example:99999999",
    "{id}",
    ".",
    "a".repeat(300),
  ])("are paths where the host is none, as in %s", function* (host) {
    assert.strictEqual(yield* urlFor(host), "/logos/btc.btc.svg")
  })
})
