import { Duration, Effect } from "effect"
import { Network } from "../../domain/Chain.ts"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import { EpochMillis } from "../../domain/Time.ts"
import type { VaultSwapRequest } from "../../domain/VaultSwap.ts"
import { currentMillis } from "../../platform/currentMillis.ts"
import type { VaultSwaps } from "../Provider.ts"
import { beforeOpening, failAs as failuresOf } from "../upstream/failures.ts"
import type { JsonRpc } from "./client/JsonRpc.ts"
import * as Conditions from "./Conditions.ts"
import { encodingReason } from "./errors/encodingError.ts"
import { checkEncoding } from "./limits.ts"
import { name } from "./name.ts"
import type { Options } from "./Options.ts"
import { estimateDuration } from "./transform/durations.ts"
import { toEncodingParameters } from "./transform/encoding.ts"
import { readPayload } from "./transform/payload.ts"
import type { Transactions } from "./transactions.ts"

/** What the adapter has of the upstream. */
export interface Endpoints {
  readonly broker: JsonRpc
  readonly conditions: Effect.Effect<Conditions.Conditions, ProviderErrorReason>
  readonly transactions: Transactions
}

const failAs = failuresOf(name)

/**
 * The upstream names no end. What a payload says is good for as long as its vault stands, which is three days at least
 * on Bitcoin, but its price limit is one of the time when it was asked for.
 */
const usualLifetime = Duration.hours(1)

const expiryFrom = (now: EpochMillis, lifetime: Duration.Input): EpochMillis =>
  EpochMillis.make(now + Math.floor(Duration.toMillis(lifetime)))

/** Vault swaps by the operator's own broker. Asset Hub has no vault that takes them (chainflip/wire.md 2.3). */
export const make = ({ broker, conditions, transactions }: Endpoints, options: Options): VaultSwaps => {
  const encodeAtBroker = (request: VaultSwapRequest, limits: Conditions.Limits) =>
    broker.call("broker_request_swap_parameter_encoding", toEncodingParameters(request), {
      endpoint: "broker",
      opening: true,
      pair: request,
    }).pipe(
      Effect.catchTag("RpcError", (error) => Effect.fail(encodingReason(error, request, limits))),
    )

  const lifetime = options.payloadLifetime ?? usualLifetime

  return {
    chains: ["Bitcoin", "Ethereum", "Arbitrum", "Solana", "Tron"],
    encode: Effect.fn("Chainflip.encode")(function* (request) {
      const current = yield* beforeOpening(conditions)
      yield* Effect.fromResult(checkEncoding(current, request))
      const result = yield* encodeAtBroker(request, Conditions.limitsOf(current))
      return {
        payload: yield* Effect.fromResult(readPayload(result, request, options.networks ?? Network.literals)),
        expiresAt: expiryFrom(yield* currentMillis, lifetime),
        minimumDeposit: Conditions.minimumDeposit(current, request.sourceAsset),
        estimatedDuration: estimateDuration(current, request),
      }
    }, failAs("encode")),
    status: transactions.vaultSwapStatus,
  }
}
