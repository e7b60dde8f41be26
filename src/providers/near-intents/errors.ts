import { Option } from "effect"
import { NativeAmount, toHuman } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { formatDecimal } from "../../domain/Decimal.ts"
import { issueAbout } from "../../domain/Issues.ts"
import {
  AmountBelowMinimum,
  AssetDisabled,
  DepositChannelFailed,
  EgressBelowMinimum,
  EgressFeeNotCovered,
  InsufficientLiquidity,
  type ProviderErrorReason,
  QuotingMaintenance,
  RequestRefused,
  SwappingMaintenance,
  TooManyChannels,
  UpstreamFailed,
} from "../../domain/ProviderError.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import { failAs as failuresOf, messageOf, statusReason } from "../upstream/failures.ts"
import type { Answer } from "../upstream/transport.ts"

/** The neutral name of the provider. */
export const name = ProviderName.make("near-intents")

/** The error of the port, from the reasons that an operation fails with inside. */
export const failAs = failuresOf(name)

/** The request that a message answers. */
interface Subject {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  /** Native units of the source asset. */
  readonly amount: NativeAmount
  /** Whether recipient and refund address are the caller's; else they are placeholders. */
  readonly callersAddresses: boolean
}

type Read = (match: RegExpExecArray, subject: Subject) => ProviderErrorReason | undefined

const always = (reason: ProviderErrorReason): Read => () => reason

const refused = (parameter: string, predicate: string): ProviderErrorReason =>
  new RequestRefused({ errors: issueAbout(parameter, predicate) })

/** The caller can only be told of addresses that are his. */
const ofCaller = (parameter: string, predicate: string): Read => (_, { callersAddresses }) =>
  callersAddresses ? refused(parameter, predicate) : undefined

/**
 * The service does not say which asset's units the least amount is in, so it is only shown where it makes
 * sense for the source asset: above what was sent.
 */
const tooLow: Read = ([, digits], { sourceAsset, amount }) => {
  const least = digits === undefined
    ? Option.none()
    : Option.filter(NativeAmount.makeOption(BigInt(digits)), (least) => least > amount)
  const advice = Option.match(least, {
    onNone: () => "swap more",
    onSome: (least) => `swap at least ${formatDecimal(toHuman(sourceAsset, least))} ${sourceAsset}`,
  })
  return new AmountBelowMinimum({ detail: `The amount is too low for the provider: ${advice}` })
}

const notServed = (side: "sourceAsset" | "destinationAsset"): Read => (_, subject) =>
  new AssetDisabled({ detail: `The provider does not take ${subject[side]} at present` })

/** Every text that has a meaning of its own (near-intents/wire.md 1), the first that fits. */
const knownMessages: ReadonlyArray<readonly [pattern: RegExp, read: Read]> = [
  [/too low for bridge(?:, try at least ([0-9]{1,39})(?![0-9.]))?/i, tooLow],
  [
    /temporary limit|minimum swap amount/i,
    always(
      new AmountBelowMinimum({ detail: "The amount is below what the provider swaps at present: swap more" }),
    ),
  ],
  [
    /below the minimum withdrawal amount/i,
    always(new EgressBelowMinimum({ detail: "The output is below what can be paid out: swap more" })),
  ],
  [
    /not cover the withdrawal fee/i,
    always(new EgressFeeNotCovered({ detail: "The output does not cover the payout's fee: swap more" })),
  ],
  [
    /no liquidity|failed to get (?:a )?quote|no_quote|no quote/i,
    always(
      new InsufficientLiquidity({ detail: "There is not enough liquidity for this amount: try a lower one" }),
    ),
  ],
  [
    /quoting is paused for maintenance/i,
    always(new QuotingMaintenance({ detail: "Quoting is in maintenance: try again later" })),
  ],
  [
    /swaps? (?:are|is) paused for maintenance/i,
    always(new SwappingMaintenance({ detail: "The swap service is in maintenance: try again later" })),
  ],
  [
    /failed to create (?:a )?deposit address/i,
    always(new DepositChannelFailed({ detail: "The provider could not make a deposit address" })),
  ],
  [
    /too many active deposit addresses/i,
    always(
      new TooManyChannels({ detail: "The cap of open deposit channels is reached: try again later" }),
    ),
  ],
  [/tokenin (?:is )?not valid|invalid tokenin/i, notServed("sourceAsset")],
  [/tokenout (?:is )?not valid|invalid tokenout/i, notServed("destinationAsset")],
  [
    /depositmode/i,
    always(refused("sourceAsset", "needs a memo with each deposit, which is not served")),
  ],
  [
    /appfees must not exceed/i,
    always(refused("commissionBps", "is more than the provider takes")),
  ],
  [
    /(?=.*\brecipient\b)(?=.*(?:valid|incorrect))/is,
    ofCaller("destinationAddress", "is not an address that the provider can pay out to"),
  ],
  [
    /(?=.*\brefundto\b)(?=.*(?:valid|incorrect))/is,
    ofCaller("refundAddress", "is not an address that the provider can refund to"),
  ],
  [
    /internal server error/i,
    always(new UpstreamFailed({ detail: "The 1Click service reports an internal error" })),
  ],
]

/** What a message of the upstream means, if it is one of those that are known. */
const knownReason = (message: string, subject: Subject): Option.Option<ProviderErrorReason> => {
  for (const [pattern, read] of knownMessages) {
    const match = pattern.exec(message)
    if (match !== null) return Option.fromUndefinedOr(read(match, subject))
  }
  return Option.none()
}

/** What our messages call the upstream. */
export const endpoint = "1Click service"

/** What was asked when the answer came. */
export interface Asked {
  /** Whether it was the call that opens a deposit address. */
  readonly opening: boolean
  /** Of calls for a quote, dry or not. */
  readonly subject: Option.Option<Subject>
}

/** The token that we sent is not one of theirs, or no longer. */
export const isTokenRefused = ({ status }: Answer): boolean => status === 401

/** Whatever the service refuses in so many words it has not done, so another provider may be asked. */
const unlessRefused = (reason: ProviderErrorReason, { status }: Answer, opening: boolean) =>
  opening && reason._tag === "UpstreamFailed" && status < 500
    ? new DepositChannelFailed({ detail: reason.detail })
    : reason

/**
 * What an answer means that is not 2xx (near-intents/wire.md 1). There are no codes: a known text counts more than
 * the status, and a text that is not known means nothing.
 */
export const answerReason = (answer: Answer, { opening, subject }: Asked): ProviderErrorReason =>
  Option.all({ message: messageOf(answer.body), subject }).pipe(
    Option.flatMap(({ message, subject }) => knownReason(message, subject)),
    Option.getOrElse(() => unlessRefused(statusReason(answer, { endpoint, opening }), answer, opening)),
  )
