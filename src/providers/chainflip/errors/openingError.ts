import { Option } from "effect"
import { issueAbout } from "../../../domain/Issues.ts"
import { type ProviderErrorReason, RequestRefused, TimedOut } from "../../../domain/ProviderError.ts"
import type { SwapRequest } from "../../../domain/SwapRequest.ts"
import type { RpcError } from "../client/JsonRpc.ts"
import type { Limits } from "../Conditions.ts"
import { knownReason, notOpened } from "./knownMessages.ts"
import { findModuleError, type ModuleError, requestFaults } from "./moduleErrors.ts"
import { unclassified } from "./unclassified.ts"

/** Always the same generic text: the details stay in the node's log (chainflip/wire.md 1.7). */
const internalError = -32603

const moduleReason = (
  error: ModuleError,
  rpcError: RpcError,
  request: SwapRequest,
  limits: Limits,
): ProviderErrorReason =>
  Option.match(requestFaults(error, request, limits), {
    onSome: (errors) => new RequestRefused({ errors }),
    onNone: () => Option.getOrElse(knownReason(error.name, request), () => unclassified("broker", rpcError)),
  })

/** Texts of a reply without a module error (chainflip/wire.md 2.6), the first that fits. */
const texts: ReadonlyArray<readonly [pattern: RegExp, reason: () => ProviderErrorReason]> = [
  [/transaction is invalid/i, () => notOpened("the broker's transaction is invalid")],
  [/end of stream/i, () => notOpened("the broker lost its connection to the network")],
  [
    /timed? ?out|timeout/i,
    () => new TimedOut({ detail: "The broker gave up waiting for the network", reached: true }),
  ],
  [
    /ccm message size too large/i,
    () =>
      new RequestRefused({
        errors: issueAbout("ccmPayload", "has a longer message than the network carries"),
      }),
  ],
  [
    /(?=.*\baddress)(?=.*refund)(?=.*(?:valid|pars|decod|checksum|chain))/is,
    () =>
      new RequestRefused({ errors: issueAbout("refundAddress", "is not an address of the source chain") }),
  ],
  [
    /(?=.*\baddress)(?=.*(?:valid|pars|decod|checksum|chain))/is,
    () =>
      new RequestRefused({
        errors: issueAbout("destinationAddress", "is not an address of the destination chain"),
      }),
  ],
]

/** What the broker's error reply to an opening means (chainflip/wire.md 2.6). */
export const openingReason = (
  error: RpcError,
  request: SwapRequest,
  limits: Limits,
): ProviderErrorReason => {
  const moduleError = findModuleError(error.message)
  if (Option.isSome(moduleError)) return moduleReason(moduleError.value, error, request, limits)
  return Option.getOrElse(knownReason(error.message, request), () => {
    if (error.code === internalError) return notOpened("the broker reports an internal error")
    const [, reason] = texts.find(([pattern]) => pattern.test(error.message)) ?? []
    return reason === undefined ? unclassified("broker", error) : reason()
  })
}
