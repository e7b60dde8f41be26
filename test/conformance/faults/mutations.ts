import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { BigDecimal, Effect, Option } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { Price } from "#domain/money/Price.ts"
import { ProviderError } from "#domain/ProviderError.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type {
  BitcoinPayload,
  EncodedPayload,
  EvmPayload,
  SolanaPayload,
  VaultSwapRequest,
} from "#domain/swaps/VaultSwap.ts"
import type { Observed, OpenedChannel, Provider, VaultSwapQuestion } from "#providers/Provider.ts"
import type { Variant } from "../memory/variants.ts"
import { channelsOf, vaultSwapsOf } from "../verbs/kit.ts"

/** Breaks a rule of a provider. */
export type Mutate = (provider: Provider) => Provider

/** Payloads that are changed before they are handed out. */
export const encoding = (
  change: (encoded: EncodedPayload, request: VaultSwapRequest) => EncodedPayload,
): Mutate =>
(provider) => {
  const vaultSwaps = vaultSwapsOf(provider)
  return {
    ...provider,
    vaultSwaps: {
      ...vaultSwaps,
      encode: (request) => Effect.map(vaultSwaps.encode(request), (encoded) => change(encoded, request)),
    },
  }
}

export const onBitcoin = (change: (payload: BitcoinPayload, request: VaultSwapRequest) => BitcoinPayload) =>
  encoding((encoded, request) =>
    encoded.payload._tag === "bitcoin" ? { ...encoded, payload: change(encoded.payload, request) } : encoded
  )

export const onEthereum = (change: (payload: EvmPayload) => EvmPayload) =>
  encoding((encoded) =>
    encoded.payload._tag === "evm" ? { ...encoded, payload: change(encoded.payload) } : encoded
  )

export const onSolana = (change: (payload: SolanaPayload) => SolanaPayload) =>
  encoding((encoded) =>
    encoded.payload._tag === "solana" ? { ...encoded, payload: change(encoded.payload) } : encoded
  )

/** What is asked for a vault swap, changed as a whole. */
export const looking = (
  look: (
    ask: (question: VaultSwapQuestion, known: Option.Option<SwapStatus>) => Effect.Effect<
      Option.Option<Observed>,
      ProviderError
    >,
  ) => (
    question: VaultSwapQuestion,
    known: Option.Option<SwapStatus>,
  ) => Effect.Effect<Option.Option<Observed>, ProviderError>,
): Mutate =>
(provider) => {
  const vaultSwaps = vaultSwapsOf(provider)
  return { ...provider, vaultSwaps: { ...vaultSwaps, status: look(vaultSwaps.status) } }
}

export const telling = (change: (status: SwapStatus) => SwapStatus): Mutate =>
  looking((ask) => (question, known) =>
    Effect.map(ask(question, known), Option.map((said) => ({ ...said, status: change(said.status) })))
  )

export const opening =
  (change: (opened: OpenedChannel, request: SwapRequest) => OpenedChannel): Mutate => (provider) => {
    const channels = channelsOf(provider)
    return {
      ...provider,
      channels: {
        ...channels,
        open: (request) => Effect.map(channels.open(request), (opened) => change(opened, request)),
      },
    }
  }

export const withDeposit = (change: (amount: bigint) => bigint) =>
  telling((status) =>
    status.deposit === undefined ? status : {
      ...status,
      deposit: { ...status.deposit, amount: NativeAmount.make(change(status.deposit.amount)) },
    }
  )

export type Terms = NonNullable<SwapStatus["fillOrKill"]>

export const withTerms = (change: (terms: Terms) => Terms) =>
  telling((status) =>
    status.fillOrKill === undefined ? status : { ...status, fillOrKill: change(status.fillOrKill) }
  )

export const cheaper = ({ minimumPrice, ...terms }: Terms): Terms => ({
  ...terms,
  minimumPrice: Price.make(BigDecimal.multiply(minimumPrice, BigDecimal.fromStringUnsafe("0.999"))),
})

/** The record of a channel that was just opened, with other members of the channel. */
export const recording = (
  change: (record: NonNullable<SwapStatus["depositChannel"]>) => SwapStatus["depositChannel"],
) =>
  opening(({ channel, status, ...others }) => {
    const record = status.depositChannel === undefined ? undefined : change(status.depositChannel)
    return {
      ...others,
      channel,
      status: record === undefined ? status : { ...status, depositChannel: record },
    }
  })

export const exactAs = (amount: (asked: bigint) => bigint): Mutate =>
  opening(({ channel, status, ...others }, request) => {
    const exactAmount = NativeAmount.make(amount(unitsOf(request.amount ?? noAmount)))
    const { depositChannel } = status
    return {
      ...others,
      channel: { ...channel, exactAmount },
      status: {
        ...status,
        ...(depositChannel === undefined ? {} : { depositChannel: { ...depositChannel, exactAmount } }),
      },
    }
  })

export const otherSpelling = (transaction: string): string =>
  transaction.startsWith("0x") ? transaction.slice(2) : `0x${transaction}`

export const notHex = Address.make("0x12")

/** A provider that looks up what it keeps in memory only. */
export const forgetful = (): { readonly seen: Set<string> } => ({ seen: new Set() })

/** A provider that breaks a rule, and where the kit has to see it. */
export interface Fault {
  /** Completes "fails a provider that …". */
  readonly what: string
  readonly variant: Variant
  readonly mutate: Mutate
  /** Names of checks, or their beginnings. */
  readonly fails: readonly [string, ...ReadonlyArray<string>]
}
