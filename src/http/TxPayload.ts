import { Effect, Option, Schema } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { requireRoute } from "../accounts/RouteAccess.ts"
import { Api } from "../api/Api.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import type { PayloadKind } from "../domain/VaultSwap.ts"
import {
  BitcoinPayload,
  EvmPayload,
  SolanaPayload,
  TronPayload,
  type VaultSwapPayload,
} from "../domain/VaultSwapPayload.ts"
import { Registry } from "../providers/Registry.ts"
import type { PayloadOrder } from "../swapping/PayloadRules.ts"
import { SwapSettings } from "../swapping/SwapSettings.ts"
import { VaultSwaps } from "../swapping/VaultSwaps.ts"
import { orProblem } from "./problemResponse.ts"
import { readPayloadOrder, readPostedPayloadOrder } from "./readPayloadOrder.ts"
import { refusePrefetch } from "./refusePrefetch.ts"

/** A provider that encodes for another chain than it was asked for breaks the port. */
const only = <Payload extends VaultSwapPayload>(schema: Schema.Codec<Payload, unknown>) => {
  const isIt = Schema.is(schema)
  return (payload: VaultSwapPayload): Effect.Effect<Payload> =>
    isIt(payload) ? Effect.succeed(payload) : Effect.die(`A payload for ${payload.network} came instead`)
}

const payloads = {
  bitcoin: only(BitcoinPayload),
  evm: only(EvmPayload),
  solana: only(SolanaPayload),
  tron: only(TronPayload),
} as const satisfies Readonly<Record<PayloadKind, unknown>>

export const TxPayloadHandlers = HttpApiBuilder.group(
  Api,
  "txPayload",
  Effect.fnUntraced(function* (handlers) {
    const vaultSwaps = yield* VaultSwaps
    const registry = yield* Registry
    const settings = yield* SwapSettings

    const encode = Effect.fnUntraced(function* ({ request, platform }: PayloadOrder) {
      const account = yield* CurrentAccount
      yield* requireRoute(account, "open", request)
      return yield* vaultSwaps.encode(
        account,
        request,
        Option.map(Option.fromUndefinedOr(platform), (name) => ProviderName.make(name)),
      )
    })

    const answer = <Payload>(
      read: ReturnType<typeof readPayloadOrder> | ReturnType<typeof readPostedPayloadOrder>,
      only: (payload: VaultSwapPayload) => Effect.Effect<Payload>,
    ) =>
      refusePrefetch("would start a swap").pipe(
        Effect.andThen(read),
        Effect.flatMap(encode),
        Effect.flatMap(only),
        orProblem,
        Effect.provideService(Registry, registry),
        Effect.provideService(SwapSettings, settings),
      )

    const got =
      <Payload>(kind: PayloadKind, only: (payload: VaultSwapPayload) => Effect.Effect<Payload>) => () =>
        answer(readPayloadOrder(kind), only)
    const posted =
      <Payload>(kind: PayloadKind, only: (payload: VaultSwapPayload) => Effect.Effect<Payload>) => () =>
        answer(readPostedPayloadOrder(kind), only)

    return handlers
      .handle("bitcoinPayload", got("bitcoin", payloads.bitcoin))
      .handleRaw("bitcoinPayloadPost", posted("bitcoin", payloads.bitcoin))
      .handle("evmPayload", got("evm", payloads.evm))
      .handleRaw("evmPayloadPost", posted("evm", payloads.evm))
      .handle("solanaPayload", got("solana", payloads.solana))
      .handleRaw("solanaPayloadPost", posted("solana", payloads.solana))
      .handle("tronPayload", got("tron", payloads.tron))
      .handleRaw("tronPayloadPost", posted("tron", payloads.tron))
  }),
)
