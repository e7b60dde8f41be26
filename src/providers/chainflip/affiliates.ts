import { Effect, Option, Schema } from "effect"
import { Address, type BrokerAccount } from "#domain/chains/Address.ts"
import { MalformedBody, type ProviderErrorReason } from "#domain/ProviderError.ts"
import type { AffiliateAccount } from "#domain/operations/Treasury.ts"
import type { Affiliates } from "../Treasury.ts"
import { decode } from "../upstream/decode.ts"
import { Count } from "../upstream/values.ts"
import { orderReason, readAccount } from "./accountErrors.ts"
import { failAs } from "./errors.ts"
import type { Options } from "./settings.ts"
import { type Endpoints, ordering } from "./withdrawals.ts"

/** An element of `cf_get_affiliates` (chainflip/wire.md 2.7). */
const WireListed = Schema.Array(
  Schema.Tuple([Schema.String, Schema.Struct({ short_id: Count, withdrawal_address: Address })]),
)

/** Makes the registration of affiliates, who are paid in USDC on Ethereum. */
export const makeAffiliates = ({ broker, node }: Endpoints, { brokerAccount }: Options): Affiliates => {
  /** What the node has recorded of a new affiliate; nothing where it does not know it yet. */
  const recorded = (account: BrokerAccount) =>
    node.read(WireListed, "cf_get_affiliates", brokerAccount, account).pipe(
      Effect.map((listed) => listed.find(([listedAccount]) => listedAccount === account)?.[1]),
      Effect.tapError((error) =>
        Effect.logError(
          "What the node has recorded of a new affiliate is not compared, as it cannot be read",
          error,
        )
      ),
      Effect.option,
      Effect.map(Option.getOrUndefined),
    )

  return {
    asset: "usdc.eth",
    register: Effect.fn("Chainflip.registerAffiliate")(
      function* (withdrawalAddress): Effect.fn.Return<AffiliateAccount, ProviderErrorReason> {
        const result = yield* broker.call("broker_register_affiliate", [withdrawalAddress], ordering).pipe(
          Effect.catchTag("RpcError", (error) => Effect.fail(orderReason(error))),
        )
        const text = yield* Effect.fromResult(decode(Schema.String, result, ["result"]))
        const account = yield* Effect.fromResult(readAccount("result", text))
        const found = yield* recorded(account)
        const elsewhere = found !== undefined &&
          found.withdrawal_address.toLowerCase() !== withdrawalAddress.toLowerCase()
        if (elsewhere) {
          return yield* new MalformedBody({
            detail: "withdrawal_address: the affiliate was registered with another address",
            reached: true,
          })
        }
        return {
          account,
          ...(found === undefined ? {} : { shortId: found.short_id }),
          withdrawalAddress,
          earned: [],
        }
      },
      failAs("withdraw"),
    ),
  }
}
