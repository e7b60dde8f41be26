import { BigDecimal, Effect, Option, Record, Schema, SchemaGetter, SchemaIssue, Struct } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId, factsOf } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { BlockIndex, EpochMillis, toIsoDate } from "#domain/Time.ts"
import { Address } from "#domain/chains/Address.ts"
import { RefundsTo } from "#domain/swaps/RefundsTo.ts"
import { StartPath } from "#domain/swaps/Start.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { type Fee, FeePurpose, type FeeType } from "#domain/money/Fee.ts"
import { type PriceAt, type PriceOf, worthAt } from "#domain/money/UsdValue.ts"

declare global {
  interface JSON {
    /** JSON text that `JSON.stringify` writes as it is, so that a number keeps all its digits. */
    rawJSON(text: string): unknown
    /** Whether a value is such text. */
    isRawJSON(value: unknown): value is { readonly rawJSON: string }
  }
}

/** The name of the exact decimal's component in the OpenAPI document, whose type `document` sets. */
export const exactDecimalIdentifier = "ExactDecimal"

const decimalOf = (json: typeof Schema.Unknown) =>
  json.pipe(Schema.decodeTo(Schema.BigDecimal, {
    decode: SchemaGetter.transformEffect((json, options) =>
      Option.match(typeof json === "number" ? BigDecimal.fromNumber(json) : Option.none(), {
        onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ expected: "a JSON number" }, json, options)),
        onSome: Effect.succeed,
      })
    ),
    encode: SchemaGetter.transform((decimal) => JSON.rawJSON(formatDecimal(decimal))),
  }))

/**
 * A JSON number that is an exact decimal: no exponent, no trailing zeros, no rounding to a double (decision 19). A
 * client that parses it as a double loses digits; the `…Native` twin does not.
 */
export const ExactDecimal = decimalOf(Schema.Unknown)

/** The same for a member of a body that says what it is: on its key, as documents show nothing else of it. */
const exactDecimal = (description: string): typeof ExactDecimal =>
  decimalOf(Schema.Unknown.pipe(Schema.annotateKey({ description })))

/** An amount in native units, as digits: the authoritative form. */
export const NativeText = Schema.String.check(Schema.isPattern(/^[0-9]{1,39}$/)).pipe(
  Schema.decodeTo(Schema.BigIntFromString),
  Schema.decodeTo(NativeAmount),
)

/** A difference of amounts in native units, as digits with a sign where it is below 0. */
export const SignedNativeText = Schema.String.annotate({
  description: "Integer in the smallest unit of the asset; may be below 0.",
}).check(Schema.isPattern(/^-?[0-9]{1,39}$/)).pipe(Schema.decodeTo(Schema.BigIntFromString))

/** ISO 8601 with offset, the same instant as the member without `Date` (decision 20). */
export const IsoDate = Schema.String

/** Makes the members that say an amount twice: `name` in human units, and `nameNative` in native ones of this form. */
export const amountsAs =
  <S extends Schema.Top>(native: S) => <Name extends string>(name: Name, description?: string) => ({
    ...Record.singleton(name, description === undefined ? ExactDecimal : exactDecimal(description)),
    ...Record.singleton(`${name}Native` as const, native),
  })

/** Makes the members of a time on the state chain: `nameAt` with its date, and where it was. */
const moment = <Name extends string>(name: Name, description?: string) => ({
  ...Record.singleton(`${name}At` as const, description === undefined ? EpochMillis : time(description)),
  ...Record.singleton(`${name}AtDate` as const, IsoDate),
  ...Record.singleton(`${name}BlockIndex` as const, BlockIndex),
})

const time = (description: string) => EpochMillis.annotate({ description })

/**
 * Members of bodies that are always there, with what they are. Where nothing is said, documents have the word for the
 * name (`document/vocabulary.ts`).
 */
export const member = {
  text: (description: string) => Schema.String.annotate({ description }),
  count: (description: string) => Schema.Int.annotate({ description }),
  yesOrNo: (description: string) => Schema.Boolean.annotate({ description }),
  time,
  decimal: exactDecimal,
  amount: amountsAs(NativeText),
  moment,
  /** Of any other kind. It is said on the key, so that a component is the same wherever it stands. */
  of: <S extends Schema.Top>(schema: S, description: string) =>
    schema.pipe(Schema.annotateKey({ description })),
}

/** The same of members that may be absent. */
export const maybe = {
  text: (description: string) => Schema.optionalKey(member.text(description)),
  count: (description: string) => Schema.optionalKey(member.count(description)),
  yesOrNo: (description: string) => Schema.optionalKey(member.yesOrNo(description)),
  time: (description: string) => Schema.optionalKey(member.time(description)),
  decimal: (description: string) => Schema.optionalKey(member.decimal(description)),
  amount: <Name extends string>(name: Name, description?: string) =>
    Struct.map(member.amount(name, description), Schema.optionalKey),
  moment: <Name extends string>(name: Name, description?: string) =>
    Struct.map(member.moment(name, description), Schema.optionalKey),
  of: <S extends Schema.Top>(schema: S, description: string) =>
    Schema.optionalKey(member.of(schema, description)),
}

/** The value of the amount before it, and the time of the prices of an object's values (decision 69). */
export const valueUsd = maybe.decimal("Value in US dollars. Absent if no price is known.")
export const valueTimes = {
  valueUsdAt: maybe.time("Time of the oldest price of the values here, in epoch milliseconds."),
  valueUsdAtDate: Schema.optionalKey(IsoDate),
}
export const valued = { valueUsd, ...valueTimes }

