import { Effect, Schema } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import {
  BitcoinPayloadBody,
  EvmPayloadBody,
  payloadParameterNames,
  SolanaPayloadBody,
  TronPayloadBody,
} from "../api/TxPayload.ts"
import { CurrentAccount } from "../domain/Account.ts"
import {
  BitcoinPayload,
  EvmPayload,
  SolanaPayload,
  TronPayload,
  type VaultSwapPayload,
  type VaultSwapRequest,
} from "../domain/VaultSwap.ts"
import { Registry } from "../providers/Registry.ts"
import type { PayloadOrder } from "../swapping/PayloadRules.ts"
import { AddressPolicy } from "../swapping/AddressPolicy.ts"
import { type HandedOutPayload, VaultSwaps } from "../swapping/VaultSwaps.ts"
import { byCallersNumbers } from "./byCallersNumbers.ts"
import { makeIdempotent } from "./idempotent.ts"
import type { Failure } from "./problems.ts"
import { orProblem } from "./orProblem.ts"
import { givenParameters, queryParameters } from "./rawParameters.ts"
import type { RawParameters } from "./readParameters.ts"
import { readPayloadOrder, readPostedPayloadOrder } from "./readPayloadOrder.ts"
import { refusePrefetch } from "./refusePrefetch.ts"
import { seconds } from "../api/shape.ts"
import { toHuman } from "../domain/Amount.ts"

/** What every payload comes with. */
type PayloadTerms = Pick<
  typeof BitcoinPayloadBody.Type,
  "platform" | "expiresAt" | "minimumDeposit" | "minimumDepositNative" | "estimatedDurationSeconds"
>

/** What the sender of a payload has to know of it. */
const presentTerms = (
  { estimatedDuration, expiresAt, minimumDeposit, platform }: HandedOutPayload,
  { sourceAsset }: Pick<VaultSwapRequest, "sourceAsset">,
): PayloadTerms => ({
  platform,
  expiresAt,
  minimumDeposit: toHuman(sourceAsset, minimumDeposit),
  minimumDepositNative: minimumDeposit,
  estimatedDurationSeconds: seconds(estimatedDuration),
})

/** A provider that encodes for another chain than it was asked for breaks the port. */
const only = <Payload extends VaultSwapPayload>(schema: Schema.Codec<Payload, unknown>) => {
  const isIt = Schema.is(schema)
  return (payload: VaultSwapPayload): Effect.Effect<Payload> =>
    isIt(payload) ? Effect.succeed(payload) : Effect.die(`A payload for ${payload.network} came instead`)
}

const asItIs = <Payload>(payload: Payload): Payload => payload

/** The only instruction stands there by its own members, too: those of several would be half a transaction. */
const showSolana = ({ instructions, network }: SolanaPayload) => {
  const [only, ...others] = instructions
  return { network, instructions, ...(others.length === 0 ? only : {}) }
}

/** The body of the answer; the same to the last character whenever it is told again. */
const writing = <Body>(schema: Schema.Codec<Body, unknown>) => {
  const encode = Schema.encodeSync(schema)
  return (body: Body): string => JSON.stringify(encode(body))
}

/** What reading a request depends on. */
type Surroundings = Effect.Services<ReturnType<typeof readPostedPayloadOrder>>

export const TxPayloadHandlers = HttpApiBuilder.group(
  Api,
  "txPayload",
  Effect.fnUntraced(function* (handlers) {
    const vaultSwaps = yield* VaultSwaps
    const registry = yield* Registry
    const settings = yield* AddressPolicy

    const idempotent = yield* makeIdempotent

    const answerWith = <Payload extends VaultSwapPayload, Shown>(
      only: (payload: VaultSwapPayload) => Effect.Effect<Payload>,
      show: (payload: Payload) => Shown,
      write: (payload: Shown & PayloadTerms) => string,
    ) =>
    <Unread extends Failure>(
      given: Effect.Effect<RawParameters, Unread, Surroundings>,
      read: Effect.Effect<PayloadOrder, Unread, Surroundings>,
    ) =>
      refusePrefetch("would start a swap").pipe(
        Effect.andThen(idempotent.repeatable({
          parameters: payloadParameterNames,
          given,
          read,
          perform: (order) =>
            Effect.gen(function* () {
              const encoded = yield* vaultSwaps.encode(yield* CurrentAccount, order)
              return { ...show(yield* only(encoded.payload)), ...presentTerms(encoded, order.request) }
            }).pipe(byCallersNumbers(order)),
          write,
          staleAt: ({ expiresAt }) => expiresAt,
        })),
        Effect.provideService(Registry, registry),
        Effect.provideService(AddressPolicy, settings),
      )

    const bitcoin = answerWith(only(BitcoinPayload), asItIs, writing(BitcoinPayloadBody))
    const evm = answerWith(only(EvmPayload), asItIs, writing(EvmPayloadBody))
    const solana = answerWith(only(SolanaPayload), showSolana, writing(SolanaPayloadBody))
    const tron = answerWith(only(TronPayload), asItIs, writing(TronPayloadBody))

    return handlers
      .handle("bitcoinPayload", () => orProblem(bitcoin(queryParameters, readPayloadOrder("bitcoin"))))
      .handleRaw(
        "bitcoinPayloadPost",
        () => orProblem(bitcoin(givenParameters, readPostedPayloadOrder("bitcoin"))),
      )
      .handle("evmPayload", () => orProblem(evm(queryParameters, readPayloadOrder("evm"))))
      .handleRaw("evmPayloadPost", () => orProblem(evm(givenParameters, readPostedPayloadOrder("evm"))))
      .handle("solanaPayload", () => orProblem(solana(queryParameters, readPayloadOrder("solana"))))
      .handleRaw(
        "solanaPayloadPost",
        () => orProblem(solana(givenParameters, readPostedPayloadOrder("solana"))),
      )
      .handle("tronPayload", () => orProblem(tron(queryParameters, readPayloadOrder("tron"))))
      .handleRaw("tronPayloadPost", () => orProblem(tron(givenParameters, readPostedPayloadOrder("tron"))))
  }),
)
