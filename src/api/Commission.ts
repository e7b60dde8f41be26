import { Option, Schema } from "effect"
import { AssetId, assetIds } from "../domain/Asset.ts"
import { UtcDay } from "../domain/UtcDay.ts"
import { ExactDecimal } from "./shape.ts"
import { parameter } from "./parameterKinds.ts"

const day = (description: string, example: string) =>
  parameter(
    {
      description,
      example,
      jsonSchema: { type: "string", format: "date" },
      issue: "must be a day of the calendar, such as 2026-07-29",
    },
    UtcDay,
    (text) => Option.map(UtcDay.makeOption(text), String),
  )

/** How many days one answer covers. */
export const mostDays = 366

/** Parameters of `/commission`. */
export const CommissionParameters = Schema.Struct({
  from: day("First day (UTC).", "2026-07-01"),
  to: day(`Last day (UTC), itself included; at most ${mostDays} days with the first one.`, "2026-07-31"),
  asset: Schema.optionalKey(
    Schema.Literals(assetIds).annotate({
      description: "Only commission in this asset.",
      examples: ["usdc.eth"],
      message: `must be one of the known assets: ${assetIds.join(", ")}`,
    }),
  ),
})

/** Sums of many swaps can be more than the most that one can carry. */
const SumText = Schema.String.annotate({ description: "Integer in the smallest unit of the asset." })
  .check(Schema.isPattern(/^[0-9]+$/))
  .pipe(Schema.decodeTo(Schema.BigIntFromString))

const sum = { asset: AssetId, amount: ExactDecimal, amountNative: SumText, swaps: Schema.Int }

/** What was earned on one day in one asset. */
const CommissionDayBody = Schema.Struct({
  day: Schema.String.annotate({ description: "YYYY-MM-DD (UTC), on which the swaps paid out." }),
  ...sum,
}).annotate({ identifier: "CommissionOfDay" })

/** What was earned over all days in one asset. */
const CommissionTotalBody = Schema.Struct(sum).annotate({ identifier: "CommissionTotal" })

/** Earned commission by asset and day. */
export const CommissionBody = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  totals: Schema.Array(CommissionTotalBody),
  days: Schema.Array(CommissionDayBody).annotate({
    description: "By day, then by asset; days without any are left out.",
  }),
}).annotate({ identifier: "Commission" })
export type CommissionBody = typeof CommissionBody.Type
