import type { Channels, Provider, VaultSwaps } from "../Provider.ts"
import type { Treasury, Withdrawals } from "../Treasury.ts"
import { spread } from "#infrastructure/platform/spread.ts"

/** Without an order there is no withdrawal. */
type WithdrawalReads = Pick<Withdrawals, "find" | "standing">

/**
 * A provider without the operations that open, order or repair anything: whoever has only this cannot begin a swap or
 * move money. Encoding a payload opens and reserves nothing.
 */
export interface Reads extends Pick<Provider, "name" | "capabilities" | "assets" | "quotes" | "node"> {
  readonly channels?: Pick<Channels, "status" | "list" | "findOpening" | "findTransaction">
  readonly vaultSwaps?: VaultSwaps
  readonly treasury?: Pick<Treasury, "account"> & { readonly withdrawals?: WithdrawalReads }
}

/** What a provider only reads. */
export const readsOf = (
  { assets, capabilities, channels, name, node, quotes, treasury, vaultSwaps }: Provider,
): Reads => ({
  name,
  capabilities,
  assets,
  quotes,
  ...spread(node, (node) => ({ node })),
  ...spread(vaultSwaps, (vaultSwaps) => ({ vaultSwaps })),
  ...spread(treasury, ({ account, withdrawals }) => ({
    treasury: {
      account,
      ...spread(withdrawals, ({ find, standing }) => ({
        withdrawals: { standing, ...spread(find, (find) => ({ find })) },
      })),
    },
  })),
  ...spread(channels, ({ findOpening, findTransaction, list, status }) => ({
    channels: {
      status,
      ...spread(list, (list) => ({ list })),
      ...spread(findOpening, (findOpening) => ({ findOpening })),
      ...spread(findTransaction, (findTransaction) => ({ findTransaction })),
    },
  })),
})
