import { Result } from "effect"
import type { Address } from "#domain/chains/Address.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { OperatorAccount } from "#domain/operations/Treasury.ts"
import { accountText } from "#domain/chains/address/accountBytes.ts"
import { variableOf } from "#infrastructure/config/perChain.ts"
import { CannotOrder } from "./failures.ts"

export const withdrawalAddress = "WITHDRAWAL_ADDRESS"

/** The addresses of the settings that the operator's earnings go to, by chain. */
export type WithdrawalAddresses = { readonly [Key in Chain]?: Address }

/** The addresses that the account was bound to when a binding was first seen, by chain. A binding never changes. */
export type Pinned = ReadonlyMap<Chain, Address>

/** What names the place: a setting, the upstream's binding of the account, or the registration of an affiliate. */
export type NamedBy = "setting" | "binding" | "registration"

/** Where earnings go. */
export interface Destination {
  readonly destination: Address
  readonly namedBy: NamedBy
}

const refuse = (detail: string) => Result.fail(new CannotOrder({ detail }))

export const isSameAddress = (chain: Chain, one: string, other: string): boolean =>
  accountText(chain, one) === accountText(chain, other)

/**
 * Where the operator's earnings in an asset go: the address that is bound upstream, if it is one of the asset's chain,
 * else that of the settings. No other place names one. Fails where there is none; where the two differ, as one of them is
 * a mistake, and only the operator knows which; and where the upstream says that a binding has changed.
 */
export const destinationOf = (
  asset: AssetId,
  addresses: WithdrawalAddresses,
  { boundAddress }: Pick<OperatorAccount, "boundAddress">,
  pinned: Pinned,
): Result.Result<Destination, CannotOrder> => {
  const chain = chainOf(asset)
  const variable = variableOf(withdrawalAddress, chain)
  const ours = addresses[chain]
  const bound = boundAddress?.chain === chain ? boundAddress.address : undefined
  const before = pinned.get(chain)
  if (before !== undefined && (bound === undefined || !isSameAddress(chain, before, bound))) {
    return refuse(
      `The account was bound to ${before}, and the upstream says ${
        bound ?? "that it is not"
      }. A binding is permanent`,
    )
  }
  if (ours !== undefined && bound !== undefined && !isSameAddress(chain, ours, bound)) {
    return refuse(
      `${variable} is ${ours}, but the upstream is bound to ${bound}: set the one that is right, or unset it`,
    )
  }
  const destination = bound ?? ours
  return destination === undefined
    ? refuse(`There is no address to withdraw ${asset} to: set ${variable}`)
    : Result.succeed({ destination, namedBy: bound === undefined ? "setting" : "binding" })
}
