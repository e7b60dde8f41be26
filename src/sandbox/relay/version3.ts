import { Schema, Struct } from "effect"

/** A quote in the form of v3. None was recorded: it is built of v2's as the documents describe it (relay/wire.md 1, versions). */

const rest = [Schema.Record(Schema.String, Schema.Unknown)] as const

const Fee = Schema.Struct({
  currency: Schema.Unknown,
  amount: Schema.String,
  amountFormatted: Schema.String,
  amountUsd: Schema.String,
})

const Quote = Schema.StructWithRest(
  Schema.Struct({
    // Parts of recorded answers have none.
    steps: Schema.optionalKey(Schema.Array(Schema.StructWithRest(
      Schema.Struct({
        requestId: Schema.String,
        depositAddress: Schema.optionalKey(Schema.String),
        items: Schema.Array(Schema.StructWithRest(
          Schema.Struct({ data: Schema.Record(Schema.String, Schema.Unknown) }),
          rest,
        )),
      }),
      rest,
    ))),
    fees: Schema.Struct({
      relayer: Schema.optionalKey(Fee),
      relayerGas: Schema.optionalKey(Fee),
      relayerService: Schema.optionalKey(Fee),
      app: Schema.optionalKey(Fee),
    }),
    details: Schema.Record(Schema.String, Schema.Unknown),
  }),
  rest,
)

const readQuote = Schema.decodeUnknownSync(Quote)

const negated = (usd: string): string => usd.startsWith("-") ? usd.slice(1) : `-${usd}`

/** A share of the fees: what it costs is below 0 in US dollars. */
const share = (fee: typeof Fee.Type | undefined) =>
  fee === undefined
    ? { usd: "0", amount: "0", amountFormatted: "0.0" }
    : { usd: negated(fee.amountUsd), ...Struct.pick(fee, ["amount", "amountFormatted"]) }

/** The same quote as v3 writes it. */
export const asVersion3 = (body: unknown, type: "strict" | "open" = "strict"): unknown => {
  const { details, fees: { app, relayer, relayerGas, relayerService }, steps = [], ...others } = readQuote(
    body,
  )
  const quoted = {
    swap: share(undefined),
    execution: share(relayerGas ?? relayer),
    platform: share(relayerService),
    ...(app === undefined ? {} : { app: share(app) }),
    sponsored: share(undefined),
  }
  return {
    ...others,
    requestId: steps[0]?.requestId,
    steps: steps.flatMap(({ depositAddress: address = "", items, requestId, ...step }) =>
      items.map(({ data, ...item }) => ({
        ...step,
        ...item,
        data: Struct.omit(data, ["from"]),
        depositAddress: address === ""
          ? null
          : { address, type, depositor: null, depositTxHash: null, recoveryAddress: null },
        depositAddressId: address === "" ? null : requestId,
      }))
    ),
    fees: { quoted, actual: null, currency: relayer?.currency },
    details: Struct.omit(details, ["expandedPriceImpact"]),
  }
}
