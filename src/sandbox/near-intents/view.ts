import { Address } from "../../domain/Address.ts"
import { NativeAmount } from "../../domain/Amount.ts"
import { maximumListedChannels, type SandboxView } from "../../domain/SandboxControl.ts"
import * as Intents from "./engine/Intents.ts"
import { publicKey } from "./signature.ts"
import { statusOf } from "./status.ts"

/** What `GET /sandbox` shows of the orders. */
export const viewIntents = (intents: Intents.Intents): SandboxView["nearIntents"] => {
  const orders = Intents.openOrders(intents)
  return {
    publicKey,
    openOrderCount: orders.length,
    openOrders: orders.slice(-maximumListedChannels).reverse().map((order) => ({
      depositAddress: order.depositAddress,
      status: statusOf(order),
      sourceAsset: order.terms.origin.asset,
      destinationAsset: order.terms.destination.asset,
      amountIn: NativeAmount.make(order.offer.amountIn),
      amountOut: NativeAmount.make(order.offer.amountOut),
      recipient: Address.make(order.request.recipient),
      deadline: order.deadline,
    })),
  }
}
