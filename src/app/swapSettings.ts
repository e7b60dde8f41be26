import { Effect, Option, Result } from "effect"
import { type Settings, type SettingsWrong, settingsWrong } from "../Config.ts"
import { type Address, checkAddress } from "../domain/Address.ts"
import { Chain, type Network } from "../domain/Chain.ts"
import { fault, type Faults, faultsOf } from "../domain/Faults.ts"
import { brokerAccountPrefix } from "../providers/chainflip/account.ts"
import { depositAddress } from "../sandbox/engine/addresses.ts"
import type { SwapSettings } from "../swapping/SwapSettings.ts"

/** Networks whose addresses are accepted: in the sandbox no money moves, so any will do (operation.md). */
const networks = ({ mode, chainflipNetwork }: Settings): ReadonlyArray<Network> =>
  mode === "sandbox" ? ["mainnet", "testnet", "sandbox"] : [chainflipNetwork]

/** What the operator set as refund address of each chain. */
const configured = (settings: Settings): Readonly<Record<Chain, Option.Option<string>>> => ({
  Bitcoin: settings.refundBitcoin,
  Ethereum: settings.refundEthereum,
  Arbitrum: settings.refundArbitrum,
  Solana: settings.refundSolana,
  Assethub: settings.refundAssethub,
  Tron: settings.refundTron,
  Polkadot: settings.refundPolkadot,
  Bsc: settings.refundBsc,
})

/** The sandbox's own refund address of a chain, which nobody has the key of. */
const sandboxRefundAddress = (chain: Chain): Address => depositAddress("refund address", chain, 0)

const refundAddress = (
  chain: Chain,
  text: Option.Option<string>,
  settings: Settings,
): Result.Result<ReadonlyArray<readonly [Chain, Address]>, Faults> =>
  Option.match(text, {
    onNone: () => Result.succeed(settings.mode === "sandbox" ? [[chain, sandboxRefundAddress(chain)]] : []),
    onSome: (address) =>
      Result.mapBoth(checkAddress(chain, networks(settings), address), {
        onFailure: (sentence) => {
          const name = `REFUND_ADDRESS_${chain.toUpperCase()}`
          return fault(name, `${name}: ${sentence}`)
        },
        onSuccess: (checked) => [[chain, checked]],
      }),
  })

/** What the operator settled about addresses, checked. */
export const swapSettings = (
  settings: Settings,
): Effect.Effect<SwapSettings["Service"], SettingsWrong> => {
  const addresses = configured(settings)
  const checked = Chain.literals.map((chain) => refundAddress(chain, addresses[chain], settings))
  return Effect.fromResult(
    Result.mapBoth(Result.all(checked), {
      onFailure: () => settingsWrong(faultsOf(checked)),
      onSuccess: (found) => ({
        networks: networks(settings),
        fallbackRefundAddresses: Object.fromEntries(found.flat()),
        brokerAccountPrefix,
      }),
    }),
  )
}
