import { Effect, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { CommissionBps } from "#api/OperatorBodies.ts"
import { presentStatus } from "#api/presentSwap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { readSettings, type Settings } from "#settings.ts"
import { counted } from "#domain/figures.ts"
import { CommandFailed, wrongSettings } from "../failures.ts"
import { type Columns, print, prints, say, table, together } from "../output.ts"
import { anAsset, aProvider, flag, switchOn, whole } from "../parameters.ts"
import { writeRecording } from "../record/record.ts"
import type { Observed } from "#providers/Provider.ts"
import { choosePairs, listedPairs } from "#providers/witness/pairs.ts"
import type { ProviderOperation } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Configured } from "#providers/definition.ts"
import { Registry } from "#providers/Registry.ts"
import { durationText } from "#domain/durationText.ts"
import { callable, ownProviders } from "../ownProviders.ts"
import { askAssets, perform, type Plan, usdPricesOf } from "#providers/witness/perform.ts"
import { type Asker, makeAsker, perSecond, type Tally, watched } from "#providers/witness/apiChecks.ts"
import type { CheckDifference } from "#providers/witness/CheckDifference.ts"
import { makeNotes, type Notes } from "#providers/witness/checkNotes.ts"
import { type Reads, readsOf } from "#providers/witness/Reads.ts"

export interface RehearsalInput extends Plan {
  /** The only provider to ask; all that are enabled where it is absent. */
  readonly provider: Option.Option<ProviderName>
  /** The most questions to one provider that begin in a second. */
  readonly perSecond: number
}

/** How the questions of one operation came out. */
interface Step extends Tally {
  readonly provider: ProviderName
  readonly operation: ProviderOperation
}

/** What a provider was asked for of all that it lists. */
interface Coverage {
  readonly provider: ProviderName
  readonly pairsListed: number
  readonly pairsAsked: number
}

export interface Rehearsal {
  readonly fits: boolean
  readonly steps: ReadonlyArray<Step>
  readonly coverage: ReadonlyArray<Coverage>
  /** Those that do not fit first. */
  readonly differences: ReadonlyArray<CheckDifference>
}

/** The provider, watched in what it does by itself: it finds out which assets there are. */
const watchedWith = (notes: Notes) => (one: Configured): Configured => ({
  ...one,
  layer: (surroundings) =>
    Layer.provide(one.layer(surroundings), watched(notes, { provider: one.name, operation: "assets" })),
})

const missing = (
  settings: Settings,
  { provider: wanted }: RehearsalInput,
  reads: ReadonlyArray<Reads>,
): ReadonlyArray<ProviderName> =>
  Option.isSome(wanted)
    ? []
    : settings.enabledProviders.filter((provider) => reads.every(({ name }) => name !== provider))

const operations = ["assets", "quote", "encode", "status", "node", "treasury"] as const

const stepsOf = ({ provider, tallies }: Asker): ReadonlyArray<Step> =>
  operations.flatMap((operation) => {
    const tally = tallies.get(operation)
    return tally === undefined ? [] : [{ provider, operation, ...tally }]
  })

/** Asks the providers for everything that opens nothing, and tells how the answers differ from what is expected. */
export const rehearseUpstreams = Effect.fnUntraced(function* (settings: Settings, input: RehearsalInput) {
  const notes = makeNotes()
  const configured = yield* callable(settings, input.provider)
  return yield* Effect.gen(function* () {
    const reads = (yield* (yield* Registry).enabled).map(readsOf)
    for (const provider of missing(settings, input, reads)) {
      const found = "is enabled, and cannot be asked: it is not configured, or simulated inside the service"
      notes.add({ provider, operation: "assets" }, { kind: "failure", found })
    }
    const all = yield* Effect.forEach(reads, (one) => {
      const asker = makeAsker(notes, one.name, perSecond(input.perSecond))
      return Effect.map(askAssets(one, asker), (assets) => ({ reads: one, asker, assets }))
    }, { concurrency: "unbounded" })
    const prices = usdPricesOf(all.flatMap(({ assets }) => assets))
    const most = Math.max(0, ...all.map(({ assets }) => input.choose(listedPairs(assets)).length))
    const time = durationText(most * 1_000 / input.perSecond)
    yield* say(`Requesting up to ${counted(most, "quote")} of each provider. This takes ${time} or more`)
    const coverage = yield* Effect.forEach(
      all,
      ({ asker, assets, reads }) =>
        Effect.map(perform(reads, asker, input, assets, prices), ({ chosen, listed }): Coverage => ({
          provider: reads.name,
          pairsListed: listed,
          pairsAsked: chosen,
        })),
      { concurrency: "unbounded" },
    )
    const differences = notes.differences()
    return {
      fits: differences.every(({ fits }) => fits),
      steps: all.flatMap(({ asker }) => stepsOf(asker)),
      coverage,
      differences,
    } satisfies Rehearsal
  }).pipe(Effect.provide(ownProviders(settings, configured.map(watchedWith(notes)))))
})

const steps: Columns<Step> = [
  "provider",
  "operation",
  "asked",
  "answered",
  ["not offered", "refused"],
  "failed",
]

const differences: Columns<CheckDifference> = [
  ["result", ({ fits }) => fits ? "notice" : "DOES NOT FIT"],
  ["provider, operation", ({ operation, provider }) => together(provider, operation)],
  "call",
  "path",
  "expected",
  "found",
  ["times, about", ({ about, times }) => together(`${times}`, about)],
]

/** How many members of an answer are named to people; `--json` names all. */
const mostNamed = 6

const memberOf = ({ found, kind, path }: CheckDifference): string =>
  kind === "absent" ? `${path} (${found})` : `${path}`

/** The members of each call in one line: nobody needs a line for each. */
const linesOf = (heading: string, all: ReadonlyArray<CheckDifference>): ReadonlyArray<string> => {
  if (all.length === 0) return []
  const lines = [...Map.groupBy(all, ({ call, provider }) => `${provider}, ${call}`)].map(
    ([where, members]) => {
      const named = members.slice(0, mostNamed).map(memberOf).join(", ")
      const rest = members.length - mostNamed
      return `  ${where}: ${named}${rest > 0 ? `, and ${rest} more (--json)` : ""}`
    },
  )
  return [[heading, ...lines].join("\n")]
}

const coverageLine = ({ pairsAsked, pairsListed, provider }: Coverage): string =>
  `${provider}: quotes of ${pairsAsked} of ${pairsListed} pairs`

const verdict = ({ differences }: Rehearsal): string => {
  const misfits = differences.filter(({ fits }) => !fits)
  const providers = new Set<ProviderName>(misfits.map(({ provider }) => provider))
  return misfits.length === 0
    ? "Everything fits. Nothing was opened."
    : `${misfits.length} do not fit, of ${[...providers].join(", ")}. Nothing was opened.`
}

/** The outcome for people. */
const report = (rehearsal: Rehearsal): string => {
  const ofKind = Map.groupBy(
    rehearsal.differences,
    ({ kind }) => kind === "absent" || kind === "unread" ? kind : "told",
  )
  const told = ofKind.get("told") ?? []
  return [
    table(steps, rehearsal.steps),
    rehearsal.coverage.map(coverageLine).join("\n"),
    ...(told.length === 0 ? [] : [table(differences, told)]),
    ...linesOf("Optional members that were absent:", ofKind.get("absent") ?? []),
    ...linesOf("Members that are not used:", ofKind.get("unread") ?? []),
    verdict(rehearsal),
  ].join("\n\n")
}

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
    const rehearsal = yield* rehearseUpstreams(settings, {
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
