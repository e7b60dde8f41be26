import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { userInfo } from "node:os"
import type { Actor } from "#domain/operations/Audit.ts"
import type { DatabaseLocation } from "#infrastructure/store/database/DatabaseLocation.ts"
import { recordJson } from "#api/presentSwap.ts"
import { storeLayer } from "#infrastructure/store/Store.ts"
import { type CommandFailed, databaseFailed } from "./failures.ts"
import { type OperatorClient, overNetwork } from "./OperatorClient.ts"
import { type OperatorHandlers, operatorServices, overDatabase } from "./overDatabase.ts"
import { CommandTarget, place } from "./settings.ts"

/** The user at the command line, by the operating system's name; some containers have none. */
const actor: Effect.Effect<Actor> = Effect.try(() => userInfo().username).pipe(
  Effect.match({ onFailure: () => ({ type: "cli" }), onSuccess: (user) => ({ type: "cli", user }) }),
)

/** The store in the settings' database, for as long as a command runs. */
const openStore = (location: DatabaseLocation) =>
  Layer.catch(
    storeLayer(location, recordJson),
    (error) => Layer.effectContext(Effect.fail(databaseFailed(error))),
  )

/** The operator's client for the place in the settings. */
export const operatorLayer = (handlers: OperatorHandlers): Layer.Layer<OperatorClient, CommandFailed> =>
  Layer.unwrap(Effect.map(
    place,
    CommandTarget.$match({
      Service: (service): Layer.Layer<OperatorClient, CommandFailed> =>
        overNetwork(service).pipe(Layer.provide(FetchHttpClient.layer)),
      Database: ({ location, providers, publicUrl, webhooks }) =>
        Layer.unwrap(
          Effect.map(actor, (actor) => overDatabase({ actor, providers, publicUrl }, handlers)),
        ).pipe(
          Layer.provide(operatorServices(webhooks)),
          Layer.provide(openStore(location)),
        ),
    }),
  ))
