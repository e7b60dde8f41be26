import { assert, describe, it } from "@effect/vitest"
import * as Reason from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { providerStatus } from "#interfaces/requests/present/providerStatus.ts"
import { reasons } from "#test/application/quoting/support.ts"

const [chainflip, intents] = [ProviderName.make("chainflip"), ProviderName.make("near-intents")]

const failed = (provider: ProviderName, reason: Reason.ProviderErrorReason) =>
  new Reason.ProviderError({ provider, operation: "quote", reason })

/** What is said of each way to fail. */
const told: Readonly<Record<Reason.ProviderErrorReason["_tag"], string>> = {
  AmountBelowMinimum: 'code="amount_below_minimum"',
  EgressBelowMinimum: 'code="egress_below_minimum"',
  EgressFeeNotCovered: 'code="egress_fee_not_covered"',
  InsufficientLiquidity: 'code="insufficient_liquidity"',
  DepositBelowMinimum: 'reason="deposit_below_minimum"',
  DepositAboveMaximum: 'reason="deposit_above_maximum"',
  RequestRefused: 'reason="request_refused"',
  QuotingMaintenance: 'code="quoting_maintenance"',
  SwappingMaintenance: 'code="swapping_maintenance"',
  AssetDisabled: 'code="asset_disabled"',
  AssetNotListed: 'reason="asset_not_listed"',
  NoExactOutput: 'reason="amount_out"',
  OtherStart: 'reason="start"',
  DepositChannelFailed: 'code="deposit_channel_failed"',
  TooManyChannels: 'code="too_many_channels"',
  UpstreamFailed: 'code="upstream_error"',
  RequestCancelled: 'code="request_cancelled"',
  RateLimited: 'code="provider_unavailable"',
  NotCalled: 'code="provider_unavailable"',
  TimedOut: 'reason="timed_out"',
  Unreachable: 'reason="unreachable"',
  MalformedBody: 'reason="malformed_body"',
  ProviderDefect: 'reason="provider_defect"',
}

describe("Provider-Status", () => {
  it.each(Object.values(reasons))(
    "says of $_tag what kind of failure it is, and nothing of its words",
    (reason) => {
      assert.strictEqual(
        providerStatus([chainflip, intents], [failed(intents, reason)]),
        `chainflip;ok, near-intents;${told[reason._tag]}`,
      )
    },
  )

  it("says that the calls which an upstream allows are needed for others, and until when", () => {
    const reason = new Reason.NotCalled({ detail: "words", retryAfterSeconds: 12, because: "budget" })
    assert.strictEqual(
      providerStatus([chainflip], [failed(chainflip, reason)]),
      'chainflip;code="provider_unavailable";reason="budget";retry-after=12',
    )
  })

  it("keeps the order of the providers, whoever failed", () => {
    const failures = [failed(intents, reasons.TimedOut), failed(chainflip, reasons.UpstreamFailed)]
    assert.strictEqual(
      providerStatus([chainflip, intents], failures),
      'chainflip;code="upstream_error", near-intents;reason="timed_out"',
    )
  })
})
