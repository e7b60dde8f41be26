import { Effect, Option, Record, Result, Schema } from "effect"
import { MalformedBody, type ProviderErrorReason, UpstreamFailed } from "#domain/ProviderError.ts"
import { Address, type BrokerAccount } from "#domain/chains/Address.ts"
import { type AssetId, assetIds, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import {
  type AffiliateAccount,
  Comparison,
  type Funding,
  type Holding,
  PaymentStanding,
  type TakenWithdrawal,
  type WithdrawalOrder,
  WithdrawalTrace,
} from "#domain/operations/Treasury.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Affiliates, Treasury, Withdrawals } from "../Provider.ts"
import { addressAt } from "../upstream/openedOrder.ts"
import { Amount, Count, decode, malformed, maybe } from "../upstream/values.ts"
import { orderReason, readAccount } from "./brokerErrors.ts"
import { type Asking, failAs, type JsonRpc, ofNode, type UpstreamCall } from "./client.ts"
import { AmountMap, amountOf, ChainAmounts, isNotOffered, WireSafeMode } from "./conditions.ts"
import type { Options } from "./settings.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { decodeSs58 } from "#domain/chains/address/Ss58.ts"
import { accountBytes, accountText } from "#domain/chains/address/accountBytes.ts"
import { isSameBytes } from "#domain/chains/payload/abi.ts"
import { assetNumber } from "#domain/chains/payload/contractNumbers.ts"
import { findWithdrawalEvents } from "#domain/chains/payload/withdrawalEvent.ts"
import { bytesOf, makeState, mortality } from "./lostOpenings.ts"

/** An element of `cf_get_affiliates` (chainflip/wire.md 2.7). */
const WireListed = Schema.Array(
  Schema.Tuple([Schema.String, Schema.Struct({ short_id: Count, withdrawal_address: Address })]),
)

/** The storage key of a block's events (chainflip/wire.md 2.8). */
const eventsKey = "0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7"

/** Blocks more, for the time between our clock and theirs, and for blocks that are replaced by others. */
const margin = 12
/** The most blocks whose state nodes keep; the official light node has half as many (chainflip/wire.md 2.8). */
const kept = 256

const matching = (
  order: WithdrawalOrder,
  destination: Uint8Array,
  account: Uint8Array,
  earned: Holding,
  events: string | null,
): TakenWithdrawal | undefined => {
  const chain = chainOf(order.asset)
  const event = findWithdrawalEvents(chain, account, bytesOf(events ?? "0x")).find((event) =>
    event.asset === assetNumber(order.asset) && isSameBytes(event.destination, destination) &&
    event.amount + event.fee >= earned.amount
  )
  return event === undefined ? undefined : {
    reference: `${chain}-${event.number}`,
    amount: NativeAmount.make(event.amount),
    fee: NativeAmount.make(event.fee),
    destination: order.destination,
  }
}

const makeReads = (node: JsonRpc) => {
  const state = makeState(node)
  return {
    ...state,
    balance: (account: string, { asset }: Holding): Asking<bigint> =>
      Effect.map(
        node.read(AmountMap, "cf_free_balances", account),
        (amounts) => amountOf(amounts, asset) ?? 0n,
      ),
    /** The events of a block, or nothing where the node has no such block or does not keep its state any more. */
    events: (height: number): Effect.Effect<Option.Option<string | null>, ProviderErrorReason> =>
      state.atHeight(height, (hash) => state.storage(eventsKey, hash)),
  }
}

/** Finds a lost order by its event; no event, or the whole balance, proves there is none (chainflip/wire.md 2.8). */
const makeFind = (node: JsonRpc, { brokerAccount }: Options): NonNullable<Withdrawals["find"]> => {
  const { balance, events, height, time } = makeReads(node)

  const look = Effect.fnUntraced(function* (
    order: WithdrawalOrder,
    earned: Holding,
    requestedAt: EpochMillis,
  ): Effect.fn.Return<WithdrawalTrace, Effect.Error<Asking<unknown>>> {
    const account = order.affiliate ?? brokerAccount
    const key = decodeSs58(account)
    const destination = accountBytes(chainOf(order.asset), order.destination)
    // Without both, no event could be told from another, and the order would seem never to have been taken.
    if (Result.isFailure(key) || Result.isFailure(destination)) return WithdrawalTrace.NotKnown()
    // The balance goes first: what is taken after it is found another time.
    const isWhole = (yield* balance(account, earned)) >= earned.amount
    const [head, now] = yield* Effect.all([height(), time()], { concurrency: 2 })
    const passed = Math.ceil((now - requestedAt) / stateChainBlockMillis)
    const isOver = passed > mortality + margin
    if (isWhole && !isOver) return WithdrawalTrace.NotKnown()
    const first = Math.max(0, head - Math.min(kept, Math.max(0, passed) + margin))
    for (let block = head; block > first; block--) {
      const told = yield* events(block)
      if (Option.isNone(told)) return isWhole ? WithdrawalTrace.NothingOrdered() : WithdrawalTrace.NotKnown()
      const taken = matching(order, destination.success, key.success.publicKey, earned, told.value)
      if (taken !== undefined) return WithdrawalTrace.Taken({ taken })
    }
    return isWhole && isOver ? WithdrawalTrace.NothingOrdered() : WithdrawalTrace.NotKnown()
  })

  return Effect.fn("Chainflip.findWithdrawal")(look, ofNode, failAs("treasury"))
}

/** The result of `broker_withdraw_fees` and of `broker_affiliate_withdrawal_request` (chainflip/wire.md 2.7). */
const WireWithdrawal = Schema.Struct({
  tx_hash: Schema.NonEmptyString,
  egress_id: Schema.Tuple([Schema.String, Count]),
  egress_amount: Amount,
  egress_fee: Amount,
  destination_address: Address,
})

const wireAsset = (asset: AssetId): Schema.Json => {
  const { chain, ticker } = factsOf(asset)
  return { chain, asset: ticker }
}

/** The upstream's name of a payment: `Ethereum-103`. */
const referenceOf = (chain: string, number: number | bigint): string => `${chain}-${number}`

/** The context of a transaction of the operator's; its outcome is unknown if the answer is lost. */
const ordering: UpstreamCall = { endpoint: "broker", opening: true, pair: {} }

/** The address in the form of the order, where it is the same one: the network may spell it otherwise. */
const sameAddress = ({ asset, destination }: WithdrawalOrder, told: Address): Address =>
  accountText(chainOf(asset), spelled(told)) === accountText(chainOf(asset), destination) ? destination : told

/** Hexadecimal with `0x`, which the network leaves out at times. */
const spelled = (address: Address): string => /^[0-9a-fA-F]{40}$/.test(address) ? `0x${address}` : address

/** What the answer says of the order; a payment on another chain than the asset's is no answer to it. */
const toTaken = (order: WithdrawalOrder, result: unknown): Result.Result<TakenWithdrawal, MalformedBody> =>
  Result.flatMap(decode(WireWithdrawal, result, ["result"]), (wire) => {
    const [chain, number] = wire.egress_id
    return chain === chainOf(order.asset)
      ? Result.succeed({
        reference: referenceOf(chain, number),
        transaction: wire.tx_hash,
        amount: wire.egress_amount,
        fee: wire.egress_fee,
        destination: sameAddress(order, wire.destination_address),
      })
      : malformed(`result.egress_id: expected a payment on ${chainOf(order.asset)}`)
  })

interface Endpoints {
  readonly broker: JsonRpc
  readonly node: JsonRpc
}

/** Makes the withdrawals. The broker is called once for an order, and never again. */
const makeWithdrawals = ({ broker, node }: Endpoints, options: Options): Withdrawals => {
  const call = ({ affiliate, asset, destination }: WithdrawalOrder) =>
    affiliate === undefined
      ? broker.call("broker_withdraw_fees", [wireAsset(asset), destination], ordering)
      : broker.call("broker_affiliate_withdrawal_request", [affiliate], ordering)
  return {
    withdraw: Effect.fn("Chainflip.withdraw")(
      function* (order): Effect.fn.Return<TakenWithdrawal, ProviderErrorReason> {
        const result = yield* call(order).pipe(
          Effect.catchTag("RpcError", (error) => Effect.fail(orderReason(error))),
        )
        return yield* Effect.fromResult(toTaken(order, result))
      },
      failAs("withdraw"),
    ),
    find: makeFind(node, options),
    // Validators sign and send payments within a few blocks, and no node tells of one by its number
    // (chainflip/wire.md 2.8).
    standing: () => Effect.succeed(Option.some(PaymentStanding.Sent({}))),
  }
}

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
