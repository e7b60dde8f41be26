import { Effect, Schema } from "effect"
import { EndpointEnding } from "#domain/operations/EndpointEnding.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { dayMillis, EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "../../platform/currentMillis.ts"
import { toTimestamp } from "../database/columns.ts"
import { readable, repository } from "../database/repository.ts"

const OwnedEnding = Schema.Struct({ provider: ProviderName, ending: EndpointEnding })
export type OwnedEnding = typeof OwnedEnding.Type

const encodeEnding = Schema.encodeEffect(Schema.fromJsonString(EndpointEnding))
const endings = readable(OwnedEnding, "The end of an endpoint is not shown")

/** How long the end of an endpoint counts that is no longer called: a newer version of the service may have left it. */
const keptMillis = 7 * dayMillis

/** The ends of upstreams' endpoints. Replicas share them. */
export class EndpointEndingsRepo
  extends repository<EndpointEndingsRepo>()("EndpointEndings", ({ op, sql }) => ({
    keep: op("keep", function* ({ ending, provider }: OwnedEnding) {
      yield* sql`
        INSERT INTO endpoint_endings (provider, endpoint, seen_at, ending)
        VALUES (${provider}, ${ending.endpoint}, ${toTimestamp(ending.lastSeenAt)}, ${yield* encodeEnding(
        ending,
      )}::jsonb)
        ON CONFLICT (provider, endpoint) DO UPDATE SET seen_at = excluded.seen_at, ending = excluded.ending`
    }),

    drop: op("drop", function* ({ ending: { endpoint }, provider }: OwnedEnding) {
      yield* sql`DELETE FROM endpoint_endings WHERE provider = ${provider} AND endpoint = ${endpoint}`
    }),

    /** Those that an answer told of lately. */
    recent: op(
      "recent",
      Effect.flatMap(currentMillis, (now) =>
        endings.all(sql`
          SELECT provider, ending FROM endpoint_endings
          WHERE seen_at >= ${toTimestamp(EpochMillis.make(Math.max(0, now - keptMillis)))}
          ORDER BY provider, endpoint`)),
    ),
  })) {}
