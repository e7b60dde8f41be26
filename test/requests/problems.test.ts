import { assert, describe, it } from "@effect/vitest"
import { Struct } from "effect"
import {
  AccountExists,
  AccountUnknown,
  KeyUnknown,
  LastOperator,
  ScopesNotHeld,
} from "../../src/accounts/failures.ts"
import { CaseFilesOff } from "../../src/cases/CaseKeys.ts"
import { RouteDenied } from "../../src/accounts/terms.ts"
import { LimitReached } from "../../src/limits/RateLimits.ts"
import { problemCodes, type ProviderAnswer } from "../../src/api/Problems.ts"
import {
  DeliveryUnknown,
  TooManySecrets,
  TooManyWebhooks,
  WebhookDisabled,
  WebhookUnknown,
} from "../../src/webhooks/failures.ts"
import { NativeAmount } from "../../src/domain/Amount.ts"
import { InvalidRequest, type Issues } from "../../src/domain/Issues.ts"
import { TooManyOpenChannels } from "../../src/domain/Channel.ts"
import type { ProblemCode } from "../../src/domain/ProblemCode.ts"
import * as Reason from "../../src/domain/ProviderError.ts"
import { ProviderName } from "../../src/domain/ProviderName.ts"
import { StoreUnavailable } from "../../src/domain/StoreError.ts"
import { NoPaymentCode, NothingToPay } from "../../src/domain/payment/failures.ts"
import { SwapNotFound, SwapRecordId } from "../../src/domain/SwapRecord.ts"
import { EpochMillis } from "../../src/domain/Time.ts"
import { WithdrawalId } from "../../src/domain/Withdrawal.ts"
import * as Treasury from "../../src/treasury/failures.ts"
import { QuoteOver } from "../../src/swapping/QuoteBinding.ts"
import { CannotRepair } from "../../src/swapping/Repairs.ts"
import { EndNotHeld } from "../../src/swapping/DisputedEnds.ts"
import * as HttpFailure from "../../src/requests/HttpFailure.ts"
import * as Refusal from "../../src/requests/authorise.ts"
import * as RequestMeta from "../../src/requests/RequestMeta.ts"
import { type Failure, toProblem as told } from "../../src/requests/problems.ts"
import { TooManyStreams } from "../../src/events/EventStreams.ts"
import { NotReady } from "../../src/ops/Health.ts"
import { NoProviderAvailable, QuotesFailed } from "../../src/quoting/Quoting.ts"
import { NotLookedUp } from "../../src/swapping/answers.ts"
import { PairNotServed } from "../../src/swapping/candidates.ts"
import { AnswerStale, KeyInUse, KeyReused, OutcomeUnknown } from "../../src/swapping/Claim.ts"
import { OpeningNotRecorded } from "../../src/swapping/OpeningRecord.ts"

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

const statusOf = (code: ProblemCode): number => {
  const found = Object.entries(problemCodes).find(([, codes]) => codes.some((own) => own === code))
  return Number(found?.[0])
}

const detail = "the upstream's words"
const maintenance = { "retry-after": "60" }
const soon = { "retry-after": "5" }

const coded = (code: ProblemCode): Expected => ({ status: statusOf(code), code })
const temporary = (code: ProblemCode, headers = maintenance): Expected => ({ ...coded(code), headers })

const unclassified: Expected = { status: 503, headers: soon }
const outcomeUnknown: Expected = { status: 500 }

/** One problem for every operation, or another for those that swaps begin with: openings and payloads. */
interface Row<R> {
  readonly reason: R
  readonly problem: Expected
  readonly opening?: Expected
}

type ReasonRows = {
  readonly [Tag in Reason.ProviderErrorReason["_tag"]]: ReadonlyArray<
    Row<Extract<Reason.ProviderErrorReason, { readonly _tag: Tag }>>
  >
}

