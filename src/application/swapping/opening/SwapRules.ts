import { Effect, Result, Schema } from "effect"
import {
  type Address,
  type BrokerAccount,
  checkBrokerAccount,
  checkRecipient,
} from "#domain/chains/Address.ts"
import { AffiliateName } from "#domain/accounts/Affiliate.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import type { Affiliate, DcaParameters, SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { combineIssues, InvalidRequest, issueAbout, type Issues, issuesOf } from "#domain/Issues.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { boostedAsset } from "#domain/quotes/Quote.ts"
import { anyPrice, Price, toX128 } from "#domain/money/Price.ts"
import { alreadyTold, differentAssets, knownPlatform, present, swapAmountOf } from "#domain/RequestRules.ts"
import type { SwapInput, SwapTerms } from "./OpeningRules.ts"
import { bindToQuote, type BoundInput, requestedQuote } from "./QuoteBinding.ts"
import { ProviderError, RequestRefused } from "#domain/ProviderError.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { type Names, renameIssues } from "#domain/renameIssues.ts"

/** A request that passed every rule, with the provider that it names, if any. */
export interface OpeningRequest {
  readonly request: SwapRequest
  readonly platform: ProviderName | undefined
  /** The numbers that the affiliates were named with, in their order: the second may be `affiliate4`. */
  readonly affiliateNumbers: ReadonlyArray<number>
}

/** The longest that a swap may take for its chunks or its retries, in blocks: 24 hours. */
const maximumBlocks = 14_400

/** The most that all brokers together may charge the user (decision 8). */
const maximumTotalCommissionBps = 1_000

const defaultRetryDurationBlocks = 150
const defaultChunkIntervalBlocks = 2

const addressOn = (
  parameter: string,
  asset: AssetId | undefined,
  text: string | undefined,
  terms: SwapTerms,
): Result.Result<Address, Issues> => {
  if (asset === undefined || text === undefined) return alreadyTold
  return Result.mapError(
    checkRecipient(chainOf(asset), terms.networks, text),
    (predicate) => issueAbout(parameter, predicate),
  )
}

const isUnreadable = ({ unreadable = [] }: SwapInput, name: string): boolean => unreadable.includes(name)

/** The parameter that asks for an output, if there is one. */
const outputAsked = ({ amountOut, amountOutNative }: SwapInput): string | undefined =>
  amountOut === undefined ? amountOutNative === undefined ? undefined : "amountOutNative" : "amountOut"

/** The parameter with which money can come back to whom it belongs, if there is one. */
const refundedOften = (wish: SwapInput): string | undefined => {
  if (wish.quoteId !== undefined) return "quoteId"
  return wish.minimumPrice !== undefined && wish.minimumPrice.value > 0n ? "minimumPrice" : outputAsked(wish)
}

const refundAddress = (wish: SwapInput, terms: SwapTerms): Result.Result<Address, Issues> => {
  const { sourceAsset } = wish
  if (isUnreadable(wish, "refundAddress")) return alreadyTold
  if (wish.refundAddress !== undefined) {
    return addressOn("refundAddress", sourceAsset, wish.refundAddress, terms)
  }
  if (terms.refundAddressRequired === true) return alreadyTold
  const needing = refundedOften(wish)
  if (needing !== undefined) {
    return Result.fail(
      issueAbout("refundAddress", `is required with ${needing}; without it a refund would not reach you`),
    )
  }
  if (sourceAsset === undefined) return alreadyTold
  const chain = chainOf(sourceAsset)
  const fallback = terms.fallbackRefundAddresses[chain]
  return fallback === undefined
    ? Result.fail(
      issueAbout("refundAddress", `is required; this broker has no refund address of its own on ${chain}`),
    )
    : Result.succeed(fallback)
}

const minimumPrice = (wish: SwapInput): Result.Result<Price, Issues> => {
  const { minimumPrice: price, sourceAsset, destinationAsset } = wish
  if (price === undefined) return Result.succeed(anyPrice)
  if (sourceAsset === undefined || destinationAsset === undefined) return alreadyTold
  const x128 = toX128(Price.make(price), sourceAsset, destinationAsset)
  if (x128 >= 2n ** 256n) {
    return Result.fail(issueAbout("minimumPrice", "is too large for the provider"))
  }
  return price.value > 0n && x128 === 0n
    ? Result.fail(
      issueAbout("minimumPrice", "is too small; the provider would read it as 0, which accepts any price"),
    )
    : Result.succeed(Price.make(price))
}

/** A requested output needs a price limit, as the upstream sets how much is sent (decision 52). */
const outputLimit = (wish: SwapInput, { refundAddressRequired }: SwapTerms): Result.Result<void, Issues> => {
  const asked = wish.amount === undefined && wish.amountNative === undefined ? outputAsked(wish) : undefined
  const isLimited = ["minimumPrice", "quoteId"].some((name) => isUnreadable(wish, name)) ||
    wish.quoteId !== undefined || (wish.minimumPrice !== undefined && wish.minimumPrice.value > 0n)
  return asked === undefined || isLimited || refundAddressRequired === true
    ? Result.void
    : Result.fail(issueAbout(
      "minimumPrice",
      `is required above 0 with ${asked}, or a quoteId in its place: without either the provider alone would say how much ` +
        "you send",
    ))
}

