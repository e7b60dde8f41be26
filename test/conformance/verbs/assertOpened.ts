import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { assert } from "@effect/vitest"
import { Clock, Effect, Equal, Result, Schema, Struct } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"
import { noAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import type { Network } from "#domain/chains/Chain.ts"
import type { DepositChannel } from "#domain/swaps/Channel.ts"
import { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { channelFault } from "#providers/validateResponses.ts"
import type { OpenedChannel } from "#providers/Provider.ts"

/** The only amount that is known as a deposit is nearly what was asked for: a hundredth more or less. */
const assertNear = (exact: bigint, asked: bigint): void =>
  assert.isTrue(
    (exact > asked ? exact - asked : asked - exact) * 100n <= asked,
    `${exact} to be paid in for ${asked}`,
  )

const assertChannel = (
  channel: DepositChannel,
  { amount, sourceAsset }: SwapRequest,
  networks: ReadonlyArray<Network>,
): void => {
  assert.strictEqual(channel.id.network, chainOf(sourceAsset))
  assert.isAbove(channel.id.issuedBlock, 0)
  assert.isTrue(Number.isSafeInteger(channel.id.channelId) && channel.id.channelId >= 0)
  assert.isAbove(channel.sourceExpiryBlock, 0)
  assert.isTrue(channel.openingFee >= 0n)
  assert.isTrue(URL.canParse(channel.explorerUrl), channel.explorerUrl)
  const checked = checkAddress(chainOf(sourceAsset), networks, channel.depositAddress)
  assert.isTrue(Result.isSuccess(checked), `${Result.getFailure(checked)}`)
  if (channel.exactAmount !== undefined && amount !== undefined) {
    assertNear(channel.exactAmount, unitsOf(amount))
  }
}

/** The record says everything of the request and of its channel, and nothing that has not happened. */
const assertWaiting = ({ channel, status }: OpenedChannel, request: SwapRequest): void => {
  assert.strictEqual(status.state, "waiting")
  assert.strictEqual(status.sourceAsset, request.sourceAsset)
  assert.strictEqual(status.destinationAsset, request.destinationAsset)
  assert.strictEqual(status.destinationAddress, request.destinationAddress)
  const fillOrKill = Struct.pick(request, ["retryDurationBlocks", "refundAddress", "minimumPrice"])
  assert.isTrue(Equal.equals(status.fillOrKill, fillOrKill), "the price limit and the refund address")
  const record = status.depositChannel
  assert.deepStrictEqual(record?.id, channel.id)
  for (const member of ["depositAddress", "reference", "memo", "exactAmount"] as const) {
    assert.strictEqual(record?.[member], channel[member], `the channel's ${member} in the record`)
  }
  assert.strictEqual(record?.sourceChainExpiryBlock, channel.sourceExpiryBlock)
  assert.strictEqual(record?.brokerCommissionBps, request.commissionBps)
  assert.deepStrictEqual(record?.affiliateBrokers, request.affiliates)
  assert.isFalse(record?.isExpired)
  assert.isAbove(status.estimatedDuration ?? 0, 0)
  for (const member of ["deposit", "swap", "swapEgress", "refundEgress", "fallbackEgress"] as const) {
    assert.notProperty(status, member)
  }
}

const StatusText = Schema.fromJsonString(Schema.toCodecJson(SwapStatus))

/** The record as a restart finds it: it is kept as JSON, and whatever that would lose is not of its form. */
export const asKept = (status: SwapStatus): Effect.Effect<SwapStatus> =>
  Effect.gen(function* () {
    assert.isTrue(Schema.is(SwapStatus)(status), "a record of the port")
    const kept = yield* Schema.encodeEffect(StatusText)(status)
    const read = yield* Schema.decodeEffect(StatusText)(kept)
    assert.isTrue(Equal.equals(read, status), "a record that is the same when it is read again")
    return read
  }).pipe(Effect.orDie)

/** A channel that money can be sent to, and the record that it starts with. */
export const assertOpened = Effect.fnUntraced(function* (
  opened: OpenedChannel,
  request: SwapRequest,
  networks: ReadonlyArray<Network>,
) {
  assertChannel(opened.channel, request, networks)
  assert.isUndefined(channelFault(request, opened))
  const { maximum, minimum = noAmount } = opened.depositLimits ?? {}
  const { amount } = request
  if (amount !== undefined) {
    assert.isTrue(
      minimum <= unitsOf(amount) && unitsOf(amount) <= (maximum ?? unitsOf(amount)),
      "the limits of a deposit",
    )
  }
  assertWaiting(opened, request)
  yield* asKept(opened.status)
  const now = yield* Clock.currentTimeMillis
  assert.strictEqual(opened.status.depositChannel?.createdAt, now)
  assert.isAbove(opened.status.depositChannel?.estimatedExpiryTime ?? 0, now)
})
