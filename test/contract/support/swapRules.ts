import { addresses, brokerAccounts } from "./addresses.ts"
import type { SwapQuery } from "./swaps.ts"

/** A refused request: what is changed in one that would be fine, and the parameters that are complained of. */
export type RefusedRow = readonly [changes: SwapQuery, faulty: ReadonlyArray<string>]

const each = (
  parameter: string,
  values: ReadonlyArray<string>,
  beside: SwapQuery = {},
): ReadonlyArray<RefusedRow> => values.map((value) => [{ ...beside, [parameter]: value }, [parameter]])

const noNumbers = [
  "",
  " ",
  "-1",
  "+1",
  "1.5",
  "1.0",
  "1e1",
  "0x1",
  "NaN",
  "abc",
  "1 ",
  "99999999999999999999",
]
const noDecimals = ["", " ", "-1", "+1", "1e3", "0x10", "NaN", "Infinity", ".5", "5.", "1,5", " 1", "1 "]
const [one, two, three, four] = brokerAccounts
const limit = { refundAddress: addresses.btc }

/** Every rule of decisions 2 to 11 for requests from btc.btc to eth.eth. */
export const refusedSwaps: ReadonlyArray<RefusedRow> = [
  ...each("sourceAsset", ["", "btc", "xyz.btc"]),
  ...each("destinationAsset", ["", "eth", "eth.xyz"], { destinationAddress: addresses.eth }),
  [{ destinationAsset: "btc.btc", destinationAddress: addresses.btc }, ["destinationAsset"]],
  ...each("destinationAddress", ["", " ", "x", addresses.btc, addresses.sol, `${addresses.eth} `, "0x1"]),
  ...each("refundAddress", ["", " ", "x", addresses.eth, addresses.tron, ` ${addresses.btc}`]),
  ...each("boostFee", [...noNumbers, "101"]),
  ...each("minimumPrice", noDecimals, limit),
  [{ minimumPrice: "32.5" }, ["refundAddress"]],
  ...each("retryDurationInBlocks", [...noNumbers, "14401"]),
  ...each("numberOfChunks", [...noNumbers, "0"]),
  ...each("chunkIntervalBlocks", [...noNumbers, "0", "1"], { numberOfChunks: "2" }),
  [{ chunkIntervalBlocks: "2" }, ["chunkIntervalBlocks"]],
  [{ numberOfChunks: "7202" }, ["numberOfChunks"]],
  [{ numberOfChunks: "2", chunkIntervalBlocks: "14401" }, ["numberOfChunks"]],
  ...each("commissionBps", [...noNumbers, "996"]),
  ...[1, 2, 3, 4].flatMap((number): ReadonlyArray<RefusedRow> => {
    const [account, share] = [`affiliate${number}`, `affiliate${number}CommissionBps`]
    return [
      [{ [account]: one }, [share]],
      [{ [share]: "10" }, [account]],
      ...each(account, ["", "x", addresses.dot, `${one.slice(0, -1)}x`, ` ${one}`], { [share]: "10" }),
      ...each(share, [...noNumbers, "1001"], { [account]: one }),
    ]
  }),
  [{ ...affiliates([one, 10], [one, 10]) }, ["affiliate2"]],
  [{ ...affiliates([one, 10], undefined, undefined, [one, 20]) }, ["affiliate4"]],
  [{ ...affiliates([one, 1000]), commissionBps: "1" }, ["commissionBps"]],
  [{ ...affiliates([one, 250], [two, 250], [three, 250], [four, 251]) }, ["commissionBps"]],
  ...each("amount", [...noDecimals, "0", "0.000000001"]),
  ...each("amountNative", ["", "0", "00", "01", "-1", "1.0", "1e3", "0x1", `${2n ** 128n}`]),
  [{ amount: "0.1", amountNative: "10000000" }, ["amount"]],
  [{ amount: "0.00039999" }, ["minimalAmount", "minimalAmountNative"]],
  [{ amountNative: "39999" }, ["minimalAmount", "minimalAmountNative"]],
  ...each("platform", ["", "nonesuch", "Chainflip", "near-intents"]),
  // The network allows less than the contract (decision 6).
  ...each("retryDurationInBlocks", ["601", "14400"]),
  // All faults at once (decision 15).
  [
    { sourceAsset: "x", destinationAsset: "y", boostFee: "101", commissionBps: "996", numberOfChunks: "0" },
    ["boostFee", "commissionBps", "destinationAsset", "numberOfChunks", "sourceAsset"],
  ],
  [
    { destinationAddress: "x", refundAddress: "y", affiliate1: one, chunkIntervalBlocks: "2", platform: "z" },
    ["affiliate1CommissionBps", "chunkIntervalBlocks", "destinationAddress", "platform", "refundAddress"],
  ],
]

