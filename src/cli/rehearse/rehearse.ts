import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { CommissionBps } from "#api/OperatorBodies.ts"
import { presentStatus } from "#api/presentSwap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { readSettings, type Settings } from "#settings.ts"
import { counted } from "#domain/figures.ts"
import { CommandFailed, wrongSettings } from "../failures.ts"
import { print, prints } from "../output.ts"
import { anAsset, aProvider, flag, switchOn, whole } from "../parameters.ts"
import { writeRecording } from "../record/record.ts"
import type { Observed } from "#providers/Provider.ts"
import { choosePairs } from "#providers/witness/pairs.ts"
import { rehearse as rehearseWith } from "./rehearsal.ts"
import { report } from "./report.ts"

const ofTheSwap = (what: string) =>
  `The ${what} asset of the swap of --channel, if the provider does not report it`

const flags = {
  provider: flag("provider", "Only this provider", aProvider),
  pairs: Flag.optional(whole(
    "pairs",
    "Pairs to check for each provider; by default each asset once on each side, and each two chains",
    { minimum: 1, maximum: 10_000 },
  )),
  all: switchOn("all", "Every pair that a provider lists"),
  channel: flag(
    "channel",
    "A channel that the provider knows: its number, address or ID at the provider",
    Schema.NonEmptyString,
  ),
  sourceAsset: flag("source-asset", ofTheSwap("source"), anAsset),
  destinationAsset: flag("destination-asset", ofTheSwap("destination"), anAsset),
  transaction: flag("transaction", "A transaction of a swap that the provider knows", Schema.NonEmptyString),
  record: flag(
    "record",
    "A new file for the responses about the swap of --channel or --transaction, written as `record` does",
    Schema.NonEmptyString,
  ),
  // Public nodes take no more than one (thorchain/wire.md).
  perSecond: whole(
    "per-second",
    "Maximum requests to a provider per second, 1 to 1000",
    { minimum: 1, maximum: 1_000 },
  ).pipe(Flag.withDefault(1)),
  commissionBps: Flag.Int("commission-bps").pipe(
    Flag.withDescription("The commission of the quotes and payloads that are requested"),
    Flag.withSchema(CommissionBps),
    Flag.optional,
  ),
}

const ours = Effect.mapError(readSettings, wrongSettings)

/** `rehearse`: calls everything of the upstreams that opens nothing, and compares the responses with the expected API. */
export const rehearse = Command.make(
  "rehearse",
  flags,
  Effect.fnUntraced(function* (flags) {
    const { channel, pairs, provider, record, transaction } = flags
    const isOfSwap = Option.isSome(channel) || Option.isSome(transaction)
    if (isOfSwap ? Option.isNone(provider) : Option.isSome(record)) {
      return yield* new CommandFailed({
        kind: "usage",
        detail: isOfSwap
          ? "--channel and --transaction need --provider"
          : "--record needs --channel or --transaction",
      })
    }
    const settings: Settings = yield* ours
    const found: Array<Observed> = []
    const rehearsal = yield* rehearseWith(settings, {
      provider,
      perSecond: flags.perSecond,
      commissionBps: Option.getOrElse(flags.commissionBps, () => settings.bootstrap.commissionBps),
      parties: settings.addresses.fallbackRefundAddresses,
      channel,
      recorded: Option.none(),
      assets: {
        ...defined({ sourceAsset: Option.getOrUndefined(flags.sourceAsset) }),
        ...optionalMembers(
          Option.getOrUndefined(flags.destinationAsset),
          (destinationAsset) => ({ destinationAsset }),
        ),
      },
      transaction,
      onFound: (observed) => found.push(observed),
      concurrency: 4,
      searches: true,
      choose: (listed) => choosePairs(listed, flags.all ? listed.length : Option.getOrUndefined(pairs)),
    }).pipe(Effect.catchTag("SettingsWrong", (error) => Effect.fail(wrongSettings(error))))
    yield* print(rehearsal, report(rehearsal))
    if (Option.isSome(record) && Option.isSome(provider)) {
      const at = yield* currentMillis
      yield* writeRecording(
        record.value,
        { provider: provider.value, recorded: !settings.isSimulated(provider.value) },
        found.map(({ body, status }) => ({
          at,
          kind: "found",
          status: presentStatus(status, undefined),
          upstreamBody: body,
          upstreamBodyLength: body.length,
        })),
      )
    }
    if (!rehearsal.fits) {
      const wrong = rehearsal.differences.filter(({ fits }) => !fits).length
      return yield* new CommandFailed({ kind: "failed", detail: `${counted(wrong, "difference")} found` })
    }
  }),
).pipe(
  Command.withDescription(
    "Compare the upstreams' responses with the API that this version expects, without opening anything",
  ),
  prints(
    "`{fits, steps: [{provider, operation, asked, answered, refused, failed}], coverage: [{provider, pairsAsked, pairsListed}], " +
      "differences: [{fits, kind, provider, operation, call?, path?, expected?, found, about?, times}]}`",
  ),
)