/** An amount in human units: exact, also of what is less than nothing or more than one amount can be. */
export const human = (asset: AssetId, native: bigint) => BigDecimal.make(native, factsOf(asset).decimals)

export const holding = <Native extends bigint>(asset: AssetId, amount: Native) => ({
  asset,
  amount: human(asset, amount),
  amountNative: amount,
})

/**
 * An amount in both forms, as the members of a body. What answers are made of most, quotes and statuses, writes its
 * members out instead: with names that are put together here a status takes 18 µs in place of 12.
 */
export const twins = <Name extends string, Native extends bigint>(
  name: Name,
  asset: AssetId,
  amount: Native,
) => ({
  ...Record.singleton(name, human(asset, amount)),
  ...Record.singleton(`${name}Native` as const, amount),
})

/** The same of an amount that may be unknown. */
export const knownTwins = <Name extends string, Native extends bigint>(
  name: Name,
  asset: AssetId,
  amount: Native | undefined,
) => optionalMembers(amount, (amount) => twins(name, asset, amount))

/** Where a refund goes, as the members of what begins a swap (decision 54). */
export const refundMembers = {
  refundsTo: RefundsTo.annotate({
    description:
      "Where the deposit goes if it is not swapped. `address`: to `refundAddress`. `sender`: to the address that pays (the " +
      "first, if a transaction has several inputs); `refundAddress` of the request is not used, so do not pay from an exchange. " +
      "`change`: to the transaction's change output, which should pay `refundAddress` of the request.",
  }),
  refundAddress: Schema.optionalKey(Address.annotate({
    description: "The address that a refund goes to; absent where the transaction decides.",
  })),
}

/** The same of a swap. */
export const presentRefund = (refundsTo: RefundsTo, address: Address | undefined) => ({
  refundsTo,
  ...(refundsTo === "address" ? optionalMembers(address, (refundAddress) => ({ refundAddress })) : {}),
})

/** A fee of a quote or a swap (decision 22). */
export const FeeBody = Schema.Struct({
  type: Schema.Literals(["boost", "ingress", "network", "broker", "egress", "liquidity"]),
  asset: AssetId,
  ...member.amount("amount"),
  valueUsd,
  purpose: Schema.optionalKey(FeePurpose.annotate({
    description:
      "What a `network` fee is more exactly: `provider` is what the provider keeps of what is charged with the commission, " +
      "`refund` the cost of sending a deposit back. Absent of other fees. Values may be added.",
  })),
  isEstimate: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Calculated from basis points, because the provider does not report the amount.",
  })),
}).annotate({ identifier: "Fee", description: "`broker` is what the operator receives with its affiliates." })

/** The endpoints that begin a swap. */
export const StartPaths = Schema.Array(StartPath).annotate({
  description:
    "The endpoints that begin a swap from this asset: `/swap` opens a deposit channel, `/tx-payload/*` makes a " +
    "transaction for the user to sign. Empty where there are only quotes.",
})

/** The type of a fee in the contract, and its purpose where the type has others, too. */
const presentType = (type: FeeType): Pick<typeof FeeBody.Type, "type" | "purpose"> =>
  type === "provider" || type === "refund" ? { type: "network", purpose: type } : { type }

export const presentFee =
  (valueOf: ValueOf) => ({ type, asset, amount, isEstimate }: Fee): typeof FeeBody.Type => {
    const { type: shown, ...purpose } = presentType(type)
    const valueUsd = valueOf(asset, amount)
    return { type: shown, ...holding(asset, amount), ...purpose, ...defined({ valueUsd, isEstimate }) }
  }

/** Fees of an earlier version's event in today's form. Nothing else in a record has these types. */
export const withShownFees = (event: string): string =>
  event.replace(/\{"type":"(provider|refund)",/g, '{"type":"network","purpose":"$1",')

export const seconds = (millis: number): BigDecimal.BigDecimal =>
  BigDecimal.make(BigInt(Math.round(millis)), 3)

/** The further requirements of a deposit, where its address alone does not tell which swap it belongs to. */
export const exactDeposit = {
  memo: Schema.optionalKey(Schema.NonEmptyString.annotate({
    description: "Memo that the deposit's transaction must carry: without it the money is lost.",
  })),
  ...maybe.amount(
    "exactAmount",
    "Pay exactly this amount: other swaps share the address, and any other amount can be lost.",
  ),
}

/** The further requirements of a deposit, in the form of the contract. */
export const presentExactDeposit = (
  sourceAsset: AssetId,
  { exactAmount, memo }: {
    readonly exactAmount?: NativeAmount | undefined
    readonly memo?: string | undefined
  },
) => ({
  ...optionalMembers(memo, (memo) => ({ memo })),
  ...knownTwins("exactAmount", sourceAsset, exactAmount),
})

/** The value of an amount in US dollars; none where there is no amount, or no price. */
export type ValueOf = (asset: AssetId, native: bigint | undefined) => BigDecimal.BigDecimal | undefined

export const noValue: ValueOf = () => undefined

export const noPrices: PriceAt = () => () => undefined

/** What is made with values, and the time of the oldest price that was used (decision 69). */
export const withValues = <A extends object>(priceOf: PriceOf, make: (valueOf: ValueOf) => A) => {
  let oldest: EpochMillis | undefined
  const made = make((asset, native) => {
    const price = native === undefined ? undefined : priceOf(asset)
    if (native === undefined || price === undefined) return undefined
    if (oldest === undefined || price.at < oldest) oldest = price.at
    return worthAt(price.usd, native)
  })
  return { ...made, ...optionalMembers(oldest, (at) => ({ valueUsdAt: at, valueUsdAtDate: toIsoDate(at) })) }
}
