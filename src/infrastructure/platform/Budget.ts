import { Context } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"

/**
 * What a call of an upstream is for, the most urgent first: beginning a swap; knowing where one stands, and what is needed to
 * begin one; an answer that somebody waits for; comparing and refreshing, which can be done later.
 */
export const urgencies = ["opening", "status", "asked", "search"] as const
export type Urgency = typeof urgencies[number]

/** What the calls of this fiber are for. */
export const CallUrgency = Context.Reference<Urgency>("swap-broker/platform/CallUrgency", {
  defaultValue: () => "status",
})

export interface WantedCall {
  /** Undefined is the service itself. */
  readonly party: AccountId | undefined
  readonly urgency: Urgency
}

/**
 * What an upstream allows in a minute, in two parts: so many calls at once, and so many evenly over the minute. Both
 * together are no more than it allows, so no minute has more, whenever the upstream begins to count: the rest is for calls that
 * take longer on their way than others. An account that alone asks for four fifths evenly gets them all.
 */
const atOnce = 0.15
const evenly = 0.83

const minuteMillis = 60_000

/**
 * What a call leaves, as a part of all that there can be at once: that of an account which has not asked in the last seconds
 * leaves something for more urgent calls, that of any other also a fifth or less for accounts that have not.
 */
const keeps: Readonly<Record<Urgency, { readonly ofNew: number; readonly ofOthers: number }>> = {
  opening: { ofNew: 0, ofOthers: 0.05 },
  status: { ofNew: 0.05, ofOthers: 0.1 },
  asked: { ofNew: 0.05, ofOthers: 0.2 },
  search: { ofNew: 0.4, ofOthers: 0.5 },
}

/** How long an account counts among those that ask, in milliseconds. */
const asksFor = 10_000

/** The time over which what is wanted is measured: long enough for some calls, short enough for who has just begun. */
const wantedFor = 5_000

type Party = WantedCall["party"]

/** What the accounts that have asked in the last seconds may claim before others. */
class Claims {
  readonly #of = new Map<Party, { at: number; calls: number }>()

  get size(): number {
    return this.#of.size
  }

  of(party: Party): number | undefined {
    return this.#of.get(party)?.calls
  }

  /** Calls that all together may claim. */
  get all(): number {
    let sum = 0
    for (const { calls } of this.#of.values()) sum += Math.max(0, calls)
    return sum
  }

  /** An account asks. One that is new may claim a call. */
  ask(party: Party, now: number): void {
    this.#of.set(party, { at: now, calls: this.of(party) ?? 1 })
  }

  take(party: Party): void {
    const claim = this.#of.get(party)
    if (claim !== undefined) claim.calls -= 1
  }

  /** Divides calls that became free equally; nobody claims more than an equal part of `most`. */
  grow(calls: number, most: number): void {
    const [each, mostEach] = [calls / this.size, most / this.size]
    for (const claim of this.#of.values()) claim.calls = Math.min(mostEach, claim.calls + each)
  }

  /** Forgets who asks no more. One that has had more than its part is not new before it would have a claim again. */
  forget(now: number): void {
    for (const [party, { at, calls }] of this.#of) {
      const silent = Math.abs(now - at)
      if (silent > minuteMillis || (silent > asksFor && calls >= 1)) this.#of.delete(party)
    }
  }
}

/** A process's part of a limit, from 0 to 1: of what there can be at once, and of what becomes free. */
export interface Part {
  readonly atOnce: number
  readonly evenly: number
}

/** Calls that could be made at once at a time, which may be one to come: until then none can be made. */
export interface Left {
  readonly at: number
  readonly calls: number
}

/**
 * The calls that an upstream allows in a minute, divided between those who ask.
 *
 * Calls become free evenly. An account that asks alone may have all of them, but for a fifth of what there can be at once, which is
 * kept for accounts that have not asked in the last seconds. Of several, each may claim an equal part of what becomes free,
 * and saves it up while it asks for less; what nobody claims belongs to whoever asks. So those who flood share equally, and
 * one that asks for less than its part always gets it. More urgent calls come first: what they take nobody can claim.
 */
export class Budget {
  readonly #perMinute: number
  readonly #claims: Readonly<Record<Urgency, Claims>> = {
    opening: new Claims(),
    status: new Claims(),
    asked: new Claims(),
    search: new Claims(),
  }
  readonly #queued: Record<Urgency, number> = { opening: 0, status: 0, asked: 0, search: 0 }
  #part: Part
  #free: number
  #filledAt: number
  #shutUntil = 0
  /** Calls wanted in the last seconds, made or not. */
  #wanted = 0

  /** It begins full, unless an earlier process is known to have `left` less. */
  constructor(perMinute: number, part: Part, now: number, left?: Left) {
    this.#perMinute = perMinute
    this.#part = part
    this.#filledAt = now
    const known = left === undefined ? Infinity : left.calls + (now - left.at) * this.#perMilli
    this.#free = Math.min(this.#most, known)
  }

  /** What is wanted as a part of what the upstream allows evenly, and so over 1 where it is more. */
  wanted(now: number): number {
    this.#fill(now)
    return this.#wanted / (this.#perMinute * evenly * wantedFor / minuteMillis)
  }

  /** Calls that could be made at once, a part of one too. */
  left(now: number): number {
    this.#fill(now)
    return this.#free
  }

  /** The part of all that there can be at once that is not free, from 0 to 1. */
  used(now: number): number {
    return 1 - this.left(now) / this.#most
  }

  get #most(): number {
    return Math.max(1, this.#perMinute * atOnce * this.#part.atOnce)
  }

  get #perMilli(): number {
    return this.#perMinute * evenly * this.#part.evenly / minuteMillis
  }

