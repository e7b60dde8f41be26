import { Schema } from "effect"
import { Address } from "./Address.ts"
import { HumanAmount, NativeAmountText } from "./SandboxControl.ts"
import { BitcoinPayload, EvmPayload, SolanaPayload, TronPayload } from "./VaultSwapPayload.ts"

/** A payload as `/tx-payload/*` answers it. */
const Payload = Schema.Union([
  Schema.Struct({ ...BitcoinPayload.fields, amountNative: NativeAmountText }),
  Schema.Struct({ ...EvmPayload.fields, value: NativeAmountText }),
  SolanaPayload,
  Schema.Struct({ ...TronPayload.fields, value: NativeAmountText }),
]).annotate({ expected: "payload to be the answer of /tx-payload/bitcoin, evm, solana or tron" })

/** `POST /sandbox/vault-swaps`: a transaction made of a payload; at most one of the two amounts. */
export const VaultSwapCommand = Schema.Struct({
  payload: Payload.annotate({ description: "The answer of `/tx-payload/*`, whole and as it came" }),
  amount: Schema.optionalKey(HumanAmount.annotate({
    description: "What the transaction moves; the payload's own amount when absent. Only a transaction of " +
      "BTC, ETH or TRX can move another, as that of a token is part of its payload",
  })),
  amountNative: Schema.optionalKey(NativeAmountText),
  changeAddress: Schema.optionalKey(Address.annotate({
    description: "Bitcoin only: the address of the change, where a refund goes; one of the sandbox's when " +
      "absent",
  })),
}).check(
  Schema.makeFilter((command) =>
    command.amount === undefined || command.amountNative === undefined
      ? undefined
      : { path: ["amount"], issue: "Give only one of amount and amountNative" }
  ),
).annotate({ description: "A transaction on the source chain that says itself what is to be swapped, now" })
export type VaultSwapCommand = typeof VaultSwapCommand.Type
