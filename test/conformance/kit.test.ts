import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Exit, References } from "effect"
import { TestClock } from "effect/testing"
import { importsOf } from "#test/support/imports.ts"
import { makeWith } from "./memory/provider.ts"
import { channelFaults } from "./faults/channels.ts"
import { lookupFaults } from "./faults/lookups.ts"
import type { Mutate } from "./faults/mutations.ts"
import { otherFaults } from "./faults/others.ts"
import { payloadFaults } from "./faults/payloads.ts"
import { type Variant, variants } from "./memory/variants.ts"
import { memoryWorld } from "./memory/world.ts"
import { Address } from "#domain/chains/Address.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { type Lies, notPossible, type RecordedAnswer } from "./Fixtures.ts"
import { checksOf } from "./Provider.ts"
import { isNotPossible } from "./verbs/kit.ts"

// A kit that passes everything would be worth nothing: each provider here breaks one rule, and the kit has to see it.

const root = new URL("../../", import.meta.url).pathname

/** What a repository that runs the kit gets: no store, no sandbox, no provider, none of our tests. */
const ofKit =
  /^(?:test\/conformance\/(?:verbs\/)?[A-Za-z]+\.ts|src\/(?:domain|infrastructure\/platform)\/.*|src\/providers\/(?:upstream\/)?[A-Za-z]+\.ts)$/

const withImports = (path: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(path)) return seen
  seen.add(path)
  importsOf(path).forEach((imported) => withImports(imported, seen))
  return seen
}

const checksFor = ({ fixtures, traits }: Variant, mutate: Mutate) =>
  checksOf({ provider: Effect.map(makeWith(traits), mutate), world: memoryWorld, fixtures })

/** The names of the checks that a provider fails, each asked in a time of its own. */
const failedBy = (variant: Variant, mutate: Mutate): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(
    Effect.forEach(checksFor(variant, mutate), ({ name, run }) =>
      Effect.map(
        Effect.exit(run.pipe(Effect.provide(TestClock.layer()))),
        (exit) => Exit.isSuccess(exit) ? [] : [name],
      )),
    (failed) => failed.flat(),
  ).pipe(Effect.provideService(References.MinimumLogLevel, "None"))

const asItIs: Mutate = (provider) => provider

describe("the conformance kit", () => {
  for (
    const { fails, mutate, variant, what } of [
      ...payloadFaults,
      ...lookupFaults,
      ...channelFaults,
      ...otherFaults,
    ]
  ) {
    it.effect(`fails a provider that ${what}`, () =>
      Effect.map(failedBy(variant, mutate), (failed) => {
        for (const name of fails) {
          assert.isTrue(
            failed.some((one) => one.startsWith(name)),
            `"${name}" was passed; failed: ${failed.join("; ")}`,
          )
        }
      }))
  }

  const answer: RecordedAnswer = {
    name: "quote-2026",
    source: "its own test data",
    date: "2026-10",
    operation: "quote",
    read: () => ["REGULAR", 5n],
    expected: ["REGULAR", 5n],
  }
  const readings: ReadonlyArray<
    readonly [what: string, recorded: ReadonlyArray<RecordedAnswer>, fails: ReadonlyArray<string>]
  > = [
    ["reads a recorded answer", [answer], []],
    ["reads one otherwise", [{ ...answer, read: () => ["REGULAR", 6n] }], ["quote: quote-2026"]],
    ["does not read one", [{
      ...answer,
      read: () => {
        throw new Error("egressAmount: expected an amount")
      },
    }], ["quote: quote-2026"]],
    ["has one of nobody", [{ ...answer, source: "" }], ["quote: quote-2026"]],
    ["has one of no time", [{ ...answer, date: "lately" }], ["quote: quote-2026"]],
    ["says that there are some, and has none", [], ["which is something"]],
  ]

  it.effect.each(readings)("%s", function* ([, recorded, fails]) {
    const [variant] = Object.values<Variant>(variants)
    if (variant === undefined) return assert.fail("There is no variant")
    const all = { ...variant, fixtures: { ...variant.fixtures, recorded } }
    const failed = yield* Effect.forEach(
      checksFor(all, asItIs).filter(({ group }) => group?.includes("recorded")),
      ({ name, run }) => Effect.map(Effect.exit(run), (exit) => Exit.isSuccess(exit) ? [] : [name]),
    )
    assert.deepStrictEqual(failed.flat(), fails)
  })

  const why = notPossible("nobody relies on it")
  const others = {
    sourceAsset: {},
    destinationAsset: {},
    destinationAddress: Address.make("0x3333333333333333333333333333333333333333"),
    refundAddress: Address.make("0x3333333333333333333333333333333333333333"),
  }
  const leftOut: ReadonlyArray<readonly [what: string, lies: Lies, fails: ReadonlyArray<string>]> = [
    [
      "the pair of a quote",
      {
        others,
        notCompared: { quote: { sourceAsset: why, destinationAsset: why }, open: {}, status: {} },
      },
      ["the pair in an answer to quote"],
    ],
    [
      "the recipient, and where money goes back",
      {
        others,
        notCompared: {
          quote: {},
          open: { destinationAddress: why, refundAddress: why, sourceAsset: why },
          status: { destinationAddress: why, refundAddress: why, amount: why },
        },
      },
      [
        "the destinationAddress in an answer to open or to status",
        "the refundAddress in an answer to open or to status",
      ],
    ],
    [
      "all, as another provider is asked",
      {
        sameAs: { platform: ProviderName.make("relay"), lies: notPossible("it has none") },
        why: "it is the same",
      },
      ["is put false answers to elsewhere: it is the same"],
    ],
  ]

  it.effect.each(leftOut)("does not let reasons leave out %s", function* ([, lies, fails]) {
    const variant = variants.plain
    const all = { ...variant, fixtures: { ...variant.fixtures, lies } }
    const ofLies = checksFor(all, asItIs).filter(({ group, name }) =>
      group === "compares what is relied on" || name.startsWith("is put false answers")
    )
    const failed = yield* Effect.forEach(
      ofLies,
      ({ name, run }) => Effect.map(Effect.exit(run), (exit) => Exit.isSuccess(exit) ? [] : [name]),
    )
    assert.deepStrictEqual(failed.flat(), fails)
  })

  for (const variant of Object.values<Variant>(variants)) {
    it.effect(`passes a provider ${variant.name}, and asks in every block of tests`, function* () {
      const { channels, payloads } = variant.fixtures
      const groups = checksFor(variant, asItIs).map(({ group }) => group ?? "")
      const begins = (text: string) => groups.some((group) => group.startsWith(text))
      assert.isTrue(begins("fails for each reason"))
      assert.strictEqual(begins("follows a swap to its end"), !isNotPossible(channels))
      assert.strictEqual(begins("follows a vault swap to its end"), !isNotPossible(payloads))
      assert.deepStrictEqual(yield* failedBy(variant, asItIs), [])
    })
  }

  it("imports nothing of this repository but itself, the vocabulary, the port and the platform", () => {
    const foreign = [...withImports(new URL("Provider.ts", import.meta.url).pathname)]
      .map((path) => path.slice(root.length))
      .filter((path) => !ofKit.test(path))
    assert.deepStrictEqual(foreign, [])
  })
})
