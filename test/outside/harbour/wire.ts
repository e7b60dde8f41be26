import {
  Amount,
  type Answer,
  Count,
  Decimal,
  decodeText,
  failAs as failuresOf,
  type HttpUrl,
  isSameAddress,
  makeRest,
  maybe,
  Millis,
  Seconds,
  statusReason,
  upstreamText,
  type WireCall,
} from "@swap-broker/core/provider"
import {
  AmountBelowMinimum,
  AssetDisabled,
  type AssetId,
  assetIds,
  type Chain,
  DepositBelowMinimum,
  factsOf,
  findChain,
  type ProviderErrorReason,
  ProviderName,
} from "@swap-broker/core/domain"
import { Option, type Redacted, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"

export const name = ProviderName.make("harbour")

export const failAs = failuresOf(name)

export interface Options {
  readonly url: typeof HttpUrl.Type
  readonly apiKey: Redacted.Redacted<string>
}

const chainNames: Readonly<Record<string, string>> = {
  ethereum: "Ethereum",
  gnosis: "Gnosis",
  vertcoin: "Vertcoin",
}

/** The chain and the contract decide which asset a token is, never a ticker. */
const isToken = (asset: AssetId, chain: Chain, contract: string | undefined): boolean => {
  const facts = factsOf(asset)
  return facts.chain === chain &&
    (contract === undefined || facts.contractAddress === undefined
      ? contract === facts.contractAddress
      : isSameAddress(chain, contract, facts.contractAddress))
}

/** The asset of a token, `<chain>` or `<chain>:<contract>`, where the catalogue has it. */
export const readToken = (token: string): AssetId | undefined => {
  const [name = "", contract] = token.split(":")
  const chain = findChain(chainNames[name] ?? "")
  return chain === undefined ? undefined : assetIds().find((asset) => isToken(asset, chain, contract))
}

export const writeToken = (asset: AssetId): string => {
  const { chain, contractAddress } = factsOf(asset)
  const name = chain.toLowerCase()
  return contractAddress === undefined ? name : `${name}:${contractAddress.toLowerCase()}`
}

export const WireAssets = Schema.Array(
  Schema.Struct({ token: Schema.String, decimals: Count, minimum: Amount, dollars: Decimal }),
)

export const WireQuote = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  amountIn: Amount,
  commissionBps: Count,
  amountOut: Amount,
  commission: Amount,
  seconds: Seconds,
})

const Transfer = Schema.Struct({ amount: Amount, hash: Schema.String })

export const WireOrder = Schema.Struct({
  number: Count,
  from: Schema.String,
  to: Schema.String,
  amount: Amount,
  recipient: Schema.String,
  refundTo: Schema.String,
  minimumOut: Amount,
  commissionBps: Count,
  depositAddress: Schema.String,
  createdAt: Millis,
  expiresAt: Millis,
  status: Schema.String,
  deposit: maybe(Transfer),
  payout: maybe(Schema.Struct({ ...Transfer.fields, commission: Amount })),
  refund: maybe(Transfer),
})
export type WireOrder = typeof WireOrder.Type

export const WireAccount = Schema.Array(Schema.Struct({ token: Schema.String, amount: Amount }))

const WireFailure = Schema.Struct({ code: Schema.String, message: Schema.String, limit: maybe(Amount) })

/** A call, and the asset in which limits are given. */
interface Asked extends WireCall {
  readonly sourceAsset: AssetId | undefined
}

const reasonOf = (answer: Answer, asked: Asked): ProviderErrorReason =>
  Option.match(decodeText(WireFailure, answer.body), {
    onNone: () => statusReason(answer, asked),
    onSome: ({ code, limit, message }) => {
      const detail = upstreamText(message)
      if (code === "asset_not_served") return new AssetDisabled({ detail })
      if (code !== "amount_too_small") return statusReason(answer, asked)
      return limit === undefined || asked.sourceAsset === undefined
        ? new AmountBelowMinimum({ detail })
        : new DepositBelowMinimum({ asset: asked.sourceAsset, minimum: limit })
    },
  })

/** The exchange's endpoints. */
export const makeClient = (client: HttpClient.HttpClient, { apiKey, url }: Options) =>
  makeRest<Asked>({
    client,
    url,
    endpoint: "exchange",
    reasonOf,
    credential: { key: Option.some(apiKey), authorise: HttpClientRequest.bearerToken },
    isUnknown: ({ status }) => status === 404,
  })
export type Client = ReturnType<typeof makeClient>

export const asking = (sourceAsset?: AssetId, opening = false): Asked => ({
  endpoint: "exchange",
  opening,
  sourceAsset,
})
