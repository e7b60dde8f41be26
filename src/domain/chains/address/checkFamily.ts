import { Match, Result } from "effect"
import type { Family, Network } from "../catalogue/ChainRow.ts"
import { checkSolana, checkTron, longestAddress, tooLong } from "./Base58.ts"
import { checkBitcoinFamily, refusedStart } from "./BitcoinFamily.ts"
import { checkEvm } from "./Evm.ts"
import { checkPolkadot } from "./Ss58.ts"
import { checkXrpl } from "./Xrpl.ts"

/** Whether text is an address of a family. The failure completes "… cannot be used on …, because ". */
export const checkFamily = (
  family: Family,
  title: string,
  networks: ReadonlyArray<Network>,
  text: string,
): Result.Result<unknown, string> => {
  const refused = family._tag === "bitcoin" ? refusedStart(family, text) : undefined
  if (refused !== undefined) return Result.fail(refused)
  if (text.length > longestAddress) return Result.fail(tooLong)
  return Match.valueTags(family, {
    bitcoin: (family) => checkBitcoinFamily(family, title, networks, text),
    evm: () => checkEvm(text),
    solana: () => checkSolana(text),
    tron: () => checkTron(text),
    substrate: () => checkPolkadot(text),
    xrpl: () => checkXrpl(text),
  })
}