const dca = (wish: SwapInput): Result.Result<DcaParameters | undefined, Issues> => {
  const { numberOfChunks, chunkIntervalBlocks } = wish
  if (isUnreadable(wish, "numberOfChunks")) return alreadyTold
  if (numberOfChunks === undefined) {
    return chunkIntervalBlocks === undefined
      ? Result.succeed(undefined)
      : Result.fail(issueAbout("chunkIntervalBlocks", "needs numberOfChunks"))
  }
  if (numberOfChunks === 1) return Result.succeed(undefined)
  const interval = chunkIntervalBlocks ?? defaultChunkIntervalBlocks
  return (numberOfChunks - 1) * interval > maximumBlocks
    ? Result.fail(issueAbout(
      "numberOfChunks",
      `is too large; (numberOfChunks − 1) × chunkIntervalBlocks must be at most ${maximumBlocks} (24 hours)`,
    ))
    : Result.succeed({ numberOfChunks, chunkIntervalBlocks: interval })
}

/** The limit of the boost fee. It means nothing for other sources than Bitcoin, as their deposits are not boosted. */
const maximumBoostFee = ({ boostFee, sourceAsset }: SwapInput): Bps =>
  boostFee === undefined || sourceAsset !== boostedAsset ? noBps : Bps.make(boostFee)

const pairsAsGiven = (wish: SwapInput) => [
  { number: 1, name: "affiliate1", account: wish.affiliate1, commissionBps: wish.affiliate1CommissionBps },
  { number: 2, name: "affiliate2", account: wish.affiliate2, commissionBps: wish.affiliate2CommissionBps },
  { number: 3, name: "affiliate3", account: wish.affiliate3, commissionBps: wish.affiliate3CommissionBps },
  { number: 4, name: "affiliate4", account: wish.affiliate4, commissionBps: wish.affiliate4CommissionBps },
]

const affiliatePairs = (wish: SwapInput, { affiliateNames }: SwapTerms) =>
  pairsAsGiven(wish).map(({ account, ...pair }) => ({
    ...pair,
    account: account === undefined ? undefined : affiliateNames.get(account) ?? account,
  }))

const affiliateNumbers = (wish: SwapInput): ReadonlyArray<number> =>
  pairsAsGiven(wish).flatMap(({ account, number }) => account === undefined ? [] : [number])

type Pair = ReturnType<typeof affiliatePairs>[number]

const isName = Schema.is(AffiliateName)

const affiliateAccount = (
  { name, account }: Pair,
  earlier: ReadonlyArray<string | undefined>,
  { unreadable, prefix }: { readonly unreadable: boolean; readonly prefix: number },
): Result.Result<BrokerAccount, Issues> => {
  if (unreadable) return alreadyTold
  if (account === undefined) return Result.fail(issueAbout(name, `is required with ${name}CommissionBps`))
  if (earlier.includes(account)) {
    return Result.fail(issueAbout(name, "is the same account as an earlier affiliate"))
  }
  if (isName(account)) {
    return Result.fail(issueAbout(name, "is neither a registered name nor a Chainflip account (cF…)"))
  }
  return Result.mapError(checkBrokerAccount(prefix, account), (predicate) => issueAbout(name, predicate))
}

const affiliateCommission = (
  { name, commissionBps }: Pair,
  unreadable: boolean,
): Result.Result<Bps, Issues> => {
  if (unreadable) return alreadyTold
  return commissionBps === undefined
    ? Result.fail(issueAbout(`${name}CommissionBps`, `is required with ${name}`))
    : Result.succeed(Bps.make(commissionBps))
}

/** One affiliate with its commission; an issue of one of them never hides an issue of the other. */
const affiliate = (
  pair: Pair,
  earlier: ReadonlyArray<string | undefined>,
  wish: SwapInput,
  prefix: number,
): Result.Result<ReadonlyArray<Affiliate>, Issues> => {
  const unreadable = {
    account: isUnreadable(wish, pair.name),
    commission: isUnreadable(wish, `${pair.name}CommissionBps`),
  }
  const isGiven = pair.account !== undefined || pair.commissionBps !== undefined || unreadable.account ||
    unreadable.commission
  if (!isGiven) return Result.succeed([])
  const parts = {
    account: affiliateAccount(pair, earlier, { unreadable: unreadable.account, prefix }),
    commissionBps: affiliateCommission(pair, unreadable.commission),
  }
  return Result.mapBoth(Result.all(parts), {
    onFailure: () => issuesOf(Object.values(parts)),
    onSuccess: (checked) => [checked],
  })
}

