import { formatUnits } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { formatChannelId } from "../../domain/Channel.ts"
import { type Commission, commissionsOf } from "../../domain/Commission.ts"
import type { Deposit, Egress, SwapStatus } from "../../domain/Swap.ts"
import type { SwapRecord } from "../../domain/SwapRecord.ts"
import { type EpochMillis, toIsoDate } from "../../domain/Time.ts"
import { csvLine } from "./csvLine.ts"

type Cell = string | number | undefined
type Columns = ReadonlyArray<readonly [name: string, read: (record: SwapRecord) => Cell]>

const time = (at: EpochMillis | undefined): Cell => at === undefined ? undefined : toIsoDate(at)

/** An amount in both forms. */
const amount = (
  name: string,
  read: (status: SwapStatus) => readonly [AssetId, bigint | undefined],
): Columns => [
  [name, ({ status }) => {
    const [asset, native] = read(status)
    return native === undefined ? undefined : formatUnits(asset, native)
  }],
  [`${name}Native`, ({ status }) => read(status)[1]?.toString()],
]

/** A payment: its amounts, its transaction, and when it was seen on its chain. */
const payment = (
  name: string,
  read: (status: SwapStatus) => readonly [AssetId, Deposit | Egress | undefined],
): Columns => [
  ...amount(`${name}Amount`, (status) => {
    const [asset, paid] = read(status)
    return [asset, paid?.amount]
  }),
  [`${name}Transaction`, ({ status }) => read(status)[1]?.transactionReference],
  [`${name}WitnessedAt`, ({ status }) => time(read(status)[1]?.witnessedAt)],
]

/** A swap is charged in one asset by the networks that there are; of several, each is named in its turn. */
const commission = (read: (commission: Commission) => string) => ({ status }: SwapRecord): Cell =>
  commissionsOf(status).map(read).join(" ")

const columns: Columns = [
  ["id", ({ id }) => id],
  ["platform", ({ platform }) => platform],
  ["state", ({ status }) => status.state],
  ["swapId", ({ status }) => status.swapId],
  ["sourceAsset", ({ status }) => status.sourceAsset],
  ["destinationAsset", ({ status }) => status.destinationAsset],
  ["destinationAddress", ({ status }) => status.destinationAddress],
  [
    "depositChannelId",
    ({ status: { depositChannel } }) =>
      depositChannel === undefined ? undefined : formatChannelId(depositChannel.id),
  ],
  ["depositAddress", ({ status }) => status.depositChannel?.depositAddress],
  ["createdAt", ({ status }) => time(status.depositChannel?.createdAt)],
  ...payment("deposit", (status) => [status.sourceAsset, status.deposit]),
  ...amount("swappedInputAmount", (status) => [status.sourceAsset, status.swap?.swappedInputAmount]),
  ...amount("swappedOutputAmount", (status) => [status.destinationAsset, status.swap?.swappedOutputAmount]),
  ...payment("swapEgress", (status) => [status.destinationAsset, status.swapEgress]),
  ...payment("refundEgress", (status) => [status.sourceAsset, status.refundEgress]),
  ...payment("fallbackEgress", (status) => [status.destinationAsset, status.fallbackEgress]),
  ["brokerCommissionBps", ({ status }) => status.depositChannel?.brokerCommissionBps],
  ["commissionAsset", commission(({ asset }) => asset)],
  ["commissionAmount", commission(({ asset, amount }) => formatUnits(asset, amount))],
  ["commissionAmountNative", commission(({ amount }) => `${amount}`)],
  ["lastStateChainUpdateAt", ({ status }) => time(status.lastStateChainUpdateAt)],
]

/** The first line, with the names of the columns. */
export const swapsHead: string = csvLine(columns.map(([name]) => name))

/** One line for one swap. */
export const swapLine = (record: SwapRecord): string => csvLine(columns.map(([, read]) => read(record)))
