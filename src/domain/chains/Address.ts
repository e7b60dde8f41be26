import { Result, Schema } from "effect"
import { checkFamily } from "./address/checkFamily.ts"
import { ownerlessFault } from "./address/ownerless.ts"
import { decodeSs58 } from "./address/Ss58.ts"
import { type Chain, chainFacts, chains, Network } from "./Chain.ts"
import { longestAddress, tooLong } from "./address/Base58.ts"

/** An address that was checked for a chain and its networks, kept as the caller wrote it. */
export const Address = Schema.NonEmptyString.pipe(Schema.brand("Address"))
export type Address = typeof Address.Type

/** A broker account: ss58 with the provider network's prefix (`cF…`). */
export const BrokerAccount = Schema.NonEmptyString.pipe(Schema.brand("BrokerAccount"))
export type BrokerAccount = typeof BrokerAccount.Type

const checkText = (text: string): Result.Result<string, string> => {
  if (text.trim() === "") return Result.fail("it is empty")
  if (text.trim() !== text) return Result.fail("there are spaces around it; remove them")
  return Result.succeed(text)
}

/** The address, if of this chain and networks (decision 9, chainflip/wire.md 5), else its fault. */
export const checkAddress = (
  chain: Chain,
  networks: ReadonlyArray<Network>,
  text: string,
): Result.Result<Address, string> =>
  checkText(text).pipe(
    Result.flatMap((address) =>
      checkFamily(chainFacts(chain).family, chainFacts(chain).title, networks, address)
    ),
    Result.mapBoth({
      onSuccess: () => Address.make(text),
      onFailure: (fault) => `cannot be used on ${chainFacts(chain).title}, because ${fault}`,
    }),
  )

/**
 * As `checkAddress`, of an address that money is paid to: a recipient, or where a refund or earnings go. One that nobody
 * can spend from is refused, with what it is (decision 55): a token's own contract, a program, a burn address.
 */
export const checkRecipient = (
  chain: Chain,
  networks: ReadonlyArray<Network>,
  text: string,
): Result.Result<Address, string> =>
  Result.flatMap(checkAddress(chain, networks, text), (address) => {
    const fault = ownerlessFault(chain, address)
    return fault === undefined
      ? Result.succeed(address)
      : Result.fail(`cannot be used on ${chainFacts(chain).title}, because ${fault}`)
  })

/**
 * The address, if it is one of any chain and network, else why not: the fault of Ethereum for what begins with 0x, of
 * other text the fault of the chain whose checksum does not match.
 */
export const checkAnyAddress = (text: string): Result.Result<Address, string> => {
  const found = chains().map((chain) => checkAddress(chain, Network.literals, text))
  const faults = found.flatMap((one) => Result.isFailure(one) ? [one.failure] : [])
  const nearest = text.startsWith("0x") ? / Ethereum, / : / checksum /
  return found.find(Result.isSuccess) ?? Result.fail(
    faults.find((fault) => nearest.test(fault)) ?? "is not an address of any chain in /networks",
  )
}

/** The account, if ss58 with this prefix (decision 8; Chainflip's is 2112), else its fault. */
export const checkBrokerAccount = (prefix: number, text: string): Result.Result<BrokerAccount, string> =>
  checkText(text).pipe(
    Result.filterOrFail((account) => account.length <= longestAddress, () => tooLong),
    Result.flatMap(decodeSs58),
    Result.filterOrFail(
      (account) => account.prefix === prefix,
      (account) => `its ss58 prefix is ${account.prefix}, but accounts of this network have ${prefix}`,
    ),
    Result.mapBoth({
      onSuccess: () => BrokerAccount.make(text),
      onFailure: (fault) => `cannot be used as a broker account, because ${fault}`,
    }),
  )
