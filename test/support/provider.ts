import { Clock, Effect, Option } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { assetIds, chainOf } from "#domain/chains/Asset.ts"
import { type ChannelId, type DepositChannel, formatChannelId } from "#domain/swaps/Channel.ts"
import { ProviderError, type ProviderErrorReason } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { Capabilities } from "#providers/Capabilities.ts"
import type { EncodedPayload, PayloadMark, VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { EpochMillis } from "#domain/Time.ts"
import type {
  AssetSupport,
  Channels,
  Observed,
  OpenedChannel,
  Provider,
  VaultSwaps,
} from "#providers/Provider.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { anyChannel, waitingStatus } from "./swap.ts"

type Status = Effect.Effect<Option.Option<SwapStatus>, ProviderError>

/** As an upstream with a wire would have said it. */
const observed = (status: Status) =>
  Effect.map(status, Option.map((status) => ({ status, body: bodyOf(status) })))

/** The status of any channel, as that of the channel that was asked about. */
const ofChannel = (status: SwapStatus, { depositChannel: known }: SwapStatus): SwapStatus =>
  known !== undefined && status.depositChannel?.depositAddress === anyChannel.depositAddress
    ? {
      ...status,
      depositChannel: { ...status.depositChannel, id: known.id, depositAddress: known.depositAddress },
    }
    : status

/** The body that a scripted upstream gives with a status. */
export const bodyOf = ({ state, swapId }: SwapStatus): string => JSON.stringify({ state, swapId })

const everyAsset: ReadonlyArray<AssetSupport> = assetIds().map((asset) => ({
  asset,
  ingress: true,
  egress: true,
  minimumDeposit: NativeAmount.make(2n),
}))

const everything: Capabilities = {
  maximumCommissionBps: 1_000,
  affiliates: true,
  boost: true,
  dca: true,
  ccm: true,
  needsAmount: false,
  retry: true,
  lateDeposit: "untold",
  ends: { limit: "before sending", deposit: "ordered", paysByDeposit: false, pays: "batches" },
}

let channelCount = 0

/** A provider in memory that does what a test tells it to, and remembers what it was asked. */
export class ScriptedProvider implements Provider {
  readonly name: ProviderName
  readonly capabilities: Capabilities = everything
  supported: Effect.Effect<ReadonlyArray<AssetSupport>, ProviderError> = Effect.succeed(everyAsset)
  /** What it answers to a request for quotes; nothing by default. */
  quoting: Provider["quotes"] = () => Effect.succeed([])
  /** What opening does; a channel of its own for each request by default. */
  opening: Effect.Effect<void, ProviderError> = Effect.void
  /** The channels that it lists; it lists none by default. */
  list?: NonNullable<Channels["list"]>
  /** How openings are looked up; not at all by default. */
  findOpening?: NonNullable<Channels["findOpening"]>
  /** What it says of a transaction; it cannot be asked by default. */
  findTransaction?: NonNullable<Channels["findTransaction"]>
  readonly requests: Array<SwapRequest> = []
  /** Payloads and the swaps made of them; none by default. */
  vaultSwaps?: ScriptedVaultSwaps
  node?: NonNullable<Provider["node"]>
  treasury?: NonNullable<Provider["treasury"]>
  /** What was last asked of the status of a channel, and how often in all. */
  readonly lookups: Array<ChannelId> = []
  /** What the status of channels without a script of their own is. */
  otherwise: Status = Effect.succeedNone
  /** What it says of a channel that it has just opened, before anybody is told; the truth by default. */
  atFirst: (opened: SwapStatus) => Status = (opened) => Effect.succeed(Option.some(opened))
  /** What it says of channels where that depends on the record; what `says` told it by default. */
  observing?: Channels["status"]
  readonly #opened = new WeakSet<SwapStatus>()
  readonly #statuses = new Map<string, Status>()

  constructor(name: string) {
    this.name = ProviderName.make(name)
  }

  get assets() {
    return this.supported
  }

  get channels(): Channels {
    const { findOpening, findTransaction, list, open, status } = this
    return {
      open,
      status,
      ...optionalMembers(list, (list) => ({ list })),
      ...optionalMembers(findOpening, (findOpening) => ({ findOpening })),
      ...optionalMembers(findTransaction, (findTransaction) => ({ findTransaction })),
    }
  }

  readonly quotes: Provider["quotes"] = (request) => this.quoting(request)

  readonly open = (request: SwapRequest): Effect.Effect<OpenedChannel, ProviderError> =>
    Effect.suspend(() => {
      this.requests.push(request)
      return Effect.map(this.opening, () => {
        const opened = openedChannel(request)
        this.#opened.add(opened.status)
        return opened
      })
    })

  readonly status: Channels["status"] = (channel, known) =>
    Effect.suspend(() => {
      if (this.#opened.has(known)) return observed(this.atFirst(known))
      this.lookups.push(channel)
      if (this.observing !== undefined) return this.observing(channel, known)
      const said = this.#statuses.get(formatChannelId(channel)) ?? this.otherwise
      return observed(Effect.map(said, Option.map((status) => ofChannel(status, known))))
    })

  /** Scripts what the upstream says of a channel from now on. */
  says(channel: ChannelId, status: Status): void {
    this.#statuses.set(formatChannelId(channel), status)
  }

  /** How often a channel's status was asked for. */
  lookupsOf(channel: ChannelId): number {
    return this.lookups.filter((asked) => formatChannelId(asked) === formatChannelId(channel)).length
  }

  fails(reason: ProviderErrorReason): ProviderError {
    return new ProviderError({ provider: this.name, operation: "open", reason })
  }
}

/** Vault swaps that do what a test tells them to. */
export class ScriptedVaultSwaps implements VaultSwaps {
  readonly chains: VaultSwaps["chains"]
  /** What encoding does; a payload of its own for each request by default. */
  encoding: Effect.Effect<void, ProviderError> = Effect.void
  /** What payloads call. */
  to = Address.make("0x1111111111111111111111111111111111111111")
  /** The mark of the payload for a request, if it has one; none by default. */
  marks: (request: VaultSwapRequest) => { readonly mark?: PayloadMark } = () => ({})
  /** How long a payload is good, in milliseconds. */
  lifetime = payloadLifetime
  readonly requests: Array<VaultSwapRequest> = []
  /** Whether the upstream knows swaps by their marks alone. */
  needsMarks?: boolean
  /** Every transaction that was asked after. */
  readonly lookups: Array<string> = []
  /** The marks that came with each of them. */
  readonly marksAsked: Array<ReadonlyArray<PayloadMark>> = []
  /** The transactions that it lists; it lists none by default. */
  list?: NonNullable<VaultSwaps["list"]>
  readonly #statuses = new Map<string, Effect.Effect<Option.Option<Observed>, ProviderError>>()

  constructor(...chains: VaultSwaps["chains"]) {
    this.chains = chains
  }

  readonly encode = (request: VaultSwapRequest): Effect.Effect<EncodedPayload, ProviderError> =>
    Effect.suspend(() => {
      this.requests.push(request)
      const encoded = { ...evmPayload(this.requests.length, this.to, request), ...this.marks(request) }
      return Effect.flatMap(this.encoding, () =>
        Effect.map(Clock.currentTimeMillis, (now) => ({
          ...encoded,
          expiresAt: EpochMillis.make(now + this.lifetime),
        })))
    })

  readonly status: VaultSwaps["status"] = ({ marks, transaction }) =>
    Effect.suspend(() => {
      this.lookups.push(transaction)
      this.marksAsked.push(marks)
      return this.#statuses.get(transaction) ?? Effect.succeedNone
    })

  /** Scripts what the upstream says of a transaction from now on, and by which mark it knows the payload. */
  says(transaction: string, status: Status, mark?: PayloadMark): void {
    this.#statuses.set(
      transaction,
      Effect.map(observed(status), Option.map((said) => mark === undefined ? said : { ...said, mark })),
    )
  }
}

/** How long a scripted payload is good by default, in milliseconds. */
export const payloadLifetime = 3_600_000

const evmPayload = (
  number: number,
  to: Address,
  { amount }: VaultSwapRequest,
): Omit<EncodedPayload, "expiresAt"> => ({
  payload: {
    _tag: "evm",
    network: "Ethereum",
    to,
    calldata: `0x${`${number}`.padStart(8, "0")}`,
    value: amount,
  },
  refundsTo: "address",
  minimumDeposit: NativeAmount.make(2n),
  estimatedDuration: 90_000,
  fees: [],
})

/** A channel that nobody else has, as a provider answers it. */
export const openedChannel = (request: SwapRequest): OpenedChannel => {
  const channelId = ++channelCount
  const channel: DepositChannel = {
    id: { issuedBlock: 100, network: chainOf(request.sourceAsset), channelId },
    depositAddress: Address.make(`deposit-${channelId}`),
    sourceExpiryBlock: 1_000,
    openingFee: noAmount,
    explorerUrl: `https://explorer.test/${channelId}`,
  }
  return { channel, status: waitingStatus(request, channel), refundsTo: "address" }
}
