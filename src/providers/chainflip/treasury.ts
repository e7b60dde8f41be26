import { Effect, Option, Record, Result, Schema } from "effect"
import { MalformedBody, type ProviderErrorReason, UpstreamFailed } from "#domain/ProviderError.ts"
import { Address, type BrokerAccount } from "#domain/chains/Address.ts"
import { type AssetId, assetIds } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AffiliateAccount, Comparison, type Funding, type Holding } from "#domain/operations/Treasury.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Affiliates, Treasury } from "../Treasury.ts"
import { addressAt } from "../upstream/channelNumbers.ts"
import { decode, malformed } from "../upstream/decode.ts"
import { Amount, Count, maybe } from "../upstream/values.ts"
import { orderReason, readAccount } from "./accountErrors.ts"
import { type JsonRpc, ofNode } from "./client.ts"
import { AmountMap, amountOf, ChainAmounts, isNotOffered, WireSafeMode } from "./conditions.ts"
import { failAs } from "./errors.ts"
import type { Options } from "./settings.ts"
import { type Endpoints, makeWithdrawals, ordering } from "./withdrawals.ts"

/** An element of `cf_get_affiliates` (chainflip/wire.md 2.7). */
const WireListed = Schema.Array(
  Schema.Tuple([Schema.String, Schema.Struct({ short_id: Count, withdrawal_address: Address })]),
)

