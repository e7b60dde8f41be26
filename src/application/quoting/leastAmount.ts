import { Effect } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { ProviderName } from "#domain/ProviderName.ts"

/** The least amount of a source asset that a provider quotes for. */
export interface LeastAmount {
  readonly amount: NativeAmount
  readonly platform: ProviderName
}

/** The answer of a provider for an amount: whether it quotes the amount, and its minimum if it states one. */
export interface Said {
  readonly quotes: boolean
  readonly stated?: bigint | undefined
}

/** A provider that can be asked about amounts. The answer is undefined where the provider failed or was not asked. */
export interface AmountProbe {
  readonly platform: ProviderName
  readonly at: (amount: bigint) => Effect.Effect<Said | undefined>
}

/** The most times that the first amount is multiplied, and divided, by four to find an amount that is quoted. */
const mostSteps = 12

/** The most calls of a search. Four providers that state no minimum take some 240 for an asset of 18 decimals. */
export const mostCalls = 256

/** Finds a provider's minimum by halving 0 to `high`, trying the first stated one; undefined on silence. */
const bisect = Effect.fnUntraced(function* ({ at }: AmountProbe, high: bigint) {
  let refused = 0n
  let quoted = high
  let hints: ReadonlyArray<bigint> = [1n]
  let hasStated = false
  while (quoted - refused > 1n) {
    const [hint, ...others] = hints.filter((amount) => amount > refused && amount < quoted)
    hints = others
    const next: bigint = hint ?? (refused + quoted) / 2n
    const said: Said | undefined = yield* at(next)
    if (said === undefined) return undefined
    if (said.quotes) quoted = next
    else refused = next
    if (said.quotes || said.stated === undefined || hasStated) continue
    hasStated = true
    hints = [said.stated, said.stated - 1n]
  }
  return quoted
})

/** The first of the providers that quotes the amount. */
const quoting = Effect.fnUntraced(function* (all: ReadonlyArray<AmountProbe>, amount: bigint) {
  for (const asked of all) {
    const said = amount > 0n ? yield* asked.at(amount) : undefined
    if (said?.quotes === true) return asked
  }
  return undefined
})

/** The first amount, then four times it, a quarter, sixteen times, and so on. */
const around = (first: bigint): ReadonlyArray<bigint> =>
  Array.from({ length: mostSteps }, (_, step) => 4n ** BigInt(step + 1)).reduce<ReadonlyArray<bigint>>(
    (amounts, factor) => [...amounts, first * factor, first / factor],
    [first],
  )

/** An amount that a provider quotes: the first, or one around it. */
const quotedFrom = Effect.fnUntraced(function* (all: ReadonlyArray<AmountProbe>, first: bigint) {
  for (const amount of around(first)) {
    const asked = yield* quoting(all, amount)
    if (asked !== undefined) return { asked, amount }
  }
  return undefined
})

const searchFrom = Effect.fnUntraced(function* (all: ReadonlyArray<AmountProbe>, first: bigint) {
  const begin = yield* quotedFrom(all, first)
  if (begin === undefined) return undefined
  let { asked, amount } = begin
  for (;;) {
    const least: bigint | undefined = yield* bisect(asked, amount)
    if (least === undefined) return undefined
    const { platform } = asked
    const lower: AmountProbe | undefined = yield* quoting(all.filter((other) => other !== asked), least - 1n)
    if (lower === undefined) {
      const found: LeastAmount = { amount: NativeAmount.make(least), platform }
      return found
    }
    asked = lower
    amount = least - 1n
  }
})

/**
 * Finds the least amount that any of the providers quotes; all of them refuse one unit less. Few providers state their
 * minimum exactly, so they are asked about amounts, beginning with `first`: some dozens of calls, one after another.
 * Undefined if no amount is quoted, a provider stops answering, or `mostCalls` are not enough.
 */
export const leastAmount = Effect.fnUntraced(function* (all: ReadonlyArray<AmountProbe>, first: bigint) {
  let calls = 0
  const counted = all.map(({ at, platform }): AmountProbe => ({
    platform,
    at: (amount) => Effect.suspend(() => ++calls > mostCalls ? Effect.succeed(undefined) : at(amount)),
  }))
  const found = yield* searchFrom(counted, first)
  return calls > mostCalls ? undefined : found
})
