import { BigDecimal, Effect, Option, Schema, SchemaGetter, SchemaIssue } from "effect"
import { NativeAmount, toHuman } from "../domain/Amount.ts"
import { AssetId } from "../domain/Asset.ts"
import { formatDecimal } from "../domain/Decimal.ts"
import { StartPath } from "../domain/Start.ts"
import { spread } from "../platform/spread.ts"
import { type Fee, FeeType } from "../domain/Fee.ts"

declare global {
  interface JSON {
    /** JSON text that `JSON.stringify` writes as it is, so that a number keeps all its digits. */
    rawJSON(text: string): unknown
  }
}

/** The name of the exact decimal's component in the OpenAPI document, whose type `document` sets. */
export const exactDecimalIdentifier = "ExactDecimal"

const decimalOf = (json: typeof Schema.Unknown) =>
  json.pipe(
    Schema.decodeTo(Schema.BigDecimal, {
      decode: SchemaGetter.transformEffect((json, options) =>
        Option.match(typeof json === "number" ? BigDecimal.fromNumber(json) : Option.none(), {
          onNone: () =>
            Effect.fail(new SchemaIssue.InvalidValue({ expected: "a JSON number" }, json, options)),
          onSome: Effect.succeed,
        })
      ),
      encode: SchemaGetter.transform((decimal) => JSON.rawJSON(formatDecimal(decimal))),
    }),
  )

/**
 * A JSON number that is an exact decimal: no exponent, no trailing zeros, no rounding to a double (decision 19). A
 * client that parses it as a double loses digits; the `…Native` twin does not.
 */
export const ExactDecimal = decimalOf(Schema.Unknown)

/** The same for a member of a body that says what it is: on its key, as documents show nothing else of it. */
export const exactDecimal = (says: { readonly description: string }): typeof ExactDecimal =>
  decimalOf(Schema.Unknown.pipe(Schema.annotateKey(says)))

/** An amount in native units, as digits: the authoritative form. */
export const NativeText = Schema.String.annotate({
  description: "Integer in the smallest unit of the asset.",
})
  .check(Schema.isPattern(/^[0-9]{1,39}$/)).pipe(
    Schema.decodeTo(Schema.BigIntFromString),
    Schema.decodeTo(NativeAmount),
  )

/** A difference of amounts in native units, as digits with a sign where it is below 0. */
export const SignedNativeText = Schema.String.annotate({
  description: "Integer in the smallest unit of the asset; may be below 0.",
}).check(Schema.isPattern(/^-?[0-9]{1,39}$/)).pipe(Schema.decodeTo(Schema.BigIntFromString))

/** ISO 8601 with offset, the same instant as the member without `Date` (decision 20). */
export const IsoDate = Schema.String

/** A fee of a quote or a swap (decision 22). */
export const FeeBody = Schema.Struct({
  type: FeeType,
  asset: AssetId,
  amount: ExactDecimal,
  amountNative: NativeText,
  isEstimate: Schema.optionalKey(Schema.Boolean.annotate({
    description: "The provider does not tell the amount: it is worked out from basis points.",
  })),
}).annotate({
  identifier: "Fee",
  description:
    "`broker` is what the operator receives with its affiliates, `provider` what the provider keeps of what is charged " +
    "with it. Types may be added: one that you do not know is a fee like the others.",
})

/** The endpoints that begin a swap. */
export const StartPaths = Schema.Array(StartPath).annotate({
  description:
    "The endpoints that begin a swap from this asset: `/swap` opens a deposit channel, `/tx-payload/*` makes a " +
    "transaction for the user to sign. Empty where there are only quotes.",
})

/** A fee with its amount in both forms. */
export const presentFee = ({ type, asset, amount, ...others }: Fee): typeof FeeBody.Type => ({
  type,
  asset,
  amount: toHuman(asset, amount),
  amountNative: amount,
  ...others,
})

export const seconds = (millis: number): BigDecimal.BigDecimal =>
  BigDecimal.make(BigInt(Math.round(millis)), 3)

/** The further requirements of a deposit, where its address alone does not tell which swap it belongs to. */
export const exactDeposit = {
  memo: Schema.optionalKey(Schema.NonEmptyString.annotate({
    description: "Memo that the deposit's transaction must carry: without it the money is lost.",
  })),
  exactAmount: Schema.optionalKey(exactDecimal({
    description: "The only amount that counts as a deposit, to the last digit: others share the address.",
  })),
  exactAmountNative: Schema.optionalKey(NativeText),
}

/** The further requirements of a deposit, in the form of the contract. */
export const presentExactDeposit = (
  sourceAsset: AssetId,
  { exactAmount, memo }: {
    readonly exactAmount?: NativeAmount | undefined
    readonly memo?: string | undefined
  },
) => ({
  ...spread(memo, (memo) => ({ memo })),
  ...spread(exactAmount, (amount) => ({
    exactAmount: toHuman(sourceAsset, amount),
    exactAmountNative: amount,
  })),
})
