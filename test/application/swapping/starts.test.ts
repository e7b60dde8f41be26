import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import type { Provider } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { candidatesFor, encodersFor } from "#application/swapping/opening/candidates.ts"
import { guardLayer } from "#test/providers/guard/support.ts"
import { ScriptedProvider, ScriptedVaultSwaps } from "#test/support/provider.ts"
import { accountWith } from "#test/support/account.ts"
import { swapRequest } from "#test/support/swap.ts"
import { vaultSwapRequest } from "#test/support/vaultSwap.ts"

const account = accountWith()
const payloads = new ScriptedVaultSwaps("Ethereum", "Bitcoin")

/** A provider with some of the ways to begin a swap. */
const providerWith = (name: string, ways: Pick<Provider, "channels" | "vaultSwaps">): Provider => {
  const { assets, capabilities, quotes } = new ScriptedProvider(name)
  return { name: ProviderName.make(name), assets, capabilities, quotes, ...ways }
}

const { channels } = new ScriptedProvider("any")
const opening = providerWith("opening", { channels })
const encoding = providerWith("encoding", { vaultSwaps: payloads })
const quoting = providerWith("quoting", {})

/** The outcome of asking a registry of these providers: the names that are left, or what is told instead. */
const withProviders = <A extends { readonly name: string }, E>(
  providers: ReadonlyArray<Provider>,
  ask: (registry: Registry["Service"]) => Effect.Effect<ReadonlyArray<A>, E>,
) =>
  Effect.gen(function* () {
    const registry = yield* Registry
    for (const provider of providers) yield* registry.register(provider)
    return yield* Effect.match(ask(registry), {
      onSuccess: (able): unknown => able.map(({ name }) => name),
      onFailure: (error): unknown => error,
    })
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.provide(Registry.layer(providers.map(({ name }) => name)), guardLayer())),
  )

const openers = (providers: ReadonlyArray<Provider>, request: SwapRequest = swapRequest, platform?: string) =>
  withProviders(
    providers,
    (registry) =>
      candidatesFor(registry, account, {
        request,
        platform: platform === undefined ? undefined : ProviderName.make(platform),
      }),
  )

const encoders = (
  providers: ReadonlyArray<Provider>,
  request: VaultSwapRequest = vaultSwapRequest,
  platform?: string,
) =>
  withProviders(
    providers,
    (registry) =>
      encodersFor(registry, account, {
        request,
        platform: platform === undefined ? undefined : ProviderName.make(platform),
      }),
  )

describe("a swap begins where its provider can begin it", () => {
  it.effect("a channel at those that open channels, a payload at those that make payloads", function* () {
    const all = [quoting, encoding, opening]
    assert.deepStrictEqual(yield* openers(all), ["opening"])
    assert.deepStrictEqual(yield* encoders(all), ["encoding"])
  })

  it.effect("and whoever asks elsewhere is told the endpoint to ask instead", function* () {
    assert.deepInclude(yield* openers([encoding, quoting]), {
      errors: {
        sourceAsset: [
          "sourceAsset is on Bitcoin, and encoding opens no deposit channels: ask /tx-payload/bitcoin instead",
          "sourceAsset is on Bitcoin, and quoting opens no deposit channels, and begins no swaps from Bitcoin in another way",
        ],
      },
    })
    assert.deepInclude(yield* openers([opening, encoding], swapRequest, "encoding"), {
      errors: { platform: ["platform encoding opens no deposit channels: ask /tx-payload/bitcoin instead"] },
    })
    assert.deepInclude(yield* encoders([opening, encoding], vaultSwapRequest, "opening"), {
      errors: {
        platform: ["platform opening makes no payloads for transactions on Ethereum: ask /swap instead"],
      },
    })
  })

  it.effect("and whoever names one that takes the asset nowhere is told so, and not to try again", function* () {
    const fromSolana = {
      ...swapRequest,
      sourceAsset: "sol.sol",
      refundAddress: Address.make("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"),
    } as const
    const elsewhere = { ...encoding, assets: Effect.succeed([]) }
    const sentence = "encoding opens no deposit channels, and begins no swaps from Solana in another way"
    assert.deepInclude(yield* openers([opening, elsewhere], fromSolana, "encoding"), {
      errors: { platform: [`platform ${sentence}`] },
    })
    // Who names nobody gets those that can.
    assert.deepStrictEqual(yield* openers([opening, elsewhere], fromSolana), ["opening"])
    const unlisted = { ...opening, assets: Effect.succeed([]) }
    assert.deepInclude(yield* openers([unlisted], fromSolana, "opening"), {
      _tag: "PairNotServed",
      message: `opening does not swap sol.sol to ${swapRequest.destinationAsset} now`,
    })
  })

  it.effect("without a wait for the price where the provider has none", function* () {
    const impatient = { ...opening, capabilities: { ...opening.capabilities, retry: false } }
    const given = yield* Effect.gen(function* () {
      const registry = yield* Registry
      for (const provider of [impatient, encoding]) yield* registry.register(provider)
      const [opener] = yield* candidatesFor(registry, account, { request: swapRequest, platform: undefined })
      const [encoder] = yield* encodersFor(registry, account, {
        request: vaultSwapRequest,
        platform: undefined,
      })
      return [opener.request.retryDurationBlocks, encoder.request.retryDurationBlocks]
    }).pipe(
      Effect.scoped,
      Effect.provide(Layer.provide(Registry.layer([impatient.name, encoding.name]), guardLayer())),
    )
    assert.deepStrictEqual(given, [0, vaultSwapRequest.retryDurationBlocks])
    assert.isAbove(vaultSwapRequest.retryDurationBlocks, 0)
  })

  it.effect("at a provider that makes payloads for one sender only if the sender is told", function* () {
    const strict: Provider = {
      ...encoding,
      vaultSwaps: {
        chains: payloads.chains,
        encode: payloads.encode,
        status: payloads.status,
        needsSender: true,
      },
    }
    assert.deepInclude(yield* encoders([strict]), {
      errors: {
        sourceAddress: ["sourceAddress is required by encoding, whose payloads fit one sender only"],
      },
    })
    const address = Address.make("0x2222222222222222222222222222222222222222")
    const told = { ...vaultSwapRequest, sender: { _tag: "evm" as const, address } }
    assert.deepStrictEqual(yield* encoders([strict], told), ["encoding"])
  })
})
