import {
  AmountBelowMinimum,
  AssetDisabled,
  type AssetId,
  DepositAboveMaximum,
  DepositBelowMinimum,
  EgressBelowMinimum,
  InsufficientLiquidity,
  issueAbout,
  type NativeAmount,
  type ProviderErrorReason,
  ProviderName,
  RequestRefused,
  SwappingMaintenance,
  TooManyChannels,
} from "@swap-broker/core/domain"
import {
  Amount,
  type Answer,
  decodeText,
  failAs as failuresOf,
  maybe,
  statusReason,
  upstreamText,
  type WireCall,
} from "@swap-broker/core/provider"
import { Option, Schema } from "effect"

/** The provider's name in the contract. */
export const name = ProviderName.make("template")

/** Turns the reasons with which an operation fails into errors of the port. */
export const failAs = failuresOf(name)

/** The body of a failure. */
const WireFailure = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  /** The limit that was not met, in native units of the asset in. */
  limit: maybe(Amount),
})

/** The call that failed. */
export interface Asked extends WireCall {
  /** The asset in which limits are given; absent where the call was not about one. */
  readonly sourceAsset: AssetId | undefined
}

interface Limit {
  readonly asset: AssetId
  readonly amount: NativeAmount
}

type Reason = (detail: string, limit: Limit | undefined) => ProviderErrorReason

/** The reason of every code that the upstream documents. */
const reasons: Readonly<Record<string, Reason>> = {
  amount_too_small: (detail, limit) =>
    limit === undefined
      ? new AmountBelowMinimum({ detail })
      : new DepositBelowMinimum({ asset: limit.asset, minimum: limit.amount }),
  amount_too_large: (detail, limit) =>
    limit === undefined
      ? new InsufficientLiquidity({ detail })
      : new DepositAboveMaximum({ asset: limit.asset, maximum: limit.amount }),
  payout_too_small: (detail) => new EgressBelowMinimum({ detail }),
  no_liquidity: (detail) => new InsufficientLiquidity({ detail }),
  asset_not_served: (detail) => new AssetDisabled({ detail }),
  maintenance: (detail) => new SwappingMaintenance({ detail }),
  too_many_orders: (detail) => new TooManyChannels({ detail }),
  recipient_invalid: () =>
    new RequestRefused({
      errors: issueAbout("destinationAddress", "is not an address that the exchange can pay out to"),
    }),
}

const limitOf = ({ limit }: typeof WireFailure.Type, { sourceAsset }: Asked): Limit | undefined =>
  limit === undefined || sourceAsset === undefined ? undefined : { asset: sourceAsset, amount: limit }

/** The reason that a failure status means. A known code counts more than the status. */
export const answerReason = (answer: Answer, asked: Asked): ProviderErrorReason =>
  decodeText(WireFailure, answer.body).pipe(
    Option.filter(({ code }) => Object.hasOwn(reasons, code)),
    Option.flatMap((failure) =>
      Option.map(
        Option.fromUndefinedOr(reasons[failure.code]),
        (reason) => reason(upstreamText(failure.message), limitOf(failure, asked)),
      )
    ),
    Option.getOrElse(() => statusReason(answer, asked)),
  )
