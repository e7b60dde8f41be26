import { Match, Result, Struct } from "effect"
import type { DepositCommand, NetworkCommand, VaultSwapCommand } from "#api/SandboxCommands.ts"
import { fromHuman, type HumanAmountFault } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { issueAbout, type Issues } from "#domain/Issues.ts"
import { decodeTransaction } from "./chainflip/vault/decode.ts"
import type { Deposit, VaultSwap } from "./engine/Command.ts"
import * as Network from "./engine/Network.ts"
import type { ControlRefusal, DepositRefusal, VaultSwapRefusal } from "./engine/Refusal.ts"
import { orderAt } from "./near-intents/engine/Intents.ts"
import { requestAt } from "./relay/engine/Relay.ts"
import type { SimulatedNetworks, WorldControl } from "./simulatedNetworks.ts"
import type { PayVault } from "./thorchain/engine/Command.ts"
import { familyNames } from "./thorchain/families.ts"
import { isFor, readPayment } from "./thorchain/transaction.ts"

/**
 * Translates the bodies of the controls into commands of the networks, and refusals of the networks into issues of the
 * bodies.
 */

const unknownAddress: Issues = issueAbout(
  "address",
  "belongs to no deposit channel and to no order of this sandbox",
)

const amountIssues: Readonly<Record<HumanAmountFault, (asset: AssetId) => string>> = {
  "too-many-decimals": (asset) => `has more decimals than the ${factsOf(asset).decimals} of ${asset}`,
  "too-large": () => "is more than a transaction can carry",
}

/** The amount in a body, in either of its two forms, if it has one. */
const givenAmount = (command: Pick<DepositCommand, "amount" | "amountNative">, asset: AssetId) => {
  if (command.amount === undefined) return Result.succeed(command.amountNative)
  const amount = fromHuman(asset, command.amount)
  return typeof amount === "bigint"
    ? Result.succeed(amount)
    : Result.fail(issueAbout("amount", amountIssues[amount](asset)))
}

/** The asset of deposits to an address; undefined if none of the networks issued the address. */
const depositAssetOf = ({ intents, network, relay }: SimulatedNetworks, address: string) =>
  network.channelsByAddress.get(address)?.sourceAsset ?? orderAt(intents, address)?.origin ??
    requestAt(relay, address)?.terms.origin.asset

/** The asset that a body sends to an address for another: only one of the same chain can get there. */
const sentAsset = (wanted: AssetId, { asset = wanted }: DepositCommand): Result.Result<AssetId, Issues> =>
  chainOf(asset) === chainOf(wanted) ? Result.succeed(asset) : Result.fail(
    issueAbout("asset", `must be ${wanted}, or another asset on ${chainOf(wanted)}, as the address is there`),
  )

/** The deposit in a body; a human amount is in units of its asset, else of the one that the address takes. */
export const toDeposit = (
  networks: SimulatedNetworks,
  command: DepositCommand,
): Result.Result<Deposit, Issues> => {
  const wanted = depositAssetOf(networks, command.address)
  if (wanted === undefined) return Result.fail(unknownAddress)
  return Result.gen(function* () {
    const asset = yield* sentAsset(wanted, command)
    const amount = yield* Result.flatMap(
      givenAmount(command, asset),
      (amount) =>
        amount === undefined
          ? Result.fail(issueAbout("amount", "is required, or amountNative in its place"))
          : Result.succeed(amount),
    )
    const wrong = asset === wanted ? {} : { wrongAsset: asset }
    return { _tag: "Deposit", address: command.address, amount, ...wrong }
  })
}

