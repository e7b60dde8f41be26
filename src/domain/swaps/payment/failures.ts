import { Schema } from "effect"

/** Nobody should pay into this channel any more, or the swap never had one. */
export class NothingToPay extends Schema.TaggedError<NothingToPay>()("NothingToPay", {
  why: Schema.Literals(["expired", "paid", "no-channel"]),
}) {
  override get message(): string {
    return {
      expired: "The deposit channel has expired. A deposit sent now may be lost. Open a new channel",
      paid: "The swap has its deposit or has ended. Do not pay again",
      "no-channel": "The swap has no deposit channel. The payer's own transaction carried it",
    }[this.why]
  }
}

/** A payment by a QR code could be lost, or nobody should pay at present. */
export class NoPaymentCode extends Schema.TaggedError<NoPaymentCode>()("NoPaymentCode", {
  why: Schema.Literals(["stopped", "memo", "unwritable"]),
}) {
  override get message(): string {
    return {
      stopped: "Do not pay for now. See `guidance` in the status of the swap",
      memo: "The deposit needs a memo, which no code can hold. Show both as text",
      unwritable: "The address cannot be written as a code. Show it as text",
    }[this.why]
  }
}
