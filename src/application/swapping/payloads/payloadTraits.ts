import { BigDecimal } from "effect"
import type { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import type { DcaParameters } from "#domain/swaps/SwapRequest.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { outputAt, type Price } from "#domain/money/Price.ts"
import type { FillOrKillParameters, SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { kindOf, type VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { accountText } from "#domain/chains/address/accountBytes.ts"
import type { Observed } from "#providers/Provider.ts"
import type { PayloadTraits, SwapEvidence } from "#infrastructure/store/swaps/VaultSwapsRepo.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"

/** The time at which the upstream had seen enough of the deposit, by its own clock; absent while it has not. */
const seenAt = ({ deposit }: SwapStatus): EpochMillis | undefined =>
  deposit?.witnessedAt ?? deposit?.failedAt ?? deposit?.failure?.failedAt

/** The least time of the blocks that followed the deposit's, up to its confirmation. A boost waits for none of them. */
const confirming = ({ boost, sourceAsset, sourceChainRequiredBlockConfirmations }: SwapStatus): number =>
  boost?.boostedAt !== undefined ? 0 : Math.max(0, (sourceChainRequiredBlockConfirmations ?? 1) - 1) *
    chainFacts(chainOf(sourceAsset)).leastBlockMillis

/** The most that an upstream which keeps up is behind, some blocks, in milliseconds. */
const longestAgo = 600_000

/** The clock of a record's times. */
export interface RecordedTime {
  /** Whether the record's time is simulated: a simulated world may live in another year than we do. */
  readonly simulatedTime: boolean
}

/**
 * The latest time, by our clock, at which the transaction of a vault swap was made, judged by its record at `askedAt`:
 * the time at which its deposit was seen, less the time of the confirmations. Nothing is subtracted for a chain whose
 * blocks come by chance, as that would disown users who send soon after asking for a payload. A record without a time
 * is of a deposit that is just being seen.
 *
 * The upstream's clock may differ from ours. The age of the deposit when the record was written is the same by both, so
 * the later of the two times counts, but no time long after the deposit was seen: otherwise a record that grows old
 * would admit everyone who copied the transaction meanwhile. In a simulated world, an old record says nothing of our
 * time.
 */
export const madeBy = (
  status: SwapStatus,
  askedAt: EpochMillis,
  { simulatedTime }: RecordedTime,
): EpochMillis => {
  const seen = seenAt(status)
  if (seen === undefined) return askedAt
  const { lastStateChainUpdateAt: written } = status
  if (simulatedTime && written !== undefined && askedAt - written > longestAgo) return askedAt
  const byOurClock = written === undefined ? seen : Math.max(seen, askedAt - Math.max(0, written - seen))
  const latest = simulatedTime ? askedAt : Math.min(askedAt, seen + longestAgo)
  return EpochMillis.make(Math.max(0, Math.min(latest, byOurClock - confirming(status))))
}

// How a vault swap is recognised. It has no channel that would name its account, so its record is compared with the
// payloads that were handed out: all that both tell has to agree.

const account = (asset: AssetId, address: string): string => accountText(chainOf(asset), address)

/** Whether the refund address is fixed. A wallet of Bitcoin's family chooses where its change goes, and with it a refund. */
const refundFixed = (source: AssetId): boolean => kindOf(chainOf(source)) !== "bitcoin"

/** Whether the price limit follows from the amount that the transaction turns out to move: it says an output. */
export const limitsOutput = (source: AssetId): boolean => {
  const kind = kindOf(chainOf(source))
  return kind === "bitcoin" || kind === "xrpl"
}

/** Whether the amount is fixed. A transaction of a chain's own coin can move another amount than its payload's. */
const amountFixed = (source: AssetId): boolean =>
  chainOf(source) === "Solana" || factsOf(source).contractAddress !== undefined

/** The terms as text. The accounts of the shares are left out: records do not say which broker sent a swap. */
const termsText = (
  retryDurationBlocks: number,
  dca: DcaParameters | undefined,
  commissions: ReadonlyArray<number>,
): string =>
  JSON.stringify([
    retryDurationBlocks,
    dca === undefined ? [] : [dca.numberOfChunks, dca.chunkIntervalBlocks],
    commissions.filter((bps) => bps > 0).toSorted((one, other) => one - other),
  ])

export const traitsOf = (request: VaultSwapRequest): PayloadTraits => {
  const { amount, destinationAsset, minimumPrice, sourceAsset } = request
  const commissions = [request.commissionBps, ...request.affiliates.map(({ commissionBps }) => commissionBps)]
  return {
    sourceAsset,
    destinationAsset,
    destination: account(destinationAsset, request.destinationAddress),
    refund: account(sourceAsset, request.refundAddress),
    refundFixed: refundFixed(sourceAsset),
    terms: termsText(request.retryDurationBlocks, request.dca, commissions),
    priceLimit: limitsOutput(sourceAsset)
      ? `${outputAt(minimumPrice, amount, sourceAsset, destinationAsset)}`
      : formatDecimal(minimumPrice),
    amount,
    amountFixed: amountFixed(sourceAsset),
  }
}

/** The tolerance of prices, as upstreams round them: a millionth more or less is the same price. */
const millionth = BigDecimal.make(1n, 6)

type Pair = Pick<SwapStatus, "sourceAsset" | "destinationAsset">

/** The place where the record's price ends: 20 places of the price between native units (chainflip/wire.md 3.7). */
const cutOff = ({ destinationAsset, sourceAsset }: Pair): BigDecimal.BigDecimal =>
  BigDecimal.make(1n, 19 + factsOf(destinationAsset).decimals - factsOf(sourceAsset).decimals)

const around = (value: BigDecimal.BigDecimal, reach: BigDecimal.BigDecimal) => {
  const least = BigDecimal.subtract(value, reach)
  return {
    least: BigDecimal.isNegative(least) ? "0" : formatDecimal(least),
    most: formatDecimal(BigDecimal.sum(value, reach)),
  }
}

/** The distance within which an upstream treats two prices as the same. */
export const priceReach = (price: Price, pair: Pair): BigDecimal.BigDecimal =>
  BigDecimal.sum(BigDecimal.multiply(price, millionth), cutOff(pair))

const priceAround = (price: Price, status: SwapStatus) => around(price, priceReach(price, status))

const outputAround = (price: Price, amount: NativeAmount, { destinationAsset, sourceAsset }: SwapStatus) => {
  const output = outputAt(price, amount, sourceAsset, destinationAsset)
  return around(
    BigDecimal.fromBigInt(output),
    BigDecimal.fromBigInt(output / 1_000_000n + amount / 10n ** 19n + 2n),
  )
}

/** The limit that the payload must have had; left out where it depends on an amount that is not known. */
const priceLimit = ({ minimumPrice }: FillOrKillParameters, status: SwapStatus): Partial<SwapEvidence> => {
  if (!limitsOutput(status.sourceAsset)) return { priceLimit: priceAround(minimumPrice, status) }
  const { deposit } = status
  return deposit === undefined ? {} : { priceLimit: outputAround(minimumPrice, deposit.amount, status) }
}

/** The evidence in a record, asked for at `askedAt`, about the payload that its swap comes from. */
export const evidenceOf = (
  { mark, status }: Pick<Observed, "mark" | "status">,
  askedAt: EpochMillis,
  time: RecordedTime,
): SwapEvidence => {
  const { brokers, dca, deposit, destinationAsset, fillOrKill, sourceAsset } = status
  return {
    sourceAsset,
    destinationAsset,
    destination: account(destinationAsset, status.destinationAddress),
    madeBy: madeBy(status, askedAt, time),
    ...defined({ mark }),
    ...(deposit === undefined ? {} : { amount: deposit.amount }),
    ...(fillOrKill === undefined ? {} : {
      refund: account(sourceAsset, fillOrKill.refundAddress),
      terms: termsText(
        fillOrKill.retryDurationBlocks,
        dca,
        brokers.map(({ commissionBps }) => commissionBps),
      ),
      ...priceLimit(fillOrKill, status),
    }),
  }
}
