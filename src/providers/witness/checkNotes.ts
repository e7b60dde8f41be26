import { Fiber } from "effect"
import type { ProviderOperation } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { partsOf as splitDetail, pathIn, patternOf as patternIn } from "#domain/RefusedAnswer.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { formatPath } from "../upstream/decode.ts"
import { upstreamText } from "../upstream/failures.ts"
import type { Reading, Witness } from "../upstream/witness.ts"
import { compare, type Member, patternOf } from "./compare.ts"
import { type CheckDifference, isNotice } from "./CheckDifference.ts"

export interface Asking {
  readonly provider: ProviderName
  readonly operation: ProviderOperation
}

export type Met = Omit<CheckDifference, "fits" | "provider" | "operation" | "times">

/** How often a member was in its place, and how. */
type Tally = { [State in Member["state"]]: number }

/** How often a member of a call's answers was there, and how often it was not. */
export interface MetMember extends Asking {
  readonly call: string
  readonly pattern: string
  readonly there: number
  readonly absent: number
}

interface Answers extends Asking {
  readonly call: string
  readonly members: Map<string, Tally>
}

/** Names come from upstreams, which may write anything. */
const mostNames = 2_000
const longestPath = 120

/** Characters that move the cursor, change colours or turn the direction of writing. */
const unseen = /[\p{Cc}\p{Cf}]/gu

const plain = (text: string): string => upstreamText(text.replaceAll(unseen, "?"))

const shortened = (path: string): string => {
  const text = plain(path)
  return text.length > longestPath ? `${text.slice(0, longestPath)}…` : text
}

/** What upstreams wrote, fit for a terminal. */
const shown = ({ expected, found, path, ...rest }: Met): Met => ({
  ...rest,
  ...optionalMembers(path, (path) => ({ path: shortened(path) })),
  ...optionalMembers(expected, (expected) => ({ expected: plain(expected) })),
  found: plain(found),
})

/** The same difference in another element of a list, or of another value, is the same difference. */
const keyOf = ({ provider }: Asking, { call, expected, found, kind, path }: Met): string =>
  JSON.stringify([provider, kind, path === undefined ? found : [call, patternIn(path), expected]])

export const partsOf = (detail: string): Pick<Met, "expected" | "found"> => {
  const { came, expected } = splitDetail(detail)
  return { ...optionalMembers(expected, (expected) => ({ expected })), found: came }
}

export interface Notes {
  readonly witness: (asking: Asking) => Witness
  /** Adds a difference that no reading shows. */
  readonly add: (asking: Asking, met: Met) => void
  /** The call in whose answers a member is, where there is one alone. */
  readonly callWith: (provider: ProviderName, path: string) => string | undefined
  /** Whether a reading of the provider has shown a misfit there. */
  readonly hasMisfit: (provider: ProviderName, path: string) => boolean
  /** Each difference once, those that do not fit first. */
  readonly differences: () => ReadonlyArray<CheckDifference>
  readonly exchanges: () => number
  /** How often each member of each call's answers was there. */
  readonly members: () => ReadonlyArray<MetMember>
}

export const makeNotes = (): Notes => {
  const met = new Map<string, CheckDifference>()
  const answers = new Map<string, Answers>()
  const lastCalls = new WeakMap<object, string>()
  let exchanges = 0

  const add = (asking: Asking, written: Met): void => {
    const difference = shown(written)
    const key = keyOf(asking, difference)
    const known = met.get(key) ?? { fits: isNotice(difference.kind), ...asking, ...difference, times: 0 }
    met.set(key, { ...known, times: known.times + 1 })
  }

  const lastCall = (): string => {
    const fiber = Fiber.getCurrent()
    return (fiber && lastCalls.get(fiber)) ?? "another call"
  }

  const answersTo = (call: string, asking: Asking): Answers => {
    const key = `${asking.provider} ${call}`
    const known = answers.get(key) ?? { ...asking, call, members: new Map() }
    answers.set(key, known)
    return known
  }

  const count = ({ members }: Answers, { pattern, state }: Member): void => {
    const tally = members.get(pattern) ?? { there: 0, absent: 0, unread: 0 }
    tally[state] += 1
    if (members.size < mostNames) members.set(pattern, tally)
  }

  const read = (asking: Asking, call: string, reading: Reading): void => {
    const seen = new Set<string>()
    for (const { detail, path } of reading.misfits) {
      const pattern = patternOf(path)
      if (seen.has(pattern)) continue
      seen.add(pattern)
      add(asking, { call, kind: "misfit", path: formatPath(path), ...partsOf(detail) })
    }
    const known = answersTo(call, asking)
    for (const member of compare(reading)) count(known, member)
  }

  const notices = (): ReadonlyArray<CheckDifference> =>
    [...answers.values()].flatMap(({ call, members, operation, provider }) =>
      [...members].flatMap(([pattern, { absent, there, unread }]): ReadonlyArray<CheckDifference> => {
        const place = { fits: true, provider, operation, call, path: shortened(pattern) }
        if (absent > 0) {
          const found = `nothing in ${absent} of ${absent + there}`
          return [{ ...place, kind: "absent", expected: "a value, or nothing", found, times: absent }]
        }
        // What one reading passes over another one may read.
        return unread > 0 && there === 0
          ? [{ ...place, kind: "unread", found: "a member that is not read", times: unread }]
          : []
      })
    )

  return {
    witness: (asking) => ({
      answered: (call) => {
        exchanges += 1
        const fiber = Fiber.getCurrent()
        if (fiber !== undefined) lastCalls.set(fiber, call)
      },
      read: (reading) => read(asking, lastCall(), reading),
      doubted: (detail) => {
        const [path, rest] = pathIn(detail) ?? ["body", detail]
        add(asking, { kind: "contradiction", call: lastCall(), path, ...partsOf(rest) })
      },
    }),
    add,
    callWith: (provider, path) => {
      const found = [...answers.values()].filter((one) =>
        one.provider === provider && one.members.has(patternIn(path))
      )
      return found.length === 1 ? found[0]?.call : undefined
    },
    hasMisfit: (provider, path) =>
      [...met.values()].some((one) =>
        one.provider === provider && one.kind === "misfit" &&
        patternIn(one.path ?? "") === patternIn(shortened(path))
      ),
    exchanges: () => exchanges,
    members: () =>
      [...answers.values()].flatMap(({ members, ...of }) =>
        [...members].map(([pattern, { absent, there }]) => ({ ...of, pattern, there, absent }))
      ),
    differences: () =>
      [...met.values(), ...notices()].toSorted((one, other) => Number(one.fits) - Number(other.fits)),
  }
}