/** Issues for each affiliate that is named, where the account may share its commission with none. */
const noAffiliates = (
  pairs: ReturnType<typeof affiliatePairs>,
): Result.Result<ReadonlyArray<Affiliate>, Issues> => {
  const named = pairs.filter((pair) => pair.account !== undefined || pair.commissionBps !== undefined)
  return named.length === 0 ? Result.succeed([]) : Result.fail(combineIssues(
    named.map(({ name }) => issueAbout(name, "cannot be used, because this account takes no affiliates")),
  ))
}

const affiliates = (wish: SwapInput, terms: SwapTerms): Result.Result<ReadonlyArray<Affiliate>, Issues> => {
  const pairs = affiliatePairs(wish, terms)
  if (!terms.affiliatesAllowed) return noAffiliates(pairs)
  const checked = pairs.map((pair, index) =>
    affiliate(pair, pairs.slice(0, index).map((earlier) => earlier.account), wish, terms.brokerAccountPrefix)
  )
  return Result.mapBoth(Result.all(checked), {
    onFailure: () => issuesOf(checked),
    onSuccess: (all) => all.flat(),
  })
}

/** Whether all brokers together stay below the most that the network allows (decision 8). */
const totalCommission = (wish: SwapInput, terms: SwapTerms): Result.Result<void, Issues> => {
  const shares = pairsAsGiven(wish).reduce((sum, pair) => sum + (pair.commissionBps ?? 0), 0)
  const total = terms.effectiveCommission(wish.commissionBps) + shares
  return shares > 0 && total > maximumTotalCommissionBps
    ? Result.fail(issueAbout(
      "commissionBps",
      `and the affiliates' commissions are ${total} bps together; the maximum is ${maximumTotalCommissionBps}`,
    ))
    : Result.void
}

/** What is to be opened, or everything that is wrong with the request: every rule of decisions 2 to 11. */
export const openingRequest = (given: SwapInput, terms: SwapTerms): Result.Result<OpeningRequest, Issues> => {
  const bound = bindToQuote(given, terms)
  const { wish } = Result.getOrElse(bound, (): BoundInput => ({ wish: given, offer: undefined }))
  const parts = {
    bound,
    pair: differentAssets(wish.sourceAsset, wish.destinationAsset),
    sourceAsset: present(wish.sourceAsset),
    destinationAsset: present(wish.destinationAsset),
    destinationAddress: addressOn(
      "destinationAddress",
      wish.destinationAsset,
      wish.destinationAddress,
      terms,
    ),
    refundAddress: refundAddress(wish, terms),
    minimumPrice: minimumPrice(wish),
    outputLimit: outputLimit(wish, terms),
    dca: dca(wish),
    affiliates: affiliates(wish, terms),
    totalCommission: totalCommission(wish, terms),
    amount: swapAmountOf(wish),
    platform: knownPlatform(wish.platform, terms.platforms),
  }
  return Result.mapBoth(Result.all(parts), {
    onFailure: () => issuesOf(Object.values(parts)),
    onSuccess: (
      { pair: _, totalCommission: __, outputLimit: ___, bound: { offer }, dca, amount, platform, ...checked },
    ) => ({
      platform,
      affiliateNumbers: affiliateNumbers(wish),
      request: {
        ...checked,
        maximumBoostFeeBps: maximumBoostFee(wish),
        retryDurationBlocks: wish.retryDurationInBlocks ?? defaultRetryDurationBlocks,
        commissionBps: terms.effectiveCommission(wish.commissionBps),
        ...defined({ dca, amount, ccm: wish.ccmPayload }),
        ...requestedQuote(given.quoteId, offer, maximumBoostFee(wish), checked.minimumPrice),
      },
    }),
  })
}

const namesOf = (numbers: OpeningRequest["affiliateNumbers"]): Names =>
  new Map(numbers.flatMap((number, index): ReadonlyArray<readonly [string, string]> => [
    [`affiliate${index + 1}`, `affiliate${number}`],
    [`affiliate${index + 1}CommissionBps`, `affiliate${number}CommissionBps`],
  ]))

type Order = Partial<Pick<OpeningRequest, "affiliateNumbers">>

const issuesBy = ({ affiliateNumbers = [] }: Order) => (errors: Issues): Issues =>
  renameIssues(namesOf(affiliateNumbers), errors)

/** A provider's failure, with affiliates in its issues named by the numbers that the caller gave them. */
export const inAffiliateNumbering = (order: Order) => (failure: ProviderError): ProviderError => {
  const { operation, provider, reason } = failure
  return reason._tag === "RequestRefused"
    ? new ProviderError({
      provider,
      operation,
      reason: new RequestRefused({ errors: issuesBy(order)(reason.errors) }),
    })
    : failure
}

/** Names affiliates in issues by the caller's numbers, which may have gaps (decision 8). */
export const byAffiliateNumbering = (order: Order) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.mapError(work, (failure) => {
    if (failure instanceof ProviderError) return inAffiliateNumbering(order)(failure)
    return failure instanceof InvalidRequest
      ? new InvalidRequest({ errors: issuesBy(order)(failure.errors) })
      : failure
  })
