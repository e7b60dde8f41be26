import {
  AmountBelowMinimum,
  AssetDisabled,
  type AssetId,
  DepositBelowMinimum,
  type ProviderErrorReason,
  ProviderName,
} from "@swap-broker/core/domain"
import {
  Amount,
  type Answer,
  Count,
  decodeText,
  failAs as failuresOf,
  type HttpUrl,
  makeRest,
  maybe,
  Millis,
  Seconds,
  statusReason,
  upstreamText,
  type WireCall,
} from "@swap-broker/core/provider"
import { Option, type Redacted, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"

/* What the upstream is asked and answers: change this first, and exchange.ts with it. */

export const name = ProviderName.make("example")

export const failAs = failuresOf(name)

export interface Options {
  readonly url: typeof HttpUrl.Type
  readonly apiKey: Redacted.Redacted<string>
}

/** The upstream's names of the assets that it swaps and the catalogue has: a chain, and the contract of a token. */
const tokens: ReadonlyMap<string, AssetId> = new Map<string, AssetId>([
  ["bitcoin", "btc.btc"],
  ["ethereum", "eth.eth"],
  ["ethereum:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "usdc.eth"],
])

export const readToken = (token: string): AssetId | undefined => tokens.get(token)

/** The upstream's name of an asset. One that it does not have gets ours, which the upstream refuses. */
export const writeToken = (asset: AssetId): string =>
  [...tokens].find(([, known]) => known === asset)?.[0] ?? asset

/** `GET /v1/assets` */
export const WireAssets = Schema.Array(
  Schema.Struct({ token: Schema.String, decimals: Count, minimum: Amount }),
)

/** What a quote and an order are for, as it is sent and comes back. */
const terms = { from: Schema.String, to: Schema.String, amount: Schema.String, commissionBps: Schema.String }

/** `GET /v1/quote` */
export const WireQuote = Schema.Struct({ ...terms, amountOut: Amount, commission: Amount, seconds: Seconds })

const Transfer = Schema.Struct({ amount: Amount, hash: Schema.String })

/** `POST /v1/orders` and `GET /v1/orders/{number}` */
export const WireOrder = Schema.Struct({
  ...terms,
  recipient: Schema.String,
  refundTo: Schema.String,
  minimumOut: Schema.String,
  number: Schema.String,
  depositAddress: Schema.String,
  createdAt: Millis,
  expiresAt: Millis,
  seconds: Seconds,
  status: Schema.String,
  deposit: maybe(Transfer),
  payout: maybe(Transfer),
  refund: maybe(Transfer),
})
export type WireOrder = typeof WireOrder.Type

const WireFailure = Schema.Struct({ code: Schema.String, message: Schema.String, limit: maybe(Amount) })

/** A call, and the asset in which a limit is given. */
interface Call extends WireCall {
  readonly sourceAsset: AssetId | undefined
}

/** What a refusal means: one whose code has no meaning here means what its status does. */
const reasonOf = (answer: Answer, call: Call): ProviderErrorReason =>
  Option.match(decodeText(WireFailure, answer.body), {
    onNone: () => statusReason(answer, call),
    onSome: ({ code, limit, message }) => {
      const detail = upstreamText(message)
      if (code === "asset_not_served") return new AssetDisabled({ detail })
      if (code !== "amount_too_small") return statusReason(answer, call)
      return limit === undefined || call.sourceAsset === undefined
        ? new AmountBelowMinimum({ detail })
        : new DepositBelowMinimum({ asset: call.sourceAsset, minimum: limit })
    },
  })

const endpoint = "exchange"

export const asking = (sourceAsset?: AssetId, opening = false): Call => ({ endpoint, opening, sourceAsset })

/** The upstream's endpoints. */
export const makeClient = (client: HttpClient.HttpClient, { apiKey, url }: Options) =>
  makeRest<Call>({
    client,
    url,
    endpoint,
    reasonOf,
    credential: { key: Option.some(apiKey), authorise: HttpClientRequest.bearerToken },
    isUnknown: ({ status }) => status === 404,
  })
export type Client = ReturnType<typeof makeClient>
