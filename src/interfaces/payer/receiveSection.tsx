import { hasFailed, isOver, type SwapStatus } from "#domain/swaps/Swap.ts"
import { assetName, coin } from "../pages/amounts.tsx"
import { type Html } from "../pages/jsx-runtime.ts"
import { kv } from "../pages/parts.tsx"
import { card, copyable } from "./parts.tsx"
import type { PayerView } from "./payerView.ts"
import { transaction } from "./transaction.tsx"

/** The digits of what no provider has quoted. */
const fewDigits = 3

/** What is said to come out, as far as it is known: of a quote, of the opening, or of an output that was asked for. */
const promiseOf = ({ deposit, depositChannel, quote }: SwapStatus) => {
  const { estimatedOutput, exactOutput, expectedDepositAmount, expectedOutputAmount } = depositChannel ?? {}
  if (exactOutput !== undefined) return { key: "receiveExactly", native: exactOutput.amount } as const
  // Another amount than was quoted for brings another output.
  const isFor = (amount: bigint | undefined) => deposit === undefined || deposit.amount === amount
  if (quote !== undefined && isFor(quote.amount)) {
    return { key: "receiveAbout", native: quote.quoted, least: quote.promised } as const
  }
  if (!isFor(expectedDepositAmount)) return undefined
  if (expectedOutputAmount !== undefined) {
    return { key: "receiveAbout", native: expectedOutputAmount } as const
  }
  return estimatedOutput === undefined
    ? undefined
    : { key: "receiveAbout", native: estimatedOutput, digits: fewDigits } as const
}

/** What comes back, where, and in which transaction, once nothing else comes of the payment. */
const refundSection = (scene: PayerView): Html | undefined => {
  const { fallbackEgress, fillOrKill, refundEgress: refund, sourceAsset: asset, swapEgress } = scene.status
  if (refund === undefined || hasFailed(refund) || swapEgress !== undefined || fallbackEgress !== undefined) {
    return undefined
  }
  const { writer } = scene
  const { money, say } = writer
  const place = fillOrKill?.refundAddress
  const { transactionReference: reference } = refund
  const amount = refund.amount === 0n ? assetName(asset) : money({ asset, native: refund.amount })
  const back = <b>{coin(asset)}{amount}</b>
  return card({ title: say("getBack"), aside: back, id: "receiving" }, [
    kv([
      [say("to"), place === undefined ? undefined : copyable(place, say("theRefund"), writer)],
      [say("refund"), reference === undefined ? undefined : transaction(asset, reference, scene)],
    ]),
  ])
}

/** What comes out and where it goes, for who has to compare it before paying. */
export const receiveSection = (scene: PayerView): Html => {
  const refund = refundSection(scene)
  if (refund !== undefined) return refund
  const { status, writer } = scene
  const { deposit, depositChannel, destinationAddress, destinationAsset, estimatedDuration, fillOrKill } =
    status
  const { duration, fill, money, say, short } = writer
  const isAwaited = deposit === undefined
  /** Whether nothing comes out any more. */
  const isEnd = isOver(status) || isAwaited && depositChannel?.isExpired === true
  const promise = isEnd ? undefined : promiseOf(status)
  const output = (native: bigint) => ({ asset: destinationAsset, native })
  const shown = promise === undefined
    ? assetName(destinationAsset)
    : promise.key === "receiveExactly"
    ? money(output(promise.native))
    : short(output(promise.native), promise.digits)
  const least = promise?.key === "receiveAbout" ? promise.least : undefined
  const head = isEnd
    ? { title: say("addresses") }
    : { title: say(promise?.key ?? "receive"), aside: <b>{coin(destinationAsset)}{shown}</b> }
  return card({ ...head, id: "receiving" }, [
    kv([
      [say("atLeast"), least === undefined ? undefined : fill("orBack", { amount: money(output(least)) })],
      [say("to"), copyable(destinationAddress, say("theDestination"), writer)],
      [
        say("backTo"),
        fillOrKill === undefined ? undefined : (
          <>
            {copyable(fillOrKill.refundAddress, say("theRefund"), writer)}
            {isAwaited && !isEnd && <small>{say("backToNote")}</small>}
          </>
        ),
      ],
      [
        say("takes"),
        isEnd || !isAwaited || estimatedDuration === undefined
          ? undefined
          : fill("takesAbout", { time: duration(estimatedDuration) }),
      ],
      // Prices of the hour have no fees in them.
      [say("fees"), promise === undefined || promise.digits !== undefined ? undefined : say("feesIn")],
    ]),
  ])
}