type Share = readonly [account: string, commissionBps: number]

/** Affiliates by their place; gaps are fine. */
export function affiliates(...shares: ReadonlyArray<Share | undefined>): SwapQuery {
  return Object.fromEntries(shares.flatMap((share, index) =>
    share === undefined ? [] : [
      [`affiliate${index + 1}`, share[0]],
      [`affiliate${index + 1}CommissionBps`, `${share[1]}`],
    ]
  ))
}

/** A request that is fine, and what the record then says under a path of the status. */
export type AcceptedRow = readonly [
  changes: SwapQuery,
  path: ReadonlyArray<string | number>,
  expected: unknown,
]

const limits = ["depositChannel", "fillOrKillParams"]
const affiliated = ["depositChannel", "affiliateBrokers"]
const asAffiliate = ([account, commissionBps]: Share) => ({ account, commissionBps })

/** Bounds and defaults of every parameter, on the right side. */
export const acceptedSwaps: ReadonlyArray<AcceptedRow> = [
  [{}, ["boost"], undefined],
  [{ boostFee: "0" }, ["boost"], undefined],
  [{ boostFee: "1" }, ["boost"], { maximumBoostFeeBps: 1 }],
  [{ boostFee: "100" }, ["boost"], { maximumBoostFeeBps: 100 }],
  [{}, [...limits, "minimumPrice"], "0"],
  [{ minimumPrice: "0" }, [...limits, "minimumPrice"], "0"],
  [{ minimumPrice: "0.00" }, [...limits, "minimumPrice"], "0"],
  [{ ...limit, minimumPrice: "32.5" }, [...limits, "minimumPrice"], "32.5"],
  [
    { ...limit, minimumPrice: "33.84839141161932591164" },
    [...limits, "minimumPrice"],
    "33.84839141161932591164",
  ],
  [{ ...limit, minimumPrice: "0.000000000000000001" }, [...limits, "minimumPrice"], "0.000000000000000001"],
  [limit, [...limits, "refundAddress"], addresses.btc],
  [{}, [...limits, "retryDurationBlocks"], 150],
  [{ retryDurationInBlocks: "0" }, [...limits, "retryDurationBlocks"], 0],
  [{ retryDurationInBlocks: "600" }, [...limits, "retryDurationBlocks"], 600],
  [{}, ["dcaParams"], undefined],
  [{ numberOfChunks: "1" }, ["dcaParams"], undefined],
  [{ numberOfChunks: "1", chunkIntervalBlocks: "2" }, ["dcaParams"], undefined],
  [{ numberOfChunks: "2" }, ["dcaParams"], { numberOfChunks: 2, chunkIntervalBlocks: 2 }],
  [{ numberOfChunks: "7201" }, ["dcaParams"], { numberOfChunks: 7201, chunkIntervalBlocks: 2 }],
  [
    { numberOfChunks: "2", chunkIntervalBlocks: "14400" },
    ["depositChannel", "dcaParams"],
    { numberOfChunks: 2, chunkIntervalBlocks: 14400 },
  ],
  [{}, ["depositChannel", "brokerCommissionBps"], 0],
  [{ commissionBps: "995" }, ["depositChannel", "brokerCommissionBps"], 995],
  [{}, affiliated, []],
  [affiliates([one, 0]), affiliated, [asAffiliate([one, 0])]],
  [affiliates(undefined, undefined, undefined, [one, 1000]), affiliated, [asAffiliate([one, 1000])]],
  [
    affiliates([one, 5], undefined, [two, 7]),
    affiliated,
    [asAffiliate([one, 5]), asAffiliate([two, 7])],
  ],
  [
    { ...affiliates([one, 1], [two, 2], [three, 3], [four, 4]), commissionBps: "990" },
    affiliated,
    [asAffiliate([one, 1]), asAffiliate([two, 2]), asAffiliate([three, 3]), asAffiliate([four, 4])],
  ],
  [{ amount: "0.0004" }, ["state"], "waiting"],
  [{ amountNative: "40000" }, ["state"], "waiting"],
  [{ platform: "chainflip" }, ["state"], "waiting"],
  [{ unknown: "x", offset: "y" }, ["state"], "waiting"],
]
