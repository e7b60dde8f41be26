import { Duration, Effect, type Redacted } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { hashOf, randomToken } from "../accounts/token.ts"
import type { Account } from "#domain/accounts/Account.ts"
import { SwapNotFound, type SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { PayLinksRepo } from "#infrastructure/store/swaps/PayLinksRepo.ts"

/** How long a link still works after the swap was looked up for the last time: it is followed until it is over. */
const afterwards = Duration.days(30)

/** The most links of one swap: a client that asks again and again makes no more. */
const mostOfSwap = 20

/** Links by which payers see the page of one swap, and nothing else. */
export class PayLinks extends service<PayLinks>()(
  "swap-broker/swapping/PayLinks",
  Effect.gen(function* () {
    const links = yield* PayLinksRepo

    /** Makes another link to a swap of the account. Of more than 20 links of a swap the oldest stop working. */
    const make = Effect.fn("PayLinks.make")(function* (account: Account, swap: SwapRecordId) {
      const token = randomToken()
      const link = { tokenHash: hashOf(token), swap, most: mostOfSwap }
      if (!(yield* links.add(account.id, link, yield* currentMillis))) return yield* new SwapNotFound()
      return token
    })

    /** The swap of a link, as it is in the records; none where there is no such link, or it is over. */
    const find = Effect.fn("PayLinks.find")(function* (token: Redacted.Redacted<string>) {
      const since = EpochMillis.make(Math.max(0, (yield* currentMillis) - Duration.toMillis(afterwards)))
      return yield* links.find(hashOf(token), since)
    })

    return { make, find }
  }),
) {}
