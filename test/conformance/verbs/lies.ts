import { assert } from "@effect/vitest"
import { BigDecimal, Effect, Equal, Option, type Schema, Struct } from "effect"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import { mayHaveOpened } from "#domain/ProviderError.ts"
import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { kindOf } from "#domain/swaps/VaultSwap.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { OpenedChannel, Provider } from "#providers/Provider.ts"
import { channelFault } from "#providers/validateResponses.ts"
import type { Fact, LieFixtures, Lies, NotPossible, QuoteTerm, Term } from "../Fixtures.ts"
import { Upstream } from "../Upstream.ts"
import {
  allBut,
  type Check,
  check,
  grouped,
  isNotPossible,
  type Kit,
  lookAt,
  openAs,
  quotesAs,
} from "./kit.ts"
import { makeMiddleman, type Middleman, type Values } from "./Middleman.ts"

/**
 * Answers of the upstream that say one thing otherwise than was asked for. What is said of a term is found without a
 * word of the wire: the upstream is asked the same with another of that term alone, and what differs then is of it.
 */

/** The operations that are lied to, each with the terms whose lies it is told. */
type Stage = "quote" | "open" | "status"

const quoteTerms: ReadonlyArray<QuoteTerm> = ["sourceAsset", "destinationAsset", "amount", "commissionBps"]
const requestTerms: ReadonlyArray<Term> = [
  ...quoteTerms,
  "destinationAddress",
  "refundAddress",
  "minimumPrice",
]

const isFactName = (member: Term | Fact): member is Fact =>
  member === "depositAddress" || member === "expiry" || member === "reference"

/** Whether a value is an address, whole or without its prefix. */
const isAddress = (value: Schema.Json, address: string): boolean =>
  typeof value === "string" && value.length > 20 && address.toLowerCase().endsWith(value.toLowerCase())

/** An address that the source chain cannot have. */
const foreignTo = ({ sourceAsset }: SwapRequest): string =>
  kindOf(chainOf(sourceAsset)) === "evm"
    ? "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
    : "0x3333333333333333333333333333333333333333"

/** The forms of a time, and a time in the same form. */
const times: ReadonlyArray<
  { readonly of: (value: Schema.Json) => number; readonly at: (millis: number) => Schema.Json }
> = [
  { of: (value) => typeof value === "number" ? value : NaN, at: (millis) => millis },
  { of: (value) => typeof value === "number" ? value * 1_000 : NaN, at: (millis) => millis / 1_000 },
  {
    of: (value) => typeof value === "string" ? Date.parse(value) : NaN,
    at: (millis) => new Date(millis).toISOString(),
  },
]

/** The request with another of one term. */
const otherwise = ({ others }: LieFixtures, request: SwapRequest, term: Term): SwapRequest => {
  const { commissionBps, minimumPrice } = request
  switch (term) {
    case "sourceAsset":
    case "destinationAsset":
      return { ...request, ...others[term] }
    case "destinationAddress":
    case "refundAddress":
      return { ...request, [term]: others[term] }
    case "amount":
      return { ...request, amount: NativeAmount.make(unitsOf(request.amount ?? noAmount) * 9n / 10n) }
    case "minimumPrice":
      return {
        ...request,
        minimumPrice: Price.make(BigDecimal.multiply(minimumPrice, BigDecimal.fromStringUnsafe("0.9"))),
      }
    case "commissionBps":
      return { ...request, commissionBps: Bps.make(Math.floor(commissionBps / 2)) }
  }
}

/** What an operation came to. */
interface Told {
  readonly said: Values
  readonly opened: OpenedChannel | undefined
  /** The record that an answer to a look-up makes. */
  readonly status: SwapStatus | undefined
  /** Whether the answer was taken for one to the request. */
  readonly isTaken: boolean
}

const quoting = Effect.fnUntraced(
  function* (provider: Provider, middleman: Middleman, request: SwapRequest, lie: Values) {
    const {
      amount = noAmount,
      commissionBps,
      destinationAddress: recipient,
      destinationAsset,
      refundAddress: sender,
      sourceAsset,
    } = request
    const quotes = quotesAs(provider, {
      amount,
      commissionBps,
      destinationAsset,
      recipient,
      sender,
      sourceAsset,
    })
    const { done, said } = yield* middleman.during(quotes, lie)
    return { said, opened: undefined, status: undefined, isTaken: done.length > 0 }
  },
)

const opening = Effect.fnUntraced(
  function* (provider: Provider, middleman: Middleman, request: SwapRequest, lie: Values) {
    const { openings } = yield* Upstream
    const opens = Effect.tapError(
      openAs(provider, request),
      ({ reason }) =>
        Effect.map(
          openings,
          (count) => assert.isTrue(count === 0 || mayHaveOpened(reason), "it says that nothing was opened"),
        ),
    )
    const { done, said } = yield* middleman.during(opens, lie)
    return { said, opened: done, status: undefined, isTaken: channelFault(request, done) === undefined }
  },
)

