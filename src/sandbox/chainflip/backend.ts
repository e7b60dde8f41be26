import { Effect, Predicate, Result, Schema } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { internalIdOf, networkAssets } from "#domain/chains/payload/contractNumbers.ts"
import * as Network from "../engine/Network.ts"
import type { AssetView, ChannelOpened } from "../engine/State.ts"
import { Faults } from "../Faults.ts"
import { type Handled, route, serveRest } from "../rest.ts"
import { json, type Reply, text, type WireRequest } from "../Wire.ts"
import { World } from "../World.ts"
import { getQuote, getSwap, sourceAssetOf } from "./answers.ts"
import { backendFault, backendMessage, backendRefusal, brokerRefusal } from "./refusals.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { bodyIssues } from "../bodyIssues.ts"
import type { OpenChannel } from "../engine/Command.ts"
import type { OpenRefusal } from "../engine/Refusal.ts"
import { AssetInput, DecimalInput, U16, U32, withoutNulls } from "./values.ts"

/** The swap backend's REST API (chainflip/wire.md 3). */

/** Closes a route during the swap service's maintenance: all of `/api`, but neither quotes nor status. */
const gated = (handled: Handled): Handled =>
  Effect.flatMap(
    World.read(({ network }) => Network.switches(network).swappingMaintenance),
    (isClosed) =>
      isClosed ? Effect.succeed(backendRefusal(503, backendMessage.swappingMaintenance)) : handled,
  )

/** Quotes a minute of one client, and unknown swaps (chainflip/wire.md 3.5). */
const quoteLimit = { most: 100, restMillis: 5 * 60_000 }
const unknownLimit = { most: 10, restMillis: 10 * 60_000 }

const tooMany = backendRefusal(429, backendMessage.tooManyRequests)

const limitedQuote = Effect.fnUntraced(function* (query: URLSearchParams) {
  return (yield* Faults.isTooMany("quote", quoteLimit)) ? tooMany : yield* getQuote(query)
})

/** A look-up of a swap; those that find nothing count. */
const limitedSwap = Effect.fnUntraced(function* (id: string) {
  const reply = yield* getSwap(id, {
    isSparse: yield* Faults.does("sparseRecords"),
    isBatched: yield* Faults.does("batches"),
  })
  return reply.status === 404 && (yield* Faults.isTooMany("unknown swap", unknownLimit)) ? tooMany : reply
})

const decodeText = (encoded: string) => Result.try(() => decodeURIComponent(encoded))

/** `GET /api/networkInfo` (chainflip/wire.md 3.8). */
const getNetworkInfo = World.read(({ network }) => {
  const { asset: viewOf } = Network.environment(network)
  return json(200, {
    assets: networkAssets.map((asset) => writeSwitches(asset, viewOf(asset))),
    cfBrokerCommissionBps: 0,
  })
})

const writeSwitches = (asset: AssetId, view: AssetView) => ({
  asset: internalIdOf(asset),
  // Vault swaps are not possible from Assethub (chainflip/wire.md 2.3).
  vaultSwapDepositsEnabled: view.depositEnabled && chainOf(asset) !== "Assethub",
  depositChannelDepositsEnabled: view.depositEnabled,
  depositChannelCreationEnabled: view.creationEnabled,
  egressEnabled: view.egressEnabled,
  boostDepositsEnabled: view.boostEnabled,
  livePriceProtectionEnabled: view.oracleProtectionBps !== undefined,
})

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
      ...defined({ maximumOraclePriceSlippageBps: fillOrKillParams.maxOraclePriceSlippage }),
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

const openThroughBackend = Effect.fn("sandbox.backend.openChannel")(function* (text: string) {
  const body = readBody(text)
  if (Result.isFailure(body)) return zodError(body.failure)
  const limited = limitRefusal(yield* World.read(({ network }) => Network.environment(network)), body.success)
  if (limited !== undefined) return limited
  return Result.match(yield* World.perform(toCommand(body.success)), {
    onFailure: refusalReply,
    onSuccess: (opened) => channelReply(opened, body.success),
  })
})

const sourceAssetOfBody = (text: string): AssetId | undefined =>
  Result.match(readBody(text), { onFailure: () => undefined, onSuccess: ({ srcAsset }) => srcAsset })

/** The asset that a fault's message names: the one that a quote or a channel is asked for. */
const namedAsset = ({ body, method, query }: WireRequest): AssetId =>
  (method === "POST" ? sourceAssetOfBody(body) : sourceAssetOf(query)) ?? "btc.btc"

export const serveBackend = serveRest({
  provider: "chainflip",
  routes: [
    route("GET /v2/quote", ({ query }) => limitedQuote(query), "quote"),
    route(
      "GET /v2/swaps/([^/]+)",
      (_, id) =>
        Result.match(decodeText(id), {
          onFailure: () => Effect.succeed(backendRefusal(400, backendMessage.invalidRequest)),
          onSuccess: limitedSwap,
        }),
      "status",
    ),
    route("GET /api/networkInfo", () => gated(getNetworkInfo)),
    route("POST /api/openSwapDepositChannel", ({ body }) => gated(openThroughBackend(body)), "open"),
    route("GET /healthcheck", () => Effect.succeed(text(200, "OK"))),
  ],
  elsewhere: () => backendRefusal(404, backendMessage.notFound),
  fault: (code, request) => backendFault(code, namedAsset(request)),
})
