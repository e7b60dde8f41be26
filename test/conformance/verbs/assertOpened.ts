import { assert } from "@effect/vitest"
import { Clock, Effect, Equal, Result, Schema, Struct } from "effect"
import { checkAddress } from "../../../src/domain/Address.ts"
import { chainOf } from "../../../src/domain/Asset.ts"
import type { Network } from "../../../src/domain/Chain.ts"
import type { DepositChannel } from "../../../src/domain/Channel.ts"
import { SwapStatus } from "../../../src/domain/Swap.ts"
import type { SwapRequest } from "../../../src/domain/SwapRequest.ts"
import type { OpenedChannel } from "../../../src/providers/Provider.ts"
import { StatusJson } from "../../../src/store/database/columns.ts"

const assertChannel = (
  channel: DepositChannel,
  { sourceAsset }: SwapRequest,
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
}

/** The record says everything of the request, and nothing that has not happened. */
const assertWaiting = ({ channel, status }: OpenedChannel, request: SwapRequest): void => {
  assert.strictEqual(status.state, "waiting")
  assert.strictEqual(status.sourceAsset, request.sourceAsset)
  assert.strictEqual(status.destinationAsset, request.destinationAsset)
  assert.strictEqual(status.destinationAddress, request.destinationAddress)
  const fillOrKill = Struct.pick(request, ["retryDurationBlocks", "refundAddress", "minimumPrice"])
  assert.isTrue(Equal.equals(status.fillOrKill, fillOrKill), "the price limit and the refund address")
  assert.deepStrictEqual(status.depositChannel?.id, channel.id)
  assert.strictEqual(status.depositChannel?.depositAddress, channel.depositAddress)
  assert.strictEqual(status.depositChannel?.sourceChainExpiryBlock, channel.sourceExpiryBlock)
  assert.strictEqual(status.depositChannel?.brokerCommissionBps, request.commissionBps)
  assert.deepStrictEqual(status.depositChannel?.affiliateBrokers, request.affiliates)
  assert.isFalse(status.depositChannel?.isExpired)
  assert.isAbove(status.estimatedDuration ?? 0, 0)
  for (const member of ["deposit", "swap", "swapEgress", "refundEgress", "fallbackEgress"] as const) {
    assert.notProperty(status, member)
  }
}

/** The record is kept as JSON: whatever that would lose is not of its form. */
const assertKeeps = (status: SwapStatus): Effect.Effect<void> =>
  Effect.gen(function* () {
    assert.isTrue(Schema.is(SwapStatus)(status))
    const stored = yield* Schema.encodeEffect(Schema.fromJsonString(StatusJson))(status)
    const read = yield* Schema.decodeEffect(Schema.fromJsonString(StatusJson))(stored)
    assert.isTrue(Equal.equals(read, status))
  }).pipe(Effect.orDie)

/** A channel that money can be sent to, and the record that it starts with. */
export const assertOpened = Effect.fnUntraced(function* (
  opened: OpenedChannel,
  request: SwapRequest,
  networks: ReadonlyArray<Network>,
) {
  assertChannel(opened.channel, request, networks)
  assertWaiting(opened, request)
  yield* assertKeeps(opened.status)
  const now = yield* Clock.currentTimeMillis
  assert.strictEqual(opened.status.depositChannel?.createdAt, now)
  assert.isAbove(opened.status.depositChannel?.estimatedExpiryTime ?? 0, now)
})
