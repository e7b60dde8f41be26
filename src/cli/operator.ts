import { Effect, Layer } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { userInfo } from "node:os"
import { Alerts } from "../alerts/Alerts.ts"
import { accountsLayer } from "../accounts/mod.ts"
import { Business } from "../business/Business.ts"
import type { Actor } from "../domain/Audit.ts"
import { Guide } from "../guidance/Guide.ts"
import type { DatabaseLocation } from "../store/database/DatabaseLocation.ts"
import { recordJson } from "../api/presentSwap.ts"
import { storeLayer } from "../store/Store.ts"
import { DisputedEnds } from "../swapping/DisputedEnds.ts"
import { Journals } from "../swapping/Journals.ts"
import { Moves } from "../swapping/Moves.ts"
import { treasuryOfRecords } from "../treasury/layers.ts"
import { webhooks } from "../webhooks/layers.ts"
import { type CommandFailed, databaseFailed } from "./failures.ts"
import { type OperatorClient, overNetwork } from "./OperatorClient.ts"
import { overDatabase } from "./overDatabase.ts"
import { Place, place } from "./settings.ts"

/** The user at the command line, by the operating system's name; some containers have none. */
const actor: Effect.Effect<Actor> = Effect.try(() => userInfo().username).pipe(
  Effect.match({
    onFailure: () => ({ type: "cli" }),
    onSuccess: (user) => ({ type: "cli", user }),
  }),
)

/** The store in the settings' database, for as long as a command runs. */
const openStore = (location: DatabaseLocation) =>
  Layer.catch(
    storeLayer(location, recordJson),
    (error) => Layer.effectContext(Effect.fail(databaseFailed(error))),
  )

/** The operator's client for the place in the settings. */
export const operatorLayer: Layer.Layer<OperatorClient, CommandFailed> = Layer.unwrap(Effect.map(
  place,
  Place.$match({
    Service: (service): Layer.Layer<OperatorClient, CommandFailed> =>
      overNetwork(service).pipe(Layer.provide(FetchHttpClient.layer)),
    Database: ({ location, providers, publicUrl, webhooks: webhookSettings }) =>
      Layer.unwrap(Effect.map(actor, (actor) => overDatabase({ actor, providers, publicUrl }))).pipe(
        Layer.provide([
          Layer.provideMerge(treasuryOfRecords, accountsLayer),
          Business.layer,
          Alerts.layer,
          Journals.layer,
          Guide.layerOfRecords,
          DisputedEnds.layer,
          Moves.layer,
          webhooks(webhookSettings),
        ]),
        Layer.provide(openStore(location)),
      ),
  }),
))
