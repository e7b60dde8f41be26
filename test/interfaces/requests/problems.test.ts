import { assert, describe, it } from "@effect/vitest"
import { Struct } from "effect"
import {
  AccountExists,
  AccountUnknown,
  KeyUnknown,
  LastOperator,
  ScopesNotHeld,
} from "#application/accounts/failures.ts"
import { CaseFilesOff } from "#application/cases/CaseKeys.ts"
import { RouteDenied } from "#application/accounts/RouteRules.ts"
import { LimitReached } from "#application/limits/RateLimits.ts"
import { problemCodes, type ProviderAnswer } from "#api/Problems.ts"
import {
  DeliveryUnknown,
  TooManySecrets,
  TooManyWebhooks,
  WebhookDisabled,
  WebhookUnknown,
} from "#application/webhooks/failures.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { InvalidRequest, type Issues } from "#domain/Issues.ts"
import { TooManyOpenChannels } from "#domain/swaps/Channel.ts"
import { DailyVolumeReached, VolumeUnpriced } from "#application/swapping/opening/dailyVolume.ts"
import type { ProblemCode } from "#domain/ProblemCode.ts"
import * as Reason from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { NoPaymentCode, NothingToPay } from "#domain/swaps/payment/failures.ts"
import { SwapNotFound, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { WithdrawalId } from "#domain/operations/Withdrawal.ts"
import * as Treasury from "#application/treasury/failures.ts"
import { QuoteExpired } from "#application/swapping/opening/QuoteBinding.ts"
import { CannotRepair } from "#application/swapping/following/Reindexing.ts"
import { NoDisputedResult } from "#application/swapping/following/DisputedEnds.ts"
import * as HttpFailure from "#interfaces/requests/problems.ts"
import * as Refusal from "#interfaces/requests/authorise.ts"
import * as RequestMeta from "#interfaces/requests/RequestMeta.ts"
import { type Failure, toProblem as told } from "#interfaces/requests/problems.ts"
import { TooManyStreams } from "#application/events/EventStreams.ts"
import { NotReady } from "#infrastructure/ops/Health.ts"
import { NoProviderAvailable, QuotesFailed } from "#application/quoting/Quoting.ts"
import { LookupNotMade } from "#application/swapping/following/statusResult.ts"
import { PairNotServed } from "#application/swapping/opening/candidates.ts"
import {
  AnswerStale,
  KeyInUse,
  KeyReused,
  OpeningNotRecorded,
  OutcomeUnknown,
} from "#application/swapping/opening/OpeningRecord.ts"

/** What a client branches on; `detail` is for people. */
interface Expected {
  readonly status: number
  readonly code?: ProblemCode
  readonly errors?: Issues
  readonly providers?: ReadonlyArray<ProviderAnswer>
  readonly headers?: Readonly<Record<string, string>>
  readonly expiredAt?: number
}

/** A problem with its headers, without what is of its status or its request. */
const toProblem = (failure: Failure): Expected & { readonly detail: string } => {
  const { headers, problem } = told(failure, { traceId: "0".repeat(32) })
  const { title: _, traceId: __, type: ___, ...rest } = { ...problem }
  return { ...rest, ...(Object.keys(headers).length === 0 ? {} : { headers }) }
}

const detail = "the upstream's words"
const soon = { "retry-after": "5" }

const coded = (status: number, code: ProblemCode): Expected => ({ status, code })
const temporary = (code: ProblemCode, seconds = "60"): Expected => ({
  ...coded(503, code),
  headers: { "retry-after": seconds },
})

const unclassified: Expected = { status: 503, headers: soon }
const outcomeUnknown: Expected = { status: 500 }
const ofAmount: Expected = {
  status: 400,
  errors: { amount: [`amount was rejected by the provider. ${detail}`] },
}

/** A provider that cannot be asked for so long has a code, but no code where something is opened. */
const unavailable = (seconds: string) =>
  [temporary("provider_unavailable", seconds), { status: 503, headers: { "retry-after": seconds } }] as const

/** One problem for every operation, or another for those that swaps begin with: openings and payloads. */
type Row<R> = readonly [reason: R, problem: Expected, opening?: Expected]

type ReasonRows = {
  readonly [Tag in Reason.ProviderErrorReason["_tag"]]: ReadonlyArray<
    Row<Extract<Reason.ProviderErrorReason, { readonly _tag: Tag }>>
  >
}

const reasons: ReasonRows = {
  AmountBelowMinimum: [[
    new Reason.AmountBelowMinimum({ detail }),
    coded(400, "amount_below_minimum"),
    ofAmount,
  ]],
  EgressBelowMinimum: [[
    new Reason.EgressBelowMinimum({ detail }),
    coded(400, "egress_below_minimum"),
    ofAmount,
  ]],
  EgressFeeNotCovered: [
    [new Reason.EgressFeeNotCovered({ detail }), coded(400, "egress_fee_not_covered"), ofAmount],
  ],
  InsufficientLiquidity: [
    [new Reason.InsufficientLiquidity({ detail }), coded(400, "insufficient_liquidity"), ofAmount],
  ],
  DepositBelowMinimum: [[
    new Reason.DepositBelowMinimum({ asset: "btc.btc", minimum: NativeAmount.make(40_000n) }),
    { status: 400, errors: { minimalAmount: ["0.0004"], minimalAmountNative: ["40000"] } },
  ]],
  DepositAboveMaximum: [[
    new Reason.DepositAboveMaximum({ asset: "btc.btc", maximum: NativeAmount.make(150_000_000n) }),
    {
      status: 400,
      errors: {
        amount: ["amount is above the maximum of 1.5 (150000000 native units)"],
      },
    },
  ]],
  RequestRefused: [[
    new Reason.RequestRefused({ errors: { boostFee: ["boostFee has no pool"] } }),
    { status: 400, errors: { boostFee: ["boostFee has no pool"] } },
  ]],
  QuotingMaintenance: [[new Reason.QuotingMaintenance({ detail }), temporary("quoting_maintenance")]],
  SwappingMaintenance: [[new Reason.SwappingMaintenance({ detail }), temporary("swapping_maintenance")]],
  AssetDisabled: [[new Reason.AssetDisabled({ detail }), temporary("asset_disabled")]],
  NoExactOutput: [[
    new Reason.NoExactOutput({ errors: { amountOut: ["amountOut is not promised"] } }),
    { status: 400, errors: { amountOut: ["amountOut is not promised"] } },
  ]],
  OtherStart: [[
    new Reason.OtherStart({ errors: { start: ["start is another"] } }),
    { status: 400, errors: { start: ["start is another"] } },
  ]],
  AssetNotListed: [[new Reason.AssetNotListed({ detail }), temporary("asset_disabled")]],
  DepositChannelFailed: [[new Reason.DepositChannelFailed({ detail }), temporary("deposit_channel_failed")]],
  TooManyChannels: [[new Reason.TooManyChannels({ detail }), temporary("too_many_channels")]],
  UpstreamFailed: [[new Reason.UpstreamFailed({ detail }), coded(500, "upstream_error")]],
  RequestCancelled: [
    [new Reason.RequestCancelled({ detail }), coded(500, "request_cancelled"), outcomeUnknown],
  ],
  RateLimited: [
    [new Reason.RateLimited({ detail }), ...unavailable("5")],
    [new Reason.RateLimited({ detail, retryAfterSeconds: 11.2 }), ...unavailable("12")],
    [new Reason.RateLimited({ detail, retryAfterSeconds: 0 }), ...unavailable("1")],
  ],
  NotCalled: [[new Reason.NotCalled({ detail, retryAfterSeconds: 17 }), ...unavailable("17")]],
  TimedOut: [
    [new Reason.TimedOut({ detail, reached: true }), unclassified, outcomeUnknown],
    [new Reason.TimedOut({ detail, reached: false }), unclassified],
  ],
  Unreachable: [
    [new Reason.Unreachable({ detail, reached: true }), unclassified, outcomeUnknown],
    [new Reason.Unreachable({ detail, reached: false }), unclassified],
  ],
  MalformedBody: [
    [new Reason.MalformedBody({ detail, reached: true }), unclassified, outcomeUnknown],
    [new Reason.MalformedBody({ detail, reached: false }), unclassified],
  ],
  ProviderDefect: [[new Reason.ProviderDefect({ detail }), unclassified, outcomeUnknown]],
}

const failed = (operation: Reason.ProviderOperation, reason: Reason.ProviderErrorReason) =>
  new Reason.ProviderError({ provider: ProviderName.make("chainflip"), operation, reason })

type Ours = Exclude<Failure, Reason.ProviderError>
type OwnRows = {
  readonly [Tag in Ours["_tag"]]: readonly [
    failure: Extract<Ours, { readonly _tag: Tag }>,
    problem: Expected | Expected["status"],
  ]
}

const tooLittle = failed(
  "quote",
  new Reason.DepositBelowMinimum({ asset: "btc.btc", minimum: NativeAmount.make(40_000n) }),
)
const tooThin = new Reason.ProviderError({
  provider: ProviderName.make("near-intents"),
  operation: "quote",
  reason: new Reason.InsufficientLiquidity({ detail }),
})

const denied = (operation: RouteDenied["operation"]) =>
  new RouteDenied({ operation, sourceAsset: "btc.btc", destinationAsset: "eth.eth" })

const withdrawal = WithdrawalId.make(7)

const own: OwnRows = {
  TransactionUnknown: [new HttpFailure.TransactionUnknown({ isMalformed: false }), 404],
  CaseFilesOff: [new CaseFilesOff({ detail: "no key" }), unclassified],
  BodyIncomplete: [new RequestMeta.BodyIncomplete(), { status: 408, headers: { connection: "close" } }],
  QuotesFailed: [new QuotesFailed({ failure: tooLittle, providers: [tooLittle, tooThin] }), {
    status: 400,
    headers: {
      "provider-status":
        'chainflip;reason="deposit_below_minimum", near-intents;code="insufficient_liquidity"',
    },
    errors: { minimalAmount: ["0.0004"], minimalAmountNative: ["40000"] },
    providers: [
      {
        platform: tooLittle.provider,
        detail: "Amount below minimum. Min: 0.0004",
        minimumAmountNative: "40000",
      },
      { platform: tooThin.provider, code: "insufficient_liquidity", detail },
    ],
  }],
  NoProviderAvailable: [
    new NoProviderAvailable({ detail, retryAfterSeconds: 17 }),
    temporary("provider_unavailable", "17"),
  ],
  PairNotServed: [
    new PairNotServed({ sourceAsset: "dot.dot", destinationAsset: "btc.btc" }),
    temporary("asset_disabled"),
  ],
  TooManyOpenChannels: [new TooManyOpenChannels({ most: 5_000 }), temporary("too_many_channels")],
  DailyVolumeReached: [
    new DailyVolumeReached({ most: 50_000, endsAt: EpochMillis.make(1_785_369_600_000), seconds: 60 }),
    { status: 429, headers: { "retry-after": "60" } },
  ],
  VolumeUnpriced: [new VolumeUnpriced({ most: 1 }), { status: 503, headers: { "retry-after": "900" } }],
  OpeningNotRecorded: [new OpeningNotRecorded({ id: SwapRecordId.make(7) }), outcomeUnknown],
  AnswerStale: [new AnswerStale({ staleAt: EpochMillis.make(1_785_333_864_000) }), 410],
  KeyInUse: [new KeyInUse({ retryAfterSeconds: 3 }), { status: 409, headers: { "retry-after": "3" } }],
  KeyReused: [new KeyReused(), 422],
  QuoteUnknown: [new HttpFailure.QuoteUnknown({ detail: "There is no such quote" }), 404],
  ExplanationExpired: [new HttpFailure.ExplanationExpired(), 410],
  QuoteExpired: [new QuoteExpired({ expiresAt: EpochMillis.make(1_785_333_864_000), isUsed: false }), {
    status: 409,
    expiredAt: 1_785_333_864_000,
  }],
  QuoteReplaced: [
    new HttpFailure.QuoteReplaced({
      over: new QuoteExpired({ expiresAt: EpochMillis.make(1_785_333_864_000), isUsed: true }),
      quote: undefined,
    }),
    409,
  ],
  OutcomeUnknown: [new OutcomeUnknown({ id: SwapRecordId.make(7) }), outcomeUnknown],
  StoreUnavailable: [
    new StoreUnavailable({ operation: "Swaps.open", cause: new Error("no space left") }),
    unclassified,
  ],
  TooManyStreams: [new TooManyStreams({ most: 2 }), { ...unclassified, status: 429 }],
  NotReady: [new NotReady({ reason: "draining" }), unclassified],
  NothingToPay: [new NothingToPay({ why: "expired" }), 410],
  NoPaymentCode: [new NoPaymentCode({ why: "memo" }), 409],
  SwapNotFound: [new SwapNotFound(), 404],
  LookupNotMade: [new LookupNotMade({ retryAfterSeconds: 7 }), {
    ...unclassified,
    headers: { "retry-after": "7" },
  }],
  InvalidRequest: [new InvalidRequest({ errors: { amount: ["amount is required"] } }), {
    status: 400,
    errors: { amount: ["amount is required"] },
  }],
  Unauthenticated: [new Refusal.Unauthenticated(), {
    status: 401,
    headers: { "www-authenticate": "ApiKey" },
  }],
  LimitReached: [
    new LimitReached({
      standing: {
        limit: "swap",
        quota: { tokens: 600, windowMillis: 60_000 },
        isAdmitted: false,
        left: 0,
        seconds: 7,
      },
    }),
    {
      status: 429,
      headers: {
        "retry-after": "7",
        ratelimit: '"swap";r=0;t=7',
        "ratelimit-policy": '"swap";q=600;w=60',
      },
    },
  ],
  ScopeMissing: [new Refusal.ScopeMissing({ scope: "operate" }), 403],
  OriginMissing: [new Refusal.OriginMissing(), 403],
  ScopesNotHeld: [new ScopesNotHeld({ scopes: ["withdraw"] }), 403],
  AccountSuspended: [new Refusal.AccountSuspended(), 403],
  McpDenied: [new Refusal.McpDenied(), 403],
  OriginDenied: [new Refusal.OriginDenied(), 403],
  RouteDenied: [denied("open"), 403],
  AccountUnknown: [new AccountUnknown({ name: "nobody" }), 404],
  AccountExists: [new AccountExists({ name: "default" }), 409],
  KeyUnknown: [new KeyUnknown({ id: "none" }), 404],
  LastOperator: [new LastOperator(), 409],
  WebhookUnknown: [new WebhookUnknown(), 404],
  DeliveryUnknown: [new DeliveryUnknown(), 404],
  WebhookDisabled: [new WebhookDisabled(), 409],
  TooManySecrets: [new TooManySecrets({ most: 5 }), 409],
  TooManyWebhooks: [new TooManyWebhooks({ most: 10 }), 409],
  BalanceUnavailable: [new Treasury.BalanceUnavailable({ provider: tooLittle.provider }), unclassified],
  AffiliateUnknown: [new Treasury.AffiliateUnknown(), 404],
  CannotOrder: [new Treasury.CannotOrder({ detail: "There is nothing" }), 409],
  OrderKeyReused: [new Treasury.OrderKeyReused({ id: withdrawal }), 422],
  TreasuryUnknown: [new Treasury.TreasuryUnknown(), 404],
  WithdrawalOpen: [
    new Treasury.WithdrawalOpen({ id: withdrawal, provider: tooLittle.provider, asset: "usdc.eth" }),
    409,
  ],
  WithdrawalUnknown: [new Treasury.WithdrawalUnknown(), 404],
  CannotRepair: [new CannotRepair({ detail: "It cannot be asked" }), 409],
  NoDisputedResult: [new NoDisputedResult({ detail: "It is not disputed" }), 409],
  ProviderUnknown: [new HttpFailure.ProviderUnknown(), 404],
  PathUnknown: [new HttpFailure.PathUnknown(), 404],
  MethodNotAllowed: [new HttpFailure.MethodNotAllowed({ allowed: ["GET", "POST"] }), {
    status: 405,
    headers: { allow: "GET, POST" },
  }],
  HostInvalid: [new RequestMeta.HostInvalid(), {
    status: 400,
    errors: { Host: ["Host must be a host with an optional port"] },
  }],
  UrlTooLong: [new RequestMeta.UrlTooLong({ maximumBytes: 8_192 }), 414],
  BodyTooLarge: [new RequestMeta.BodyTooLarge({ maximumBytes: 65_536 }), 413],
  BodyNotJson: [new HttpFailure.BodyNotJson(), 415],
  SandboxUnreachable: [new HttpFailure.SandboxUnreachable(), unclassified],
  Unexpected: [new HttpFailure.Unexpected(), 500],
}

const branchedOn = (failure: Failure): Expected => Struct.omit(toProblem(failure), ["detail"])

const ownRows = Object.values(own).map(([failure, problem]) => ({
  failure,
  problem: typeof problem === "number" ? { status: problem } : problem,
}))

const providerRows = Object.values(reasons).flatMap<Row<Reason.ProviderErrorReason>>((rows) => rows)

const everyFailure: ReadonlyArray<Failure> = [
  denied("quote"),
  ...providerRows.flatMap(([reason]) =>
    Reason.ProviderOperation.literals.map((operation) => failed(operation, reason))
  ),
  ...Object.values(own).map(([failure]) => failure),
]

describe("toProblem", () => {
  for (const [reason, problem, opening] of providerRows) {
    const reached = "reached" in reason ? ` (${reason.reached ? "" : "not "}reached)` : ""
    const wait = "retryAfterSeconds" in reason ? ` (after ${reason.retryAfterSeconds} s)` : ""

    it(`${reason._tag}${reached}${wait} of a quote is ${problem.status} ${problem.code ?? "without code"}`, () => {
      assert.deepStrictEqual(branchedOn(failed("quote", reason)), problem)
    })

    // Codes are of quotes and of what begins a swap (decision 33).
    it.each(["status", "assets", "treasury", "withdraw", "node"] as const)(
      `${reason._tag}${reached}${wait} of a %s has no code`,
      (operation) => {
        const later = opening?.status === 503 ? opening : unclassified
        const expected = problem.code === undefined ? problem : later
        assert.deepStrictEqual(branchedOn(failed(operation, reason)), expected)
      },
    )

    it.each(["open", "encode"] as const)(
      `${reason._tag}${reached}${wait} of an %s is ${(opening ?? problem).status}`,
      (operation) => assert.deepStrictEqual(branchedOn(failed(operation, reason)), opening ?? problem),
    )
  }

  it.each(ownRows)("$failure._tag is $problem.status", ({ failure, problem }) => {
    assert.deepStrictEqual(branchedOn(failure), problem)
  })

  it("says of a denied route to quotes that it is disabled, with the code, and to openings without", () => {
    assert.deepStrictEqual(branchedOn(denied("quote")), { status: 403, code: "route_disabled" })
    assert.deepStrictEqual(branchedOn(denied("open")), { status: 403 })
  })

  it("never says code and errors together, and always says something to people", () => {
    for (const failure of everyFailure) {
      const problem = toProblem(failure)
      assert.isFalse("code" in problem && "errors" in problem, failure._tag)
      assert.isAbove(problem.detail.length, 10, failure._tag)
    }
  })

  it("gives every temporary problem a time to wait, and no other", () => {
    for (const failure of everyFailure) {
      const { status, headers } = toProblem(failure)
      const isTemporary = [429, 503].includes(status) || failure._tag === "KeyInUse"
      assert.strictEqual(headers?.["retry-after"] !== undefined, isTemporary, failure._tag)
    }
  })

  it("can say every code of the catalogue", () => {
    const said = new Set(everyFailure.flatMap((failure) => toProblem(failure).code ?? []))
    assert.deepStrictEqual([...said].sort(), Object.values(problemCodes).flat().sort())
  })

  it("words the minimum as clients of such services read it (decision 15)", () => {
    const [row] = reasons.DepositBelowMinimum
    assert.isDefined(row)
    assert.strictEqual(toProblem(failed("quote", row[0])).detail, "Amount below minimum. Min: 0.0004")
  })

  it("says of an unknown opening that its outcome is unknown, and nothing of the upstream's words", () => {
    const problem = toProblem(failed("open", new Reason.TimedOut({ detail, reached: true })))
    assert.match(problem.detail, /^The outcome is unknown/)
    assert.notInclude(problem.detail, detail)
  })

  it("says so of each reason for which an opening or a payload may have happened, and of no other", () => {
    const swap = SwapRecordId.make(7)
    for (const [reason] of providerRows) {
      for (const operation of Reason.ProviderOperation.literals) {
        const { detail, status } = toProblem(new Reason.ProviderError({ ...failed(operation, reason), swap }))
        const isUnknown = Reason.beginsSwap(operation) && Reason.mayHaveOpened(reason)
        assert.strictEqual(
          detail.startsWith("The outcome is unknown"),
          isUnknown,
          `${operation} ${reason._tag}`,
        )
        assert.strictEqual(detail.includes("swap 7"), isUnknown && operation === "open", reason._tag)
        if (isUnknown) assert.strictEqual(status, 500, reason._tag)
      }
    }
  })

  it("names the swap of each opening whose outcome is unknown, which the operator finds it by", () => {
    const swap = SwapRecordId.make(7)
    const lost = failed("open", new Reason.TimedOut({ detail, reached: true }))
    for (
      const failure of [
        new Reason.ProviderError({ ...lost, swap }),
        new OpeningNotRecorded({ id: swap }),
        new OutcomeUnknown({ id: swap }),
      ]
    ) {
      assert.match(toProblem(failure).detail, /\bswap 7\b/)
    }
  })

  it("says of a payload whose answer was lost that there is no channel to look for", () => {
    const problem = toProblem(failed("encode", new Reason.TimedOut({ detail, reached: true })))
    assert.match(problem.detail, /^The outcome is unknown.*Nothing was opened/)
    assert.notInclude(problem.detail, detail)
  })

  it("keeps the cause of a database failure to itself", () => {
    assert.notInclude(JSON.stringify(toProblem(own.StoreUnavailable[0])), "no space left")
  })
})
