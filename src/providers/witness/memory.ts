import { Duration } from "effect"
import type { EpochMillis } from "#domain/Time.ts"
import type { WireMemory } from "#domain/operations/WireRound.ts"
import type { MetMember } from "./checkNotes.ts"

type Members = WireMemory["members"]
type KnownMember = Members[string][string]

/** The time after which a member that is gone counts as left out for good. */
const forgetAfter = Duration.days(1)

/** Names come from upstreams, which may write anything. */
const mostMembers = 5_000
const longestPattern = 120

/** What is known of a member after a round; `isGone` where it was in every answer before, and now is in none. */
const after = (
  { absent, there }: MetMember,
  known: KnownMember | undefined,
  now: EpochMillis,
): { readonly known: KnownMember; readonly isGone: boolean } => {
  const isSteady = known?.isSteady ?? absent === 0
  if (absent === 0) return { known: { isSteady }, isGone: false }
  if (there > 0 || !isSteady) return { known: { isSteady: false }, isGone: false }
  const missingSince = known?.missingSince ?? now
  return now - missingSince > Duration.toMillis(forgetAfter)
    ? { known: { isSteady: false }, isGone: false }
    : { known: { isSteady, missingSince }, isGone: true }
}

/** Optional members that every earlier answer had and no answer of this round has, and the memory from now on. */
export const remember = (
  members: Members,
  met: ReadonlyArray<MetMember>,
  now: EpochMillis,
): { readonly members: Members; readonly gone: ReadonlyArray<MetMember> } => {
  const all = new Map(Object.entries(members).map(([call, of]) => [call, new Map(Object.entries(of))]))
  let count = [...all.values()].reduce((sum, { size }) => sum + size, 0)
  const gone = met.filter((member) => {
    const { absent, call, pattern, there } = member
    if (there + absent === 0 || pattern.length > longestPattern) return false
    const of = all.get(call) ?? new Map<string, KnownMember>()
    const before = of.get(pattern)
    if (before === undefined && count >= mostMembers) return false
    count += before === undefined ? 1 : 0
    const { isGone, known } = after(member, before, now)
    all.set(call, of.set(pattern, known))
    return isGone
  })
  return { members: Object.fromEntries([...all].map(([call, of]) => [call, Object.fromEntries(of)])), gone }
}
