import { Result } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { blockMillisOf, requiredConfirmations } from "../engine/blocks.ts"
import { isAddressOn } from "../engine/identifiers.ts"
import { mostAffiliateBps } from "./engine/memo.ts"
import {
  blockMillis,
  dustOf,
  gasOf,
  mostChunks,
  outboundFee,
  recommendedMinimum,
  simulate,
} from "./engine/prices.ts"
import { outboundDelay } from "./engine/settlement.ts"
import type { QuoteRefusal, Vaults } from "./engine/State.ts"
import { vaultAfter } from "./engine/Vaults.ts"
import { asTold, findPooled, hasRouter, nameOf, routerOf } from "./families.ts"
import { told } from "./told.ts"
import { vaultMessage } from "./refusals.ts"

/** `GET /quote/swap` (thorchain/wire.md 5). */

/** The parameters of a question that can be answered. */
interface Question {
  readonly from: AssetId
  readonly to: AssetId
  readonly amount: bigint
  readonly interval: number
  /** Absent: all at once; 0: as many chunks as the network makes. */
  readonly quantity: number | undefined
  readonly affiliateBps: number
  readonly affiliate: string | undefined
  readonly destination: string | undefined
  readonly refundAddress: string | undefined
}

type Answered<A> = Result.Result<A, QuoteRefusal>

const refuse = (message: string): Answered<never> => Result.fail({ message })

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined

const isAddressFor = (asset: AssetId, text: string | undefined): boolean =>
  text === undefined || isAddressOn(chainOf(asset), text)

const read = (vaults: Vaults, query: URLSearchParams): Answered<Question> => {
  const { family } = vaults
  const [fromName, toName] = [query.get("from_asset") ?? "", query.get("to_asset") ?? ""]
  const [from, to] = [findPooled(family, fromName), findPooled(family, toName)]
  const amount = query.get("amount") ?? ""
  const destination = query.get("destination") ?? undefined
  const refundAddress = query.get("refund_address") ?? undefined
  if (from === undefined) return refuse(vaultMessage.noPool(fromName))
  if (to === undefined) return refuse(vaultMessage.noPool(toName))
  if (!/^[0-9]{1,19}$/.test(amount) || from === to) return refuse(vaultMessage.badAmount)
  if (!isAddressFor(to, destination)) return refuse(vaultMessage.badDestination)
  if (!isAddressFor(from, refundAddress)) return refuse(vaultMessage.badRefund)
  return Result.succeed({
    from,
    to,
    amount: BigInt(amount),
    interval: wholeNumber(query.get("streaming_interval")) ?? 0,
    quantity: wholeNumber(query.get("streaming_quantity")),
    affiliateBps: wholeNumber(query.get("affiliate_bps")) ?? 0,
    affiliate: query.get("affiliate") ?? undefined,
    destination,
    refundAddress,
  })
}

/** Why nothing is offered; undefined where something is. */
const refusalOf = (vaults: Vaults, { affiliateBps, amount, from, to }: Question): string | undefined => {
  const atRest = [from, to].some((asset) => vaults.haltedChains.has(chainOf(asset)))
  if (vaults.isPaused || atRest) return vaultMessage.halted
  if (affiliateBps > mostAffiliateBps) return vaultMessage.affiliateTooHigh
  return amount < dustOf(from) ? vaultMessage.dust : undefined
}

/** The memo, with a name of the asset that is as short as there is room for. */
const memoOf = (vaults: Vaults, question: Question, destination: string): string | undefined => {
  const { affiliate, affiliateBps, interval, quantity, refundAddress, to } = question
  const name = nameOf(vaults.family, to)
  const names = [vaults.family.shortCodes[to] ?? name, name.split("-")[0] ?? name]
  return names.map((asset) =>
    [
      "=",
      asset,
      refundAddress === undefined ? destination : `${destination}/${refundAddress}`,
      quantity === undefined ? "0" : `0/${interval}/${quantity}`,
      ...(affiliate === undefined ? [] : [affiliate, `${affiliateBps}`]),
    ].join(":")
  ).find((memo) => memo.length <= mostBytes(question.from))
}

