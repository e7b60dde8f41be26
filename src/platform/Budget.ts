import { Context } from "effect"
import type { AccountId } from "../domain/Account.ts"

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

/** A call that wants to be made. */
export interface Wanted {
  /** Undefined is the service itself. */
  readonly party: AccountId | undefined
  readonly urgency: Urgency
}

/**
 * What an upstream allows in a minute, in two parts: so many calls at once, and so many evenly over the minute. Both
 * together are what it allows, so no minute has more, whenever the upstream begins to count.
 */
const atOnce = 0.4
const evenly = 1 - atOnce

const minuteMillis = 60_000

/** What a call leaves for others: a part of all that there can be at once, and so many times what its party has taken. */
const terms: Readonly<Record<Urgency, { readonly keeps: number; readonly leaves: number }>> = {
  opening: { keeps: 0, leaves: 1 },
  status: { keeps: 0.1, leaves: 1 },
  asked: { keeps: 0.25, leaves: 2 },
  search: { keeps: 0.75, leaves: 2 },
}

/** What parties have taken is forgotten a little slower than calls become free, so that what is left for others grows again. */
const forgotten = 0.9

type Party = Wanted["party"]

/** What parties have taken lately. It is forgotten as calls become free, by all of them at the same rate. */
class Ledger {
  readonly #until = new Map<Party, number>()
  #forgotten = 0
  #yielded = 0

  taken(party: Party): number {
    return Math.max(0, (this.#until.get(party) ?? 0) - this.#forgotten)
  }

  take(party: Party): void {
    this.#until.set(party, this.#forgotten + this.taken(party) + 1)
  }

  /** A more urgent call was made of what becomes free: that much is forgotten later. */
  yieldOne(): void {
    this.#yielded += 1
  }

  forget(calls: number): void {
    const left = Math.max(0, calls - this.#yielded)
    this.#yielded = Math.max(0, this.#yielded - calls)
    if (this.#until.size === 0) return
    this.#forgotten += left / this.#until.size
    for (const [party, until] of this.#until) if (until <= this.#forgotten) this.#until.delete(party)
  }
}

/** How long an account counts among those that ask, in milliseconds. */
const asksFor = 10_000

/**
 * The calls that an upstream allows in a minute, divided between those who ask.
 *
 * Calls become free evenly. A call is made where what it leaves is enough for the more urgent ones, and twice what its
 * account has lately taken of such calls: an account alone may have all that becomes free, but for a fifteenth until all is
 * free, those who flood share it equally, and one that asks less always finds something left. What was taken is forgotten
 * as calls become free, at the same rate by each who has taken any, so that this rate is an account's share.
 */
export class Budget {
  readonly #perMinute: number
  readonly #ledgers: Readonly<Record<Urgency, Ledger>> = {
    opening: new Ledger(),
    status: new Ledger(),
    asked: new Ledger(),
    search: new Ledger(),
  }
  readonly #asking = new Map<Party, number>()
  #part: number
  #free: number
  #filledAt: number
  #shutUntil = 0

  /** `part` is this process's of the whole. It begins half full, as an earlier process may just have spent the minute. */
  constructor(perMinute: number, part: number, now: number) {
    this.#perMinute = perMinute
    this.#part = part
    this.#filledAt = now
    this.#free = this.#most / 2
  }

  /** Calls that could be made at once. */
  get free(): number {
    return this.#free
  }

  get #most(): number {
    return Math.max(1, this.#perMinute * atOnce * this.#part)
  }

  get #perMilli(): number {
    return this.#perMinute * evenly * this.#part / minuteMillis
  }

  /** How long a call has to wait, in milliseconds; 0 where it can be made. */
  waitOf({ party, urgency }: Wanted, now: number): number {
    this.#fill(now)
    if (now < this.#shutUntil) return this.#shutUntil - now
    const { keeps, leaves } = terms[urgency]
    const left = keeps * this.#most + leaves * this.#ledgers[urgency].taken(party)
    // Where all is free nobody is waited for.
    const missing = 1 + Math.min(this.#most - 1, left) - this.#free
    return missing <= 0 ? 0 : Math.ceil(missing / this.#perMilli)
  }

  /** The same, and spends the call where it can be made. */
  spend(wanted: Wanted, now: number): number {
    const wait = this.waitOf(wanted, now)
    if (wanted.urgency === "asked") this.#asking.set(wanted.party, now)
    if (wait > 0) return wait
    this.#free -= 1
    this.#ledgers[wanted.urgency].take(wanted.party)
    for (const later of urgencies.slice(urgencies.indexOf(wanted.urgency) + 1)) {
      this.#ledgers[later].yieldOne()
    }
    return 0
  }

  /** The upstream has refused a call as one too many: nothing is free now, and nothing is called for so long. */
  shut(millis: number, now: number): void {
    this.#fill(now)
    this.#free = 0
    this.#shutUntil = Math.max(this.#shutUntil, now + millis)
  }

  /** Gives this process another part of the whole. What it has free is cut where that is less, and fills slowly where more. */
  share(part: number, now: number): void {
    this.#fill(now)
    this.#part = part
    this.#free = Math.min(this.#free, this.#most)
  }

  /** How many accounts have asked in the last seconds. */
  asking(now: number): number {
    for (const [party, at] of this.#asking) if (now - at > asksFor) this.#asking.delete(party)
    return this.#asking.size
  }

  /** A clock that was set back adds nothing until it moves on. */
  #fill(now: number): void {
    const fresh = Math.max(0, now - this.#filledAt) * this.#perMilli
    this.#filledAt = now
    this.#free = Math.min(this.#most, this.#free + fresh)
    for (const urgency of urgencies) this.#ledgers[urgency].forget(fresh * forgotten)
  }
}
