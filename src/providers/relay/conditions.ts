import { Duration, Effect, Result, Schema } from "effect"

import { type AssetId, assetIds, factsOf } from "#domain/chains/Asset.ts"
import type { MalformedBody } from "#domain/ProviderError.ts"

import { type Capabilities } from "../Capabilities.ts"
import type { AssetSupport } from "../Provider.ts"
import { isSameAddress } from "../upstream/openedOrder.ts"
import { Count, decode, logged, malformed, maybe, type Noticed } from "../upstream/values.ts"
import { upstreamText } from "../upstream/failures.ts"
import { makeRefreshed } from "../upstream/refreshed.ts"
import { findServedChain, type ServedChain, servedChains } from "./chains.ts"
import { type Client, endpoint } from "./client.ts"

/** The answer of `GET /chains` as far as it must be read to tell which of the chains are ours. */
const WireChains = Schema.Struct({
  chains: Schema.Array(Schema.StructWithRest(
    Schema.Struct({ id: Schema.Unknown }),
    [Schema.Record(Schema.String, Schema.Unknown)],
  )),
})

const WireCurrency = Schema.Struct({ address: Schema.String, symbol: Schema.String, decimals: Count })
type WireCurrency = typeof WireCurrency.Type

const Currencies = maybe(Schema.Array(WireCurrency))

/** A chain of ours (relay/wire.md 1, chains). */
const WireChain = Schema.Struct({
  disabled: maybe(Schema.Boolean),
  depositEnabled: maybe(Schema.Boolean),
  currency: WireCurrency,
  erc20Currencies: Currencies,
  featuredTokens: Currencies,
  solverCurrencies: Currencies,
  protocol: maybe(Schema.Struct({ v2: maybe(Schema.Struct({ chainId: maybe(Schema.String) })) })),
})
type WireChain = typeof WireChain.Type

export interface Currency {
  readonly asset: AssetId
  readonly chain: ServedChain
  readonly address: string
  /** Deposit addresses take it now. */
  readonly ingress: boolean
  readonly egress: boolean
  /** What orders call the chain, where the upstream says. */
  readonly protocolChain?: string
}

/** The assets that the upstream serves, or would if their chain was not off. */
export type Currencies = ReadonlyMap<AssetId, Currency>

/** A chain's own coin is what stands for it, and tokens are known by their contract. */
const isAsset = (asset: AssetId, chain: ServedChain, address: string, coin: string): boolean => {
  const { contractAddress, ...facts } = factsOf(asset)
  return facts.chain === chain && isSameAddress(chain, contractAddress ?? coin, address)
}

/** What stands for a chain's own coin. A known one has to be just that: another would be paid out in its place. */
const coinOf = (chain: ServedChain, { currency }: WireChain): Result.Result<string, string> => {
  const { coin = currency.address } = servedChains[chain]
  if (!isSameAddress(chain, coin, currency.address)) return Result.fail(`${chain} has another coin`)
  const isToken = assetIds().some((asset) => {
    const { contractAddress } = factsOf(asset)
    return contractAddress !== undefined && isSameAddress(chain, contractAddress, coin)
  })
  return isToken ? Result.fail(`a token is said to be the coin of ${chain}`) : Result.succeed(coin)
}

/** The assets of one chain, and a line about each that the upstream has with other decimals. */
const currenciesOf = (chain: ServedChain, wire: WireChain, coin: string) => {
  const isOn = wire.disabled !== true && wire.depositEnabled !== false
  const deposited = wire.solverCurrencies ?? []
  const listed = [...deposited, wire.currency, ...wire.erc20Currencies ?? [], ...wire.featuredTokens ?? []]
  const protocolChain = wire.protocol?.v2?.chainId
  const currencies: Array<Currency> = []
  const contradictions: Array<string> = []
  for (const asset of assetIds()) {
    const rows = listed.filter(({ address }) => isAsset(asset, chain, address, coin))
    const [row] = rows
    if (row === undefined) continue
    const { decimals } = factsOf(asset)
    const other = rows.find((row) => row.decimals !== decimals)
    if (other !== undefined) {
      contradictions.push(
        `Left out ${asset}: it has ${decimals} decimals, but the ${endpoint} says ${other.decimals}`,
      )
      continue
    }
    currencies.push({
      asset,
      chain,
      address: row.address,
      ingress: isOn && deposited.some(({ address }) => isAsset(asset, chain, address, coin)),
      egress: isOn,
      ...(protocolChain === undefined ? {} : { protocolChain }),
    })
  }
  return { currencies, contradictions }
}

