import { Effect } from "effect"
import { factsOf } from "../../domain/Asset.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { amountMembers, inUsd } from "./encode.ts"
import { currencies, type Currency } from "./engine/currencies.ts"
import * as Relay from "./engine/Relay.ts"
import type { RelayRequest } from "./engine/State.ts"
import { plainRefusal } from "./refusals.ts"

/** `GET /app-fees/{wallet}/balances`: commission, which is added up in USDC (relay/wire.md 1). */

const dollar = 10n ** 6n

/** What a request that was filled has earned a wallet, in native usdc.eth at the prices of its quote. */
const earnedBy = (wallet: string) => (request: RelayRequest): bigint => {
  const { offer, terms: { origin } } = request
  const share = Relay.feesPaidBy(request)
    .filter(({ account }) => account.toLowerCase() === wallet.toLowerCase())
    .reduce((sum, { amount }) => sum + amount, 0n)
  return share * offer.prices.origin / 10n ** BigInt(factsOf(origin.asset).decimals)
}

const isUsdc = ({ asset }: Currency): boolean => asset === "usdc.eth"

/** Answers what a wallet has earned and not claimed. */
export const getAppFees = Effect.fn("sandbox.relay.appFees")(function* (
  wallet: string,
): Effect.fn.Return<Reply, never, World> {
  if (!/^0x[0-9a-fA-F]{40}$/.test(wallet)) return plainRefusal(400, "Invalid wallet")
  return yield* World.read(({ relay }) => {
    const sum = Relay.allRequests(relay).reduce((sum, request) => sum + earnedBy(wallet)(request), 0n)
    const balances = currencies.filter(isUsdc).map((currency) => ({ currency, sum })).filter(() => sum > 0n)
    const total = Number(balances.map(({ currency }) => inUsd(currency, dollar, sum))[0] ?? "0")
    return json(200, {
      balances: balances.map(({ currency }) => amountMembers(currency, dollar, sum)),
      totalBalanceUsd: total,
      outstandingFastFillBalanceUsd: 0,
      availableBalanceUsd: total,
    })
  })
})
