import { BigDecimal, Effect, Option, Struct } from "effect"
import type { Address } from "#domain/chains/Address.ts"
import { accountText } from "#domain/chains/address/accountBytes.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import type { Affiliate, CcmPayload, DcaParameters } from "#domain/swaps/SwapRequest.ts"
import type { ChannelRecord, Egress, FillOrKillParameters, SwapStatus } from "#domain/swaps/Swap.ts"
import { limitsOutput, priceReach } from "../payloads/payloadTraits.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { EndRules } from "#providers/Capabilities.ts"
import type { ClaimedPayment, PaymentsRepo } from "#infrastructure/store/swaps/PaymentsRepo.ts"
import { type Lookup, LookupSubject } from "#infrastructure/store/swaps/lookupRows.ts"
import { normaliseReference } from "#infrastructure/store/swaps/transactionReference.ts"

// The terms of a swap are those that it was requested and opened with. They are ours from the opening on: the payer
// trusts the address that we show, so no answer of an upstream may replace it. An answer that leaves a term out does
// not contradict it; one with another value does.

/** Whether two addresses of a chain name the same account, in whatever spelling. */
const isSameAccount = (chain: Chain, one: string, other: string): boolean =>
  one === other || accountText(chain, one) === accountText(chain, other)

interface Sides {
  readonly source: AssetId
  readonly destination: AssetId
}

/** Whether two prices are the same, as upstreams round and truncate them. */
const isSamePrice = (
  { minimumPrice: known }: FillOrKillParameters,
  { minimumPrice: found }: FillOrKillParameters,
  { destination, source }: Sides,
): boolean =>
  BigDecimal.isLessThanOrEqualTo(
    BigDecimal.abs(BigDecimal.subtract(known, found)),
    priceReach(known, { sourceAsset: source, destinationAsset: destination }),
  )

/** Whether the price limit is fixed, and does not follow from the amount that a transaction turns out to move. */
const isPriceFixed = ({ depositChannel, sourceAsset }: SwapStatus): boolean =>
  depositChannel !== undefined || !limitsOutput(sourceAsset)

/** Whether the DCA terms agree. A network that takes no chunks so small makes fewer; a single chunk is no DCA. */
const isSameDca = (known: DcaParameters, found: DcaParameters, hasBegun: boolean): boolean =>
  found.numberOfChunks === known.numberOfChunks && found.chunkIntervalBlocks === known.chunkIntervalBlocks ||
  hasBegun && found.numberOfChunks < known.numberOfChunks

const isSameCcm = (known: CcmPayload, found: CcmPayload): boolean =>
  known.gasBudget === found.gasBudget && known.message.toLowerCase() === found.message.toLowerCase()

/** Shares as one text, independent of their order; shares of zero are left out. */
const sharesText = (shares: ReadonlyArray<Affiliate>): string =>
  JSON.stringify(
    shares.filter(({ commissionBps }) => commissionBps > 0)
      .map(({ account, commissionBps }) => `${account} ${commissionBps}`)
      .toSorted(),
  )

/** Whether the brokers differ. Upstreams that do not report the brokers list none. */
const isOtherBrokers = (known: SwapStatus, found: SwapStatus): boolean =>
  found.brokers.length > 0 && (known.brokers.length > 0 || known.depositChannel !== undefined) &&
  sharesText(found.brokers) !== sharesText(known.brokers)

/** Whether the commissions differ. Older upstreams report them with the channel, but only if there are any. */
const isOtherCommission = (known: ChannelRecord, found: ChannelRecord): boolean => {
  const told = sharesText(found.affiliateBrokers)
  return (found.brokerCommissionBps > 0 || told !== sharesText([])) &&
    (found.brokerCommissionBps !== known.brokerCommissionBps || told !== sharesText(known.affiliateBrokers))
}

/** Whether both sides have the term, with different values. */
const isOther = <A>(
  known: A | undefined,
  found: A | undefined,
  isSame: (known: A, found: A) => boolean,
): boolean => known !== undefined && found !== undefined && !isSame(known, found)