  /** A part of all that there can be at once for calls of accounts that ask again: for one that is new there is a whole call. */
  #keptFrom(urgency: Urgency): number {
    const { ofNew, ofOthers } = keeps[urgency]
    return Math.max(ofOthers * this.#most, 1 + ofNew * this.#most)
  }

  /** How long a call has to wait, in milliseconds; 0 where it can be made. */
  waitOf({ party, urgency }: WantedCall, now: number): number {
    this.#fill(now)
    if (now < this.#shutUntil) return this.#shutUntil - now
    const claims = this.#claims[urgency]
    const [mine, others] = [claims.of(party), claims.all - Math.max(0, claims.of(party) ?? 0)]
    // Where all is free nobody is waited for.
    const until = (left: number): number =>
      (Math.min(this.#most, 1 + left + this.#moreUrgent(urgency)) - this.#free) / this.#perMilli
    const claimed = until(keeps[urgency].ofNew * this.#most)
    if (mine === undefined || mine >= 1) return toWait(claimed)
    const kept = this.#keptFrom(urgency)
    const due = Math.min(1, (this.#most - kept) / claims.size)
    if (mine >= due) return toWait(until(kept))
    const unclaimed = until(kept + others)
    const saved = Math.max(claimed, (due - mine) * claims.size / this.#perMilli)
    return toWait(others === 0 || unclaimed <= 0 ? unclaimed : Math.min(unclaimed, saved))
  }

  /** The same, and spends the call where it can be made. */
  spend(wanted: WantedCall, now: number): number {
    const { party, urgency } = wanted
    const wait = this.waitOf(wanted, now)
    const claims = this.#claims[urgency]
    claims.ask(party, now)
    this.#wanted += 1
    if (wait > 0) return wait
    this.#free -= 1
    const claim = claims.of(party) ?? 0
    if (claim >= Math.min(1, (this.#most - this.#keptFrom(urgency)) / claims.size)) claims.take(party)
    return 0
  }

  /** So many more calls of this kind wait for their turn, which less urgent ones leave to them. */
  queue(urgency: Urgency, calls: number): void {
    this.#queued[urgency] += calls
  }

  /** The upstream has refused a call as one too many: nothing is free now, and nothing is called for so long. */
  shut(millis: number, now: number): void {
    this.#fill(now)
    this.#free = 0
    this.#shutUntil = Math.max(this.#shutUntil, now + millis)
  }

  /** Gives this process another part of the whole. What it has free is cut where that is less, and fills slowly where more. */
  share(part: Part, now: number): void {
    this.#fill(now)
    this.#part = part
    this.#free = Math.min(this.#free, this.#most)
  }

  /** How many accounts have asked for quotes in the last seconds. */
  asking(now: number): number {
    this.#fill(now)
    return this.#claims.asked.size
  }

  #moreUrgent(urgency: Urgency): number {
    return urgencies.slice(0, urgencies.indexOf(urgency)).reduce((sum, more) => sum + this.#queued[more], 0)
  }

  /** A clock that was set back adds nothing until it moves on. */
  #fill(now: number): void {
    const passed = Math.max(0, now - this.#filledAt)
    const fresh = passed * this.#perMilli
    this.#filledAt = now
    this.#wanted *= Math.exp(-passed / wantedFor)
    this.#free = Math.min(this.#most, this.#free + fresh)
    for (const urgency of urgencies) {
      const claims = this.#claims[urgency]
      claims.forget(now)
      if (claims.size === 0) continue
      const most = Math.max(0, this.#most - this.#keptFrom(urgency))
      // What is claimed is there: more urgent calls and those of new accounts take of it before it grows on.
      const unclaimed = this.#free - this.#keptFrom(urgency) - claims.all
      claims.grow(Math.max(0, Math.min(fresh, unclaimed)), most)
    }
  }
}

const toWait = (millis: number): number => millis <= 0 ? 0 : Math.ceil(millis)
