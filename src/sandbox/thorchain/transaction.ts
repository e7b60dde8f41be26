import { hexToBytes } from "@noble/hashes/utils.js"
import { Match, Result } from "effect"
import { accountText } from "#domain/chains/address/accountBytes.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { issueAbout, type Issues } from "#domain/Issues.ts"
import { decodeCall, transferFunction } from "#domain/chains/payload/abi.ts"
import type { EvmPayload, TronPayload, VaultSwapPayload } from "#domain/swaps/VaultSwap.ts"
import { vaultAddress } from "../engine/identifiers.ts"
import type { PayVault } from "./engine/Command.ts"
import type { PaymentRefusal, Vaults } from "./engine/State.ts"
import { wasVault } from "./engine/Vaults.ts"
import { pooledAssets, routerOf } from "./families.ts"

export interface Transaction {
  readonly payload: VaultSwapPayload
  /** The amount of an asset that the transaction moves, where the control says one. */
  readonly amountOf: (asset: AssetId) => Result.Result<NativeAmount | undefined, Issues>
  /** The address of the change, on Bitcoin and its family. */
  readonly changeAddress: string | undefined
  /** A memo that a wallet on the XRP Ledger puts before that of the payload. */
  readonly walletMemo: string | undefined
}

type Read = Result.Result<PayVault, Issues>

const unreadable = (sentence: string): Result.Result<never, Issues> =>
  Result.fail(issueAbout("payload", `cannot be sent: ${sentence}`))

const recipientOf = (payload: VaultSwapPayload): string =>
  payload._tag === "bitcoin" || payload._tag === "xrpl"
    ? payload.depositAddress
    : payload._tag === "solana"
    ? ""
    : payload.to.startsWith("0x")
    ? payload.to.toLowerCase()
    : payload.to

/** Whether a payload pays a vault or calls the contract of a network. */
export const isFor = (vaults: Vaults, payload: VaultSwapPayload): boolean => {
  const recipient = recipientOf(payload)
  return wasVault(vaults, payload.network, recipient) ||
    routerOf(vaults.family, payload.network) === recipient
}

const textOf = (hex: string): string => new TextDecoder().decode(hexToBytes(hex.slice(2)))

const depositFunction = "depositWithExpiry(address,address,uint256,string,uint256)"
const addressHexDigits = 40

const addressIn = (word: bigint): string => `0x${word.toString(16).padStart(addressHexDigits, "0")}`

interface Moved {
  readonly vault: string
  readonly amount: bigint
  readonly memo: string
  readonly expiry?: bigint
  readonly token?: string
}

const noToken = 0n

/** What a call of the contract says, or a plain payment whose data is the memo. */
const readEvm = ({ family }: Vaults, payload: EvmPayload): Moved | undefined => {
  const { calldata, network, sourceTokenAddress, value } = payload
  const recipient = recipientOf(payload)
  if (recipient !== routerOf(family, network)) {
    return sourceTokenAddress === undefined
      ? { vault: recipient, amount: value, memo: textOf(calldata) }
      : undefined
  }
  const call = decodeCall(depositFunction, hexToBytes(calldata.slice(2)))
  const [vault, token, amount, expiry] = call?.words ?? []
  if (
    vault === undefined || token === undefined || amount === undefined || expiry === undefined ||
    (token === noToken) !== (sourceTokenAddress === undefined)
  ) return undefined
  const moved = { vault: addressIn(vault), memo: new TextDecoder().decode(call?.strings[0]), expiry }
  return token === noToken ? { ...moved, amount: value } : { ...moved, amount, token: addressIn(token) }
}

const readTron = (
  { calldata, note, sourceTokenAddress: token, to, value }: TronPayload,
): Moved | undefined => {
  const moved = { vault: to, memo: textOf(note) }
  if (token === undefined) return { ...moved, amount: value }
  const [recipient, amount] = decodeCall(transferFunction, hexToBytes(calldata.slice(2)))?.words ?? []
  if (recipient === undefined || amount === undefined) return undefined
  return addressIn(recipient).slice(2) === accountText("Tron", to) ? { ...moved, amount, token } : undefined
}

const readMoved = (
  vaults: Vaults,
  { payload, walletMemo }: Pick<Transaction, "payload" | "walletMemo">,
): Moved | undefined =>
  Match.valueTags(payload, {
    bitcoin: ({ amountNative: amount, depositAddress: vault, nulldataPayload }) => ({
      vault,
      amount,
      memo: textOf(nulldataPayload),
    }),
    // Of several memos the first is read.
    xrpl: ({ amountNative: amount, depositAddress: vault, memoData }) => ({
      vault,
      amount,
      memo: walletMemo ?? textOf(`0x${memoData}`),
    }),
    evm: (payload) => readEvm(vaults, payload),
    tron: readTron,
    solana: () => undefined,
  })

export const readPayment = (
  vaults: Vaults,
  { amountOf, changeAddress, payload, walletMemo }: Transaction,
): Read =>
  Result.gen(function* () {
    const chain = payload.network
    if (walletMemo !== undefined && payload._tag !== "xrpl") {
      return yield* Result.fail(issueAbout("walletMemo", "is for payments on the XRP Ledger alone"))
    }
    if (changeAddress !== undefined && payload._tag !== "bitcoin") {
      return yield* Result.fail(
        issueAbout("changeAddress", "is for transactions on Bitcoin and the chains of its family alone"),
      )
    }
    const moved = readMoved(vaults, { payload, walletMemo })
    const asset = moved === undefined ? undefined : pooledAssets(vaults.family).find((asset) => {
      const { contractAddress } = factsOf(asset)
      return chainOf(asset) === chain &&
        (moved.token === undefined || contractAddress === undefined
          ? moved.token === contractAddress
          : accountText(chain, contractAddress) === accountText(chain, moved.token))
    })
    if (moved === undefined || asset === undefined) {
      return yield* unreadable("it is no payment to the vault that it names")
    }
    const amount = (yield* amountOf(asset)) ?? moved.amount
    if (moved.token !== undefined && amount !== moved.amount) {
      return yield* Result.fail(
        issueAbout("amount", `must be the ${moved.amount} native units that the payload moves`),
      )
    }
    return {
      _tag: "PayVault",
      provider: vaults.family.name,
      asset,
      amount,
      memo: moved.memo,
      vault: moved.vault,
      sender: changeAddress ?? vaultAddress(chain, payload._tag === "bitcoin" ? "change" : "sender"),
      ...(moved.expiry === undefined ? {} : { expiry: moved.expiry }),
    }
  })

export const paymentIssues = ({ _tag }: PaymentRefusal): Issues =>
  _tag === "ZeroAmount"
    ? issueAbout("amount", "must be above zero")
    : issueAbout("payload", "has expired, so the contract refuses the call")
