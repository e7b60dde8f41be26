import { Schema } from "effect"

/** Nobody should pay into this channel any more, or the swap never had one. */
export class NothingToPay extends Schema.TaggedError<NothingToPay>()("NothingToPay", {
  why: Schema.Literals(["expired", "paid", "no-channel"]),
}) {
  override get message(): string {
    return {
      expired: "The deposit channel takes no more deposits: what is sent now may be lost. Open a new one",
      paid: "The swap has its deposit, or has ended: nothing more is to be paid",
      "no-channel": "The swap has no deposit channel: the payer's own transaction carried it",
    }[this.why]
  }
}

/** A payment by a QR code could be lost, or nobody should pay at present. */
export class NoPaymentCode extends Schema.TaggedError<NoPaymentCode>()("NoPaymentCode", {
  why: Schema.Literals(["stopped", "memo", "unwritable"]),
}) {
  override get message(): string {
    return {
      stopped: "Nobody should pay for now: `guidance` of the swap's status says why",
      memo:
        "The deposit's transaction has to carry a memo, which no code can hold: show the address and the memo",
      unwritable: "The address cannot be written in a code: show it as text",
    }[this.why]
  }
}