/** Whether an unrequested term was added. Only a channel's record has all terms from the beginning. */
const isAdded = <A>({ depositChannel }: SwapStatus, known: A | undefined, found: A | undefined): boolean =>
  depositChannel !== undefined && known === undefined && found !== undefined

type Differs = (known: SwapStatus, found: SwapStatus) => boolean

const inChannel =
  (isSame: (known: ChannelRecord, found: ChannelRecord, chain: Chain) => boolean): Differs =>
  (known, found) =>
    isOther(
      known.depositChannel,
      found.depositChannel,
      (ours, theirs) => isSame(ours, theirs, chainOf(known.sourceAsset)),
    )

const inFillOrKill = (
  isSame: (known: FillOrKillParameters, found: FillOrKillParameters, sides: Sides) => boolean,
): Differs =>
(known, found) =>
  isOther(
    known.fillOrKill,
    found.fillOrKill,
    (ours, theirs) =>
      isSame(ours, theirs, { source: known.sourceAsset, destination: known.destinationAsset }),
  )

const hasBegun = ({ swapId }: SwapStatus): boolean => swapId !== undefined

/** Every term, by its name in a contradiction. */
const terms: ReadonlyArray<readonly [name: string, differs: Differs]> = [
  ["source asset", (known, found) => known.sourceAsset !== found.sourceAsset],
  ["destination asset", (known, found) => known.destinationAsset !== found.destinationAsset],
  [
    "destination address",
    (known, found) =>
      !isSameAccount(chainOf(known.destinationAsset), known.destinationAddress, found.destinationAddress),
  ],
  [
    "deposit channel",
    (known, found) =>
      known.depositChannel === undefined && found.depositChannel !== undefined ||
      inChannel(({ id: ours }, { id: theirs }) => formatChannelId(ours) === formatChannelId(theirs))(
        known,
        found,
      ),
  ],
  [
    "deposit address",
    inChannel((ours, theirs, chain) => isSameAccount(chain, ours.depositAddress, theirs.depositAddress)),
  ],
  [
    "expected deposit amount",
    inChannel((ours, theirs) =>
      !isOther(ours.expectedDepositAmount, theirs.expectedDepositAmount, (one, other) => one === other)
    ),
  ],
  [
    "refund address",
    inFillOrKill((ours, theirs, { source }) =>
      isSameAccount(chainOf(source), ours.refundAddress, theirs.refundAddress)
    ),
  ],
  // Only a fallback pays to an address of its own.
  [
    "address for its payout",
    (known, { swapEgress }) =>
      isOther(
        known.destinationAddress,
        swapEgress?.destinationAddress,
        (asked, paid) => isSameAccount(chainOf(known.destinationAsset), asked, paid),
      ),
  ],
  [
    "address for its refund",
    (known, { refundEgress }) =>
      isOther(
        known.fillOrKill?.refundAddress,
        refundEgress?.destinationAddress,
        (asked, paid) => isSameAccount(chainOf(known.sourceAsset), asked, paid),
      ),
  ],
  ["minimum price", (known, found) => isPriceFixed(known) && inFillOrKill(isSamePrice)(known, found)],
  [
    "oracle price limit",
    inFillOrKill(({ maximumOraclePriceSlippageBps: ours }, { maximumOraclePriceSlippageBps: theirs }) =>
      ours === undefined || ours === theirs
    ),
  ],
  ["retry duration", inFillOrKill((ours, theirs) => ours.retryDurationBlocks === theirs.retryDurationBlocks)],
  [
    "number or interval of chunks",
    (known, found) =>
      isAdded(known, known.dca, found.dca?.numberOfChunks === 1 ? undefined : found.dca) ||
      isOther(known.dca, found.dca, (ours, theirs) => isSameDca(ours, theirs, hasBegun(found))),
  ],
  [
    "maximum boost fee",
    (known, found) =>
      isAdded(known, known.boost, found.boost?.maximumBoostFeeBps === 0 ? undefined : found.boost) ||
      isOther(
        known.boost,
        found.boost,
        (ours, theirs) => ours.maximumBoostFeeBps === theirs.maximumBoostFeeBps,
      ),
  ],
  [
    "message for the receiving contract",
    (known, found) => isAdded(known, known.ccm, found.ccm) || isOther(known.ccm, found.ccm, isSameCcm),
  ],
  [
    "commission",
    (known, found) =>
      isOtherBrokers(known, found) ||
      isOther(known.depositChannel, found.depositChannel, (ours, theirs) => !isOtherCommission(ours, theirs)),
  ],
]