const looking = Effect.fnUntraced(
  function* (provider: Provider, middleman: Middleman, request: SwapRequest, lie: Values) {
    const opened = yield* openAs(provider, request)
    const { done, said } = yield* middleman.during(lookAt(provider, opened, opened.status), lie)
    return { said, opened, status: Option.getOrUndefined(done), isTaken: Option.isSome(done) }
  },
)

/** What a record says of the terms: what it says otherwise than it was opened with, the service refuses. */
const termsIn = (status: SwapStatus | undefined) =>
  status === undefined ? {} : {
    ...Struct.pick(status, [
      "brokers",
      "destinationAddress",
      "destinationAsset",
      "fillOrKill",
      "sourceAsset",
    ]),
    ...optionalMembers(
      status.depositChannel,
      (channel) => Struct.pick(channel, ["affiliateBrokers", "brokerCommissionBps", "depositAddress", "id"]),
    ),
  }

const operations = { quote: quoting, open: opening, status: looking } as const

/** Values that say a fact of the channel, and what the same place says of another. */
const factsIn = <R, E>(
  { fixtures: { channels, request } }: Kit<R, E>,
  stage: Stage,
  fact: Fact,
  { opened, said }: Told,
): Values => {
  if (opened === undefined || isNotPossible(channels)) return new Map()
  const { channel, status: { depositChannel } } = opened
  const { createdAt = 0, estimatedExpiryTime = 0 } = depositChannel ?? {}
  const over = createdAt - 3_600_000
  const saying = (value: Schema.Json): Schema.Json | undefined => {
    if (fact === "depositAddress") {
      if (!isAddress(value, channel.depositAddress)) return undefined
      return stage === "status" ? channels.strangersAddress : foreignTo(request)
    }
    if (fact === "reference") {
      if (`${value}` !== channel.reference) return undefined
      const { strangersReference = "4711" } = channels
      return typeof value === "number" ? Number(strangersReference) : strangersReference
    }
    if (value === channel.sourceExpiryBlock || value === `${channel.sourceExpiryBlock}`) return 1
    return times.find(({ of }) => of(value) === estimatedExpiryTime)?.at(over)
  }
  return new Map([...said].flatMap(([path, value]) => {
    const lie = saying(value)
    return lie === undefined ? [] : [[path, lie] as const]
  }))
}

/** The places that are of a term: each is of the term that fewest places depend on. */
const ownPlaces = (dependent: ReadonlyMap<Term, Values>, term: Term): Values => {
  const sizes = (path: string) =>
    [...dependent.values()].filter((values) => values.has(path)).map(({ size }) => size)
  const all = dependent.get(term) ?? new Map<string, Schema.Json>()
  const own = new Map([...all].filter(([path]) => Math.min(...sizes(path)) === all.size))
  return own.size > 0 ? own : all
}

/** The lies of a kit: what is said when nobody lies is asked once. */
const makeLies = <R, E>(kit: Kit<R, E>, fixtures: LieFixtures) => {
  const heard = new Map<string, Told>()

  const ask = (stage: Stage, request: SwapRequest, lie: Values = new Map()) =>
    Effect.gen(function* () {
      const middleman = makeMiddleman()
      return yield* operations[stage](yield* middleman.between(kit.provider), middleman, request, lie)
    }).pipe(Effect.scoped, (asking) => Effect.provide(asking, kit.world, { local: true }))

  const honest = Effect.fnUntraced(function* (stage: Stage, name: string, request: SwapRequest) {
    const before = heard.get(`${stage} ${name}`)
    if (before !== undefined) return before
    const told = yield* ask(stage, request)
    heard.set(`${stage} ${name}`, told)
    return told
  })

  /** What differs in the answer where a term is another. */
  const dependingOn = Effect.fnUntraced(function* (stage: Stage, term: Term) {
    const { request } = kit.fixtures
    const { opened, said } = yield* honest(stage, "once", request)
    const again = yield* honest(stage, "again", request)
    const other = yield* honest(stage, term, otherwise(fixtures, request, term))
    const isFact = (value: Schema.Json) =>
      opened !== undefined && isAddress(value, opened.channel.depositAddress)
    return new Map([...other.said].filter(([path, value]) => {
      const before = said.get(path)
      return before !== undefined && before !== value && again.said.get(path) === before && !isFact(before)
    }))
  })

  const lieOf = Effect.fnUntraced(function* (stage: Stage, member: Term | Fact) {
    if (isFactName(member)) {
      return factsIn(kit, stage, member, yield* honest(stage, "once", kit.fixtures.request))
    }
    const terms = stage === "quote" ? quoteTerms : requestTerms
    const dependent = new Map<Term, Values>()
    for (const term of terms) dependent.set(term, yield* dependingOn(stage, term))
    return ownPlaces(dependent, member)
  })

  return (stage: Stage, member: Term | Fact): Check<E> =>
    check(kit, `${stage}: ${member}`, function* () {
      const lie = yield* lieOf(stage, member)
      assert.isAbove(
        lie.size,
        0,
        `no answer says the ${member}: compare it where it does, or name it in notCompared`,
      )
      const { status } = yield* honest(stage, "once", kit.fixtures.request)
      const isTaken = yield* ask(stage, kit.fixtures.request, lie).pipe(
        Effect.map((told) => told.isTaken && Equal.equals(termsIn(told.status), termsIn(status))),
        Effect.catchTag("ProviderError", () => Effect.succeed(false)),
      )
      assert.isFalse(isTaken, `it takes another ${member}, said at ${[...lie.keys()].join(", ")}`)
    })
}

