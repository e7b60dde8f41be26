import { LookupNotMade } from "#application/swapping/following/statusResult.ts"
import { outcomeUnknown } from "#interfaces/requests/providerProblem.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import type { Answer } from "#test/contract/support/call.ts"
import { find, isObject, type Json } from "#test/contract/support/Json.ts"
import { addresses, brokerAccounts } from "#test/contract/support/addresses.ts"
import { type Path, textsIn, writeJson } from "./json.ts"
import { isName } from "./values.ts"

/** What is told of an upstream that fails without a code; everything else of 500 and above is our own failure. */
const upstreamDetails: ReadonlyArray<string> = [
  outcomeUnknown,
  "The provider's response was invalid. Try again",
  new LookupNotMade({ retryAfterSeconds: 1 }).message,
  "The outcome is unknown: the provider returned no valid payload. Nothing was opened, and no funds have moved",
]

/** The number of the swap whose outcome is unknown. */
const ofSwap = /\. The record is swap [1-9][0-9]*$/

/** Nobody has that much to say. */
const mostText = 200_000

/** What is wrong with an answer, whatever was asked: a failure that is no upstream's. */
export const failureOf = ({ body, status, text }: Answer): ReadonlyArray<string> => {
  if (text.length > mostText) return [`an answer of ${text.length} characters`]
  if (status < 500) return []
  const detail = find(body, "detail")
  const isUpstreams = find(body, "code") !== undefined ||
    typeof detail === "string" && upstreamDetails.includes(detail.replace(ofSwap, ""))
  return isUpstreams ? [] : [`${status} ${text}`]
}

const own: ReadonlySet<string> = new Set([
  ...Object.values(addresses),
  brokerAccount,
  ...brokerAccounts.slice(0, 3),
])

/** Free text, and references that are written like addresses of some chain. */
const freeMembers = /(?:Reason|Reference|^detail|^code|^message|^mode|^swapId|^data|^calldata|^note)$/

/** Addresses and accounts of others that a change brought in, and that an answer shows. */
export const othersIn = (answer: Json, value: Json | undefined): ReadonlyArray<string> => {
  const brought = value === undefined ? [] : textsIn(value).map(([, text]) => text)
  const shown = textsIn(answer).flatMap(([member, text]) =>
    freeMembers.test(member) ? [] : [text.toLowerCase()]
  )
  return brought.filter((text) => !own.has(text) && isName(text) && shown.includes(text.toLowerCase()))
    .map((text) => `shows ${text}`)
}

/** Members that have to be as they were, each named where it is not. */
export const differing = (before: Json, now: Json, paths: ReadonlyArray<Path>): ReadonlyArray<string> =>
  paths.flatMap((path) => {
    const [was, is] = [find(before, ...path), find(now, ...path)].map((value) =>
      value === undefined ? "nothing" : writeJson(value)
    )
    return was === is ? [] : [`${path.join(".")} is ${is}, was ${was}`]
  })

const channelTerms = [
  "id",
  "brokerCommissionBps",
  "affiliateBrokers",
  "depositAddress",
  "sourceChainExpiryBlock",
  "openedThroughBackend",
  "expectedDepositAmount",
  "expectedDepositAmountNative",
]

/** What a swap through a channel was asked for and opened with, in its record. */
const termPaths: ReadonlyArray<Path> = [
  ["id"],
  ["platform"],
  ...["sourceAsset", "destinationAsset", "destinationAddress", "brokers", "ccmParams"].map((
    name,
  ) => ["status", name]),
  // A limit by the oracle's price may be the network's own, where none was asked for.
  ...["refundAddress", "minimumPrice", "retryDurationBlocks"].map((
    name,
  ) => ["status", "fillOrKillParams", name]),
  ["status", "dcaParams"],
  ["status", "boost", "maximumBoostFeeBps"],
  ...channelTerms.map((name) => ["status", "depositChannel", name]),
]

/** Where a payment goes, in the record: only to where it was asked for. */
const paymentFaults = (opened: Json, now: Json): ReadonlyArray<string> =>
  ([
    ["swapEgress", find(opened, "status", "destinationAddress")],
    ["refundEgress", find(opened, "status", "fillOrKillParams", "refundAddress")],
  ] as const).flatMap(([name, wanted]) => {
    const shown = find(now, "status", name, "destinationAddress")
    return shown === undefined || wanted === undefined || writeJson(shown) === writeJson(wanted)
      ? []
      : [`${name}.destinationAddress is ${writeJson(shown)}`]
  })

/** Which terms of a swap a record gives as others than those that it was opened with. */
export const termFaults = (opened: Json, now: Json): ReadonlyArray<string> =>
  isObject(now) ? [...differing(opened, now, termPaths), ...paymentFaults(opened, now)] : ["no record at all"]
