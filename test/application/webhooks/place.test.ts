import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer, Option } from "effect"
import type { AttemptFailure } from "#domain/accounts/Webhook.ts"
import { Poster } from "#application/webhooks/Poster.ts"
import { SecretBox } from "#application/webhooks/SecretBox.ts"
import { Webhooks } from "#application/webhooks/Webhooks.ts"
import { newAccount, stores } from "#test/support/store.ts"

const refusing = (failure: AttemptFailure) =>
  Webhooks.layer({ mode: "sandbox", privateDestinations: [], most: 3 }).pipe(
    Layer.provide([
      Layer.mock(Poster, { check: () => Effect.fail(failure) }),
      SecretBox.layer(Option.none()),
    ]),
  )

const refusals: ReadonlyArray<readonly [string, AttemptFailure, string]> = [
  [
    "http://example.com/x",
    "address_forbidden",
    "url must begin with https://: http:// may only lead to this machine",
  ],
  ["https://10.0.0.1/x", "address_forbidden", "url leads to an address that is not on the internet"],
  ["http://nowhere.example/x", "name_unresolved", "url has a host that leads to no address"],
]

for (const store of stores.slice(0, 1)) {
  layer(store.layer)("A webhook whose URL leads nowhere", (it) => {
    it.effect.each(refusals)(
      "is refused for what is wrong with %s",
      function* ([url, failure, sentence]) {
        const account = yield* newAccount
        const { errors } = yield* Effect.gen(function* () {
          const webhooks = yield* Webhooks
          return yield* Effect.flip(webhooks.create(account, { url }, { type: "cli" }))
        }).pipe(
          Effect.flatMap((error) =>
            error._tag === "InvalidRequest" ? Effect.succeed(error) : Effect.die(error)
          ),
          Effect.provide(refusing(failure)),
        )
        assert.deepStrictEqual(errors, { url: [sentence] })
      },
    )
  })
}
