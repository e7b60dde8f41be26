import { Effect } from "effect"
import type { Address } from "../domain/Address.ts"
import { accountText } from "../domain/address/accountBytes.ts"
import type { Chain } from "../domain/Chain.ts"
import { MalformedBody, ProviderError } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { EncodedPayload, VaultAddress, VaultSwapPayload } from "../domain/VaultSwap.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { VaultSwapsRepo } from "../store/swaps/VaultSwapsRepo.ts"

interface Recipient {
  readonly chain: Chain
  readonly address: Address
}

/** The contract or program that a payload calls. Bitcoin's addresses change with every key of its vault. */
const recipientOf = (payload: VaultSwapPayload): Recipient | undefined => {
  if (payload.network === "Bitcoin") return undefined
  const address = payload.network === "Solana" ? payload.instructions[0].programId : payload.to
  return { chain: payload.network, address }
}

/** The recipient as one text, however its address is spelled. */
const textOf = ({ address, chain }: Recipient): string => accountText(chain, address)

/**
 * Refuses a payload that calls another contract or program than those in the settings, or, where the settings have none
 * for its provider and chain, than the first that was ever seen there. Money sent with such a payload could be lost.
 */
export const makeCheckRecipient =
  (repo: VaultSwapsRepo["Service"], vaultAddresses: ReadonlyArray<VaultAddress>) =>
  (
    platform: ProviderName,
    { payload, recipientChanges }: Pick<EncodedPayload, "payload" | "recipientChanges">,
  ): Effect.Effect<void, ProviderError | StoreUnavailable> =>
    Effect.gen(function* () {
      const recipient = recipientChanges === true ? undefined : recipientOf(payload)
      if (recipient === undefined) return
      const { address, chain } = recipient
      const called = textOf(recipient)
      const set = vaultAddresses.filter((one) => one.platform === platform && one.chain === chain)
      const known = set.length > 0
        ? set.map(textOf)
        : [yield* repo.recipient(platform, chain, called, yield* currentMillis)]
      if (known.includes(called)) return
      yield* Effect.logError(
        `A payload of ${platform} on ${chain} calls ${address}, which none before it did; it is not handed out. If ` +
          `the vault has moved, add ${platform}:${chain}:${address} to VAULT_ADDRESSES`,
      )
      return yield* new ProviderError({
        provider: platform,
        operation: "encode",
        reason: new MalformedBody({
          detail: `expected a payload that calls a known vault, got ${address}`,
          reached: true,
        }),
      })
    })