/** The term of a swap that an answer contradicts, in one sentence; undefined where it contradicts none. */
export const otherTermIn = (known: SwapStatus, found: SwapStatus): string | undefined => {
  const [name] = terms.find(([, differs]) => differs(known, found)) ?? []
  return name === undefined ? undefined : `The upstream now reports a different ${name} than our record`
}

/** The terms of a channel since its opening. Its expiry is not among them, as the upstream learns that in time. */
const channelTerms = [
  "id",
  "brokerCommissionBps",
  "affiliateBrokers",
  "depositAddress",
  "sourceChainExpiryBlock",
  "openedThroughBackend",
  "expectedDepositAmount",
  "memo",
  "exactAmount",
  "exactOutput",
  "estimatedOutput",
  "minimumDeposit",
  "maximumDeposit",
  "providerSignature",
  "explorerUrl",
  "isLater",
] as const

const withChannelOf = (known: ChannelRecord, found: ChannelRecord = known): ChannelRecord => ({
  ...Struct.omit(found, channelTerms),
  ...Struct.pick(known, channelTerms),
})

/** A payment with the address of the terms, even where an answer names another. */
const paidTo = (address: Address | undefined, egress: Egress): Egress =>
  address === undefined || egress.destinationAddress === undefined
    ? egress
    : { ...egress, destinationAddress: address }

/** The payout and the refund of an answer, with the addresses of the terms. */
const paymentsOf = (known: SwapStatus, { refundEgress, swapEgress }: SwapStatus) => ({
  ...(swapEgress === undefined ? {} : { swapEgress: paidTo(known.destinationAddress, swapEgress) }),
  ...(refundEgress === undefined
    ? {}
    : { refundEgress: paidTo(known.fillOrKill?.refundAddress, refundEgress) }),
})

/** A swap through a channel has all its terms from the opening on, and gets no others. */
const onTermsOfChannel = (known: SwapStatus, channel: ChannelRecord, found: SwapStatus): SwapStatus => {
  const { boost, fillOrKill } = known
  return {
    ...Struct.omit(found, ["boost", "ccm", "dca", "quote"]),
    ...paymentsOf(known, found),
    ...Struct.pick(known, [
      "sourceAsset",
      "destinationAsset",
      "destinationAddress",
      "brokers",
      "ccm",
      "dca",
      "quote",
    ]),
    depositChannel: withChannelOf(channel, found.depositChannel),
    ...(boost === undefined
      ? {}
      : { boost: { ...found.boost, maximumBoostFeeBps: boost.maximumBoostFeeBps } }),
    ...(fillOrKill === undefined ? {} : { fillOrKill: { ...found.fillOrKill, ...fillOrKill } }),
  }
}

/** The found status on the swap's own terms, including those that the answer leaves out. */
export const onTermsOf = (known: SwapStatus, found: SwapStatus): SwapStatus =>
  known.depositChannel === undefined
    ? {
      ...Struct.omit(found, ["depositChannel", "quote"]),
      ...paymentsOf(known, found),
      ...Struct.pick(known, ["sourceAsset", "destinationAsset", "destinationAddress", "quote"]),
    }
    : onTermsOfChannel(known, known.depositChannel, found)

// One payment is not the end of two swaps (decision 37). A payment is a transaction with an asset, an address and an
// amount: the transaction alone says nothing, as it may pay many swaps.

