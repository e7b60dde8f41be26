import { Struct } from "effect"
import type { Channels, Provider, Treasury, VaultSwaps, Withdrawals } from "../Provider.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"

/** Without an order there is no withdrawal. */
type WithdrawalReads = Pick<Withdrawals, "find" | "standing">

/** A provider without whatever opens, orders or repairs: nobody can move money with it. */
export interface Reads extends Pick<Provider, "name" | "capabilities" | "assets" | "quotes" | "node"> {
  readonly channels?: Pick<Channels, "status" | "list" | "findOpening" | "findTransaction">
  readonly vaultSwaps?: VaultSwaps
  readonly treasury?: Pick<Treasury, "account"> & { readonly withdrawals?: WithdrawalReads }
}

export const readsOf = ({ channels, treasury, ...provider }: Provider): Reads => ({
  ...Struct.pick(provider, ["name", "capabilities", "assets", "quotes", "node", "vaultSwaps"]),
  ...optionalMembers(treasury, ({ account, withdrawals }) => ({
    treasury: {
      account,
      ...optionalMembers(withdrawals, (withdrawals) => ({
        withdrawals: Struct.pick(withdrawals, ["find", "standing"]),
      })),
    },
  })),
  ...optionalMembers(channels, (channels) => ({
    channels: Struct.pick(channels, ["status", "list", "findOpening", "findTransaction"]),
  })),
})
