import { Result, Schema } from "effect"
import { checkBitcoin } from "./address/Bitcoin.ts"
import { checkEvm } from "./address/Evm.ts"
import { checkPolkadot, decodeSs58 } from "./address/Ss58.ts"
import { checkSolana, checkTron } from "./address/Base58.ts"
import type { Chain, Network } from "./Chain.ts"

/** An address that was checked for a chain and its networks, kept as the caller wrote it. */
export const Address = Schema.NonEmptyString.pipe(Schema.brand("Address"))
export type Address = typeof Address.Type

/** A broker account: ss58 with the provider network's prefix (`cF…`). */
export const BrokerAccount = Schema.NonEmptyString.pipe(Schema.brand("BrokerAccount"))
export type BrokerAccount = typeof BrokerAccount.Type

/** The check of one chain; its failure completes "This … address cannot be used: ". */
type Check = (text: string, networks: ReadonlyArray<Network>) => Result.Result<unknown, string>

/** Only Bitcoin addresses tell their network; addresses of the other chains look alike on all networks. */
const checks: Readonly<Record<Chain, Check>> = {
  Bitcoin: checkBitcoin,
  Ethereum: checkEvm,
  Arbitrum: checkEvm,
  Bsc: checkEvm,
  Solana: checkSolana,
  Tron: checkTron,
  Polkadot: checkPolkadot,
  Assethub: checkPolkadot,
}

/** No chain has longer addresses; the time to decode base58 grows with the square of the length. */
const maximumLength = 90

const checkText = (text: string): Result.Result<string, string> => {
  if (text.trim() === "") return Result.fail("it is empty")
  if (text.trim() !== text) return Result.fail("there are spaces around it; remove them")
  if (text.length > maximumLength) return Result.fail("it is longer than any address")
  return Result.succeed(text)
}

/**
 * The address, if it belongs to this chain and to one of these networks (decision 9, chainflip/wire.md 5). The failure
 * is a sentence that says what is wrong with it.
 */
export const checkAddress = (
  chain: Chain,
  networks: ReadonlyArray<Network>,
  text: string,
): Result.Result<Address, string> =>
  checkText(text).pipe(
    Result.flatMap((address) => checks[chain](address, networks)),
    Result.mapBoth({
      onSuccess: () => Address.make(text),
      onFailure: (fault) => `This ${chain} address cannot be used: ${fault}`,
    }),
  )

/**
 * The account, if it is ss58 with this prefix (decision 8; Chainflip's is 2112). The failure is a sentence that says
 * what is wrong with it.
 */
export const checkBrokerAccount = (prefix: number, text: string): Result.Result<BrokerAccount, string> =>
  checkText(text).pipe(
    Result.flatMap(decodeSs58),
    Result.filterOrFail(
      (account) => account.prefix === prefix,
      (account) => `its ss58 prefix is ${account.prefix}, but accounts of this network have ${prefix}`,
    ),
    Result.mapBoth({
      onSuccess: () => BrokerAccount.make(text),
      onFailure: (fault) => `This broker account cannot be used: ${fault}`,
    }),
  )
