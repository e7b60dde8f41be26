import { promiseOf } from "#domain/swaps/OutputPromise.ts"
import { hasFailed, isOver, type SwapStatus } from "#domain/swaps/Swap.ts"
import { assetName, coin } from "../pages/values.tsx"
import { type Html } from "../pages/jsx-runtime.ts"
import { kv } from "../pages/parts.tsx"
import type { PayerTold } from "#application/guidance/textValues.ts"
import { card, code, copyable, ends, type PageText, time } from "./parts.tsx"
import type { PayerView } from "./payerView.ts"

const minute = 60_000

const place = (address: string, writer: PageText): Html => copyable(address, ends(address), writer)

/** Whether it is known what comes of the payment, so that nothing is estimated any more. */
export const isDecided = ({ status }: PayerView): boolean =>
  isOver(status) || status.swapEgress !== undefined || status.refundEgress !== undefined ||
  status.fallbackEgress !== undefined

/** What was asked for at a closed address, for who has paid and compares; nobody can pay to a part of an address. */
export const closedRows = ({ now, status, writer, writer: { money, say } }: PayerView): Html => {
  const { depositChannel: channel, sourceAsset: asset } = status
  const native = channel?.expectedDepositAmount
  const expiry = channel?.estimatedExpiryTime ?? now
  return kv([
    [say("askedFor"), native === undefined ? assetName(asset) : money({ asset, native })],
    [say("expiredAddress"), channel && code(ends(channel.depositAddress))],
    [say("expired"), expiry < now ? time(expiry, now, writer) : undefined],
  ])
}

/** What was sent, what was taken off it before the refund that stands above, and the minimum that was missed. */
export const outcomeRows = ({ status, writer }: PayerView, told: PayerTold): Html => {
  const { deposit, destinationAddress, fillOrKill, sourceAsset: asset, swap, swapEgress } = status
  const { money, say } = writer
  const refund = status.refundEgress
  const sent = deposit?.isExpected === true ? undefined : deposit?.amount
  const swapped = swapEgress === undefined ? 0n : swap?.swappedInputAmount
  const back = refund === undefined || hasFailed(refund) ? undefined : refund.amount
  const fees = sent === undefined || swapped === undefined || back === undefined || sent < swapped + back
    ? undefined
    : sent - swapped - back
  const positive = (native: bigint | undefined, sign = "") =>
    native === undefined || native === 0n ? undefined : <>{sign}{money({ asset, native })}</>
  const least = told.minimumAmount ?? (told.isPricedOut ? told.leastAmount : undefined)
  return kv([
    [say("askedFor"), told.minimumAmount && told.expectedAmount && money(told.expectedAmount)],
    [say("youSent"), positive(sent)],
    [say("swapped"), fees === undefined ? undefined : positive(swapped, "−\u00a0")],
    [say("networkFee"), positive(fees, "−\u00a0")],
    [say("refunded"), fees === undefined || swapEgress === undefined ? undefined : positive(back)],
    [say("minimum"), least && money(least)],
    [say("to"), swapEgress === undefined ? undefined : place(destinationAddress, writer)],
    [
      say("backTo"),
      back === undefined || fillOrKill === undefined ? undefined : place(fillOrKill.refundAddress, writer),
    ],
  ])
}

/** The least that comes out; nothing of an output that was asked for, or where a minimum price alone sets it. */
const leastOf = (status: SwapStatus, { fill, money, say }: PageText) => {
  const promise = promiseOf(status)
  if (promise?.from === "quote") {
    return fill("orBack", { amount: money({ asset: status.destinationAsset, native: promise.least }) })
  }
  const isLimited = (status.fillOrKill?.minimumPrice.value ?? 0n) > 0n
  return promise === undefined || promise.from === "request" || isLimited ? undefined : say("noMinimum")
}

/** What comes out and where it goes, for who has to compare it before paying. */
export const receiveSection = ({ status, writer }: PayerView): Html => {
  const { deposit, destinationAddress, destinationAsset, estimatedDuration, fillOrKill } = status
  const { duration, fill, money, say, short } = writer
  const promise = promiseOf(status)
  const isExact = promise?.from === "request"
  const output = promise === undefined ? undefined : { asset: destinationAsset, native: promise.native }
  const shown = output === undefined ? assetName(destinationAsset) : isExact ? money(output) : short(output)
  const fees = promise?.from === "prices" ? "feesOff" : "feesIn"
  const title = say(output === undefined ? "receive" : isExact ? "receiveExactly" : "receiveAbout")
  return card({ title, aside: <b>{coin(destinationAsset)}{shown}</b>, id: "receiving" }, [
    kv([
      [say("minimum"), leastOf(status, writer)],
      // Prices of the hour have no fees in them.
      [say("fees"), deposit !== undefined || promise === undefined ? undefined : say(fees)],
      [
        say("takes"),
        deposit !== undefined || estimatedDuration === undefined
          ? undefined
          : fill("takesAbout", { time: duration(Math.ceil(estimatedDuration / minute) * minute) }),
      ],
      [say("to"), place(destinationAddress, writer)],
      [
        say("backTo"),
        fillOrKill === undefined ? undefined : (
          <>
            {place(fillOrKill.refundAddress, writer)}
            {deposit === undefined && <small>{say("backToNote")}</small>}
          </>
        ),
      ],
    ]),
  ])
}
