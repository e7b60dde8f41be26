import { Effect, Result } from "effect"
import { type Settings, type SettingsWrong, settingsWrong } from "../Config.ts"
import { Chain } from "../domain/Chain.ts"
import { brokerAccountPrefix } from "../providers/chainflip/account.ts"
import { acceptedNetworks, refundAddresses } from "../refundAddresses.ts"
import { depositAddress } from "../sandbox/engine/identifiers.ts"
import { refundTexts } from "./refundTexts.ts"
import type { AddressPolicy } from "../swapping/AddressPolicy.ts"

/** The sandbox's own refund address of each chain, which nobody has the key of. */
const sandboxRefundAddresses = Object.fromEntries(
  Chain.literals.map((chain) => [chain, depositAddress("refund address", chain, 0)] as const),
)

/** What the operator settled about addresses. */
export const swapSettings = (
  settings: Settings,
): Effect.Effect<AddressPolicy["Service"], SettingsWrong> => {
  const networks = acceptedNetworks(settings.mode, settings.chainflipNetwork)
  return Effect.fromResult(
    Result.mapBoth(refundAddresses(refundTexts(settings), networks), {
      onFailure: settingsWrong,
      onSuccess: (configured) => ({
        networks,
        fallbackRefundAddresses: {
          ...(settings.mode === "sandbox" ? sandboxRefundAddresses : {}),
          ...configured,
        },
        brokerAccountPrefix,
      }),
    }),
  )
}
