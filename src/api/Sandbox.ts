import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { Issues } from "#domain/Issues.ts"
import { EpochMillis } from "#domain/Time.ts"
import { about } from "./endpoint.ts"
import { Authorization } from "./Authorization.ts"
import {
  DepositCommand,
  NativeAmountText,
  NetworkCommand,
  TimeCommand,
  VaultSwapCommand,
} from "./SandboxCommands.ts"
import { FaultRule } from "./SandboxFaults.ts"
import { maybe, member } from "./shape.ts"

/** The answer of `POST /sandbox/deposits` and `POST /sandbox/vault-swaps` (202). */
const DepositAccepted = Schema.Struct({
  transactionHash: member.text("Reference of the transaction on the source chain"),
})

const timeFields = {
  time: member.text("Simulated time, ISO 8601"),
  timeMillis: member.time("Simulated time, milliseconds since the Unix epoch"),
}

/** The answer of `PUT` and `DELETE /sandbox/faults`: the rules in force, the newest first. */
const FaultsView = Schema.Struct({ faults: Schema.Array(FaultRule) })

/** The most open channels, orders and withdrawals in `GET /sandbox`. */
export const maximumListedChannels = 1_000

/** What orders of the simulated NEAR Intents and requests of the simulated Relay have in common. */
const openOrder = {
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  amountIn: NativeAmountText,
  amountOut: NativeAmountText,
  recipient: member.of(Address, "Address that the order pays."),
  deadline: member.time("End of the time for deposits, in epoch milliseconds."),
}

const HoldingView = Schema.Struct({ asset: AssetId, amount: NativeAmountText })

/** The broker's account on the simulated Chainflip, which belongs to the operator. */
const BrokerView = Schema.Struct({
  account: BrokerAccount,
  /** All FLIP of the account with its bond. */
  flip: NativeAmountText,
  bond: NativeAmountText,
  boundAddress: maybe.of(
    Address,
    "The address that is bound on chain: assets of its chain are paid to no other.",
  ),
  hasPrivateChannel: member.yesOrNo("Payloads for Bitcoin need a private channel"),
  minimumVaultFeeBps: member.count(
    "The least commission of vault swaps that the broker encodes, in basis points.",
  ),
  nodeInSync: member.yesOrNo("Whether the node says that it has the latest blocks."),
  openingFees: Schema.Record(Schema.String, NativeAmountText).annotate({
    description: "Price of a deposit channel from each chain, in smallest units of flip.eth",
  }),
  earned: Schema.Array(HoldingView),
  affiliates: Schema.Array(Schema.Struct({
    account: BrokerAccount,
    shortId: Schema.Int,
    withdrawalAddress: Address,
    earned: Schema.Array(HoldingView),
  })),
  withdrawals: Schema.Array(Schema.Struct({
    egress: member.text("<chain>-<number>, by which the network follows it"),
    account: BrokerAccount,
    transactionHash: member.text("The order on the state chain"),
    asset: AssetId,
    /** What arrives, without the fee. */
    amount: NativeAmountText,
    fee: NativeAmountText,
    destination: Address,
    state: Schema.Literals(["scheduled", "sent", "paid", "failed"]),
    paymentTransaction: maybe.text("The transaction that pays, once it was sent."),
  })).annotate({ description: `The newest withdrawals, at most ${maximumListedChannels} of them` }),
})

