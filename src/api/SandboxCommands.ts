import { BigDecimal, Effect, Option, Schema, SchemaGetter, SchemaIssue, SchemaTransformation } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { Chain } from "#domain/chains/Chain.ts"
import { formatDecimal, parseDecimal, withoutExponent } from "#domain/money/Decimal.ts"
import {
  BitcoinPayload,
  EvmPayload,
  SolanaInstruction,
  SolanaPayload,
  TronPayload,
  XrplPayload,
} from "#domain/swaps/VaultSwap.ts"
import { vaultNetworkCommands } from "./SandboxVaults.ts"
import { maybe, member } from "./shape.ts"
import { isOpen } from "./unknownMembers.ts"

/** The bodies of the sandbox's controls (`/sandbox/*`). */

/** The number of digits up to which a double prints every decimal as it was written. */
const exactDigitsOfNumber = 15

/** The decimal text of an input; a small number is printed with an exponent, however it was written. */
const decimalText = (input: string | number): string =>
  typeof input === "number" ? withoutExponent(`${input}`) : input

const significantDigits = (input: number): number =>
  decimalText(input).replace(".", "").replace(/^0+/, "").length

const humanAmountIssue = (input: string | number): string | undefined => {
  const parsed = parseDecimal(decimalText(input))
  if (Option.isNone(parsed)) {
    return 'Expected a decimal amount without sign or exponent, such as "0.25"'
  }
  return typeof input === "number" && significantDigits(input) > exactDigitsOfNumber
    ? "Too many digits for a JSON number: write the amount as a string"
    : undefined
}

/** A human amount: decimal text, or a JSON number of up to 15 digits. Exact. */
export const HumanAmount = Schema.Union([Schema.String, Schema.Finite]).pipe(
  Schema.decodeTo(
    Schema.BigDecimal,
    SchemaTransformation.transformEffect<BigDecimal.BigDecimal, string | number>({
      decode: (input, options) => {
        const message = humanAmountIssue(input)
        return message === undefined
          ? Effect.succeed(
            Option.getOrElse(parseDecimal(decimalText(input)), () => BigDecimal.fromBigInt(0n)),
          )
          : Effect.fail(new SchemaIssue.InvalidValue({ message }, input, options))
      },
      encode: (amount) => Effect.succeed(formatDecimal(amount)),
    }),
  ),
).annotate({ description: "Human units of the asset, as decimal text or a JSON number of up to 15 digits" })

/** An amount in smallest units: decimal digits, or a whole JSON number below 2^53. */
export const NativeAmountText = Schema.Union([
  Schema.String.check(Schema.isPattern(/^[0-9]{1,39}$/, { expected: "decimal digits" })),
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
]).pipe(Schema.decodeTo(
  NativeAmount,
  SchemaTransformation.transform<bigint, string | number>({
    decode: (input) => BigInt(input),
    encode: (amount) => `${amount}`,
  }),
)).annotate({ description: "Smallest units of the asset, decimal digits" })

/** A difference of amounts in smallest units, with a minus sign where it is less. */
const SignedAmountText = Schema.String.check(Schema.isPattern(/^-?[0-9]{1,39}$/, {
  expected: "decimal digits, with a minus sign before them or without",
})).pipe(Schema.decodeTo(
  Schema.BigInt,
  SchemaTransformation.transform<bigint, string>({
    decode: (input) => BigInt(input),
    encode: (difference) => `${difference}`,
  }),
)).annotate({ description: "Smallest units of the asset, decimal digits; a minus sign makes it less" })

/** `POST /sandbox/deposits`: a deposit transaction to a channel or an order, with exactly one of the two amounts. */
export const DepositCommand = Schema.Struct({
  address: Address.annotate({ description: "Deposit address of a channel or of an order of the sandbox" }),
  amount: Schema.optionalKey(HumanAmount),
  amountNative: Schema.optionalKey(NativeAmountText),
  asset: Schema.optionalKey(AssetId).annotate({
    description:
      "What is sent, where it is not what the address takes: another asset of its chain, which never becomes a deposit",
  }),
}).check(
  Schema.makeFilter((command) =>
    (command.amount === undefined) !== (command.amountNative === undefined)
      ? undefined
      : { path: ["amount"], issue: "Give exactly one of amount and amountNative" }
  ),
).annotate({ description: "A deposit transaction on the source chain, now" })
export type DepositCommand = typeof DepositCommand.Type

/** The furthest that one command can move time: a century. */
const maximumAdvanceSeconds = 100 * 366 * 86_400

