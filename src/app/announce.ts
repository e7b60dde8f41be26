import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Accounts } from "../accounts/Accounts.ts"
import { Bootstrap } from "../accounts/Bootstrap.ts"
import type { Settings } from "../settings.ts"
import { Server } from "../http/Server.ts"

/** Makes the first account where there is none, and says how to call (`BOOTSTRAP_API_KEY`). */
export const bootstrap = (settings: Settings["bootstrap"]) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const accounts = yield* Accounts
    const outcome = yield* accounts.bootstrap(settings)
    yield* Bootstrap.$match(outcome, {
      HasAccounts: ({ isKeyIgnored }) =>
        isKeyIgnored
          ? Effect.logWarning(
            "BOOTSTRAP_API_KEY has no effect: there are accounts already, and it is a key of none of them. Take it " +
              "out of the environment, and issue keys with the command: keys issue",
          )
          : Effect.void,
      NoAccount: () =>
        Effect.logWarning("There is no account yet: set BOOTSTRAP_API_KEY and start again to make the first"),
      Created: ({ account, generatedKey }) =>
        Effect.andThen(
          Effect.logInfo(`Account "${account.name}" was created`),
          Option.match(generatedKey, {
            onNone: () => Effect.void,
            // Not through the logger: a key belongs in no log.
            onSome: (key) => Console.log(`API key (shown only now): ${Redacted.value(key)}`),
          }),
        ),
    })
  }))

/** Says where the service listens and whether money moves. */
export const announce = ({ mode }: Pick<Settings, "mode">) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const { url } = yield* Server
    yield* Effect.logInfo(
      mode === "sandbox"
        ? "SANDBOX: the networks are simulated, no money moves"
        : "LIVE: real networks, real money",
    )
    yield* Effect.logInfo(`Listening on ${url.origin}, documentation at ${url.origin}/docs`)
  }))
