import { isOver, type SwapStatus } from "#domain/swaps/Swap.ts"
import { assetName, coin } from "../pages/amounts.tsx"
import { type Html } from "../pages/jsx-runtime.ts"
import { kv } from "../pages/parts.tsx"
import { durationText } from "#domain/durationText.ts"
import { estimate, money } from "./figures.tsx"
import { card, copyable } from "./parts.tsx"
import type { PayerView } from "./payerView.ts"

/** What is said to come out, as far as it is known: of a quote, of the opening, or of an output that was asked for. */
const promiseOf = ({ deposit, depositChannel, quote }: SwapStatus) => {
  const { exactOutput, expectedDepositAmount, expectedOutputAmount } = depositChannel ?? {}
  if (exactOutput !== undefined) return { key: "receiveExactly", native: exactOutput.amount } as const
  // Another amount than was quoted for brings another output.
  const isFor = (amount: bigint | undefined) => deposit === undefined || deposit.amount === amount
  if (quote !== undefined && isFor(quote.amount)) {
    return { key: "receiveAbout", native: quote.quoted, least: quote.promised } as const
  }
  return expectedOutputAmount === undefined || !isFor(expectedDepositAmount)
    ? undefined
    : { key: "receiveAbout", native: expectedOutputAmount } as const
}

/** What comes out and where it goes, for who has to compare it before paying. */
export const receiveSection = ({ status, writer }: PayerView): Html => {
  const { deposit, depositChannel, destinationAddress, destinationAsset, estimatedDuration, fillOrKill } =
    status
  const { fill, say } = writer
  const isAwaited = deposit === undefined
  /** Whether nothing comes out any more. */
  const isEnd = isOver(status) || isAwaited && depositChannel?.isExpired === true
  const promise = isEnd ? undefined : promiseOf(status)
  const output = (native: bigint) => ({ asset: destinationAsset, native })
  const shown = promise === undefined
    ? assetName(destinationAsset)
    : promise.key === "receiveExactly"
    ? money(output(promise.native))
    : estimate(output(promise.native))
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
            {isAwaited && !isEnd
              ? (
                <>
                  <br />
                  {say("backToNote")}
                </>
              )
              : ""}
          </>
        ),
      ],
      [
        say("takes"),
        isEnd || !isAwaited || estimatedDuration === undefined
          ? undefined
          : fill("takesAbout", { time: durationText(estimatedDuration) }),
      ],
      [say("fees"), promise === undefined ? undefined : say("feesIn")],
    ]),
  ])
}