/** Finds our assets in the answer of `GET /chains`; other chains and assets are passed over. */
export const readCurrencies = (
  body: unknown,
): Result.Result<Noticed & { readonly currencies: Currencies }, MalformedBody> =>
  Result.gen(function* () {
    const { chains } = yield* decode(WireChains, body)
    const currencies = new Map<AssetId, Currency>()
    const notices: Array<string> = []
    const contradictions: Array<string> = []
    for (const [index, row] of chains.entries()) {
      const id = decode(Schema.Int, row.id, ["chains", index, "id"])
      if (Result.isFailure(id)) {
        notices.push(`Left out a chain of the ${endpoint}: ${upstreamText(id.failure.detail)}`)
        continue
      }
      const chain = findServedChain(id.success)
      if (chain === undefined) continue
      const read = decode(WireChain, row, ["chains", index]).pipe(
        Result.mapError(({ detail }) => detail),
        Result.flatMap((wire) => Result.map(coinOf(chain, wire), (coin) => currenciesOf(chain, wire, coin))),
      )
      if (Result.isFailure(read)) {
        notices.push(`Left out a chain of the ${endpoint}: ${upstreamText(read.failure)}`)
        continue
      }
      contradictions.push(...read.success.contradictions)
      for (const currency of read.success.currencies) {
        if (!currencies.has(currency.asset)) currencies.set(currency.asset, currency)
      }
    }
    return currencies.size > 0
      ? { currencies, notices, contradictions }
      : yield* malformed(`chains: expected some with known assets, got ${chains.length} of others`)
  })

export interface Pair {
  readonly source: Currency
  readonly destination: Currency
}

/** The upstream's currencies, found anew from time to time because chains are switched off and on. */
export type Conditions = Effect.Success<ReturnType<typeof makeConditions>>

export const makeConditions = (
  client: Client,
  maxAge: Duration.Input = Duration.minutes(1),
  lookupTimeout?: Duration.Input,
) =>
  makeRefreshed({
    endpoint,
    what: `The chains of the ${endpoint}`,
    ask: Effect.map(
      Effect.flatMap(client.chains, ({ body }) => logged(readCurrencies(body))),
      ({ currencies }) => currencies,
    ),
    maxAge,
    lookupTimeout,
  }).pipe(Effect.map(({ keepFresh, latest }) => ({ currencies: latest, keepFresh })))

/** What Relay can do (relay/wire.md 1); every strict address is for one amount. */
export const capabilities: Capabilities = {
  maximumCommissionBps: 1_000,
  affiliates: false,
  boost: false,
  dca: false,
  ccm: false,
  needsAmount: true,
  // A fill that would be below the limit is refunded at once.
  retry: false,
  refusesLimitAbove: true,
  lateDeposit: "refunded",
  ends: { limit: "on arrival", deposit: "ordered", paysByDeposit: true, pays: "several" },
  exactOutput: true,
  // The upstream takes 200 questions a minute of any kind (relay/wire.md).
  unknownPerMinute: 60,
}

const toSupport = (currencies: Currencies): ReadonlyArray<AssetSupport> =>
  [...currencies.values()].map(({ asset, egress, ingress }) => ({ asset, ingress, egress }))

/** What is said of every asset that the upstream serves; it states no minimums and no prices. */
export const assetSupport = ({ currencies }: Conditions) => Effect.map(currencies, toSupport)
