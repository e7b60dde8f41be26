import { Option, Result } from "effect"
import { type Address, checkRecipient } from "#domain/chains/Address.ts"
import { Chain, chains, type Network } from "#domain/chains/Chain.ts"
import { issueAbout, type Issues, issuesOf } from "#domain/Issues.ts"
import { forModes, type ModeText, type Setting } from "./Setting.ts"

/** The name of a chain's variable. */
export const variableOf = (prefix: string, chain: Chain): string => `${prefix}_${chain.toUpperCase()}`

/** A variable for each chain: an address on the networks of another setting, unchecked while that one is invalid. */
export const perChain = (
  prefix: string,
  networks: Setting<ReadonlyArray<Network>>,
  { meaning, unset }: { readonly unset: ModeText; readonly meaning: string },
): Setting<{ readonly [Key in Chain]?: Address }> => ({
  variables: chains().map((chain) => ({
    name: variableOf(prefix, chain),
    family: `${prefix}_<CHAIN>`,
    isTuning: false,
    meaning,
    expected: "an address on this chain",
    unset: forModes(unset),
  })),
  read: (found) => {
    const accepted = networks.read(found)
    if (Result.isFailure(accepted)) return Result.succeed({})
    const all = chains().map(
      (chain): Result.Result<ReadonlyArray<readonly [Chain, Address]>, Issues> => {
        const name = variableOf(prefix, chain)
        return Option.match(found.text(name), {
          onNone: () => Result.succeed([]),
          onSome: (text) =>
            Result.mapBoth(checkRecipient(chain, accepted.success, text), {
              onFailure: (predicate) => issueAbout(name, predicate),
              onSuccess: (address) => [[chain, address]],
            }),
        })
      },
    )
    return Result.mapBoth(Result.all(all), {
      onFailure: () => issuesOf(all),
      onSuccess: (addresses) => Object.fromEntries(addresses.flat()),
    })
  },
})
