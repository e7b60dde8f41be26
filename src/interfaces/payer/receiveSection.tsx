import { promiseOf } from "#domain/swaps/OutputPromise.ts"
import { hasFailed, isOver } from "#domain/swaps/Swap.ts"
import { assetName, coin } from "../pages/amounts.tsx"
import { type Html } from "../pages/jsx-runtime.ts"
import { kv } from "../pages/parts.tsx"
import { card, code } from "./parts.tsx"
import type { PayerView } from "./payerView.ts"

/** The digits of what is quoted, and of what no provider has quoted. */
const someDigits = 5
const fewDigits = 3

/** Whether it is known what comes of the payment, so that nothing is estimated any more. */
export const isDecided = ({ status }: PayerView): boolean =>
  isOver(status) || status.swapEgress !== undefined || status.refundEgress !== undefined ||
  status.fallbackEgress !== undefined

/** What was sent, and, of a refund, what was taken off it, so that the amounts add up. */
export const outcomeRows = ({ id, status, writer }: PayerView): Html => {
  const { deposit, depositChannel, destinationAddress, fillOrKill, sourceAsset: asset, swap, swapEgress } =
    status
  const { money, say } = writer
  const refund = status.refundEgress
  const sent = deposit?.isExpected === true ? undefined : deposit?.amount
  const swapped = swapEgress === undefined ? 0n : swap?.swappedInputAmount
  const back = refund === undefined || hasFailed(refund) ? undefined : refund.amount
  const fees = sent === undefined || swapped === undefined || back === undefined || sent < swapped + back
    ? undefined
    : sent - swapped - back
  const minimum = depositChannel?.minimumDeposit
  const positive = (native: bigint | undefined) =>
    native === undefined || native === 0n ? undefined : money({ asset, native })
  return kv([
    [say("youSent"), positive(sent)],
    [
      say("minimum"),
      sent !== undefined && minimum !== undefined && sent < minimum ? positive(minimum) : undefined,
    ],
    [say("swapped"), fees === undefined ? undefined : positive(swapped)],
    [say("networkFee"), positive(fees)],
    [say(isOver(status) ? "youGotBack" : "getBack"), positive(back)],
    [say("to"), swapEgress === undefined ? undefined : code(destinationAddress)],
    [
      say("backTo"),
      back === undefined || fillOrKill === undefined ? undefined : code(fillOrKill.refundAddress),
    ],
    [say("swapId"), `${id}`],
  ])
}

/** What comes out and where it goes, for who has to compare it before paying. */
export const receiveSection = ({ id, status, writer }: PayerView): Html => {
  const { deposit, destinationAddress, destinationAsset, estimatedDuration, fillOrKill } = status
  const { duration, fill, money, say, short } = writer
  const promise = promiseOf(status)
  const output = (native: bigint) => ({ asset: destinationAsset, native })
  const shown = promise === undefined
    ? assetName(destinationAsset)
    : promise.from === "request"
    ? money(output(promise.native))
    : short(output(promise.native), promise.from === "prices" ? fewDigits : someDigits)
  const least = promise?.from === "quote" ? promise.least : undefined
  const title = promise === undefined
    ? "receive"
    : promise.from === "request"
    ? "receiveExactly"
    : "receiveAbout"
  const aside = <b>{coin(destinationAsset)}{shown}</b>
  return card({ title: say(title), aside, id: "receiving" }, [
    kv([
      [say("minimum"), least === undefined ? undefined : fill("orBack", { amount: money(output(least)) })],
      // Prices of the hour have no fees in them.
      [say("fees"), promise === undefined || promise.from === "prices" ? undefined : say("feesIn")],
      [
        say("takes"),
        deposit !== undefined || estimatedDuration === undefined
          ? undefined
          : fill("takesAbout", { time: duration(estimatedDuration) }),
      ],
      [say("to"), code(destinationAddress)],
      [
        say("backTo"),
        fillOrKill === undefined ? undefined : (
          <>
            {code(fillOrKill.refundAddress)}
            {deposit === undefined && <small>{say("backToNote")}</small>}
          </>
        ),
      ],
      [say("swapId"), `${id}`],
    ]),
  ])
}
