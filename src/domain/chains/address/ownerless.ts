import { ed25519 } from "@noble/curves/ed25519.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Result } from "effect"
import { assetsOn, type Chain, type ChainFacts, chainFacts } from "../catalogue/Catalogue.ts"
import { type FamilyName, Network } from "../catalogue/ChainRow.ts"
import { accountBytes, accountText } from "./accountBytes.ts"
import { decodeBase58 } from "./Base58.ts"
import { checkBitcoinFamily, type Payee } from "./BitcoinFamily.ts"

/** The payee of an address on any network of a chain of Bitcoin's family, of which a script can be made. */
export const payeeOn = (chain: Chain, text: string): Result.Result<Payee, string> => {
  const { family, title } = chainFacts(chain)
  return family._tag === "bitcoin"
    ? checkBitcoinFamily(family, title, Network.literals, text)
    : Result.fail(`${title} pays to no script`)
}

/*
 * Addresses that nobody can spend from, or everybody can. Each row has its source: an EIP, a BIP, or the documentation of
 * the chain by its name. An ordinary contract is none of them. Clauses complete "This … address cannot be used: ".
 */

/** A row: the account in hexadecimal as its family decodes it, and what it is. */
type Rows = ReadonlyArray<readonly [account: string, what: string]>

const burns = "it is a known burn address, which cannot be spent from"
const noKey = "it has no key and cannot be spent from"
const system = "it is a system contract of the chain"
const program = "it is a program of Solana, not a wallet"
const sysvar = "it is a system variable of Solana, not a wallet"

/** Rows of addresses with blanks between them. */
const ofBase58 = (what: string, addresses: string): Rows =>
  addresses.split(" ").map((address) => [bytesToHex(Result.getOrThrow(decodeBase58(address))), what])

/** Solana: "Native Programs", "Sysvar Cluster Data" and "SPL" of its documentation; the incinerator of `solana_sdk`. */
const solana: Rows = [
  ...ofBase58("it is the system program of Solana, which has no owner", "11111111111111111111111111111111"),
  ...ofBase58(
    "it is the incinerator of Solana, which burns all",
    "1nc1nerator11111111111111111111111111111111",
  ),
  ...ofBase58("it is the mint of wrapped SOL", "So11111111111111111111111111111111111111112"),
  ...ofBase58(
    program,
    "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb " +
      "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr " +
      "ComputeBudget111111111111111111111111111111 Stake11111111111111111111111111111111111111 " +
      "Vote111111111111111111111111111111111111111 Config1111111111111111111111111111111111111 " +
      "AddressLookupTab1e1111111111111111111111111 BPFLoader1111111111111111111111111111111111 " +
      "BPFLoader2111111111111111111111111111111111 BPFLoaderUpgradeab1e11111111111111111111111 " +
      "NativeLoader1111111111111111111111111111111 Ed25519SigVerify111111111111111111111111111 " +
      "KeccakSecp256k11111111111111111111111111111",
  ),
  ...ofBase58(
    sysvar,
    "Sysvar1111111111111111111111111111111111111 SysvarC1ock11111111111111111111111111111111 " +
      "SysvarRent111111111111111111111111111111111 SysvarEpochSchedu1e111111111111111111111111 " +
      "SysvarRecentB1ockHashes11111111111111111111 SysvarS1otHashes111111111111111111111111111 " +
      "SysvarS1otHistory11111111111111111111111111 SysvarStakeHistory1111111111111111111111111 " +
      "Sysvar1nstructions1111111111111111111111111",
  ),
]

