import { Effect, Predicate, Result, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { bodyIssues } from "../bodyIssues.ts"
import type { OpenChannel } from "../engine/Command.ts"
import * as Network from "../engine/Network.ts"
import type { OpenRefusal } from "../engine/Refusal.ts"
import type { ChannelOpened } from "../engine/View.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { AssetInput, DecimalInput, U16, U32, withoutNulls } from "./values.ts"
import { backendMessage, backendRefusal, brokerRefusal } from "./refusals.ts"

/** `POST /api/openSwapDepositChannel`: a channel of the backend's own broker (chainflip/wire.md 3.8). */

const Amount = DecimalInput.pipe(Schema.decodeTo(NativeAmount))

const Body = Schema.Struct({
  srcAsset: AssetInput,
  destAsset: AssetInput,
  destAddress: Schema.String,
  amount: Amount,
  ccmParams: Schema.optionalKey(Schema.Struct({ gasBudget: Amount, message: Schema.String })),
  maxBoostFeeBps: Schema.optionalKey(U16),
  fillOrKillParams: Schema.Struct({
    retryDurationBlocks: U32,
    refundAddress: Schema.String,
    minPriceX128: DecimalInput,
    maxOraclePriceSlippage: Schema.optionalKey(U16),
  }),
  dcaParams: Schema.optionalKey(Schema.Struct({ numberOfChunks: U32, chunkIntervalBlocks: U32 })),
})
type Body = typeof Body.Type

const decodeBody = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))
const decodeMembers = Schema.decodeUnknownResult(Body, { errors: "all" })

/** The newer form of `{srcAsset: "USDC", srcChain: "Arbitrum"}`. */
const joinChain = (body: Readonly<Record<string, unknown>>, side: "src" | "dest") => {
  const asset = body[`${side}Asset`]
  const chain = body[`${side}Chain`]
  return typeof asset === "string" && typeof chain === "string" ? { [`${side}Asset`]: { chain, asset } } : {}
}

const readBody = (text: string): Result.Result<Body, Schema.SchemaError> =>
  Result.flatMap(decodeBody(text), (json) => {
    const body = withoutNulls(json)
    return decodeMembers(
      Predicate.isObject(body) ? { ...body, ...joinChain(body, "src"), ...joinChain(body, "dest") } : body,
    )
  })

/** The answer of the backend's own contract library to an invalid body. */
const zodError = (error: Schema.SchemaError): Reply =>
  json(400, {
    issues: bodyIssues(error).map(({ message, path }) => ({ code: "custom", path, message })),
    name: "ZodError",
  })

const toCommand = (body: Body): OpenChannel => {
  const { ccmParams, dcaParams, fillOrKillParams } = body
  return {
    _tag: "OpenChannel",
    sourceAsset: body.srcAsset,
    destinationAsset: body.destAsset,
    destinationAddress: body.destAddress,
    // The backend's broker takes no commission.
    brokerCommissionBps: 0,
    boostFeeBps: body.maxBoostFeeBps ?? 0,
    affiliates: [],
    refund: {
      retryDurationBlocks: fillOrKillParams.retryDurationBlocks,
      refundAddress: fillOrKillParams.refundAddress,
      minimumPriceX128: fillOrKillParams.minPriceX128,
      ...(fillOrKillParams.maxOraclePriceSlippage === undefined
        ? {}
        : { maximumOraclePriceSlippageBps: fillOrKillParams.maxOraclePriceSlippage }),
    },
    ...defined({ dca: dcaParams, ccm: ccmParams }),
    openedThroughBackend: true,
    expectedDepositAmount: body.amount,
  }
}

/** The limits that the backend checks before it calls its broker. */
const limitRefusal = (environment: Network.Environment, body: Body): Reply | undefined => {
  const { maximumSwap, minimumDeposit } = environment.asset(body.srcAsset)
  if (body.amount < minimumDeposit) return backendRefusal(400, backendMessage.belowMinimum(minimumDeposit))
  return maximumSwap !== undefined && body.amount > maximumSwap
    ? backendRefusal(400, backendMessage.aboveMaximum(maximumSwap))
    : undefined
}

/** The backend passes on the text of an error that it does not know (chainflip/wire.md 3.5, 500). */
const refusalReply = (refusal: OpenRefusal): Reply =>
  refusal._tag === "TooManyChannels"
    ? backendRefusal(400, backendMessage.tooManyChannels)
    : backendRefusal(500, brokerRefusal("standalone", refusal).message)

const channelReply = (opened: ChannelOpened, body: Body): Reply =>
  json(201, {
    id: formatChannelId(opened.id),
    depositAddress: opened.depositAddress,
    brokerCommissionBps: 0,
    maxBoostFeeBps: body.maxBoostFeeBps ?? 0,
    issuedBlock: opened.id.issuedBlock,
    srcChainExpiryBlock: `${opened.sourceExpiryBlock}`,
    estimatedExpiryTime: opened.estimatedExpiryTime,
    channelOpeningFee: `${opened.openingFee}`,
  })

export const openThroughBackend = Effect.fn("sandbox.backend.openChannel")(function* (text: string) {
  const body = readBody(text)
  if (Result.isFailure(body)) return zodError(body.failure)
  const limited = limitRefusal(yield* World.read(({ network }) => Network.environment(network)), body.success)
  if (limited !== undefined) return limited
  return Result.match(yield* World.perform(toCommand(body.success)), {
    onFailure: refusalReply,
    onSuccess: (opened) => channelReply(opened, body.success),
  })
})

export const sourceAssetOfBody = (text: string): AssetId | undefined =>
  Result.match(readBody(text), { onFailure: () => undefined, onSuccess: ({ srcAsset }) => srcAsset })
