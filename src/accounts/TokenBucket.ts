/** How many tokens a bucket holds, and in what time an empty one fills. Whole numbers above zero. */
export interface Quota {
  readonly tokens: number
  readonly windowMillis: number
}

/**
 * A bucket of tokens that fills steadily. It counts in parts: a token has as many as the window has
 * milliseconds, so that each millisecond brings back as many as the quota has tokens. All of that is in whole
 * numbers, so nothing is ever rounded. Times are milliseconds.
 */
export class TokenBucket {
  readonly #quota: Quota
  /** Parts that are missing; more than the bucket holds where others took more than there was. */
  #missing = 0
  #filledAt: number

  /** A full bucket. */
  constructor(quota: Quota, now: number) {
    this.#quota = quota
    this.#filledAt = now
  }

  /** Takes a token, if there is one. */
  take(now: number): boolean {
    const hasOne = this.left(now) > 0
    if (hasOne) this.#missing += this.#quota.windowMillis
    return hasOne
  }

  /** Puts back a token that was taken. */
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

  /** Milliseconds until there is a token; 0 where there is one. */
  millisUntilToken(now: number): number {
    this.#fill(now)
    const { tokens, windowMillis } = this.#quota
    return Math.max(0, Math.ceil((this.#missing - (tokens - 1) * windowMillis) / tokens))
  }

  /** Makes it hold so many tokens, of which a part may be there, and fewer than none. */
  setTo(tokens: number, now: number): void {
    this.#missing = Math.max(0, Math.round((this.#quota.tokens - tokens) * this.#quota.windowMillis))
    this.#filledAt = now
  }

  /** A clock that was set back brings nothing until it goes on. */
  #fill(now: number): void {
    const elapsed = now - this.#filledAt
    if (elapsed > 0) this.#missing = Math.max(0, this.#missing - elapsed * this.#quota.tokens)
    this.#filledAt = now
  }
}
