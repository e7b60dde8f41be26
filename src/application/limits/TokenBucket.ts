/** The number of tokens that a bucket holds, and the time in which an empty bucket fills. Whole numbers above zero. */
export interface Quota {
  readonly tokens: number
  readonly windowMillis: number
}

const windowMillis = 60_000

/** So many tokens a minute; a rate that is not set has no quota. */
export const perMinute = (tokens: number): Quota => ({ tokens, windowMillis })

/**
 * A bucket of tokens that fills steadily. The bucket counts in parts: a token has as many parts as the window has
 * milliseconds, so each millisecond brings back as many parts as the quota has tokens. All figures are whole numbers,
 * so nothing is ever rounded. Times are in milliseconds.
 */
export class TokenBucket {
  #quota: Quota
  /** Parts that the bucket lacks; more than it can hold while it is in debt. */
  #missing = 0
  #filledAt: number

  constructor(quota: Quota, now: number) {
    this.#quota = quota
    this.#filledAt = now
  }

  /** Counts by another quota from now on. The bucket stays as full as it was in proportion, so no change gives tokens. */
  resize(quota: Quota, now: number): void {
    if (quota.tokens === this.#quota.tokens) return
    this.#fill(now)
    this.#missing = Math.ceil(this.#missing / this.#quota.tokens * quota.tokens)
    this.#quota = quota
  }

  /** Takes a token, if there is one. */
  take(now: number): boolean {
    const hasOne = this.left(now) > 0
    if (hasOne) this.#missing += this.#quota.windowMillis
    return hasOne
  }

  /** Puts back a taken token. */
  giveBack(): void {
    this.#missing = Math.max(0, this.#missing - this.#quota.windowMillis)
  }

  /** Whole tokens in the bucket. */
  left(now: number): number {
    this.#fill(now)
    const { tokens, windowMillis } = this.#quota
    return Math.max(0, Math.floor((tokens * windowMillis - this.#missing) / windowMillis))
  }

  /** Milliseconds until the bucket is full again. */
  millisUntilFull(now: number): number {
    this.#fill(now)
    return Math.ceil(this.#missing / this.#quota.tokens)
  }

  /** Milliseconds until there is a token; 0 if there is one. */
  millisUntilToken(now: number): number {
    this.#fill(now)
    const { tokens, windowMillis } = this.#quota
    return Math.max(0, Math.ceil((this.#missing - (tokens - 1) * windowMillis) / tokens))
  }

  /** Sets the tokens in the bucket; they may be a fraction, or below zero, which is a debt. */
  setTo(tokens: number, now: number): void {
    this.#missing = Math.max(0, Math.round((this.#quota.tokens - tokens) * this.#quota.windowMillis))
    this.#filledAt = now
  }

  /** Fills the bucket for the time passed. A clock that was set back adds nothing until it moves on. */
  #fill(now: number): void {
    const elapsed = now - this.#filledAt
    if (elapsed > 0) this.#missing = Math.max(0, this.#missing - elapsed * this.#quota.tokens)
    this.#filledAt = now
  }
}
/** The most buckets of one generation; far more than there are callers at one time. */
const mostKept = 50_000

/**
 * One bucket for each subject, with the same quota unless a subject has its own. The bucket of a subject that was quiet for a whole window is
 * full again and need not be kept: there are two generations of buckets, and the earlier one is dropped after each
 * window. Where very many subjects call, it is dropped sooner: a subject that calls seldom may get a full bucket early.
 */
export class TokenBuckets {
  readonly #quota: Quota
  #current = new Map<string, TokenBucket>()
  #earlier = new Map<string, TokenBucket>()
  #turnedAt = 0

  constructor(quota: Quota) {
    this.#quota = quota
  }

  /** The number of buckets kept. */
  get size(): number {
    return this.#current.size + this.#earlier.size
  }

  /** The bucket of a subject, kept from now on; `now` in milliseconds. */
  of(subject: string, now: number, quota: Quota = this.#quota): TokenBucket {
    // The absolute difference, as a clock may be set back.
    if (Math.abs(now - this.#turnedAt) >= this.#quota.windowMillis) this.#turn(now)
    const kept = this.#current.get(subject)
    if (kept !== undefined) {
      kept.resize(quota, now)
      return kept
    }
    if (this.#current.size >= mostKept) this.#turn(now)
    const bucket = this.#earlier.get(subject) ?? new TokenBucket(quota, now)
    bucket.resize(quota, now)
    this.#earlier.delete(subject)
    this.#current.set(subject, bucket)
    return bucket
  }

  /** The bucket of a subject, if one is kept; without one the subject has all tokens. */
  find(subject: string): TokenBucket | undefined {
    return this.#current.get(subject) ?? this.#earlier.get(subject)
  }

  #turn(now: number): void {
    this.#earlier = this.#current
    this.#current = new Map()
    this.#turnedAt = now
  }
}
