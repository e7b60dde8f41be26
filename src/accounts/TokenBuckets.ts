import { type Quota, TokenBucket } from "./TokenBucket.ts"

/** Of each generation; far more than call at one time. */
const mostKept = 50_000

/**
 * The bucket of everybody who is limited alike. Who was quiet for as long as an empty bucket takes to fill has
 * a full one again, so that one need not be kept: buckets are in two generations, and each window the earlier
 * one is dropped. Where very many call, it is dropped sooner: then who calls seldom may get a full bucket early.
 */
export class TokenBuckets {
  readonly #quota: Quota
  #current = new Map<string, TokenBucket>()
  #earlier = new Map<string, TokenBucket>()
  #turnedAt = 0

  constructor(quota: Quota) {
    this.#quota = quota
  }

  /** How many buckets are kept. */
  get size(): number {
    return this.#current.size + this.#earlier.size
  }

  /** The bucket of a subject, which is kept from now on; `now` in milliseconds. */
  of(subject: string, now: number): TokenBucket {
    // Both ways, for a clock that was set back.
    if (Math.abs(now - this.#turnedAt) >= this.#quota.windowMillis) this.#turn(now)
    const kept = this.#current.get(subject)
    if (kept !== undefined) return kept
    if (this.#current.size >= mostKept) this.#turn(now)
    const bucket = this.#earlier.get(subject) ?? new TokenBucket(this.#quota, now)
    this.#earlier.delete(subject)
    this.#current.set(subject, bucket)
    return bucket
  }

  /** The bucket of a subject that has one; anybody else's is full. */
  find(subject: string): TokenBucket | undefined {
    return this.#current.get(subject) ?? this.#earlier.get(subject)
  }

  #turn(now: number): void {
    this.#earlier = this.#current
    this.#current = new Map()
    this.#turnedAt = now
  }
}