/** `GET /sandbox`, and the answer of `PATCH /sandbox/network`. */
export const SandboxView = Schema.Struct({
  ...timeFields,
  speed: Schema.Finite.annotate({ description: "Simulated seconds for each real second" }),
  seed: member.text("Seed of the simulation."),
  stateChainBlock: member.count("Latest block of the simulated state chain."),
  heights: Schema.Record(Schema.String, Schema.Int).annotate({ description: "Latest block of each chain" }),
  switches: member.of(
    Schema.Struct({
      swapsEnabled: member.yesOrNo("Whether swaps are carried out."),
      quotingMaintenance: member.yesOrNo("Whether quoting is in maintenance."),
      swappingMaintenance: member.yesOrNo("Whether swapping is in maintenance."),
      withdrawalsEnabled: member.yesOrNo("Whether the network pays withdrawals out."),
    }),
    "The parts that are switched off.",
  ),
  pools: member.of(
    Schema.Array(Schema.Struct({
      baseAsset: AssetId,
      quoteAsset: AssetId,
      baseReserve: NativeAmountText,
      quoteReserve: NativeAmountText,
      /** Smallest units of the quote asset for one whole unit of the base asset. */
      price: NativeAmountText,
    })),
    "The simulated pools.",
  ),
  boostPools: member.of(
    Schema.Array(Schema.Struct({
      asset: AssetId,
      tierBps: Schema.Int,
      available: NativeAmountText,
      lent: NativeAmountText,
    })),
    "Pools that lend to deposits that are boosted.",
  ),
  openChannelCount: member.count("Number of open channels."),
  openChannels: Schema.Array(Schema.Struct({
    id: member.text("<issued_block>-<network>-<channel_id>"),
    depositAddress: Address,
    sourceAsset: AssetId,
    destinationAsset: AssetId,
    destinationAddress: Address,
    sourceExpiryBlock: member.count("Block on the source chain at which the channel expires."),
    estimatedExpiryTime: EpochMillis,
  })).annotate({ description: `The newest open channels, at most ${maximumListedChannels} of them` }),
  broker: member.of(BrokerView, "The operator's account at the simulated Chainflip."),
  nearIntents: member.of(
    Schema.Struct({
      publicKey: member.text("`ed25519:<base58>`; quotes are signed with its pair"),
      openOrderCount: member.count("Number of open orders."),
      openOrders: Schema.Array(Schema.Struct({
        depositAddress: Address,
        status: member.text("The order's status in 1Click's own word"),
        ...openOrder,
      })).annotate({ description: `The newest open orders, at most ${maximumListedChannels} of them` }),
    }),
    "The simulated NEAR Intents.",
  ),
  relay: member.of(
    Schema.Struct({
      openRequestCount: member.count("Number of open requests."),
      openRequests: Schema.Array(Schema.Struct({
        requestId: member.text("Relay's own id of the request"),
        depositAddress: Address,
        status: member.text("The request's status in Relay's own word"),
        ...openOrder,
      })).annotate({ description: `The newest open requests, at most ${maximumListedChannels} of them` }),
    }),
    "The simulated Relay.",
  ),
  commission: Schema.Array(Schema.Struct({
    provider: member.text("The provider whose simulated network paid"),
    account: member.text("The account that was paid; 1Click's own is one of them"),
    asset: member.text("THORChain and Maya pay in their own coin"),
    amount: Schema.String.pipe(Schema.decodeTo(Schema.BigIntFromString)),
  })).annotate({ description: "What the other networks have paid of fees, all swaps together" }),
  faults: Schema.Array(FaultRule),
  addressPatterns: Schema.Record(Schema.String, Schema.String).annotate({
    description: "For each chain, the regular expression of the sandbox's deposit addresses",
  }),
}).annotate({ identifier: "SandboxView" })
export type SandboxView = typeof SandboxView.Type

/** The answer to a refused control (400, 404, 405): the fault, and the issues by parameter. */
export class ControlRefusal extends Schema.Error<ControlRefusal>("swap-broker/api/Sandbox/ControlRefusal")(
  { message: Schema.String, errors: Schema.optionalKey(Issues) },
  { httpApiStatus: 400 },
) {}

/** The controls of the simulated networks. A service in sandbox mode passes them on to the sandbox. */
export const controls = HttpApiGroup.make("sandbox").add(
  HttpApiEndpoint.get("view", "/sandbox", { success: SandboxView })
    .annotateMerge(about(
      "getSandbox",
      "Get the simulated world",
      "The simulated world as it is now. Only in sandbox mode.",
    )),
  HttpApiEndpoint.post("deposit", "/sandbox/deposits", {
    payload: DepositCommand,
    success: DepositAccepted.pipe(HttpApiSchema.status(202)),
  }).annotateMerge(about(
    "createSandboxDeposit",
    "Send a deposit to an open channel",
    "Pays to the deposit address of a channel or an order, as a user would; simulated blocks confirm " +
      "it. Only in sandbox mode.",
  )),
  HttpApiEndpoint.post("vaultSwap", "/sandbox/vault-swaps", {
    payload: VaultSwapCommand,
    success: DepositAccepted.pipe(HttpApiSchema.status(202)),
  }).annotateMerge(about(
    "createSandboxVaultSwap",
    "Send a prepared transaction",
    "Sends the transaction that a user would sign of a payload. Only in sandbox mode.",
  )),
  HttpApiEndpoint.post("time", "/sandbox/time", { payload: TimeCommand, success: Schema.Struct(timeFields) })
    .annotateMerge(about(
      "advanceSandboxTime",
      "Advance the simulated time",
      "Simulated time goes forward at once: blocks pass, swaps proceed, channels expire. Only in sandbox mode.",
    )),
  HttpApiEndpoint.put("setFaults", "/sandbox/faults", { payload: FaultRule, success: FaultsView })
    .annotateMerge(about(
      "setSandboxFault",
      "Simulate a fault",
      "Every failure that an upstream can have, on its own wire, to test a client with. Only in sandbox mode.",
    )),
  HttpApiEndpoint.delete("clearFaults", "/sandbox/faults", { success: FaultsView })
    .annotateMerge(about(
      "clearSandboxFaults",
      "End all simulated faults",
      "All faults end; what they did to swaps stays. Only in sandbox mode.",
    )),
  HttpApiEndpoint.patch("network", "/sandbox/network", {
    payload: NetworkCommand,
    success: SandboxView,
  }).annotateMerge(about(
    "changeSandbox",
    "Change the simulated world",
    "Prices, depths, maintenance, rejected deposits and other conditions that make swaps go wrong on " +
      "a real network. Only in sandbox mode.",
  )),
)

/** The controls as a service serves them: for callers with an API key. */
export class SandboxGroup extends controls.middleware(Authorization).annotateMerge(
  OpenApi.annotations({ title: "Sandbox", description: "Simulated networks. No money moves here." }),
) {}
