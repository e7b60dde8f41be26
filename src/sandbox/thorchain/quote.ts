import { Result } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { blockMillisOf, requiredConfirmations } from "../engine/blocks.ts"
import { isAddressOn } from "../engine/identifiers.ts"
import { follow } from "../follow.ts"
import { answersOf, recordedVault, unlessZero } from "./answers.ts"
import { mostAffiliateBps, vaultAfter } from "./engine/Vaults.ts"
import {
  blockMillis,
  dustOf,
  isAtRest,
  mostChunks,
  outboundFee,
  recommendedMinimum,
  simulate,
  usualDelay,
} from "./engine/settlement.ts"
import type { Vaults } from "./engine/State.ts"
import { findPooled, hasRouter, nameOf, routerOf, unprefixed } from "./families.ts"
import { vaultMessage } from "./refusals.ts"

/** `GET /quote/swap` (thorchain/wire.md 5). */

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined

/** The question of a query, or the network's words for why it has no answer. */
const read = (vaults: Vaults, query: URLSearchParams) =>
  Result.gen(function* () {
    const assetAt = (name: string) => {
      const wanted = query.get(name) ?? ""
      const found = findPooled(vaults.family, wanted)
      return found === undefined ? Result.fail(vaultMessage.noPool(wanted)) : Result.succeed(found)
    }
    const addressAt = (name: string, asset: AssetId, message: string) => {
      const address = query.get(name) ?? undefined
      return address === undefined || isAddressOn(chainOf(asset), address)
        ? Result.succeed(address)
        : Result.fail(message)
    }
    const from = yield* assetAt("from_asset")
    const to = yield* assetAt("to_asset")
    const amount = query.get("amount") ?? ""
    if (!/^[0-9]{1,19}$/.test(amount) || from === to) return yield* Result.fail(vaultMessage.badAmount)
    const destination = yield* addressAt("destination", to, vaultMessage.badDestination)
    const refundAddress = yield* addressAt("refund_address", from, vaultMessage.badRefund)
    if (isAtRest(vaults, [chainOf(from), chainOf(to)])) return yield* Result.fail(vaultMessage.halted)
    const affiliateBps = wholeNumber(query.get("affiliate_bps")) ?? 0
    if (affiliateBps > mostAffiliateBps) return yield* Result.fail(vaultMessage.affiliateTooHigh)
    if (BigInt(amount) < dustOf(vaults, from)) return yield* Result.fail(vaultMessage.dust)
    return {
      from,
      to,
      amount: BigInt(amount),
      interval: wholeNumber(query.get("streaming_interval")) ?? 0,
      /** Absent: all at once; 0: as many chunks as the network makes. */
      quantity: wholeNumber(query.get("streaming_quantity")),
      affiliateBps,
      affiliate: query.get("affiliate") ?? undefined,
      destination,
      refundAddress,
    }
  })
type Question = Extract<ReturnType<typeof read>, { readonly _tag: "Success" }>["success"]

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
): Result.Result<unknown, string> =>
  Result.gen(function* () {
    const question = yield* read(vaults, query)
    const { affiliateBps, amount, destination, from, interval, quantity, to } = question
    const most = mostChunks(vaults, from, amount, interval)
    const chunks = quantity === undefined || interval === 0 ? 1 : Math.min(quantity || most, most)
    const { liquidityFee, output } = simulate(vaults, from, to, amount, chunks)
    const affiliate = shareOf(output, affiliateBps)
    const outbound = outboundFee(vaults, to)
    if (output - affiliate <= outbound) return yield* Result.fail(vaultMessage.feeNotCovered)
    const memo = destination === undefined ? undefined : memoOf(vaults, question, destination)
    if (memo === undefined && destination !== undefined) return yield* Result.fail(vaultMessage.memoTooLong)
    const chain = chainOf(from)
    const { gas_rate, gas_rate_units } = recordedVault(vaults.family, chain)
    const swapSeconds = interval * (chunks - 1) * blockMillis / 1_000
    const delaySeconds = usualDelay * blockMillis / 1_000
    const total = affiliate + outbound + liquidityFee
    return follow(answersOf[vaults.family.name].quote, [
      ["inbound_address", unprefixed(vaultAfter(vaults.family, chain, vaults.churns))],
      ["inbound_confirmation_blocks?", requiredConfirmations(chain)],
      ["inbound_confirmation_seconds?", inboundSeconds(from)],
      ["outbound_delay_blocks", usualDelay],
      ["outbound_delay_seconds", delaySeconds],
      ["fees.asset", nameOf(vaults.family, to)],
      ["fees.affiliate", `${affiliate}`],
      ["fees.outbound", `${outbound}`],
      ["fees.liquidity", `${liquidityFee}`],
      ["fees.total", `${total}`],
      ["fees.slippage_bps", bpsOf(liquidityFee, output + liquidityFee)],
      ["fees.total_bps", bpsOf(total, output + liquidityFee)],
      ["router?", hasRouter(chain) ? routerOf(vaults.family, chain) : undefined],
      ["expiry", hasExpiry ? Math.floor((vaults.time + quoteMillis) / 1_000) : undefined],
      ["dust_threshold?", dustOf(vaults, from) === 0n ? undefined : `${dustOf(vaults, from)}`],
      ["recommended_min_amount_in", `${recommendedMinimum(vaults, from, to)}`],
      ["recommended_gas_rate", gas_rate],
      ["gas_rate_units", gas_rate_units],
      ["memo?", memo],
      ["expected_amount_out", `${output - affiliate - outbound}`],
      ["max_streaming_quantity", most],
      ["streaming_swap_blocks", unlessZero(interval * (chunks - 1))],
      ["streaming_swap_seconds", unlessZero(swapSeconds)],
      ["total_swap_seconds", inboundSeconds(from) + swapSeconds + delaySeconds],
    ])
  })