/** `POST /sandbox/time`: time travel. All blocks in between pass at once. */
export const TimeCommand = Schema.Struct({
  advanceSeconds: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: maximumAdvanceSeconds }))
    .annotate({ description: "Seconds by which simulated time moves forward; whole milliseconds count" }),
}).annotate({ description: "Moves the simulated time of the whole sandbox forward" })

/** How the next order of the simulated NEAR Intents misleads its client (near-intents/wire.md 3). */
export const OrderTrap = Schema.Literals([
  "successThatIsRefund",
  "incompleteThatIsRefund",
  "failedInPart",
  "stuckPending",
  "notIndexedYet",
  "badSignature",
  "changedAddress",
])
export type OrderTrap = typeof OrderTrap.Type

/** How the next request of the simulated Relay goes wrong (relay/wire.md 3). */
export const RequestTrap = Schema.Literals([
  "droppedFees",
  "superseded",
  "fillFails",
  "refundFails",
  "blockedWallet",
  "ttlExpired",
  "delayed",
  "undetected",
])
export type RequestTrap = typeof RequestTrap.Type

const change = <const Name extends string>(name: Name) => ({ change: Schema.Literal(name) })

/** `PATCH /sandbox/network`: brings about conditions that make swaps go wrong on a real network. */
export const NetworkCommand = Schema.Union([
  Schema.Struct({ ...change("movePrice"), asset: AssetId, bps: Schema.Int })
    .annotate({ description: "The reference price of an asset moves by so many bps of itself, up or down" }),
  Schema.Struct({ ...change("setDepth"), asset: AssetId, usdc: NativeAmountText }).annotate({
    description:
      "The pool of an asset holds this much usdc.eth (smallest units), and as much of the asset by value",
  }),
  Schema.Struct({
    ...change("setAsset"),
    asset: AssetId,
    depositEnabled: maybe.yesOrNo("Whether deposits of the asset are taken."),
    egressEnabled: maybe.yesOrNo("Whether the asset is paid out."),
    creationEnabled: maybe.yesOrNo("Whether channels for the asset can be opened."),
    boostEnabled: maybe.yesOrNo("Whether deposits of the asset can be boosted."),
    minimumDeposit: Schema.optionalKey(NativeAmountText),
    maximumSwap: Schema.optionalKey(NativeAmountText),
    ingressFee: Schema.optionalKey(NativeAmountText),
    egressFee: Schema.optionalKey(NativeAmountText),
    egressDustLimit: Schema.optionalKey(NativeAmountText),
  }).annotate({ description: "Switches and figures of an asset; absent members stay as they are" }),
  Schema.Struct({ ...change("setSwaps"), enabled: Schema.Boolean })
    .annotate({ description: "Safe mode: while swaps are off, chunks that fall due are put off" }),
  Schema.Struct({
    ...change("setMaintenance"),
    quoting: maybe.yesOrNo("Whether quoting is in maintenance."),
    swapping: maybe.yesOrNo("Whether swapping is in maintenance."),
  }).annotate({ description: "Maintenance of quoting or of the swap service; an absent one is not changed" }),
  Schema.Struct({ ...change("rejectNextDeposit"), address: Address })
    .annotate({ description: "The broker rejects the next deposit to this address and refunds it" }),
  Schema.Struct({
    ...change("nextEgress"),
    asset: AssetId,
    outcome: Schema.Literals(["abort", "fallback"]),
  }).annotate({ description: "The next payment of this asset is aborted, or goes to the fallback address" }),
  Schema.Struct({ ...change("setBoostPool"), tierBps: Schema.Int, available: NativeAmountText })
    .annotate({ description: "Amount that a boost pool of btc.btc can lend, in smallest units" }),
  Schema.Struct({ ...change("setFlip"), free: NativeAmountText })
    .annotate({ description: "FLIP of the broker's account that is not bonded, in smallest units" }),
  Schema.Struct({ ...change("setOpeningFee"), chain: Chain, fee: NativeAmountText })
    .annotate({ description: "Price of a deposit channel from a chain, in smallest units of flip.eth" }),
  Schema.Struct({ ...change("setWithdrawals"), enabled: Schema.Boolean })
    .annotate({ description: "Safe mode: while withdrawals are off, none is ordered" }),
  Schema.Struct({ ...change("setNode"), inSync: member.yesOrNo("Whether the node has the latest blocks.") })
    .annotate({ description: "Whether the node tells that it has the latest blocks" }),
  Schema.Struct({ ...change("shiftEarned"), asset: AssetId, difference: SignedAmountText }).annotate({
    description: "The broker's account has earned so much more, or less, than its swaps have paid it",
  }),
  Schema.Struct({ ...change("nextOrder"), outcome: OrderTrap }).annotate({
    description: "The next order of near-intents misleads: successThatIsRefund says SUCCESS of a full " +
      "refund; incompleteThatIsRefund sends the deposit back and stays INCOMPLETE_DEPOSIT; failedInPart sends half of it " +
      "back and says FAILED; stuckPending stays PENDING_DEPOSIT for twice its timeEstimate after the deposit is " +
      "confirmed, or until that is submitted; notIndexedYet cannot be looked up for two simulated minutes; " +
      "badSignature is signed with another key; changedAddress is looked up with another deposit address",
  }),
  Schema.Struct({ ...change("nextRequest"), outcome: RequestTrap }).annotate({
    description:
      "The next deposit address of relay goes wrong: droppedFees leaves out the app fees, of quotes " +
      "before it too; superseded goes on under another request; fillFails sends the deposit back with two " +
      "transactions; refundFails sends nothing back; blockedWallet holds the deposit; ttlExpired sends it back " +
      "as too late; delayed fills ten simulated minutes late; undetected sees no deposit before it is reindexed",
  }),
  Schema.Struct({
    ...change("setChain"),
    chain: Chain,
    disabled: member.yesOrNo("Whether the asset is switched off."),
  })
    .annotate({ description: "A chain of relay is switched off, or on again" }),
  ...vaultNetworkCommands,
]).annotate({
  expected:
    "change to be one of movePrice, setDepth, setAsset, setSwaps, setMaintenance, rejectNextDeposit, " +
    "nextEgress, setBoostPool, setFlip, setOpeningFee, setWithdrawals, setNode, shiftEarned, nextOrder, nextRequest, setChain, setTrading, churnVaults and nextPayment",
})
export type NetworkCommand = typeof NetworkCommand.Type

