import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option, Schema } from "effect"
import { Json as JsonOutput } from "#cli/output.ts"
import { type Rehearsal, rehearseUpstreams } from "#cli/rehearse/rehearse.ts"
import { choosePairs } from "#providers/witness/pairs.ts"
import { noBps } from "#domain/money/Bps.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { Around } from "#providers/operations.ts"
import { ProviderDefinitions } from "#providers/mod.ts"
import { readFrom } from "#test/infrastructure/config/read.ts"
import { type Json, parseJson } from "#test/contract/support/Json.ts"
import { startSandbox } from "#test/sandbox/support.ts"
import { writeJson } from "#test/tampering/support/json.ts"
import { bystander, callOf } from "./support/Bystander.ts"
import { type Case, cases, type Known } from "./support/knownSwaps.ts"
import { mutated, type Mutation, mutationsOf, patternOf, writtenWay } from "./support/mutations.ts"
import { patient } from "./support/rehearsed.ts"
import { spied } from "./support/spied.ts"

/** `deno task rehearsals` makes all changes, the suite so many of each case. */
const isWhole = Deno.env.get("REHEARSALS") === "all"
const suiteShare = { read: 10, unread: 2 }

const shareOf = <A>(all: ReadonlyArray<A>, share: number): ReadonlyArray<A> => {
  // Changes come in pairs, of which an odd stride meets both.
  const stride = Math.ceil(all.length / share) | 1
  return all.filter((_, index) => index % stride === 0)
}

/** Some changes, most of them of members that a rehearsal does not call unread. */
const some = (all: ReadonlyArray<Mutation>, { differences }: Rehearsal): ReadonlyArray<Mutation> => {
  const unread = new Set(
    differences.flatMap(({ call, kind, path }) => kind === "unread" ? [`${call} ${path}`] : []),
  )
  const isUnread = ({ call, way }: Mutation): boolean =>
    way.some((_, index) => unread.has(`${call} ${writtenWay(way.slice(0, index + 1))}`))
  return [
    ...shareOf(all.filter((mutation) => !isUnread(mutation)), suiteShare.read),
    ...shareOf(all.filter(isUnread), suiteShare.unread),
  ]
}

/** How many changes there are at least, so that the generator cannot shrink unseen. */
const leastPossible: Readonly<Record<string, number>> = {
  chainflip: 500,
  "near-intents": 70,
  relay: 500,
  "relay without a key": 500,
  thorchain: 100,
  maya: 80,
}

/** What a provider made of the answers: its own answers, in any order. */
const spy = () => {
  const answers: Array<string> = []
  const around: Around = ({ assets, operation }) => (answer) =>
    Effect.onExit(answer, (exit) =>
      Effect.sync(() => {
        // The replies of a node are passed on letter by letter, whatever they are.
        if (operation === "node") return
        const said = exit._tag === "Success" ? exit.value : "failed"
        const text = JSON.stringify(said, (name, value) => {
          // Times are those of the call, and a body is only kept.
          if (["expiresAt", "usdPriceAt", "body"].includes(name)) return undefined
          return typeof value === "bigint" ? `${value}` : value
        })
        answers.push(`${operation} ${assets.join(" ")} ${text}`)
      }))
  return { around, answers: () => [...new Set(answers)].toSorted() }
}

/** A rehearsal with one provider, and what the provider made of the answers. */
const rehearsalAt = Effect.fnUntraced(function* (url: URL, { env, provider }: Case, known: Known) {
  const { answers, around } = spy()
  const rehearsal = yield* Effect.provideService(
    Effect.flatMap(
      readFrom({ ...patient, ...env(url) }),
      (settings) =>
        rehearseUpstreams(settings, {
          provider: Option.some(ProviderName.make(provider)),
          perSecond: 100_000,
          choose: (listed) => choosePairs(listed, 8),
          concurrency: 4,
          searches: true,
          commissionBps: noBps,
          parties: settings.addresses.fallbackRefundAddresses,
          assets: { sourceAsset: "btc.btc", destinationAsset: "eth.eth" },
          channel: Option.fromUndefinedOr(known.channel),
          recorded: Option.none(),
          transaction: Option.fromUndefinedOr(known.transaction),
        }),
    ),
    ProviderDefinitions,
    spied(around),
  ).pipe(Effect.provideService(JsonOutput, true))
  return { rehearsal, answers: answers() }
})

const keyOf = ({ call = "", found, kind, path = "" }: Rehearsal["differences"][number]): string =>
  JSON.stringify([call, kind, path, found])

/** The differences at the member that was changed, which were not there before. */
const namedBy = (before: Rehearsal, after: Rehearsal, { call, way }: Mutation) => {
  const known = new Set(before.differences.map(keyOf))
  return after.differences.filter((difference) =>
    difference.call === call && difference.kind !== "unread" &&
    patternOf(difference.path ?? "") === writtenWay(way) && !known.has(keyOf(difference))
  )
}

/** How the changes of a provider's answers came out. */
interface Outcome {
  misfits: number
  notices: number
  harmless: number
  readonly missed: Array<string>
}

const parse = (text: string): Json => Schema.is(Schema.String)(text) && text !== "" ? parseJson(text) : null

const examine = Effect.fnUntraced(function* (one: Case) {
  const client = yield* startSandbox()
  const known = yield* one.swap(client)
  const { exchanges, tamper, url } = yield* bystander(client.url)
  const before = yield* rehearsalAt(url, one, known)
  assert.deepStrictEqual(before.rehearsal.differences.filter(({ fits }) => !fits), [])
  const all = mutationsOf(exchanges, parse)
  const outcome: Outcome = { misfits: 0, notices: 0, harmless: 0, missed: [] }
  for (const mutation of isWhole ? all : some(all, before.rehearsal)) {
    const { call, kind, way } = mutation
    exchanges.length = 0
    tamper((exchange) =>
      callOf(exchange) === call ? writeJson(mutated(parse(exchange.answer), mutation)) : exchange.answer
    )
    const after = yield* rehearsalAt(url, one, known)
    const named = namedBy(before.rehearsal, after.rehearsal, mutation)
    const doesNotFit = named.find(({ fits }) => !fits)
    if (doesNotFit !== undefined) {
      assert.isFalse(after.rehearsal.fits)
      outcome.misfits += 1
    } else if (named.length > 0) outcome.notices += 1
    else if (JSON.stringify(after.answers) === JSON.stringify(before.answers)) outcome.harmless += 1
    else {
      const differing = after.rehearsal.differences.filter(({ fits }) => !fits)
        .map(({ found, path }) => `${path}: ${found}`)
      outcome.missed.push(`${call} ${writtenWay(way)} ${kind}: ${differing.join("; ")}`)
    }
  }
  return { possible: all.length, ...outcome }
})

describe("a rehearsal of answers that are changed on their way, one member at a time", () => {
  for (const one of cases) {
    const { name } = one
    it.live(
      `names every member of ${name} that is read and is gone or of another kind`,
      function* () {
        const { harmless, misfits, missed, notices, possible } = yield* examine(one)
        console.log(
          `Rehearsals, ${name}: ${misfits + notices + harmless + missed.length} changes of ${possible}: ` +
            `${misfits} do not fit, ${notices} noticed, ${harmless} of members that are not read and ` +
            `change nothing, ${missed.length} missed`,
        )
        assert.isAtLeast(possible, leastPossible[name] ?? Infinity)
        assert.deepStrictEqual(missed, [])
      },
    )
  }
})
