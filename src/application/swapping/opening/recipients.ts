import { Array, Effect } from "effect"
import type { Address } from "#domain/chains/Address.ts"
import { accountText } from "#domain/chains/address/accountBytes.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import type { EncodedPayload, VaultAddress, VaultSwapPayload } from "#domain/swaps/VaultSwap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { refuse } from "#providers/refusals.ts"
import type { RecipientPlace, VaultSwapsRepo } from "#infrastructure/store/swaps/VaultSwapsRepo.ts"

/** Those who get money by a payload, or leave to take it, at a place of its provider. */
interface Recipient {
  readonly place: RecipientPlace
  readonly chain: Chain
  readonly addresses: Array.NonEmptyReadonlyArray<Address>
}

/** The contract or programs that a payload calls. Plain payments go to addresses that change with every key of a vault. */
const calledBy = (payload: VaultSwapPayload): ReadonlyArray<Recipient> => {
  if (payload._tag === "bitcoin" || payload._tag === "xrpl") return []
  const addresses: Recipient["addresses"] = payload._tag === "solana"
    ? Array.map(payload.instructions, ({ programId }) => programId)
    : [payload.to]
  return [{ place: payload.network, chain: payload.network, addresses }]
}

/**
 * The contract that may take the token of an EVM payload: it could take all of it at any time. It is looked after on its
 * own where it is not the contract that is called, or where that changes.
 */
const spendersOf = (
  { payload, recipientChanges }: Pick<EncodedPayload, "payload" | "recipientChanges">,
): ReadonlyArray<Recipient> => {
  if (payload._tag !== "evm") return []
  const { network, sourceTokenAddress, spender = payload.to, to } = payload
  const isCalled = recipientChanges !== true && isSame(network, spender, to)
  return sourceTokenAddress === undefined || isCalled
    ? []
    : [{ place: `${network} spender`, chain: network, addresses: [spender] }]
}

const isSame = (chain: Chain, one: Address, other: Address): boolean =>
  accountText(chain, one) === accountText(chain, other)

/** The recipient as one text, however its addresses are spelled. */
const textOf = ({ addresses, chain }: Omit<Recipient, "place">): string =>
  addresses.map((address) => accountText(chain, address)).join(" + ")

/**
 * Refuses a payload that calls another contract or program than those in the settings, or lets another take a token, or,
 * where the settings have none for its provider and chain, than the first that was ever seen there, unless its provider
 * knows beforehand which there are (`recipientChanges`). Money sent with such a payload could be lost.
 */
export const makeCheckRecipient = (
  repo: VaultSwapsRepo["Service"],
  vaultAddresses: ReadonlyArray<VaultAddress>,
) => {
  const check = Effect.fnUntraced(function* (
    platform: ProviderName,
    recipient: Recipient,
    isKnownBeforehand: boolean,
  ) {
    const { addresses, chain, place } = recipient
    const seen = textOf(recipient)
    const set = vaultAddresses.filter((one) => one.platform === platform && one.chain === chain)
    const isKnown = set.length > 0
      ? addresses.every((one) => set.some(({ address }) => isSame(chain, one, address)))
      : isKnownBeforehand || seen === (yield* repo.recipient(platform, place, seen, yield* currentMillis))
    if (isKnown) return
    const verb = place === chain ? "calls" : "lets its tokens be taken by"
    const named = addresses.join(", ")
    const setting = addresses.map((address) => `${platform}:${chain}:${address}`).join(",")
    yield* Effect.logError(
      `A payload of ${platform} on ${chain} ${verb} ${named}, which none before it did; it is not handed out. ` +
        `If the vault has moved, add ${setting} to VAULT_ADDRESSES`,
    )
    return yield* refuse(
      { provider: platform, operation: "encode" },
      `expected a payload that ${verb} a known vault, got ${named}`,
    )
  })

  return (
    platform: ProviderName,
    encoded: Pick<EncodedPayload, "payload" | "recipientChanges">,
  ): Effect.Effect<void, ProviderError | StoreUnavailable> =>
    Effect.forEach(
      [...(encoded.recipientChanges === true ? [] : calledBy(encoded.payload)), ...spendersOf(encoded)],
      (recipient) => check(platform, recipient, encoded.recipientChanges === true),
      { discard: true },
    )
}
