import { Option, Result } from "effect"
import { type Address, checkAddress } from "./domain/Address.ts"
import { Chain, Network } from "./domain/Chain.ts"
import { type Issues, issuesOf, issueWith } from "./domain/Issues.ts"

/** What the operator set as refund address of each chain. */
export type RefundTexts = Readonly<Record<Chain, Option.Option<string>>>

/** Networks whose addresses are accepted: in the sandbox no money moves, so any will do. */
export const acceptedNetworks = (
  mode: "sandbox" | "live",
  liveNetwork: "mainnet" | "testnet",
): ReadonlyArray<Network> => mode === "sandbox" ? Network.literals : [liveNetwork]

const checked = (
  chain: Chain,
  text: Option.Option<string>,
  networks: ReadonlyArray<Network>,
): Result.Result<ReadonlyArray<readonly [Chain, Address]>, Issues> =>
  Option.match(text, {
    onNone: () => Result.succeed([]),
    onSome: (address) =>
      Result.mapBoth(checkAddress(chain, networks, address), {
        onFailure: (sentence) => {
          const name = `REFUND_ADDRESS_${chain.toUpperCase()}`
          return issueWith(name, `${name}: ${sentence}`)
        },
        onSuccess: (found) => [[chain, found]],
      }),
  })

/** The operator's refund addresses, or every one that is not an address of its chain and these networks. */
export const refundAddresses = (
  texts: RefundTexts,
  networks: ReadonlyArray<Network>,
): Result.Result<{ readonly [Key in Chain]?: Address }, Issues> => {
  const all = Chain.literals.map((chain) => checked(chain, texts[chain], networks))
  return Result.mapBoth(Result.all(all), {
    onFailure: () => issuesOf(all),
    onSuccess: (found) => Object.fromEntries(found.flat()),
  })
}