/** The only instruction of a transaction on Solana, in its own members. */
const SolanaInstructionPayload = Schema.Struct({
  network: SolanaPayload.fields.network,
  ...SolanaInstruction.fields,
}).pipe(Schema.decodeTo(Schema.toType(SolanaPayload), {
  decode: SchemaGetter.transform(({ network, ...instruction }) => ({
    _tag: "solana" as const,
    network,
    instructions: [instruction] as const,
  })),
  encode: SchemaGetter.transform(({ instructions: [instruction], network }) => ({ network, ...instruction })),
}))

const Payload = Schema.Union([
  Schema.Struct({ ...BitcoinPayload.fields, amountNative: NativeAmountText }),
  Schema.Struct({ ...EvmPayload.fields, value: NativeAmountText }),
  SolanaPayload,
  SolanaInstructionPayload,
  Schema.Struct({ ...TronPayload.fields, value: NativeAmountText }),
  Schema.Struct({ ...XrplPayload.fields, amountNative: NativeAmountText }),
]).annotate({ expected: "payload to be the response of /tx-payload/bitcoin, evm, solana, tron or xrpl" })

/** `POST /sandbox/vault-swaps`: a transaction made from a payload, with at most one of the two amounts. */
export const VaultSwapCommand = Schema.Struct({
  payload: Payload.annotate({
    description: "The whole response of `/tx-payload/*`, unchanged",
    [isOpen]: true,
  }),
  amount: Schema.optionalKey(HumanAmount.annotate({
    description: "What the transaction moves; the payload's own amount when absent. Only a transaction of " +
      "a chain's own coin can move another, as that of a token is part of its payload",
  })),
  amountNative: Schema.optionalKey(NativeAmountText),
  changeAddress: Schema.optionalKey(Address.annotate({
    description:
      "Bitcoin and its family only: the address of the change, where a refund goes; one of the sandbox's when absent",
  })),
  walletMemo: Schema.optionalKey(Schema.String.annotate({
    description:
      "XRP Ledger only: a memo that the wallet puts before that of the payload, which is then not read",
  })),
}).check(
  Schema.makeFilter((command) =>
    command.amount === undefined || command.amountNative === undefined
      ? undefined
      : { path: ["amount"], issue: "Give only one of amount and amountNative" }
  ),
).annotate({ description: "A vault swap: a transaction on the source chain, now" })
export type VaultSwapCommand = typeof VaultSwapCommand.Type
