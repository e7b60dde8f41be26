import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { base64 } from "@scure/base"
import { OP, Script, SigHash, Transaction } from "@scure/btc-signer"
import { OutScript } from "@scure/btc-signer/payment.js"
import { Option, Result } from "effect"
import { payeeOn } from "../address/ownerless.ts"
import { type Chain, chainFacts } from "../catalogue/Catalogue.ts"

/** A transaction of Bitcoin's family that its sender only signs (BIP 174), compared with the swap that it shall start. */

/** The swap that a transaction shall start. Scripts and null data are compared, not their spelling. */
export interface PsbtTerms {
  readonly chain: Chain
  readonly depositAddress: string
  /** The amount to pay to `depositAddress`, in native units of the chain's coin. */
  readonly amountNative: bigint
  /** The content of the null-data output, as 0x and hexadecimal digits. */
  readonly nulldataPayload: string
  /** The address that the inputs are from, where it is known. */
  readonly sender?: string | undefined
  /** The amounts of fees that may be paid by outputs of their own. */
  readonly fees: ReadonlyArray<bigint>
}

interface Output {
  /** The script in hexadecimal. */
  readonly script: string
  readonly amount: bigint
}

const options = { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true }

const parse = Option.liftThrowable((psbt: string) => Transaction.fromPSBT(base64.decode(psbt), options))

const outputsOf = (transaction: Transaction): ReadonlyArray<Output> =>
  Array.from({ length: transaction.outputsLength }, (_, index) => {
    const { amount = 0n, script = new Uint8Array() } = transaction.getOutput(index)
    return { amount, script: bytesToHex(script) }
  })

/** The outputs that the inputs spend; undefined for an input that does not tell. */
const spentOutputsOf = (transaction: Transaction): ReadonlyArray<Output | undefined> =>
  Array.from({ length: transaction.inputsLength }, (_, at) => {
    const { index = 0, nonWitnessUtxo, witnessUtxo } = transaction.getInput(at)
    const spent = witnessUtxo ?? nonWitnessUtxo?.outputs[index]
    return spent === undefined ? undefined : { amount: spent.amount, script: bytesToHex(spent.script) }
  })

/** The most that miners ever had to be paid, twice over: native units for each virtual byte of a transaction. */
const mostPerByte = 4_000n

/** No less than the virtual bytes of any transaction with so many inputs and outputs and 80 bytes of null data. */
const mostBytes = (inputs: number, outputs: number): bigint => BigInt(150 + 150 * inputs + 45 * outputs)

const sum = (outputs: ReadonlyArray<Output>): bigint =>
  outputs.reduce((total, { amount }) => total + amount, 0n)

/** Of Bitcoin Cash, `ALL` with the flag that keeps a signature from being one on Bitcoin, too (replay protection). */
const allWithForkId = 0x41

/**
 * Signatures that commit to all outputs; with any other, whoever has the signature chooses where the money goes. Chains
 * with CashAddr know only signatures with their flag: one without it would be none there, or move coins on Bitcoin.
 */
const committingOn = (chain: Chain): ReadonlyArray<number | undefined> => {
  const { family } = chainFacts(chain)
  return family._tag === "bitcoin" && family.forms.mainnet.cashAddr !== undefined
    ? [undefined, allWithForkId]
    : [undefined, SigHash.DEFAULT, SigHash.ALL]
}

const isCommitting = (chain: Chain, transaction: Transaction): boolean =>
  Array.from({ length: transaction.inputsLength }, (_, at) => transaction.getInput(at).sighashType)
    .every((type) => committingOn(chain).includes(type))

const scriptOf = (chain: Chain, address: string): string | undefined =>
  Result.match(payeeOn(chain, address), {
    onFailure: () => undefined,
    onSuccess: (payee) => bytesToHex(OutScript.encode(payee)),
  })

/** Undefined where no script can have so much in it. */
const nullDataScript = (payload: string): string | undefined =>
  Option.getOrUndefined(
    Option.liftThrowable(() => bytesToHex(Script.encode(["RETURN", hexToBytes(payload.slice(2))])))(),
  )

const returns = OP.RETURN.toString(16)

/** The outputs without the first one that is as described; undefined where none is. */
const without = (outputs: ReadonlyArray<Output>, is: (output: Output) => boolean) => {
  const at = outputs.findIndex(is)
  return at < 0 ? undefined : outputs.toSpliced(at, 1)
}

/**
 * The fault of a transaction, or undefined: it pays the amount to the deposit address and has the null data, each once,
 * and otherwise pays only named fees and its sender. The sender is who all inputs are from. Inputs of several scripts
 * are refused: change to any of them could be change to a stranger, who only has to add an input.
 */
export const psbtFault = (psbt: string, terms: PsbtTerms): string | undefined => {
  const parsed = parse(psbt)
  if (Option.isNone(parsed)) return "a PSBT that cannot be read"
  const spent = spentOutputsOf(parsed.value)
  const paid = outputsOf(parsed.value)
  const [script, ...otherScripts] = new Set(spent.map((output) => output?.script))
  if (script === undefined || otherScripts.length > 0) {
    return "a PSBT with inputs that are not all of one sender"
  }
  if (terms.sender !== undefined && scriptOf(terms.chain, terms.sender) !== script) {
    return "a PSBT of another sender"
  }
  if (!isCommitting(terms.chain, parsed.value)) {
    return "a PSBT whose signatures would not be of its chain and all of its outputs"
  }

  const deposit = scriptOf(terms.chain, terms.depositAddress)
  const unpaid = without(paid, (output) => output.script === deposit && output.amount === terms.amountNative)
  if (unpaid === undefined) return "a PSBT that does not pay the amount to the deposit address"
  const nullData = nullDataScript(terms.nulldataPayload)
  const others = without(unpaid, (output) => output.script === nullData && output.amount === 0n)
  if (others === undefined || others.some((output) => output.script.startsWith(returns))) {
    return "a PSBT with other null data"
  }
  const strangers = others.filter((output) => output.script !== script)
  const unnamed = terms.fees.reduce<ReadonlyArray<Output>>(
    (left, fee) => without(left, ({ amount }) => amount === fee) ?? left,
    strangers,
  )
  if (unnamed.length > 0) return "a PSBT that pays someone else"
  const forMiners = sum(spent.flatMap((output) => output ?? [])) - sum(paid)
  return forMiners > mostPerByte * mostBytes(spent.length, paid.length)
    ? "a PSBT that leaves too much to the miners"
    : undefined
}