/** Alike swaps of one batch get alike payments, to the unit: deposits that differ by more do not. One part in so many. */
const alike = 100n

const isAlike = (one: bigint | null, other: bigint | null): boolean => {
  // What nobody told is no ground.
  if (one === null || other === null) return true
  const [less, more] = one < other ? [one, other] : [other, one]
  return (more - less) * alike <= more
}

const isSamePayment = (one: ClaimedPayment, other: ClaimedPayment): boolean =>
  one.asset === other.asset && one.amount === other.amount &&
  isSameAccount(chainOf(one.asset), one.address, other.address)

/** Whether a claim of another swap leaves no room for this one, by what a transaction of the provider can pay. */
export const excludes = ({ pays }: EndRules) => (other: ClaimedPayment, own: ClaimedPayment): boolean => {
  if (pays === "one") return true
  if (pays === "several") return isSamePayment(other, own)
  // A transaction on Solana has one transfer, on other chains a batch (chainflip/wire.md 3.7).
  return chainOf(own.asset) === "Solana" ||
    isSamePayment(other, own) && !isAlike(other.deposited, own.deposited)
}

const longestReference = 200

const claimedPayments = (status: SwapStatus): ReadonlyArray<ClaimedPayment> => {
  const { deposit, destinationAddress, destinationAsset, fallbackEgress, fillOrKill, refundEgress } = status
  const of = (egress: Egress | undefined, asset: AssetId, address: string): ReadonlyArray<ClaimedPayment> => {
    const { amount, transactionReference: reference } = egress ?? {}
    // On one chain the transaction that takes a deposit up pays, too: several swaps can share it (relay/wire.md 1).
    const isUnclaimable = reference === undefined || reference === deposit?.transactionReference
    return amount === undefined || isUnclaimable || reference.length > longestReference ? [] : [{
      reference: normaliseReference(reference),
      asset,
      amount,
      address: egress?.destinationAddress ?? address,
      deposited: deposit?.amount ?? null,
    }]
  }
  return [
    ...of(fallbackEgress ?? status.swapEgress, destinationAsset, destinationAddress),
    ...of(refundEgress, status.sourceAsset, fillOrKill?.refundAddress ?? ""),
  ]
}

/**
 * A swap by our own record, as an upstream may tell its numbers in one answer and not in the next: a vault swap by its
 * transaction, a channel's first swap by the channel, a further one by the number or the deposit that it was found by.
 */
export const claimantOf = (
  platform: ProviderName,
  { deposit, depositChannel, swapId }: SwapStatus,
  transaction?: string,
): string =>
  [
    platform,
    ...(transaction === undefined ? [] : [transaction]),
    ...(depositChannel === undefined ? [] : [formatChannelId(depositChannel.id)]),
    ...(depositChannel?.isLater === true ? [swapId ?? deposit?.transactionReference ?? ""] : []),
  ].join(" ")

/** The claimant that a swap is whose look-up this is. */
export const claimantIn = ({ platform, status, subject }: Lookup): string =>
  LookupSubject.$match(subject, {
    Channel: () => claimantOf(platform, status),
    VaultSwap: ({ transaction }) => claimantOf(platform, status, transaction),
  })

/** Claims the payments of an end that the operator accepted, whoever has claimed them before. */
export const claimAccepted = (repo: PaymentsRepo["Service"], claimant: string, status: SwapStatus) =>
  repo.claim(claimant, claimedPayments(status), () => false)

/** Claims the payments of a completed swap; why that cannot be, in one sentence, where another swap has them. */
export const claimPayments = (
  repo: PaymentsRepo["Service"],
  claimant: string,
  status: SwapStatus,
  rules: EndRules,
) => {
  const payments = status.state === "completed" ? claimedPayments(status) : []
  return payments.length === 0 ? Effect.succeedNone : Effect.map(
    repo.claim(claimant, payments, excludes(rules)),
    Option.map(({ asset }) =>
      `The upstream now reports completed, but names a payment of ${asset} that it made for another swap`
    ),
  )
}