export const toControl: (command: NetworkCommand) => WorldControl = Match.type<NetworkCommand>().pipe(
  Match.withReturnType<WorldControl>(),
  Match.discriminatorsExhaustive("change")({
    movePrice: (command) => ({ _tag: "MovePrice", ...withoutChange(command) }),
    setDepth: (command) => ({ _tag: "SetDepth", ...withoutChange(command) }),
    setAsset: (command) => ({ _tag: "SetAsset", ...withoutChange(command) }),
    setSwaps: (command) => ({ _tag: "SetSwaps", ...withoutChange(command) }),
    setMaintenance: (command) => ({ _tag: "SetMaintenance", ...withoutChange(command) }),
    rejectNextDeposit: (command) => ({ _tag: "RejectNextDeposit", ...withoutChange(command) }),
    nextEgress: (command) => ({ _tag: "NextEgress", ...withoutChange(command) }),
    setBoostPool: (command) => ({ _tag: "SetBoostPool", ...withoutChange(command) }),
    setFlip: (command) => ({ _tag: "SetFlip", ...withoutChange(command) }),
    setOpeningFee: (command) => ({ _tag: "SetOpeningFee", ...withoutChange(command) }),
    setWithdrawals: (command) => ({ _tag: "SetWithdrawals", ...withoutChange(command) }),
    setNode: (command) => ({ _tag: "SetNode", ...withoutChange(command) }),
    shiftEarned: (command) => ({ _tag: "ShiftEarned", ...withoutChange(command) }),
    nextOrder: (command) => ({ _tag: "PlanOrder", ...withoutChange(command) }),
    nextRequest: (command) => ({ _tag: "PlanRequest", ...withoutChange(command) }),
    setChain: (command) => ({ _tag: "SetChain", ...withoutChange(command) }),
    setTrading: (command) => ({ _tag: "SetTrading", ...withoutChange(command) }),
    churnVaults: (command) => ({ _tag: "ChurnVaults", ...withoutChange(command) }),
    nextPayment: (command) => ({ _tag: "PlanPayment", ...withoutChange(command) }),
  }),
)

const withoutChange = <Command extends NetworkCommand>(command: Command) => Struct.omit(command, ["change"])

export const refusalIssues: (refusal: DepositRefusal | ControlRefusal) => Issues = Match.type<
  DepositRefusal | ControlRefusal
>().pipe(Match.tagsExhaustive({
  UnknownAddress: () => unknownAddress,
  ZeroAmount: () => issueAbout("amount", "must be above zero"),
  NoPool: ({ asset }) =>
    issueAbout("asset", `must have a pool, and ${asset} has none: all others are priced in it`),
  ImpossibleFigure: ({ detail }) => issueAbout("body", `has an impossible figure: ${detail}`),
}))

/** The vault swap that a body asks for: a payment to a vault whose payload names it, or a swap of Chainflip's. */
export const toVaultSwap = (
  { network, vaults }: SimulatedNetworks,
  command: VaultSwapCommand,
): Result.Result<VaultSwap | PayVault, Issues> => {
  const transaction = {
    payload: command.payload,
    amountOf: (asset: AssetId) => givenAmount(command, asset),
    changeAddress: command.changeAddress,
    walletMemo: command.walletMemo,
  }
  const paid = familyNames.find((name) => isFor(vaults[name], command.payload))
  return paid === undefined
    ? decodeTransaction(transaction, Network.affiliates(network))
    : readPayment(vaults[paid], transaction)
}

export const vaultSwapIssues = (refusal: VaultSwapRefusal): Issues =>
  "pallet" in refusal
    ? issueAbout(
      refusal._tag === "InvalidRefundAddress" ? "changeAddress" : "payload",
      `was refused by the pallet: ${refusal.docs}`,
    )
    : Match.valueTags(refusal, {
      ZeroAmount: () => issueAbout("amount", "must be above zero"),
      NoVault: ({ chain }) => issueAbout("payload", `is for ${chain}, which has no vault`),
      TooManyAffiliates: () => issueAbout("payload", "names too many affiliates"),
      TooManyChannels: () => issueAbout("payload", "cannot be taken while so many channels are open"),
      InvalidAffiliateAccount: ({ account }) =>
        issueAbout("payload", `names ${account}, which is no account`),
      InvalidBps: ({ bps }) => issueAbout("payload", `has a share of ${bps} bps`),
    })