/** A null-data output holds so many bytes, and no network takes a longer memo than the other. */
const mostBytes = (asset: AssetId): number => chainFacts(chainOf(asset)).family._tag === "bitcoin" ? 80 : 250

const quoteMillis = 15 * 60_000

/** The figures of a question that is answered. */
const figures = (vaults: Vaults, { affiliateBps, amount, from, interval, quantity, to }: Question) => {
  const most = mostChunks(vaults, from, amount, interval)
  const chunks = quantity === undefined || interval === 0
    ? 1
    : quantity === 0
    ? most
    : Math.min(quantity, most)
  const { liquidityFee, output } = simulate(vaults, from, to, amount, chunks)
  const affiliate = shareOf(output, affiliateBps)
  return { most, chunks, output, liquidityFee, affiliate, outbound: outboundFee(vaults, to) }
}

const inboundSeconds = (asset: AssetId): number => {
  const chain = chainOf(asset)
  return Math.round(blockMillisOf(chain) * requiredConfirmations(chain) / 1_000)
}

const bpsOf = (part: bigint, whole: bigint): number => whole === 0n ? 0 : Number(part * 10_000n / whole)

/** The answer to a question, or the network's words for why there is none. */
export const quoteFor = (
  vaults: Vaults,
  query: URLSearchParams,
  hasExpiry: boolean,
): Answered<unknown> =>
  Result.gen(function* () {
    const question = yield* read(vaults, query)
    const refusal = refusalOf(vaults, question)
    if (refusal !== undefined) return yield* refuse(refusal)
    const { destination, from, interval, to } = question
    const { affiliate, chunks, liquidityFee, most, outbound, output } = figures(vaults, question)
    if (output - affiliate <= outbound) return yield* refuse(vaultMessage.feeNotCovered)
    const memo = destination === undefined ? undefined : memoOf(vaults, question, destination)
    if (memo === undefined && destination !== undefined) return yield* refuse(vaultMessage.memoTooLong)
    const chain = chainOf(from)
    const gas = gasOf(vaults, chain)
    const swapSeconds = interval * (chunks - 1) * blockMillis / 1_000
    const delaySeconds = outboundDelay * blockMillis / 1_000
    const total = affiliate + outbound + liquidityFee
    return told({
      inbound_address: asTold(vaultAfter(vaults.family, chain, vaults.churns)),
      inbound_confirmation_blocks: requiredConfirmations(chain),
      inbound_confirmation_seconds: inboundSeconds(from),
      outbound_delay_blocks: outboundDelay,
      outbound_delay_seconds: delaySeconds,
      fees: {
        asset: nameOf(vaults.family, to),
        affiliate: `${affiliate}`,
        outbound: `${outbound}`,
        liquidity: `${liquidityFee}`,
        total: `${total}`,
        slippage_bps: bpsOf(liquidityFee, output + liquidityFee),
        total_bps: bpsOf(total, output + liquidityFee),
      },
      ...(hasRouter(chain) ? { router: routerOf(vaults.family, chain) } : {}),
      expiry: hasExpiry ? Math.floor((vaults.time + quoteMillis) / 1_000) : undefined,
      warning: "Do not cache this response. Do not send funds after the expiry.",
      notes: "Send to inbound_address with the memo; never to an address of an older response.",
      ...(dustOf(from) === 0n ? {} : { dust_threshold: `${dustOf(from)}` }),
      recommended_min_amount_in: `${recommendedMinimum(vaults, from, to)}`,
      recommended_gas_rate: gas.rate,
      gas_rate_units: gas.units,
      memo,
      expected_amount_out: `${output - affiliate - outbound}`,
      max_streaming_quantity: most,
      streaming_swap_blocks: interval * (chunks - 1),
      streaming_swap_seconds: swapSeconds,
      total_swap_seconds: inboundSeconds(from) + swapSeconds + delaySeconds,
    })
  })
