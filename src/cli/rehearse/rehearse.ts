import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { CommissionBps } from "#api/OperatorBodies.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { readSettings, type Settings } from "#settings.ts"
import { CommandFailed, wrongSettings } from "../failures.ts"
import { print, prints } from "../output.ts"
import { anAsset, aProvider, flag, switchOn, whole } from "../parameters.ts"
import { choosePairs } from "#providers/witness/pairs.ts"
import { rehearse as rehearseWith } from "./rehearsal.ts"
import { report } from "./report.ts"

const ofTheSwap = (what: string) =>
  `The asset that the swap of --channel is ${what}, where the provider does not tell`

const flags = {
  provider: flag("provider", "Only this provider", aProvider),
  pairs: Flag.optional(whole(
    "pairs",
    "How many pairs of each provider; else every asset once on each side, and every two chains",
    { minimum: 1, maximum: 10_000 },
  )),
  all: switchOn("all", "Every pair that a provider lists"),
  channel: flag(
    "channel",
    "A channel that the provider knows: coordinates, address or the provider's name of it",
    Schema.NonEmptyString,
  ),
  sourceAsset: flag("source-asset", ofTheSwap("from"), anAsset),
  destinationAsset: flag("destination-asset", ofTheSwap("to"), anAsset),
  transaction: flag(
    "transaction",
    "A transaction of a swap that the provider knows",
    Schema.NonEmptyString,
  ),
  // Public nodes take no more than one (thorchain/wire.md).
  perSecond: whole(
    "per-second",
    "The most questions to a provider that begin in a second, 1 to 1000",
    { minimum: 1, maximum: 1_000 },
  ).pipe(Flag.withDefault(1)),
  commissionBps: Flag.Int("commission-bps").pipe(
    Flag.withDescription("The commission that quotes and payloads are asked with"),
    Flag.withSchema(CommissionBps),
    Flag.optional,
  ),
}

const ours = Effect.mapError(readSettings, wrongSettings)

/** `rehearse`: asks the upstreams for everything that opens nothing, and compares the answers with what is expected. */
export const rehearse = Command.make(
  "rehearse",
  flags,
  Effect.fnUntraced(function* (flags) {
    const { channel, pairs, provider, transaction } = flags
    if (Option.isNone(provider) && (Option.isSome(channel) || Option.isSome(transaction))) {
      return yield* new CommandFailed({
        kind: "usage",
        detail: "--channel and --transaction need --provider: one upstream knows them",
      })
    }
    const settings: Settings = yield* ours
    const rehearsal = yield* rehearseWith(settings, {
      provider,
      perSecond: flags.perSecond,
      commissionBps: Option.getOrElse(flags.commissionBps, () => settings.bootstrap.commissionBps),
      parties: settings.addresses.fallbackRefundAddresses,
      channel,
      recorded: Option.none(),
      assets: {
        ...optionalMembers(Option.getOrUndefined(flags.sourceAsset), (sourceAsset) => ({ sourceAsset })),
        ...optionalMembers(
          Option.getOrUndefined(flags.destinationAsset),
          (destinationAsset) => ({ destinationAsset }),
        ),
      },
      transaction,
      concurrency: 4,
      searches: true,
      choose: (listed) => choosePairs(listed, flags.all ? listed.length : Option.getOrUndefined(pairs)),
    }).pipe(Effect.catchTag("SettingsWrong", (error) => Effect.fail(wrongSettings(error))))
    yield* print(rehearsal, report(rehearsal))
    if (!rehearsal.fits) {
      const wrong = rehearsal.differences.filter(({ fits }) => !fits).length
      return yield* new CommandFailed({ kind: "failed", detail: `${wrong} differences do not fit` })
    }
  }),
).pipe(
  Command.withDescription(
    "Ask the upstreams of these settings for everything that opens nothing, and list what differs from the wire " +
      "that the providers read",
  ),
  prints(
    "`{fits, steps: [{provider, operation, asked, answered, refused, failed}], coverage: [{provider, pairsAsked, pairsListed}], " +
      "differences: [{fits, kind, provider, operation, call?, path?, expected?, found, about?, times}]}`",
  ),
)