const reasons: ReasonRows = {
  AmountBelowMinimum: [{
    reason: new Reason.AmountBelowMinimum({ detail }),
    problem: { status: 400, code: "amount_below_minimum" },
    opening: { status: 400, errors: { amount: [detail] } },
  }],
  EgressBelowMinimum: [{
    reason: new Reason.EgressBelowMinimum({ detail }),
    problem: { status: 400, code: "egress_below_minimum" },
    opening: { status: 400, errors: { amount: [detail] } },
  }],
  EgressFeeNotCovered: [{
    reason: new Reason.EgressFeeNotCovered({ detail }),
    problem: { status: 400, code: "egress_fee_not_covered" },
    opening: { status: 400, errors: { amount: [detail] } },
  }],
  InsufficientLiquidity: [{
    reason: new Reason.InsufficientLiquidity({ detail }),
    problem: { status: 400, code: "insufficient_liquidity" },
    opening: { status: 400, errors: { amount: [detail] } },
  }],
  DepositBelowMinimum: [{
    reason: new Reason.DepositBelowMinimum({ asset: "btc.btc", minimum: NativeAmount.make(40_000n) }),
    problem: { status: 400, errors: { minimalAmount: ["0.0004"], minimalAmountNative: ["40000"] } },
  }],
  DepositAboveMaximum: [{
    reason: new Reason.DepositAboveMaximum({ asset: "btc.btc", maximum: NativeAmount.make(150_000_000n) }),
    problem: {
      status: 400,
      errors: {
        amount: ["amount is above what can be swapped at once, which is 1.5 (150000000 native units)"],
      },
    },
  }],
  RequestRefused: [{
    reason: new Reason.RequestRefused({ errors: { boostFee: ["boostFee has no pool"] } }),
    problem: { status: 400, errors: { boostFee: ["boostFee has no pool"] } },
  }],
  QuotingMaintenance: [{
    reason: new Reason.QuotingMaintenance({ detail }),
    problem: { status: 503, code: "quoting_maintenance", headers: maintenance },
  }],
  SwappingMaintenance: [{
    reason: new Reason.SwappingMaintenance({ detail }),
    problem: { status: 503, code: "swapping_maintenance", headers: maintenance },
  }],
  AssetDisabled: [{
    reason: new Reason.AssetDisabled({ detail }),
    problem: { status: 503, code: "asset_disabled", headers: maintenance },
  }],
  OtherStart: [{
    reason: new Reason.OtherStart({ errors: { start: ["start is another"] } }),
    problem: { status: 400, errors: { start: ["start is another"] } },
  }],
  AssetNotListed: [{
    reason: new Reason.AssetNotListed({ detail }),
    problem: { status: 503, code: "asset_disabled", headers: maintenance },
  }],
  DepositChannelFailed: [{
    reason: new Reason.DepositChannelFailed({ detail }),
    problem: { status: 503, code: "deposit_channel_failed", headers: maintenance },
  }],
  TooManyChannels: [{
    reason: new Reason.TooManyChannels({ detail }),
    problem: { status: 503, code: "too_many_channels", headers: maintenance },
  }],
  UpstreamFailed: [{
    reason: new Reason.UpstreamFailed({ detail }),
    problem: { status: 500, code: "upstream_error" },
  }],
  RequestCancelled: [{
    reason: new Reason.RequestCancelled({ detail }),
    problem: { status: 500, code: "request_cancelled" },
    opening: outcomeUnknown,
  }],
  RateLimited: [
    {
      reason: new Reason.RateLimited({ detail }),
      problem: temporary("provider_unavailable", soon),
      opening: { status: 503, headers: soon },
    },
    {
      reason: new Reason.RateLimited({ detail, retryAfterSeconds: 11.2 }),
      problem: temporary("provider_unavailable", { "retry-after": "12" }),
      opening: { status: 503, headers: { "retry-after": "12" } },
    },
    {
      reason: new Reason.RateLimited({ detail, retryAfterSeconds: 0 }),
      problem: temporary("provider_unavailable", { "retry-after": "1" }),
      opening: { status: 503, headers: { "retry-after": "1" } },
    },
  ],
  NotCalled: [{
    reason: new Reason.NotCalled({ detail, retryAfterSeconds: 17 }),
    problem: temporary("provider_unavailable", { "retry-after": "17" }),
    opening: { status: 503, headers: { "retry-after": "17" } },
  }],
  TimedOut: [
    {
      reason: new Reason.TimedOut({ detail, reached: true }),
      problem: unclassified,
      opening: outcomeUnknown,
    },
    { reason: new Reason.TimedOut({ detail, reached: false }), problem: unclassified },
  ],
  Unreachable: [
    {
      reason: new Reason.Unreachable({ detail, reached: true }),
      problem: unclassified,
      opening: outcomeUnknown,
    },
    { reason: new Reason.Unreachable({ detail, reached: false }), problem: unclassified },
  ],
  MalformedBody: [
    {
      reason: new Reason.MalformedBody({ detail, reached: true }),
      problem: unclassified,
      opening: outcomeUnknown,
    },
    { reason: new Reason.MalformedBody({ detail, reached: false }), problem: unclassified },
  ],
}

