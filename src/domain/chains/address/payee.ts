import { Result } from "effect"
import { type Chain, chainFacts } from "../catalogue/Catalogue.ts"
import { Network } from "../catalogue/ChainRow.ts"
import { checkBitcoinFamily, type Payee } from "./BitcoinFamily.ts"

/** The payee of an address on any network of a chain of Bitcoin's family, of which a script can be made. */
export const payeeOn = (chain: Chain, text: string): Result.Result<Payee, string> => {
  const { family, title } = chainFacts(chain)
  return family._tag === "bitcoin"
    ? checkBitcoinFamily(family, title, Network.literals, text)
    : Result.fail(`${title} pays to no script`)
}
