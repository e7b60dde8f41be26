import { Effect, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { requireRoute } from "../accounts/RouteAccess.ts"
import { Api } from "../api/Api.ts"
import type { DepositChannelBody } from "../api/Swap.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { toHuman } from "../domain/Amount.ts"
import type { AssetId } from "../domain/Asset.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { Registry } from "../providers/Registry.ts"
import type { SwapOrder } from "../swapping/SwapRules.ts"
import type { OpenedSwap } from "../swapping/Opening.ts"
import { Swaps } from "../swapping/Swaps.ts"
import { SwapSettings } from "../swapping/SwapSettings.ts"
import { orProblem } from "./problemResponse.ts"
import { readPostedSwapOrder, readSwapOrder } from "./readSwapOrder.ts"
import { refusePrefetch } from "./refusePrefetch.ts"

/** The asset that opening fees are charged in (api.md 2.4). */
const governanceToken: AssetId = "flip.eth"

const presentOpened = ({ id, channel }: OpenedSwap): DepositChannelBody => ({
  id,
  address: channel.depositAddress,
  issuedBlock: channel.id.issuedBlock,
  network: channel.id.network,
  channelId: channel.id.channelId,
  sourceExpiryBlock: channel.sourceExpiryBlock,
  explorerUrl: channel.explorerUrl,
  channelOpeningFee: toHuman(governanceToken, channel.openingFee),
  channelOpeningFeeNative: channel.openingFee,
})

export const SwapHandlers = HttpApiBuilder.group(
  Api,
  "swap",
  Effect.fnUntraced(function* (handlers) {
    const swaps = yield* Swaps
    const registry = yield* Registry
    const settings = yield* SwapSettings

    const open = Effect.fnUntraced(function* ({ request, platform }: SwapOrder) {
      const account = yield* CurrentAccount
      yield* requireRoute(account, "open", request)
      return yield* swaps.open(
        account,
        request,
        Option.map(Option.fromUndefinedOr(platform), (name) => ProviderName.make(name)),
      )
    })

    const answer = (read: typeof readSwapOrder | typeof readPostedSwapOrder) =>
      Effect.andThen(refusePrefetch("would open a deposit channel"), read).pipe(
        Effect.flatMap(open),
        Effect.map(presentOpened),
        orProblem,
        Effect.provideService(Registry, registry),
        Effect.provideService(SwapSettings, settings),
      )

    return handlers
      .handle("swap", () => answer(readSwapOrder))
      .handleRaw("swapPost", () => answer(readPostedSwapOrder))
  }),
)
