import { Effect, Match, Result } from "effect"
import { checkAddress } from "../../../domain/Address.ts"
import { noAmount } from "../../../domain/Amount.ts"
import { chainOf } from "../../../domain/Asset.ts"
import { Network as ChainNetwork } from "../../../domain/Chain.ts"
import type { RequestedSwap } from "../../engine/Command.ts"
import { vaultSwapFault } from "../../engine/vaultSwaps.ts"
import * as Network from "../../engine/Network.ts"
import type { VaultSwapRefusal } from "../../engine/Refusal.ts"
import type { UnusableLog } from "../../EventLogError.ts"
import { World } from "../../World.ts"
import { dispatchError } from "../refusals.ts"
import { method } from "../rpc.ts"
import { invalidParams, type RpcError } from "../RpcError.ts"
import { messageRefusal, toRequestedSwap } from "../swapParams.ts"
import { encodeBitcoin } from "./bitcoin.ts"
import { encodeEvm } from "./evm.ts"
import { maximumSolanaNumber } from "../../../domain/payload/swapInstruction.ts"
import { encodeSolana } from "./solana.ts"
import { EncodeParams, type Extra, refundOf } from "./params.ts"
import { encodeTron } from "./tron.ts"

/** `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */

const incompatible = dispatchError("Incompatible or unsupported source_asset and extra_parameters")

/** What the runtime says, in its own words: there is no extrinsic that a module error could be of. */
const refusalError = (refusal: VaultSwapRefusal): RpcError =>
  "pallet" in refusal ? dispatchError(refusal.docs) : Match.valueTags(refusal, {
    NoVault: () => incompatible,
    ZeroAmount: () => dispatchError("The input amount is zero."),
    TooManyAffiliates: () => dispatchError("Too many affiliates."),
    TooManyChannels: () => incompatible,
    InvalidAffiliateAccount: ({ account }) => invalidParams(`Invalid params: invalid account "${account}"`),
    InvalidBps: ({ bps }) => invalidParams(`Invalid params: invalid value: integer \`${bps}\`, expected u16`),
  })

/**
 * The broker's affiliates once all of the request's are among them. On the real network the operator registers
 * each; here an account becomes one when it is first named.
 */
const withAffiliates = Effect.fnUntraced(function* (request: RequestedSwap) {
  const world = yield* World
  const known = yield* world.read(Network.affiliates)
  for (const { account } of request.affiliates) {
    if (known.some((affiliate) => affiliate === account)) continue
    const registered = yield* world.registerAffiliate({ _tag: "RegisterAffiliate", account })
    if (Result.isFailure(registered)) return yield* refusalError(registered.failure)
  }
  return yield* world.read(Network.affiliates)
})

const isSolanaAddress = (address: string | undefined): boolean =>
  address === undefined || Result.isSuccess(checkAddress("Solana", ChainNetwork.literals, address))

const solanaRefusal = (
  extra: Extract<Extra, { readonly chain: "Solana" }>,
  { ccm }: RequestedSwap,
): RpcError | undefined => {
  if (!isSolanaAddress(extra.from) || !isSolanaAddress(extra.from_token_account)) {
    return invalidParams("Invalid params: invalid Solana address")
  }
  return [extra.input_amount, ccm?.gasBudget ?? 0n].some((number) => number > maximumSolanaNumber)
    ? dispatchError("The amount does not fit into 64 bits.")
    : undefined
}

const encode = (
  extra: Extra,
  request: RequestedSwap,
  registered: ReadonlyArray<string>,
): Effect.Effect<unknown, RpcError> => {
  if (extra.chain === "Bitcoin") {
    return Effect.succeed(encodeBitcoin(request, extra.min_output_amount, registered))
  }
  if (extra.input_amount === noAmount) return Effect.fail(refusalError({ _tag: "ZeroAmount" }))
  if (extra.chain === "Tron") return Effect.succeed(encodeTron(request, extra.input_amount, registered))
  if (extra.chain !== "Solana") return Effect.succeed(encodeEvm(request, extra.input_amount, registered))
  const refused = solanaRefusal(extra, request)
  if (refused !== undefined) return Effect.fail(refused)
  const tokenAccount = extra.from_token_account
  const sender = {
    from: extra.from,
    seed: extra.seed,
    ...(tokenAccount === undefined ? {} : { tokenAccount }),
  }
  return Effect.succeed(encodeSolana(request, extra.input_amount, sender, registered))
}

const run = Effect.fn("sandbox.broker.encodeVaultSwap")(function* (
  params: EncodeParams,
): Effect.fn.Return<unknown, RpcError | UnusableLog, World> {
  const { extra_parameters: extra } = params
  if (extra.chain !== chainOf(params.source_asset)) return yield* incompatible
  const refused = messageRefusal(params)
  if (refused !== undefined) return yield* refused
  if ("refund_parameters" in extra && extra.refund_parameters.refund_ccm_metadata !== undefined) {
    return yield* dispatchError("The refund chain does not support messages.")
  }
  const request = toRequestedSwap(params, refundOf(extra))
  const world = yield* World
  const refusal = yield* world.read((network) => vaultSwapFault(network, request))
  if (refusal !== undefined) return yield* refusalError(refusal)
  return yield* encode(extra, request, yield* withAffiliates(request))
})

/** The method, which faults of the operation `encode` meet. */
export const encodeVaultSwap = method(EncodeParams, run, "encode")