/** What a payer relies on, and an integrator of a quote. */
const reliedOn = [
  "sourceAsset",
  "destinationAsset",
  "destinationAddress",
  "refundAddress",
  "depositAddress",
] as const
const quoted = ["sourceAsset", "destinationAsset"] as const

/** Of what is relied on each is compared in an answer: reasons cannot leave it out of all of them. */
const comparesSomewhere = <R, E>(
  { fixtures: { channels } }: Kit<R, E>,
  { open, quote, status }: LieFixtures["notCompared"],
): ReadonlyArray<Check<E>> => [
  {
    name: "the pair in an answer to quote",
    run: Effect.sync(() =>
      assert.isFalse(
        quoted.every((member) => Object.hasOwn(quote, member)),
        "no asset is compared: an answer about another pair would be taken",
      )
    ),
  },
  ...isNotPossible(channels) ? [] : reliedOn.map((member) => ({
    name: `the ${member} in an answer to open or to status`,
    run: Effect.sync(() =>
      assert.isFalse(
        Object.hasOwn(open, member) && Object.hasOwn(status, member),
        `the ${member} is in notCompared of both: compare it in one of them`,
      )
    ),
  })),
]

/** That there is no wire, where no lie can be told. */
const hasNoWire = <R, E>(kit: Kit<R, E>, why: string): Check<E> =>
  check(kit, `has no answers to change: ${why}`, function* (_provider, _upstream, made) {
    const middleman = makeMiddleman()
    const between = yield* middleman.between(made)
    const { said } = yield* quoting(between, middleman, kit.fixtures.request, new Map())
    assert.strictEqual(said.size, 0, "answers come over HTTP: give `lies`, so that they can be changed")
  })

/** That the other fixtures are those of the same provider, and have lies. */
const isLiedToElsewhere = <R, E>(
  { fixtures: { platform } }: Kit<R, E>,
  { sameAs, why }: Exclude<Lies, NotPossible | LieFixtures>,
): Check<E> => ({
  name: `is put false answers to elsewhere: ${why}`,
  run: Effect.sync(() => {
    assert.strictEqual(sameAs.platform, platform, "the other fixtures are another provider's")
    assert.property(sameAs.lies, "others", "the other fixtures have no lies either")
  }),
})

/** Answers that say otherwise: each is refused, by whatever they say otherwise. */
export const lies = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { channels, lies: fixtures } = kit.fixtures
  if ("sameAs" in fixtures) return [isLiedToElsewhere(kit, fixtures)]
  if (isNotPossible(fixtures)) return [hasNoWire(kit, fixtures.reason)]
  const lied = makeLies(kit, fixtures)
  const { notCompared } = fixtures
  const stages = [
    { stage: "quote", members: quoteTerms, notCompared: notCompared.quote },
    ...isNotPossible(channels) ? [] : [
      {
        stage: "open",
        members: [...requestTerms, "depositAddress", "expiry"],
        notCompared: notCompared.open,
      },
      {
        stage: "status",
        members: [...requestTerms, "depositAddress", "reference"],
        notCompared: notCompared.status,
      },
    ] as const,
  ] as const
  return [
    ...grouped("compares what is relied on", comparesSomewhere(kit, notCompared)),
    ...stages.flatMap(({ members, stage, notCompared }) =>
      grouped(
        `refuses what is said otherwise in an answer to ${stage}${allBut(notCompared)}`,
        members.filter((member) => !Object.hasOwn(notCompared, member)).map((member) => lied(stage, member)),
      )
    ),
  ]
}
