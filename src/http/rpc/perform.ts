import { Effect, Option } from "effect"
import { requireRoute } from "../../accounts/RouteAccess.ts"
import { OpenChannelParams } from "../../api/RpcParameters.ts"
import { CurrentAccount } from "../../domain/Account.ts"
import { JsonText } from "../../domain/JsonText.ts"
import { NodeReply } from "../../domain/NodeCall.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import { Registry } from "../../providers/Registry.ts"
import { Swaps } from "../../swapping/Swaps.ts"
import { readSwapParameters } from "../readSwapOrder.ts"
import { Method } from "./methods.ts"
import { presentOpened } from "./presentOpened.ts"
import type { Call } from "./readCalls.ts"
import { paramsReader } from "./readParams.ts"
import { methodNotAvailable } from "./RpcError.ts"
import { invalidParams } from "./toRpcError.ts"
import { toSwapParameters } from "./toSwapParameters.ts"

const readOpenChannel = paramsReader(OpenChannelParams)

const notEnabled = methodNotAvailable("no provider that speaks this protocol is enabled on this broker")
const noEncoding = methodNotAvailable("this broker encodes no vault swaps through JSON-RPC yet")

/** The provider that speaks this protocol to its clients itself. */
const findProvider = Effect.flatMap(Registry, ({ enabled }) =>
  Effect.flatMap(enabled, (providers) => {
    const [found] = providers.flatMap(({ name, node }) => node === undefined ? [] : [{ name, node }])
    return found === undefined ? Effect.fail(notEnabled) : Effect.succeed(found)
  }))

/** Opens a deposit channel in the same way as `/swap`, with this provider and no other. */
const open = Effect.fnUntraced(function* (platform: ProviderName, params: JsonText | undefined) {
  const wanted = yield* Effect.mapError(Effect.fromResult(readOpenChannel(params)), invalidParams)
  const { request } = yield* readSwapParameters(toSwapParameters(wanted, platform))
  const account = yield* CurrentAccount
  yield* requireRoute(account, "open", request)
  const opened = yield* (yield* Swaps).open(account, request, Option.some(platform))
  return NodeReply.Result({ json: JsonText.make(JSON.stringify(presentOpened(opened, request))) })
})

/** Does what a call asks for; the reply is in the upstream's form. */
export const perform = Effect.fn("Rpc.perform")(function* (method: Method, { params }: Pick<Call, "params">) {
  const { name, node } = yield* findProvider
  return yield* Method.$match(method, {
    Open: () => open(name, params),
    Encode: () => Effect.fail(noEncoding),
    Node: ({ method }) => node({ method, ...(params === undefined ? {} : { params }) }),
  })
})
