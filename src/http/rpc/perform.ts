import { Effect, Result } from "effect"
import { EncodeParams, type ExtraParameters, OpenChannelParams } from "../../api/RpcParameters.ts"
import { CurrentAccount } from "../../domain/Account.ts"
import { chainOf } from "../../domain/Asset.ts"
import type { Chain } from "../../domain/Chain.ts"
import { issueAbout, type Issues } from "../../domain/Issues.ts"
import { JsonText } from "../../domain/JsonText.ts"
import { NodeReply } from "../../domain/NodeCall.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { PayloadKind } from "../../domain/VaultSwap.ts"
import { Registry } from "../../providers/Registry.ts"
import { Swaps } from "../../swapping/Swaps.ts"
import { VaultSwaps } from "../../swapping/VaultSwaps.ts"
import { readPayloadParameters } from "../readPayloadOrder.ts"
import { readSwapParameters } from "../readSwapOrder.ts"
import { Method } from "./methods.ts"
import { encodeNames, openNames } from "./names.ts"
import { presentOpened } from "./presentOpened.ts"
import { presentPayload } from "./presentPayload.ts"
import { paramsReader } from "./readParams.ts"
import { methodNotAvailable } from "./RpcError.ts"
import { invalidParams, orRpcError } from "./toRpcError.ts"
import { oracleLimit, toPayloadParameters, toSwapParameters } from "./toSwapParameters.ts"

const readOpenChannel = paramsReader(OpenChannelParams)
const readEncode = paramsReader(EncodeParams)

const orInvalid = <A>(read: Result.Result<A, Issues>) =>
  Effect.mapError(Effect.fromResult(read), invalidParams)

const resultOf = (result: object): NodeReply =>
  NodeReply.Result({ json: JsonText.make(JSON.stringify(result)) })

const notEnabled = methodNotAvailable("no provider that speaks this protocol is enabled on this broker")

/** The provider that speaks this protocol to its clients itself. */
const findProvider = Effect.flatMap(Registry, ({ enabled }) =>
  Effect.flatMap(enabled, (providers) => {
    const [found] = providers.flatMap(({ name, node }) => node === undefined ? [] : [{ name, node }])
    return found === undefined ? Effect.fail(notEnabled) : Effect.succeed(found)
  }))

/** Opens a deposit channel in the same way as `/swap`, with this provider and no other. */
const open = Effect.fnUntraced(function* (platform: ProviderName, params: JsonText | undefined) {
  const wanted = yield* orInvalid(readOpenChannel(params))
  const order = yield* readSwapParameters(toSwapParameters(wanted, platform))
  const request = { ...order.request, ...oracleLimit(wanted.refund_parameters) }
  const opened = yield* (yield* Swaps).open(yield* CurrentAccount, { request, platform })
  return resultOf(presentOpened(opened, request))
}, orRpcError(openNames))

const kinds = { Ethereum: "evm", Arbitrum: "evm", Solana: "solana", Tron: "tron" } as const satisfies Partial<
  Record<Chain, PayloadKind>
>

const fromBitcoin = issueAbout(
  "extra_parameters.chain",
  "cannot be Bitcoin here: the method tells neither the amount nor the refund address, which this broker has to " +
    "know of a swap; POST /tx-payload/bitcoin takes them",
)

const encodable = (
  { extra_parameters: extra, source_asset: source }: EncodeParams,
): Result.Result<ExtraParameters, Issues> => {
  if (extra.chain === "Bitcoin") return Result.fail(fromBitcoin)
  return extra.chain === chainOf(source) ? Result.succeed(extra) : Result.fail(
    issueAbout("extra_parameters.chain", `is ${extra.chain}, but source_asset is on ${chainOf(source)}`),
  )
}

/** Encodes a transaction in the same way as `/tx-payload/*`, with this provider and no other. */
const encode = Effect.fnUntraced(function* (platform: ProviderName, params: JsonText | undefined) {
  const wanted = yield* orInvalid(readEncode(params))
  const extra = yield* orInvalid(encodable(wanted))
  const raw = toPayloadParameters(wanted, extra, platform)
  const order = yield* readPayloadParameters(kinds[extra.chain], raw)
  const request = { ...order.request, ...oracleLimit(extra.refund_parameters) }
  const { payload } = yield* (yield* VaultSwaps).encode(yield* CurrentAccount, { request, platform })
  return resultOf(presentPayload(payload))
}, orRpcError(encodeNames))

/** Does what a call asks for; the reply is in the upstream's form. */
export const perform = Effect.fn("Rpc.perform")(function* (method: Method, params: JsonText | undefined) {
  const { name, node } = yield* findProvider
  return yield* Method.$match(method, {
    Open: () => open(name, params),
    Encode: () => encode(name, params),
    Node: ({ method }) =>
      node({ method, ...(params === undefined ? {} : { params }) }).pipe(orRpcError(new Map())),
  })
})