const failed = (operation: Reason.ProviderOperation, reason: Reason.ProviderErrorReason) =>
  new Reason.ProviderError({ provider: ProviderName.make("chainflip"), operation, reason })

type Ours = Exclude<Failure, Reason.ProviderError>
type OwnRows = {
  readonly [Tag in Ours["_tag"]]: {
    readonly failure: Extract<Ours, { readonly _tag: Tag }>
    readonly problem: Expected
  }
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
  TransactionUnknown: {
    failure: new HttpFailure.TransactionUnknown({ isMalformed: false }),
    problem: { status: 404 },
  },
  CaseFilesOff: { failure: new CaseFilesOff({ detail: "no key" }), problem: { status: 503, headers: soon } },
  BodyIncomplete: {
    failure: new RequestMeta.BodyIncomplete(),
    problem: { status: 408, headers: { connection: "close" } },
  },
  QuotesFailed: {
    failure: new QuotesFailed({ failure: tooLittle, providers: [tooLittle, tooThin] }),
    problem: {
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
    },
  },
  NoProviderAvailable: {
    failure: new NoProviderAvailable({ detail, retryAfterSeconds: 17 }),
    problem: temporary("provider_unavailable", { "retry-after": "17" }),
  },
  PairNotServed: {
    failure: new PairNotServed({ sourceAsset: "dot.dot", destinationAsset: "btc.btc" }),
    problem: temporary("asset_disabled"),
  },
  TooManyOpenChannels: {
    failure: new TooManyOpenChannels({ most: 5_000 }),
    problem: temporary("too_many_channels"),
  },
  OpeningNotRecorded: {
    failure: new OpeningNotRecorded({ id: SwapRecordId.make(7) }),
    problem: outcomeUnknown,
  },
  AnswerStale: {
    failure: new AnswerStale({ staleAt: EpochMillis.make(1_785_333_864_000) }),
    problem: { status: 410 },
  },
  KeyInUse: {
    failure: new KeyInUse({ retryAfterSeconds: 3 }),
    problem: { status: 409, headers: { "retry-after": "3" } },
  },
  KeyReused: { failure: new KeyReused(), problem: { status: 422 } },
  QuoteUnknown: {
    failure: new HttpFailure.QuoteUnknown({ detail: "There is no such quote" }),
    problem: { status: 404 },
  },
  ExplanationOver: { failure: new HttpFailure.ExplanationOver(), problem: { status: 410 } },
  QuoteOver: {
    failure: new QuoteOver({ expiresAt: EpochMillis.make(1_785_333_864_000), isUsed: false }),
    problem: { status: 409, expiredAt: 1_785_333_864_000 },
  },
  QuoteReplaced: {
    failure: new HttpFailure.QuoteReplaced({
      over: new QuoteOver({ expiresAt: EpochMillis.make(1_785_333_864_000), isUsed: true }),
      quote: undefined,
    }),
    problem: { status: 409 },
  },
  OutcomeUnknown: { failure: new OutcomeUnknown({ id: SwapRecordId.make(7) }), problem: outcomeUnknown },
  StoreUnavailable: {
    failure: new StoreUnavailable({ operation: "Swaps.open", cause: new Error("no space left") }),
    problem: unclassified,
  },
  TooManyStreams: {
    failure: new TooManyStreams({ most: 2 }),
    problem: { ...unclassified, status: 429 },
  },
  NotReady: { failure: new NotReady({ reason: "draining" }), problem: unclassified },
  NothingToPay: { failure: new NothingToPay({ why: "expired" }), problem: { status: 410 } },
  NoPaymentCode: { failure: new NoPaymentCode({ why: "memo" }), problem: { status: 409 } },
  SwapNotFound: { failure: new SwapNotFound(), problem: { status: 404 } },
  NotLookedUp: {
    failure: new NotLookedUp({ retryAfterSeconds: 7 }),
    problem: temporary("lookup_not_made", { "retry-after": "7" }),
  },
  InvalidRequest: {
    failure: new InvalidRequest({ errors: { amount: ["amount is required"] } }),
    problem: { status: 400, errors: { amount: ["amount is required"] } },
  },
  Unauthenticated: {
    failure: new Refusal.Unauthenticated(),
    problem: { status: 401, headers: { "www-authenticate": "ApiKey" } },
  },
  LimitReached: {
    failure: new LimitReached({
      standing: {
        limit: "swap",
        quota: { tokens: 600, windowMillis: 60_000 },
        isAdmitted: false,
        left: 0,
        seconds: 7,
      },
    }),
    problem: {
      status: 429,
      headers: {
        "retry-after": "7",
        ratelimit: '"swap";r=0;t=7',
        "ratelimit-policy": '"swap";q=600;w=60',
      },
    },
  },
  ScopeMissing: { failure: new Refusal.ScopeMissing({ scope: "operate" }), problem: { status: 403 } },
  PageUnnamed: { failure: new Refusal.PageUnnamed(), problem: { status: 403 } },
  ScopesNotHeld: { failure: new ScopesNotHeld({ scopes: ["withdraw"] }), problem: { status: 403 } },
  AccountSuspended: { failure: new Refusal.AccountSuspended(), problem: { status: 403 } },
  McpDenied: { failure: new Refusal.McpDenied(), problem: { status: 403 } },
  OriginDenied: { failure: new Refusal.OriginDenied(), problem: { status: 403 } },
  RouteDenied: { failure: denied("open"), problem: { status: 403 } },
  AccountUnknown: { failure: new AccountUnknown({ name: "nobody" }), problem: { status: 404 } },
  AccountExists: { failure: new AccountExists({ name: "default" }), problem: { status: 409 } },
  KeyUnknown: { failure: new KeyUnknown({ id: "none" }), problem: { status: 404 } },
  LastOperator: { failure: new LastOperator(), problem: { status: 409 } },
  WebhookUnknown: { failure: new WebhookUnknown(), problem: { status: 404 } },
  DeliveryUnknown: { failure: new DeliveryUnknown(), problem: { status: 404 } },
  WebhookDisabled: { failure: new WebhookDisabled(), problem: { status: 409 } },
  TooManySecrets: { failure: new TooManySecrets({ most: 5 }), problem: { status: 409 } },
  TooManyWebhooks: { failure: new TooManyWebhooks({ most: 10 }), problem: { status: 409 } },
  AccountUnseen: {
    failure: new Treasury.AccountUnseen({ provider: tooLittle.provider }),
    problem: { status: 503, headers: { "retry-after": "5" } },
  },
  AffiliateUnknown: { failure: new Treasury.AffiliateUnknown(), problem: { status: 404 } },
  CannotOrder: {
    failure: new Treasury.CannotOrder({ detail: "There is nothing" }),
    problem: { status: 409 },
  },
  OrderKeyReused: { failure: new Treasury.OrderKeyReused({ id: withdrawal }), problem: { status: 422 } },
  TreasuryUnknown: { failure: new Treasury.TreasuryUnknown(), problem: { status: 404 } },
  WithdrawalOpen: {
    failure: new Treasury.WithdrawalOpen({ id: withdrawal, provider: tooLittle.provider, asset: "usdc.eth" }),
    problem: { status: 409 },
  },
  WithdrawalUnknown: { failure: new Treasury.WithdrawalUnknown(), problem: { status: 404 } },
  CannotRepair: { failure: new CannotRepair({ detail: "It cannot be asked" }), problem: { status: 409 } },
  EndNotHeld: { failure: new EndNotHeld({ detail: "It is not disputed" }), problem: { status: 409 } },
  ProviderUnknown: { failure: new HttpFailure.ProviderUnknown(), problem: { status: 404 } },
  PathUnknown: { failure: new HttpFailure.PathUnknown(), problem: { status: 404 } },
  MethodNotAllowed: {
    failure: new HttpFailure.MethodNotAllowed({ allowed: ["GET", "POST"] }),
    problem: { status: 405, headers: { allow: "GET, POST" } },
  },
  HostInvalid: {
    failure: new RequestMeta.HostInvalid(),
    problem: { status: 400, errors: { Host: ["Host must be a host, with or without a port, and no more"] } },
  },
  UrlTooLong: { failure: new RequestMeta.UrlTooLong({ maximumBytes: 8_192 }), problem: { status: 414 } },
  BodyTooLarge: { failure: new RequestMeta.BodyTooLarge({ maximumBytes: 65_536 }), problem: { status: 413 } },
  BodyNotJson: { failure: new HttpFailure.BodyNotJson(), problem: { status: 415 } },
  SandboxUnreachable: { failure: new HttpFailure.SandboxUnreachable(), problem: unclassified },
  Unexpected: { failure: new HttpFailure.Unexpected(), problem: { status: 500 } },
}

