import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** The random bytes of the MAC that every key issued with this database carries. */
export type KeySecret = Redacted.Redacted<Uint8Array>

const byteCount = 32

const decodeSecrets = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ secret: Schema.RedactedFromValue(Schema.Uint8Array) })]),
)

/** The secret of the keys, one for all replicas; backups and exports include it. */
export class KeySecretRepo extends Context.Service<KeySecretRepo, {
  /** The secret; the first replica that asks creates it, and it never changes. */
  readonly get: Effect.Effect<KeySecret, StoreUnavailable>
}>()("swap-broker/store/KeySecretRepo") {
  static readonly layer = Layer.effect(
    KeySecretRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const read = sql`SELECT secret FROM key_secret`

      const get = Effect.gen(function* () {
        const known = yield* read
        if (known.length === 0) {
          const secret = crypto.getRandomValues(new Uint8Array(byteCount))
          yield* sql`INSERT INTO key_secret (secret) VALUES (${secret}) ON CONFLICT DO NOTHING`
        }
        const [row] = yield* decodeSecrets(known.length === 0 ? yield* read : known)
        return row.secret
      }).pipe(storeOperation("KeySecret.get"))

      // The secret is kept after the first read, as it never changes.
      let kept: KeySecret | undefined
      return KeySecretRepo.of({
        get: Effect.suspend(() =>
          kept === undefined
            ? Effect.tap(get, (secret) => Effect.sync(() => kept = secret))
            : Effect.succeed(kept)
        ),
      })
    }),
  )
}
