import { Duration, Effect, Option } from "effect"
import type { BrokerAccount } from "../../domain/Address.ts"
import { Network } from "../../domain/Chain.ts"
import type { ProviderErrorReason } from "../../domain/ProviderError.ts"
import type { SwapState, SwapStatus } from "../../domain/Swap.ts"
import { EpochMillis } from "../../domain/Time.ts"
import type { VaultSwapRequest } from "../../domain/VaultSwap.ts"
import { currentMillis } from "../../platform/currentMillis.ts"
import type { VaultSwaps } from "../Provider.ts"
import { beforeOpening, failAs as failuresOf } from "../upstream/failures.ts"
import { logged } from "../upstream/notices.ts"
import type { Backend } from "./client/Backend.ts"
import type { JsonRpc } from "./client/JsonRpc.ts"
import * as Conditions from "./Conditions.ts"
import { encodingReason } from "./errors/encodingError.ts"
import { checkEncoding } from "./limits.ts"
import { name } from "./name.ts"
import type { Options } from "./Options.ts"
import { estimateDuration } from "./transform/durations.ts"
import { toEncodingParameters } from "./transform/encoding.ts"
import { readPayload } from "./transform/payload.ts"
import { readStatus } from "./transform/status.ts"

/** The upstream's endpoints, as the adapter has them. */
export interface Endpoints {
  readonly backend: Backend
  readonly broker: JsonRpc
  readonly conditions: Effect.Effect<Conditions.Conditions, ProviderErrorReason>
}

const failAs = failuresOf(name)

/**
 * The upstream names no end. What a payload says is good for as long as its vault stands, which is three days at least
 * on Bitcoin, but its price limit is one of the time when it was asked for.
 */
const usualLifetime = Duration.hours(1)

const expiryFrom = (now: EpochMillis, lifetime: Duration.Input): EpochMillis =>
  EpochMillis.make(now + Math.floor(Duration.toMillis(lifetime)))

/** Until the upstream says more, a transaction of which it knows is one that it receives. */
const firstState: SwapState = "receiving"

/** A deposit to a channel is no vault swap, and one through another broker is none of ours. */
const isOurs = (account: BrokerAccount) => ({ brokers, depositChannel }: SwapStatus): boolean =>
  depositChannel === undefined &&
  (brokers.length === 0 || brokers.some((broker) => broker.account === account))

/** Vault swaps by the operator's own broker. Asset Hub has no vault that takes them (chainflip.md 2.3). */
export const make = ({ backend, broker, conditions }: Endpoints, options: Options): VaultSwaps => {
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
    status: Effect.fn("Chainflip.vaultSwapStatus")(function* (transaction, known) {
      const heard = yield* backend.swap(encodeURIComponent(transaction))
      if (Option.isNone(heard)) return Option.none()
      const { body, text } = heard.value
      const lastKnown = Option.match(known, { onNone: () => firstState, onSome: ({ state }) => state })
      const { status } = yield* logged(
        readStatus(body, { lastKnown, ourAccount: options.brokerAccount }),
      )
      return isOurs(options.brokerAccount)(status) ? Option.some({ status, body: text }) : Option.none()
    }, failAs("status")),
  }
}
