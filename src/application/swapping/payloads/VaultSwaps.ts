import { bytesToHex } from "@noble/hashes/utils.js"
import { Array, Effect, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { requireRoute } from "../../accounts/RouteRules.ts"
import type { Account, Caller } from "#domain/accounts/Account.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import {
  type EncodedPayload,
  type PayloadKind,
  Seed,
  type VaultAddress,
  type VaultSwapPayload,
} from "#domain/swaps/VaultSwap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { OutOfReach } from "#domain/money/Price.ts"
import { Registry, type SimulatedProviders } from "#providers/Registry.ts"
import { makeDailyVolume } from "../opening/dailyVolume.ts"
import { makeOutlook, requireQuote } from "../opening/QuoteBinding.ts"
import { type RecipientPlace, VaultSwapsRepo } from "#infrastructure/store/swaps/VaultSwapsRepo.ts"
import { byAffiliateNumbering } from "../opening/SwapRules.ts"
import { encodersFor, firstAnswer } from "../opening/candidates.ts"
import { Discovery, makeFindByTransaction } from "../following/findByTransaction.ts"
import { traitsOf } from "./payloadTraits.ts"
import type { LookupPace } from "../following/LookupPolicy.ts"
import { type EncodingRequest, encodingRequest, type PayloadInput } from "./PayloadRules.ts"
import { makeSwapTerms } from "../opening/OpeningRules.ts"
import { Swaps } from "../Swaps.ts"
import type { Address } from "#domain/chains/Address.ts"
import { accountText } from "#domain/chains/address/accountBytes.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { refuse } from "#providers/refusals.ts"

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

/** The contract that may take an EVM payload's token; watched where it is not the one called. */
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
  ): StoreEffect<void, ProviderError> =>
    Effect.forEach(
      [...(encoded.recipientChanges === true ? [] : calledBy(encoded.payload)), ...spendersOf(encoded)],
      (recipient) => check(platform, recipient, encoded.recipientChanges === true),
      { discard: true },
    )
}

/** What is encoded; the numbers of its affiliates are for the issues that it meets. */
type Order =
  & Pick<EncodingRequest, "request" | "platform">
  & Partial<Pick<EncodingRequest, "affiliateNumbers">>

export interface HandedOutPayload extends EncodedPayload {
  readonly platform: ProviderName
  /** The price limit, where no known price meets it. */
  readonly outOfReach: OutOfReach | undefined
}

/** Options of following vault swaps, and the contracts that payloads may send money to. */
export interface VaultSwapOptions extends LookupPace, SimulatedProviders {
  readonly vaultAddresses: ReadonlyArray<VaultAddress>
}

const seedLength = 32

/** A random seed, which nobody can guess, so no other payload has the same. */
const freshSeed = (): Seed => Seed.make(`0x${bytesToHex(crypto.getRandomValues(new Uint8Array(seedLength)))}`)

/** Swaps without a channel: payloads, and the swaps of their transactions, found by hash or list. */
export class VaultSwaps extends service<VaultSwaps>()(
  "swap-broker/swapping/VaultSwaps",
  (options: VaultSwapOptions) =>
    Effect.gen(function* () {
      const repo = yield* VaultSwapsRepo
      const registry = yield* Registry
      const swaps = yield* Swaps
      const checkRecipient = makeCheckRecipient(repo, options.vaultAddresses)
      const discover = yield* makeFindByTransaction(options)
      const outlookOf = yield* makeOutlook
      const volume = yield* makeDailyVolume

      const termsOf = yield* makeSwapTerms

      /** What is to be encoded for an account's input, by the rules of this kind; or all issues of it. */
      const request = (account: Account, kind: PayloadKind, input: PayloadInput) =>
        Effect.map(termsOf(account), (terms) =>
          encodingRequest(kind, input, { ...terms, freshSeed: freshSeed() }))

      /**
       * Encodes a swap with the named provider, or with the first of the operator's preference that does. The payload is
       * recorded, as it tells later whose swap it is. Fails with `RouteDenied` where the account may not swap the pair.
       */
      const encode = Effect.fn("VaultSwaps.encode")(
        function* (caller: Caller, { platform, request }: Order) {
          yield* requireRoute(caller, "open", request)
          yield* requireQuote(request)
          const encoders = yield* encodersFor(registry, caller, { request, platform })
          const { answer, asked } = yield* volume.within(
            caller,
            request,
            firstAnswer(encoders, (encoder) =>
              encoder.encode(encoder.request)),
            () => false,
          )
          yield* checkRecipient(asked.name, answer)
          yield* repo.remember({
            accountId: caller.id,
            platform: asked.name,
            traits: traitsOf(asked.request),
            mark: answer.mark,
            request,
            at: yield* currentMillis,
            expiresAt: answer.expiresAt,
          })
          return { ...answer, platform: asked.name, outOfReach: (yield* outlookOf(request)).outOfReach }
        },
        (encoding, _, order) => byAffiliateNumbering(order)(encoding),
      )

      /** The latest swap of a transaction, looked up where needed; `LookupNotMade` where that fails. */
      const byTransaction = Effect.fn("VaultSwaps.byTransaction")(
        function* (account: Account, reference: string) {
          const recorded = yield* swaps.recorded(account, reference)
          if (Option.isSome(recorded)) return recorded.value
          // Another request may have discovered it meanwhile, and some upstreams can only be asked about channels.
          const elsewhere = swaps.byTransaction(account, reference)
          return yield* Discovery.$match(yield* discover.ask(account, reference), {
            Deposit: ({ id }) => swaps.withDeposit(account, id, reference),
            Recorded: ({ id }) => swaps.byId(account, id),
            Unknown: () => elsewhere,
            NotAsked: ({ failure }) => Effect.catchTag(elsewhere, "SwapNotFound", () => Effect.fail(failure)),
          })
        },
        (effect, account) => Effect.provideService(effect, OnBehalfOf, account.id),
      )

      return { request, encode, byTransaction, recordListed: discover.record }
    }),
) {}