/** EVM chains; EIP-7528 (native asset), EIP-4788, EIP-2935, EIP-7002, EIP-7251, and Ethereum's deposit contract. */
const evm: Rows = [
  ["000000000000000000000000000000000000dead", burns],
  ["dead000000000000000042069420694206942069", burns],
  ["eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "it denotes the chain's own coin (EIP-7528) and has no owner"],
  ["fffffffffffffffffffffffffffffffffffffffe", system],
  ["000f3df6d732807ef1319fb7b8bb8522d0beac02", system],
  ["0000f90827f1c53a10cb7a02335b175320002935", system],
  ["00000961ef480eb55e80d19ad83579a64c007002", system],
  ["0000bbddc7ce488642fb579f8b00f3a590007251", system],
]

/** The hashes of 20 zeros, of 20 ones, and of the empty key or script (RIPEMD-160 of SHA-256 of nothing), on any chain of the family. */
const bitcoin: Rows = [
  ["00".repeat(20), noKey],
  ["00".repeat(32), noKey],
  ["ff".repeat(20), noKey],
  ["b472a266d0bd89c13706a4132ccfb16f7c3b9fcb", "it is that of the empty key or script, which has no owner"],
  // BIP 341: a point of which nobody knows the key.
  ["50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0", noKey],
  // 1BitcoinEaterAddressDontSendf59kuE; 1CounterpartyXXXXXXXXXXXXXXXUWLpVr and DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr, by
  // whose proof of burn their tokens were given out.
  ["759d6677091e973b9e9d99f19c68fbf43e3f05f9", burns],
  ["818895f3dc2c178629d3d2d8fa3ec4a3f8179821", burns],
  ["5f0d49feb9842f4ef958d1a2f69a776ce17f2808", burns],
]

/** XRP Ledger: "Special Addresses" of its documentation. */
const xrpl: Rows = [
  ["0000000000000000000000000000000000000001", "it is ACCOUNT_ONE of the ledger, a black hole"],
  ["0000000000000000000000000000000000000000", "it is ACCOUNT_ZERO of the ledger, a black hole"],
  ["00000000000000000000000000000000016fc69d", "it is the Name Reservation black hole of the ledger"],
  ["0000000000000000000000000000000000000977", "it is the NaN address of old clients, a black hole"],
  ["b5f762798a53d543a014caf8b297cff8f2f937e8", "it is the genesis account, whose key everybody knows"],
]

/** Tron: the account of zeros, and the genesis account `Blackhole` of its main network. */
const tron: Rows = [
  ["00".repeat(20), burns],
  ["77944d19c052b73ee2286823aa83f8138cb7032f", "it is the black hole of Tron, which burns all"],
]

const substrate: Rows = [["00".repeat(32), noKey]]

const rows: Readonly<Record<FamilyName, ReadonlyMap<string, string>>> = {
  bitcoin: new Map(bitcoin),
  evm: new Map(evm),
  solana: new Map(solana),
  tron: new Map(tron),
  substrate: new Map(substrate),
  xrpl: new Map(xrpl),
}

/** Beginnings of accounts that chains keep for themselves, each up to the last bytes. */
const kept: Readonly<Partial<Record<FamilyName, Rows>>> = {
  // EIP-1352: up to 0xffff. Precompiles (EIP-198, 196, 197, 152, 4844, 2537, 7951) and the chains' system contracts.
  evm: [["00".repeat(18), "it is an address that the chain keeps for precompiles and system contracts"]],
  tron: [["00".repeat(18), "it is an address that the chain keeps for precompiles"]],
  // "modl": accounts of the chain's modules (`PalletId` of Substrate), which end with zeros.
  substrate: [["6d6f646c", "it is an account of a module of the chain, not of a person"]],
}

/** System contracts of single chains: "Predeploys" of the OP Stack, and the coinbase of Avalanche, which burns all. */
const keptOn: Readonly<Record<string, Rows>> = {
  Optimism: [[`42${"00".repeat(18)}`, system]],
  Base: [[`42${"00".repeat(18)}`, system]],
  Avalanche: [[`01${"00".repeat(19)}`, "it is the black hole of Avalanche, which burns all"]],
  Ethereum: [[
    "00000000219ab540356cbb839cbe05303d7705fa",
    "it is the deposit contract of Ethereum's stakers",
  ]],
}

/** The account of an address, or the key or script that an address of Bitcoin's family is paid to, in hexadecimal. */
const accountIn = ({ family, name }: ChainFacts, address: string): string | undefined => {
  if (family._tag !== "bitcoin") {
    return Result.getOrUndefined(Result.map(accountBytes(name, address), bytesToHex))
  }
  const payee = Result.getOrUndefined(payeeOn(name, address))
  if (payee === undefined) return undefined
  return "hash" in payee ? bytesToHex(payee.hash) : "pubkey" in payee ? bytesToHex(payee.pubkey) : undefined
}

/** Why money that is paid to an address of the chain would be lost, whoever sends it; undefined where nothing is known. */
export const ownerlessFault = (chain: Chain, address: string): string | undefined => {
  const facts = chainFacts(chain)
  const account = accountIn(facts, address)
  if (account === undefined) return undefined
  const family = facts.family._tag
  const known = rows[family].get(account) ??
    [...kept[family] ?? [], ...keptOn[chain] ?? []].find(([start]) =>
      account.startsWith(start) && (family !== "substrate" || account.endsWith("00".repeat(8)))
    )?.[1]
  if (known !== undefined) return known
  const token = assetsOn(chain).find(({ contractAddress }) =>
    contractAddress !== undefined && accountText(chain, contractAddress) === accountText(chain, address)
  )
  return token === undefined
    ? undefined
    : `it is the contract of ${token.ticker} itself, which cannot return what is sent`
}

export const isOnCurve = (key: Uint8Array): boolean =>
  Result.isSuccess(Result.try(() => ed25519.Point.fromBytes(key, true)))

/** Whether a Solana address is a program's: a vault, or a token account. Only the chain can tell which. */
export const isOfProgram = (chain: Chain, address: string): boolean =>
  chainFacts(chain).family._tag === "solana" &&
  Result.match(accountBytes(chain, address), { onFailure: () => false, onSuccess: (key) => !isOnCurve(key) })
