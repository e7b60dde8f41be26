import { Effect, type Redacted, Schema } from "effect"
import { column, repository } from "../database/repository.ts"

/** The random bytes of the MAC that every key issued with this database carries. */
export type KeySecret = Redacted.Redacted<Uint8Array>

const byteCount = 32

const secrets = column(Schema.RedactedFromValue(Schema.Uint8Array))

/** The secret of the keys, one for all replicas; backups and exports include it. */
export class KeySecretRepo extends repository<KeySecretRepo>()("KeySecret", ({ op, sql }) => {
  const read = sql`SELECT secret FROM key_secret`
  const get = op(
    "get",
    Effect.gen(function* () {
      if ((yield* read).length === 0) {
        const secret = crypto.getRandomValues(new Uint8Array(byteCount))
        yield* sql`INSERT INTO key_secret (secret) VALUES (${secret}) ON CONFLICT DO NOTHING`
      }
      return yield* secrets.only(read)
    }),
  )

  // The secret is kept after the first read, as it never changes.
  let kept: KeySecret | undefined
  return {
    /** The secret; the first replica that asks creates it, and it never changes. */
    get: Effect.suspend(() =>
      kept === undefined
        ? Effect.tap(get, (secret) => Effect.sync(() => kept = secret))
        : Effect.succeed<KeySecret>(kept)
    ),
  }
}) {}
