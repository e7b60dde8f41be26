import { Struct } from "effect"
import { chainOf } from "./Asset.ts"
import { type Chain, chainFacts, type FamilyName } from "./Chain.ts"
import type { Deposit, Egress, SwapStatus } from "../swaps/Swap.ts"

/** No transaction has a hash of zeros: THORChain writes one where there is none (thorchain/wire.md). */
const hash = /^(?:0x)?(?!0{64})([0-9a-fA-F]{64})$/
/** 64 bytes in base58. */
const signature = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/
const extrinsic = /^[0-9]{1,15}-[0-9]{1,15}$/

type Write = (text: string) => string | undefined

const plainHash: Write = (text) => hash.exec(text)?.[1]?.toLowerCase()
const evmHash: Write = (text) => {
  const digits = plainHash(text)
  return digits === undefined ? undefined : `0x${digits}`
}
const matching = (pattern: RegExp): Write => (text) => pattern.test(text) ? text : undefined

const forms: Readonly<Record<FamilyName, Write>> = {
  bitcoin: plainHash,
  evm: evmHash,
  solana: matching(signature),
  tron: plainHash,
  substrate: matching(extrinsic),
  // The ledger itself writes its hashes in capitals.
  xrpl: (text) => plainHash(text)?.toUpperCase(),
}

/** A transaction in its chain's spelling (chainflip/wire.md 3.6); undefined for other text. */
export const referenceOn = (chain: Chain, text: string): string | undefined =>
  forms[chainFacts(chain).family._tag](text)

/** Whether a text has the chain's own spelling of transactions, apart from capitals: with 0x, or without. */
export const isWrittenAsOn = (chain: Chain, text: string): boolean =>
  referenceOn(chain, text)?.length === text.length

const isOn = (chain: Chain, reference: string | undefined): boolean =>
  reference === undefined || referenceOn(chain, reference) !== undefined

/** Whether each reference of a deposit or a payment is a transaction of its chain. */
const isWhole = (chain: Chain, moved: Deposit | Egress | undefined): boolean =>
  moved === undefined || (isOn(chain, moved.transactionReference) &&
    (!("otherTransactionReferences" in moved) ||
      (moved.otherTransactionReferences ?? []).every((reference) => isOn(chain, reference))))

/** A transaction of the chain comes first, if there is one. */
const depositOn = (chain: Chain, deposit: Deposit): Deposit => {
  const { otherTransactionReferences = [], transactionReference, ...rest } = deposit
  const [first, ...others] = [transactionReference, ...otherTransactionReferences]
    .flatMap((reference) => reference !== undefined && isOn(chain, reference) ? [reference] : [])
  return {
    ...rest,
    ...(first === undefined ? {} : { transactionReference: first }),
    ...(others.length === 0 ? {} : { otherTransactionReferences: others }),
  }
}

const egressOn = (chain: Chain, egress: Egress): Egress =>
  isWhole(chain, egress) ? egress : Struct.omit(egress, ["transactionReference"])

/** The status without references that are no transactions of their chain, which payers would read. */
export const withTransactionsOnly = (status: SwapStatus): SwapStatus => {
  const { deposit, fallbackEgress, refundEgress, swapEgress } = status
  const [source, destination] = [chainOf(status.sourceAsset), chainOf(status.destinationAsset)]
  const areWhole = [deposit, refundEgress].every((moved) => isWhole(source, moved)) &&
    [swapEgress, fallbackEgress].every((moved) => isWhole(destination, moved))
  return areWhole ? status : {
    ...status,
    ...(deposit === undefined ? {} : { deposit: depositOn(source, deposit) }),
    ...(refundEgress === undefined ? {} : { refundEgress: egressOn(source, refundEgress) }),
    ...(swapEgress === undefined ? {} : { swapEgress: egressOn(destination, swapEgress) }),
    ...(fallbackEgress === undefined ? {} : { fallbackEgress: egressOn(destination, fallbackEgress) }),
  }
}
