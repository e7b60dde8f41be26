import { Result } from "effect"
import type { RequestedSwap } from "../../engine/Command.ts"

type Affiliates = RequestedSwap["affiliates"]

/** An affiliate in a payload: the broker's byte for the account, and its share in another. */
interface CodedAffiliate {
  readonly shortId: number
  readonly bps: number
}

/** Affiliates by their short ids, which are their places among those that the broker has registered. */
export const writeAffiliates = (
  affiliates: Affiliates,
  registered: ReadonlyArray<string>,
): Array<CodedAffiliate> =>
  affiliates.map(({ account, commissionBps }) => ({
    shortId: registered.indexOf(account),
    bps: commissionBps,
  }))

/** The accounts behind short ids. */
export const readAffiliates = (
  coded: ReadonlyArray<CodedAffiliate>,
  registered: ReadonlyArray<string>,
): Result.Result<Affiliates, string> =>
  Result.all(coded.map(({ bps, shortId }) => {
    const account = registered[shortId]
    return account === undefined
      ? Result.fail(`the broker has no affiliate ${shortId}`)
      : Result.succeed({ account, commissionBps: bps })
  }))