/** Makes the registration of affiliates, who are paid in USDC on Ethereum. */
const makeAffiliates = ({ broker, node }: Endpoints, { brokerAccount }: Options): Affiliates => {
  const recorded = (account: BrokerAccount) =>
    node.read(WireListed, "cf_get_affiliates", brokerAccount, account).pipe(
      Effect.map((listed) => listed.find(([listedAccount]) => listedAccount === account)?.[1]),
      Effect.tapError((error) =>
        Effect.logError(
          "The record of a new affiliate at the node could not be read, so it is not checked",
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

/** The asset that channels are paid for in. */
const openingAsset: AssetId = "flip.eth"

/** An affiliate in `cf_account_info` (chainflip/wire.md 2.7). */
const WireAffiliate = Schema.Struct({
  account_id: Schema.String,
  short_id: Count,
  withdrawal_address: Address,
})
type WireAffiliate = typeof WireAffiliate.Type

/** The account of a broker in `cf_account_info` (chainflip/wire.md 2.7). */
const WireAccount = Schema.Struct({
  account_id: maybe(Schema.String),
  flip_balance: Amount,
  bond: Amount,
  /** Left out by older nodes. */
  estimated_redeemable_balance: maybe(Amount),
  earned_fees: AmountMap,
  affiliates: maybe(Schema.Array(WireAffiliate)),
  /** There while the broker has a private Bitcoin channel. */
  btc_vault_deposit_address: maybe(Schema.String),
  bound_fee_withdrawal_address: maybe(Address),
})
type WireAccount = typeof WireAccount.Type

const WireRole = Schema.Struct({ role: Schema.String })

/** The part of `cf_ingress_egress_environment` that tells what channels cost (chainflip/wire.md 1.5). */
const WireOpeningFees = Schema.Struct({ channel_opening_fees: ChainAmounts })

/** `system_health` of a node (chainflip/wire.md 2.7). */
const WireHealth = Schema.Struct({
  peers: Count,
  isSyncing: Schema.Boolean,
  shouldHavePeers: maybe(Schema.Boolean),
})

const holdingsOf = (amounts: AmountMap): ReadonlyArray<Holding> =>
  assetIds().flatMap((asset) => {
    const amount = amountOf(amounts, asset)
    return amount === undefined || amount === 0n ? [] : [{ asset, amount }]
  })

/** Reads the broker's own account; another account than ours, or one of another role, is refused. */
const readWireAccount = (ours: BrokerAccount, result: unknown) =>
  Result.gen(function* () {
    const { role } = yield* decode(WireRole, result, ["result"])
    if (role !== "broker") {
      return yield* Result.fail(
        new UpstreamFailed({
          detail:
            "The node does not know CHAINFLIP_BROKER_ACCOUNT as a broker: register it, or ask another node",
        }),
      )
    }
    const account = yield* decode(WireAccount, result, ["result"])
    return (account.account_id ?? ours) === ours
      ? account
      : yield* malformed("result.account_id: expected the account that was asked for")
  })

const fundingOf = (
  { bond, estimated_redeemable_balance, flip_balance }: WireAccount,
  fees: typeof ChainAmounts.Type,
): Funding => {
  const free = NativeAmount.make(flip_balance > bond ? flip_balance - bond : 0n)
  return {
    asset: openingAsset,
    free,
    bond,
    redeemable: estimated_redeemable_balance ?? free,
    openingFees: Record.filter(fees, (fee) => fee !== undefined),
  }
}

/** Makes what the provider tells of the operator's account, from the node alone. */
const makeAccount = (node: JsonRpc, { brokerAccount }: Options): Treasury["account"] => {
  const ifOffered = <A, I>(schema: Schema.Codec<A, I>, method: string) =>
    Effect.asSome(node.read(schema, method)).pipe(
      Effect.catchTag("RpcError", (error) => isNotOffered(error) ? Effect.succeedNone : Effect.fail(error)),
    )

  const affiliate = Effect.fnUntraced(
    function* ({ account_id, short_id, withdrawal_address }: WireAffiliate) {
      const account = yield* Effect.fromResult(readAccount("result.affiliates.account_id", account_id))
      const balances = yield* node.read(AmountMap, "cf_free_balances", account)
      const told: AffiliateAccount = {
        account,
        shortId: short_id,
        withdrawalAddress: yield* Effect.fromResult(
          addressAt("result.affiliates.withdrawal_address", "Ethereum", withdrawal_address),
        ),
        earned: holdingsOf(balances),
      }
      return told
    },
  )

  const account = Effect.gen(function* () {
    const result = yield* node.read(Schema.Unknown, "cf_account_info", brokerAccount)
    const wire = yield* Effect.fromResult(readWireAccount(brokerAccount, result))
    const bound = wire.bound_fee_withdrawal_address
    return {
      account: brokerAccount,
      earned: holdingsOf(wire.earned_fees),
      affiliates: yield* Effect.forEach(wire.affiliates ?? [], affiliate, { concurrency: 8 }),
      preparesBitcoin: wire.btc_vault_deposit_address !== undefined,
      wire,
      ...(bound === undefined ? {} : {
        boundAddress: {
          chain: "Ethereum" as const,
          address: yield* Effect.fromResult(
            addressAt("result.bound_fee_withdrawal_address", "Ethereum", bound),
          ),
        },
      }),
    }
  })

  return Effect.all({
    told: account,
    fees: node.read(WireOpeningFees, "cf_ingress_egress_environment"),
    safeMode: ifOffered(WireSafeMode, "cf_safe_mode_statuses"),
    health: ifOffered(WireHealth, "system_health"),
  }, { concurrency: "unbounded" }).pipe(
    Effect.map(({ fees, health, safeMode, told: { wire, ...told } }) => ({
      ...told,
      funding: fundingOf(wire, fees.channel_opening_fees),
      ...optionalMembers(Option.getOrUndefined(safeMode), ({ swapping }) => ({
        withdrawalsEnabled: swapping?.withdrawals_enabled !== false,
      })),
      ...optionalMembers(Option.getOrUndefined(health), ({ isSyncing, peers, shouldHavePeers }) => ({
        inSync: !isSyncing && (peers > 0 || shouldHavePeers === false),
      })),
    })),
    ofNode,
    failAs("treasury"),
    Effect.withSpan("Chainflip.account"),
  )
}

/** Makes the operator's account at the network (chainflip/wire.md 2.7). */
export const makeTreasury = (endpoints: Endpoints, options: Options): Treasury => ({
  account: makeAccount(endpoints.node, options),
  // The network credits every beneficiary at once with its part of the fee that the swap's record tells.
  comparison: Comparison.Exact(),
  withdrawals: makeWithdrawals(endpoints, options),
  affiliates: makeAffiliates(endpoints, options),
})
