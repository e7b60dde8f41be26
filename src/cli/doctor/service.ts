import { Effect, type Layer } from "effect"
import { allAccounts } from "../accounts.ts"
import { type CommandFailed, operatorFailed } from "../failures.ts"
import { OperatorClient, type ProviderSeen } from "../OperatorClient.ts"
import { type Finding, ill, well } from "./Finding.ts"

const openCircuits = ({ operations }: ProviderSeen): ReadonlyArray<string> =>
  Object.entries(operations ?? {}).flatMap(([name, { circuit }]) => circuit === "open" ? [name] : [])

const providerFinding = (provider: ProviderSeen): Finding => {
  const check = `provider ${provider.name}`
  if (!provider.enabled) {
    return ill(
      check,
      `does not serve: ${provider.disabledReason}`,
      provider.registered === false
        ? "Configure it on the service, or take it out of PROVIDERS"
        : `Once that is over: providers switch ${provider.name} on --reason …`,
    )
  }
  const open = openCircuits(provider)
  return open.length === 0 ? well(check, "serves") : ill(
    check,
    `too many calls fail: ${open.join(", ")}`,
    "Run doctor on the service's machine, without BROKER_URL",
  )
}

/** How a running service stands, as far as its operator is told over HTTP. */
export const checkService = (operator: Layer.Layer<OperatorClient, CommandFailed>) =>
  Effect.gen(function* () {
    const all = yield* allAccounts
    const standing = yield* (yield* OperatorClient).providers.list
    return [
      well("service", `answers, and takes the API key; it has ${all.length} account(s)`),
      ...standing.map(providerFinding),
    ]
  }).pipe(
    Effect.provide(operator),
    Effect.mapError(operatorFailed),
    Effect.catch(({ detail, kind }) => {
      const todo = kind === "forbidden"
        ? "Set BROKER_API_KEY to a key with the scope operate"
        : "Start the service, or correct BROKER_URL"
      return Effect.succeed([ill("service", detail, todo)])
    }),
  )
