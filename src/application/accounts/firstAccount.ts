import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Accounts } from "./Accounts.ts"
import { Bootstrap } from "./Bootstrap.ts"
import type { bootstrapSettings } from "./settings.ts"
import type { Value } from "#infrastructure/config/Setting.ts"

/** Creates the first account where there is none, and tells the operator how to call (`BOOTSTRAP_API_KEY`). */
export const bootstrap = (settings: Value<typeof bootstrapSettings>) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const accounts = yield* Accounts
    const outcome = yield* accounts.bootstrap(settings)
    yield* Bootstrap.$match(outcome, {
      HasAccounts: ({ isKeyIgnored }) =>
        isKeyIgnored
          ? Effect.logWarning(
            "BOOTSTRAP_API_KEY has no effect: there are accounts already, and it is a key of none of them. Unset it, " +
              "and make keys with the command: cli keys create",
          )
          : Effect.void,
      NoAccount: () =>
        Effect.logWarning("There is no account yet: set BOOTSTRAP_API_KEY and start again to make the first"),
      Created: ({ account, generatedKey }) =>
        Effect.andThen(
          Effect.logInfo(`Account "${account.name}" was created`),
          Option.match(generatedKey, {
            onNone: () => Effect.void,
            // Printed past the logger: a key belongs in no log.
            onSome: (key) => Console.log(`API key (shown only now): ${Redacted.value(key)}`),
          }),
        ),
    })
  }))
