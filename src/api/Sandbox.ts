import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Address, BrokerAccount } from "../domain/Address.ts"
import { AssetId } from "../domain/Asset.ts"
import { Issues } from "../domain/Issues.ts"
import { EpochMillis } from "../domain/Time.ts"
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
import { member } from "./shape.ts"

/** The answer of `POST /sandbox/deposits` and `POST /sandbox/vault-swaps` (202). */
const DepositAccepted = Schema.Struct({
  transactionHash: member.text("Reference of the transaction on the source chain"),
})

const timeFields = {
  time: member.text("Simulated time, ISO 8601"),
  timeMillis: member.time("Simulated time, milliseconds since the Unix epoch"),
}

/** The answer of `POST /sandbox/time`. */
const TimeView = Schema.Struct(timeFields)

/** The answer of `PUT` and `DELETE /sandbox/faults`: the rules in force, the newest first. */
const FaultsView = Schema.Struct({ faults: Schema.Array(FaultRule) })

/** The most open channels, orders and withdrawals in `GET /sandbox`. */
export const maximumListedChannels = 1_000

/** An order of the simulated NEAR Intents that takes deposits or is under way. */
const OpenOrderView = Schema.Struct({
  depositAddress: Address,
  status: member.text("The order's status in 1Click's own word"),
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  amountIn: NativeAmountText,
  amountOut: NativeAmountText,
  recipient: Address,
  deadline: EpochMillis,
})

/** A request of the simulated Relay that takes a deposit or is under way. */
const OpenRequestView = Schema.Struct({
  requestId: member.text("Relay's own id of the request"),
  depositAddress: Address,
  status: member.text("The request's status in Relay's own word"),
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  amountIn: NativeAmountText,
  amountOut: NativeAmountText,
  recipient: Address,
  deadline: EpochMillis,
})

const HoldingView = Schema.Struct({ asset: AssetId, amount: NativeAmountText })

/** The broker's account on the simulated Chainflip, which belongs to the operator. */
const BrokerView = Schema.Struct({
  account: BrokerAccount,
  flip: NativeAmountText.annotate({
    description: "All FLIP of the account with its bond, in smallest units",
  }),
  bond: NativeAmountText,
  boundAddress: Schema.optionalKey(Address),
  hasPrivateChannel: member.yesOrNo("Payloads for Bitcoin need a private channel"),
  minimumVaultFeeBps: Schema.Int,
  nodeInSync: Schema.Boolean,
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
    amount: NativeAmountText.annotate({ description: "What arrives, without the fee" }),
    fee: NativeAmountText,
    destination: Address,
    state: Schema.Literals(["scheduled", "sent", "paid", "failed"]),
    paymentTransaction: Schema.optionalKey(Schema.String),
  })).annotate({ description: `The newest withdrawals, at most ${maximumListedChannels} of them` }),
})