const branchedOn = (failure: Failure): Expected => Struct.omit(toProblem(failure), ["detail"])

const providerRows = Object.values(reasons).flatMap<Row<Reason.ProviderErrorReason>>((rows) => rows)

const everyFailure: ReadonlyArray<Failure> = [
  denied("quote"),
  ...providerRows.flatMap(({ reason }) =>
    Reason.ProviderOperation.literals.map((operation) => failed(operation, reason))
  ),
  ...Object.values(own).map(({ failure }) => failure),
]

describe("toProblem", () => {
  for (const { reason, problem, opening } of providerRows) {
    const reached = "reached" in reason ? ` (${reason.reached ? "" : "not "}reached)` : ""
    const wait = "retryAfterSeconds" in reason ? ` (after ${reason.retryAfterSeconds} s)` : ""

    it.each(["quote", "status", "assets"] as const)(
      `${reason._tag}${reached}${wait} of a %s is ${problem.status} ${problem.code ?? "without code"}`,
      (operation) => assert.deepStrictEqual(branchedOn(failed(operation, reason)), problem),
    )

    it.each(["open", "encode"] as const)(
      `${reason._tag}${reached}${wait} of an %s is ${(opening ?? problem).status}`,
      (operation) => assert.deepStrictEqual(branchedOn(failed(operation, reason)), opening ?? problem),
    )
  }

  it.each(Object.values(own))("$failure._tag is $problem.status", ({ failure, problem }) => {
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
    assert.strictEqual(toProblem(failed("quote", row.reason)).detail, "Amount below minimum. Min: 0.0004")
  })

  it("says of an unknown opening that its outcome is unknown, and nothing of the upstream's words", () => {
    const problem = toProblem(failed("open", new Reason.TimedOut({ detail, reached: true })))
    assert.match(problem.detail, /^The outcome is unknown/)
    assert.notInclude(problem.detail, detail)
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
      assert.match(toProblem(failure).detail, /It is on record as swap 7$/)
    }
  })

  it("says of a payload whose answer was lost that there is no channel to look for", () => {
    const problem = toProblem(failed("encode", new Reason.TimedOut({ detail, reached: true })))
    assert.match(problem.detail, /^The outcome is unknown.*Nothing was opened/)
    assert.notInclude(problem.detail, detail)
  })

  it("keeps the cause of a database failure to itself", () => {
    assert.notInclude(JSON.stringify(toProblem(own.StoreUnavailable.failure)), "no space left")
  })
})
