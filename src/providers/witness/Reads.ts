import type { Channels, Provider, VaultSwaps } from "../Provider.ts"
import type { Treasury, Withdrawals } from "../Treasury.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"

/** Without an order there is no withdrawal. */
type WithdrawalReads = Pick<Withdrawals, "find" | "standing">

/** A provider without whatever opens, orders or repairs: nobody can move money with it. */
export interface Reads extends Pick<Provider, "name" | "capabilities" | "assets" | "quotes" | "node"> {
  readonly channels?: Pick<Channels, "status" | "list" | "findOpening" | "findTransaction">
  readonly vaultSwaps?: VaultSwaps
  readonly treasury?: Pick<Treasury, "account"> & { readonly withdrawals?: WithdrawalReads }
}

export const readsOf = (
  { assets, capabilities, channels, name, node, quotes, treasury, vaultSwaps }: Provider,
): Reads => ({
  name,
  capabilities,
  assets,
  quotes,
  ...optionalMembers(node, (node) => ({ node })),
  ...optionalMembers(vaultSwaps, (vaultSwaps) => ({ vaultSwaps })),
  ...optionalMembers(treasury, ({ account, withdrawals }) => ({
    treasury: {
      account,
      ...optionalMembers(withdrawals, ({ find, standing }) => ({
        withdrawals: { standing, ...optionalMembers(find, (find) => ({ find })) },
      })),
    },
  })),
  ...optionalMembers(channels, ({ findOpening, findTransaction, list, status }) => ({
    channels: {
      status,
      ...optionalMembers(list, (list) => ({ list })),
      ...optionalMembers(findOpening, (findOpening) => ({ findOpening })),
      ...optionalMembers(findTransaction, (findTransaction) => ({ findTransaction })),
    },
  })),
})