/** `GET /sandbox`, and the answer of `PATCH /sandbox/network`. */
export const SandboxView = Schema.Struct({
  ...timeFields,
  speed: Schema.Finite.annotate({ description: "Simulated seconds for each real second" }),
  seed: Schema.String,
  stateChainBlock: Schema.Int,
  heights: Schema.Record(Schema.String, Schema.Int).annotate({ description: "Latest block of each chain" }),
  switches: Schema.Struct({
    swapsEnabled: Schema.Boolean,
    quotingMaintenance: Schema.Boolean,
    swappingMaintenance: Schema.Boolean,
    withdrawalsEnabled: Schema.Boolean,
  }),
  pools: Schema.Array(Schema.Struct({
    baseAsset: AssetId,
    quoteAsset: AssetId,
    baseReserve: NativeAmountText,
    quoteReserve: NativeAmountText,
    price: NativeAmountText.annotate({
      description: "Reference price: smallest units of the quote asset for one whole unit of the base asset",
    }),
  })),
  boostPools: Schema.Array(Schema.Struct({
    asset: AssetId,
    tierBps: Schema.Int,
    available: NativeAmountText,
    lent: NativeAmountText,
  })),
  openChannelCount: Schema.Int,
  openChannels: Schema.Array(Schema.Struct({
    id: member.text("<issued_block>-<network>-<channel_id>"),
    depositAddress: Address,
    sourceAsset: AssetId,
    destinationAsset: AssetId,
    destinationAddress: Address,
    sourceExpiryBlock: Schema.Int,
    estimatedExpiryTime: EpochMillis,
  })).annotate({ description: `The newest open channels, at most ${maximumListedChannels} of them` }),
  broker: BrokerView,
  nearIntents: Schema.Struct({
    publicKey: member.text("`ed25519:<base58>`; quotes are signed with its pair"),
    openOrderCount: Schema.Int,
    openOrders: Schema.Array(OpenOrderView).annotate({
      description: `The newest open orders, at most ${maximumListedChannels} of them`,
    }),
  }),
  relay: Schema.Struct({
    openRequestCount: Schema.Int,
    openRequests: Schema.Array(OpenRequestView).annotate({
      description: `The newest open requests, at most ${maximumListedChannels} of them`,
    }),
  }),
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
    .annotateMerge(
      about(
        "getSandbox",
        "Simulated time, pools, open channels and faults",
        "The simulated world as it is now. Only in sandbox mode.",
      ),
    ),
  HttpApiEndpoint.post("deposit", "/sandbox/deposits", {
    payload: DepositCommand,
    success: DepositAccepted.pipe(HttpApiSchema.status(202)),
  }).annotateMerge(
    about(
      "createSandboxDeposit",
      "Send a deposit to an open channel",
      "Pays to the deposit address of a channel or an order, as a user would; simulated blocks confirm " +
        "it. Only in sandbox mode.",
    ),
  ),
  HttpApiEndpoint.post("vaultSwap", "/sandbox/vault-swaps", {
    payload: VaultSwapCommand,
    success: DepositAccepted.pipe(HttpApiSchema.status(202)),
  }).annotateMerge(
    about(
      "createSandboxVaultSwap",
      "Send a transaction that was made of an answer of `/tx-payload/*`",
      "Sends the transaction that a user would sign of a payload. Only in sandbox mode.",
    ),
  ),
  HttpApiEndpoint.post("time", "/sandbox/time", { payload: TimeCommand, success: TimeView })
    .annotateMerge(
      about(
        "advanceSandboxTime",
        "Travel in time",
        "Simulated time goes forward at once: blocks pass, swaps go on, channels expire. Only in " +
          "sandbox mode.",
      ),
    ),
  HttpApiEndpoint.put("setFaults", "/sandbox/faults", { payload: FaultRule, success: FaultsView })
    .annotateMerge(
      about(
        "setSandboxFault",
        "Let an upstream misbehave",
        "Every failure that an upstream can have, on its own wire, to test a client with. Only in " +
          "sandbox mode.",
      ),
    ),
  HttpApiEndpoint.delete("clearFaults", "/sandbox/faults", { success: FaultsView })
    .annotateMerge(
      about(
        "clearSandboxFaults",
        "Let the upstreams behave again",
        "All faults end; what they did to swaps stays. Only in sandbox mode.",
      ),
    ),
  HttpApiEndpoint.patch("network", "/sandbox/network", {
    payload: NetworkCommand,
    success: SandboxView,
  }).annotateMerge(
    about(
      "changeSandbox",
      "Change the simulated world",
      "Prices, depths, maintenance, rejected deposits and other conditions that make swaps go wrong on " +
        "a real network. Only in sandbox mode.",
    ),
  ),
)

/** The controls as a service serves them: for callers with an API key. */
export class SandboxGroup extends controls.middleware(Authorization).annotateMerge(
  OpenApi.annotations({ title: "Sandbox", description: "Simulated networks. No money moves here." }),
) {}
