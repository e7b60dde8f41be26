import { Effect, Schema, Struct } from "effect"
import type { McpSchema } from "effect/ai"
import { PaymentBody, presentPayment } from "#api/Payment.ts"
import { SwapRecordBody, SwapStatusBody } from "#api/SwapRecord.ts"
import { exactDeposit } from "#api/shape.ts"
import { Address } from "#domain/chains/Address.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { Chain } from "#domain/chains/Chain.ts"
import { awaitsDeposit, type Payment, paymentOf } from "#domain/swaps/payment/Payment.ts"
import { termsOfSwap } from "#domain/swaps/payment/Payable.ts"
import { qrSvg } from "#domain/swaps/payment/qrCode.ts"
import { asksForPayment, hasFreshStatus } from "#domain/swaps/Guidance.ts"
import type { StandingSwap } from "#domain/swaps/SwapRecord.ts"
import { codeText, Guide } from "#application/guidance/Guide.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { answerBy, argumentsReader, type Asks, type Tool } from "../Tool.ts"
import { SwapNetworks } from "#providers/SwapNetworks.ts"
import { findSwap, summaryOf, swapNames } from "./swapSummary.ts"

const input = Schema.Struct(swapNames)

const output = Schema.Struct({
  swapId: SwapRecordBody.fields.id,
  isAwaited: Schema.Boolean.annotate({ description: "If false, do not pay." }),
  sourceAsset: SwapStatusBody.fields.sourceAsset.annotate({
    description: "The only asset to pay with; all amounts here are of it.",
  }),
  network: Chain.annotate({ description: "The only network to pay on." }),
  address: Schema.optionalKey(Address),
  ...exactDeposit,
  payment: Schema.optionalKey(PaymentBody),
})

const write = answerBy(output)
const read = argumentsReader(input)

/** How to pay now; nothing where no deposit is awaited. While nobody should pay that is all it says. */
const payableOf = Effect.fnUntraced(function* (swap: StandingSwap) {
  const { status } = swap
  const { depositChannel, sourceAsset } = status
  if (depositChannel === undefined || depositChannel.isExpired || !awaitsDeposit(status)) return undefined
  const { networkOf } = yield* OpeningRules
  const { phase } = yield* (yield* Guide).swap(swap)
  const isStopped = !asksForPayment(phase)
  const terms = { ...termsOfSwap(status), network: networkOf(swap.platform), isStopped }
  return {
    sourceAsset,
    isAwaited: hasFreshStatus(phase),
    isStopped,
    payment: paymentOf(depositChannel, terms, yield* currentMillis),
  }
})

/** The form of the pictures of codes. */
export const svg = "image/svg+xml"

const picture = (swapId: number, { codeText }: Payment): ReadonlyArray<McpSchema.ContentBlock> =>
  codeText === undefined ? [] : [{
    type: "resource",
    // It is for eyes: a model has the link that it holds.
    annotations: { audience: ["user"] },
    resource: { uri: `broker://swaps/${swapId}/qr.svg`, mimeType: svg, text: qrSvg(codeText) },
  }]

const perform = Effect.fnUntraced(function* (given: unknown) {
  const record = yield* findSwap(yield* read(given))
  const found = yield* payableOf(record)
  const { sourceAsset } = record.status
  const about = { swapId: record.id, sourceAsset, network: chainOf(sourceAsset) }
  if (found === undefined) return write({ ...about, isAwaited: false })
  const { depositAddress, ...deposit } = summaryOf(record, yield* SwapNetworks)
  const answer = write({
    ...about,
    isAwaited: found.isAwaited,
    ...(found.isStopped ? {} : {
      ...defined({ address: depositAddress }),
      ...Struct.pick(deposit, ["memo", "exactAmount", "exactAmountNative"]),
    }),
    payment: presentPayment(found.sourceAsset, found.payment),
  })
  return { ...answer, shown: picture(record.id, found.payment) }
})

/** The code by which a swap can be paid now, as a picture; fails where nobody should scan one. */
export const paymentCode = Effect.fnUntraced(function* (given: unknown) {
  const swap = yield* findSwap(yield* read(given))
  const { networkOf } = yield* OpeningRules
  return qrSvg(yield* codeText(swap, networkOf(swap.platform)))
})

export const getPayment: Tool<Asks<typeof perform>> = {
  name: "get_payment",
  title: "Where and how much to pay",
  description:
    "How to pay for a swap that waits for its deposit: address, amount, a link for wallets, a QR code (SVG) and warnings. " +
    "Show every warning. Without an address, do not pay now.",
  scope: "status",
  effects: "reads",
  input,
  output,
  perform,
}
