import { Schema } from "effect"
import { AssetId } from "#domain/chains/Asset.ts"
import {
  askedBpsOf,
  chargedOf,
  type CommissionFigures,
  commissionsOf,
  type SummedCommission,
} from "#domain/money/Commission.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { amountsAs, holding, human, member } from "./shape.ts"

/** A sum of many swaps, which can exceed the most that one amount can hold. */
const SumText = member.text("Integer in the smallest unit of the asset.").check(Schema.isPattern(/^[0-9]+$/))
  .pipe(Schema.decodeTo(Schema.BigIntFromString))

const amount = amountsAs(SumText)

const received = "What the operator receives, with what affiliates get of it."

/** What payers are charged and the provider keeps, of one swap or of many. */
const otherFigures = {
  ...amount("charged", "What payers are charged: what is received, and what the provider keeps."),
  ...amount("kept", "What the provider keeps of it for itself."),
  isEstimate: member.yesOrNo(
    "Whether part of the figure is calculated from basis points, because the provider does not report it.",
  ),
}

const presentOthers = (asset: AssetId, figures: CommissionFigures) => {
  const charged = chargedOf(figures)
  return {
    charged: human(asset, charged),
    chargedNative: charged,
    kept: human(asset, figures.kept),
    keptNative: figures.kept,
    isEstimate: figures.isEstimate,
  }
}

/** The members of a sum of commission: `amount` is what is received. */
export const sumFields = { asset: AssetId, ...amount("amount", received), swaps: Schema.Int, ...otherFigures }

/** A sum as the API shows it: exact, in units of the asset and in native units. */
export const presentSum = (asset: AssetId, sum: SummedCommission) => ({
  ...holding(asset, sum.amount),
  swaps: sum.swaps,
  ...presentOthers(asset, sum),
})

export const SwapCommissionBody = Schema.Struct({
  askedBps: member.count("What was asked for, of all brokers together."),
  figures: Schema.Array(
    Schema.Struct({ asset: AssetId, ...amount("received", received), ...otherFigures })
      .annotate({ identifier: "CommissionFigures" }),
  ).annotate({ description: "By asset, mostly of one; empty before anything is charged." }),
}).annotate({
  identifier: "SwapCommission",
  description:
    "Commission as asked for, received, kept and charged: what the fees `broker` and `provider` come to.",
})

/** The commission of a swap in the form of the contract. */
export const presentSwapCommission = (status: SwapStatus): typeof SwapCommissionBody.Type => ({
  askedBps: askedBpsOf(status),
  figures: commissionsOf(status).map((commission) => ({
    asset: commission.asset,
    received: human(commission.asset, commission.amount),
    receivedNative: commission.amount,
    ...presentOthers(commission.asset, commission),
  })),
})
