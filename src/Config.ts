import { Effect, Option, Result, Schema, Struct } from "effect"
import { combineIssues, hasIssues, type Issues, issuesOf, issueWith, noIssues } from "./domain/Issues.ts"
import { acceptedNetworks, refundAddresses } from "./refundAddresses.ts"
import type { Setting } from "./Setting.ts"
import { settings } from "./settings.ts"

interface ReadLambda extends Struct.Lambda {
  <A>(self: Setting<A>): Setting<A>["read"]
  readonly "~lambda.out": this["~lambda.in"] extends Setting<infer A> ? Setting<A>["read"] : never
}

const readLambda = Struct.lambda<ReadLambda>((one) => one.read)

/** Settings that do not fit: all of them at once, each with its name and what was expected. */
export class SettingsWrong extends Schema.TaggedError<SettingsWrong>()("SettingsWrong", {
  issues: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return ["The settings do not fit:", ...this.issues.map((sentence) => `  ${sentence}`)].join("\n")
  }
}

/** One error of everything that is wrong with the settings. */
export const settingsWrong = (issues: Issues): SettingsWrong =>
  new SettingsWrong({ issues: Object.values(issues).flat() })

const readAll = Effect.suspend(() => Effect.all(Struct.map(settings, readLambda)))

type Results = Effect.Success<typeof readAll>

const isSet = (result: Result.Result<Option.Option<unknown>, Issues>): boolean =>
  Result.isFailure(result) || Option.isSome(result.success)

/** In live mode a provider needs all of its places; Chainflip may be left out where there is another one. */
const missingInLive = (results: Results): Issues => {
  const needed = (name: string, result: Result.Result<Option.Option<unknown>, Issues>): Issues =>
    Result.isSuccess(result) && Option.isNone(result.success)
      ? issueWith(name, `${name} is required with MODE=live`)
      : noIssues
  if (Result.isFailure(results.mode) || results.mode.success !== "live") return noIssues
  const chainflip = [
    needed(settings.chainflipBackendUrl.name, results.chainflipBackendUrl),
    needed(settings.chainflipNodeUrl.name, results.chainflipNodeUrl),
    needed(settings.chainflipBrokerUrl.name, results.chainflipBrokerUrl),
    needed(settings.chainflipBrokerAccount.name, results.chainflipBrokerAccount),
  ]
  const hasNoneOfChainflip = chainflip.every(hasIssues)
  return isSet(results.nearIntentsUrl) && hasNoneOfChainflip ? noIssues : combineIssues(chainflip)
}

const textOf = (result: Result.Result<Option.Option<string>, Issues>): Option.Option<string> =>
  Result.getOrElse(result, () => Option.none())

/** Refund addresses have to be of the network that the other settings choose. */
const wrongRefundAddresses = (results: Results): Issues => {
  if (Result.isFailure(results.mode) || Result.isFailure(results.chainflipNetwork)) return noIssues
  const addresses = refundAddresses({
    Bitcoin: textOf(results.refundBitcoin),
    Ethereum: textOf(results.refundEthereum),
    Arbitrum: textOf(results.refundArbitrum),
    Solana: textOf(results.refundSolana),
    Assethub: textOf(results.refundAssethub),
    Tron: textOf(results.refundTron),
    Polkadot: textOf(results.refundPolkadot),
    Bsc: textOf(results.refundBsc),
  }, acceptedNetworks(results.mode.success, results.chainflipNetwork.success))
  return issuesOf([addresses])
}

/** The settings of this process, from its environment; or everything that is wrong with them. */
export const readSettings = Effect.gen(function* () {
  const results = yield* readAll
  const issues = combineIssues([
    issuesOf(Object.values(results)),
    missingInLive(results),
    wrongRefundAddresses(results),
  ])
  if (hasIssues(issues)) return yield* settingsWrong(issues)
  return yield* Effect.fromResult(Result.mapError(Result.all(results), settingsWrong))
})

/** Every setting with its value. */
export type Settings = Effect.Success<typeof readSettings>
