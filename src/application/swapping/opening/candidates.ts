import { Array, Effect, Option, Order, Result, Schema } from "effect"
import type { Account } from "#domain/accounts/Account.ts"
import { AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { combineIssues, hasIssues, InvalidRequest, issueAbout, type Issues } from "#domain/Issues.ts"
import {
  DepositBelowMinimum,
  lowestMinimum,
  mayHaveOpened,
  type ProviderError,
  waitOf,
} from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { type Start, startPaths } from "#domain/swaps/Start.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { asHonoured, type Capabilities, notHonoured } from "#providers/Capabilities.ts"
import {
  type AssetSupport,
  type Channels,
  type OpenedChannel,
  type Provider,
  servesPair,
  startsOf,
  type VaultSwaps,
} from "#providers/Provider.ts"
import { providersOf } from "../../accounts/accountTerms.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { Registry } from "#providers/Registry.ts"

/** No enabled provider at present takes one asset and pays out the other (decision 10). */
export class PairNotServed extends Schema.TaggedError<PairNotServed>()("PairNotServed", {
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  /** The one provider that was asked for. */
  platform: Schema.optionalKey(ProviderName),
}) {
  override get message(): string {
    const swaps = this.platform === undefined ? "No provider swaps" : `${this.platform} does not swap`
    return `${swaps} ${this.sourceAsset} to ${this.destinationAsset} now`
  }
}

interface Serving {
  readonly provider: Provider
  readonly assets: ReadonlyArray<AssetSupport>
}

/** A provider that cannot list its assets is kept: its answer to the request itself decides. */
const serving = (provider: Provider, request: SwapRequest): Effect.Effect<ReadonlyArray<Serving>> =>
  provider.assets.pipe(
    Effect.map((assets) => servesPair(assets, request) ? [{ provider, assets }] : []),
    Effect.catch((error) =>
      Effect.as(
        Effect.logDebug(`${provider.name} could not list its assets; it is asked anyway`, error),
        [{ provider, assets: [] }],
      )
    ),
  )

/** The minimum of an asset whose provider takes any amount: one native unit. */
const anyAmount = 1n

/** The limits of a channel, with the minimum that its provider lists for the asset where the channel's answer has none. */
export const withListedMinimum = (
  opened: OpenedChannel,
  assets: ReadonlyArray<AssetSupport>,
): OpenedChannel => {
  const { minimumDeposit } = assets.find(({ asset }) => asset === opened.status.sourceAsset) ?? {}
  const { depositLimits } = opened
  return minimumDeposit === undefined || minimumDeposit <= anyAmount || depositLimits?.minimum !== undefined
    ? opened
    : { ...opened, depositLimits: { ...depositLimits, minimum: minimumDeposit } }
}

type Registered = Registry["Service"]

const enabledOf = (
  registry: Registered,
  account: Account,
  platform: ProviderName | undefined,
): Effect.Effect<ReadonlyArray<Provider>> =>
  Effect.map(
    platform === undefined ? registry.enabled : Effect.map(registry.find(platform), Option.toArray),
    (providers) => providersOf(account, providers),
  )

/** The providers that can honour the whole request; fails with the reasons where none can. */
const ableTo = Effect.fnUntraced(function* <Candidate, Able>(
  request: SwapRequest,
  providers: ReadonlyArray<Candidate>,
  platform: ProviderName | undefined,
  examine: (provider: Candidate) => Result.Result<Able, Issues>,
) {
  const [able, passedOver] = Array.partition(providers, examine)
  if (passedOver.length > 0) yield* Effect.logDebug("Providers were passed over", ...passedOver)
  if (Array.isReadonlyArrayNonEmpty(able)) return able
  if (passedOver.length > 0) return yield* new InvalidRequest({ errors: combineIssues(passedOver) })
  return yield* new PairNotServed({
    sourceAsset: request.sourceAsset,
    destinationAsset: request.destinationAsset,
    ...defined({ platform }),
  })
})

/** The request as the provider can take it, or every part that it cannot honour. */
const honoured = <Request extends SwapRequest>(
  { capabilities, name }: Provider,
  request: Request,
): Result.Result<Request, Issues> => {
  const issues = notHonoured(name, capabilities, request)
  return hasIssues(issues) ? Result.fail(issues) : Result.succeed(asHonoured(capabilities, request))
}

/** The reason why a provider is passed over for a start that it does not have, and the endpoint that it has instead. */
const otherStart = (
  provider: Provider,
  wanted: Start,
  chain: Chain,
  platform: ProviderName | undefined,
): Issues => {
  const lacks = wanted === "channel"
    ? `${provider.name} opens no deposit channels`
    : `${provider.name} makes no payloads for transactions on ${chain}`
  const [path] = startPaths(startsOf(provider, chain), chain)
  const sentence = path === undefined
    ? `${lacks}, and begins no swaps from ${chain} in another way`
    : `${lacks}: ask ${path} instead`
  return platform === undefined
    ? issueAbout("sourceAsset", `is on ${chain}, and ${sentence}`)
    : issueAbout("platform", sentence)
}

/** A provider that can open a channel, with the request in the form that it takes. */
export interface Opener {
  readonly name: ProviderName
  readonly channels: Channels
  readonly request: SwapRequest
  readonly capabilities: Capabilities
  /** What the provider lists; nothing where it could not. */
  readonly assets: ReadonlyArray<AssetSupport>
}

/** A request, and the one provider that it names. */
interface Wanted<Request> {
  readonly request: Request
  readonly platform: ProviderName | undefined
}

/** The providers to ask for a channel, the preferred first; only the named provider where the request names one. */
export const candidatesFor = Effect.fnUntraced(function* (
  registry: Registered,
  account: Account,
  { platform, request }: Wanted<SwapRequest>,
) {
  const providers = yield* enabledOf(registry, account, platform)
  // Who names a provider without channels is told so, whatever it lists: only another request can succeed.
  const found = yield* Effect.forEach(
    providers,
    (provider) =>
      platform !== undefined && provider.channels === undefined
        ? Effect.succeed([{ provider, assets: [] }])
        : serving(provider, request),
    { concurrency: "unbounded" },
  )
  const opener = ({ assets, provider }: Serving): Result.Result<Opener, Issues> => {
    const { capabilities, channels, name } = provider
    return channels === undefined
      ? Result.fail(otherStart(provider, "channel", chainOf(request.sourceAsset), platform))
      : Result.map(
        honoured(provider, request),
        (request) => ({ name, channels, request, capabilities, assets }),
      )
  }
  return yield* ableTo(request, found.flat(), platform, opener)
})

/** Those of the providers whose openings are not switched off; fails with the reason where they all are. */
export const switchedOn = Effect.fnUntraced(function* (
  { mayCall }: Registered,
  openers: Array.NonEmptyReadonlyArray<Opener>,
  { destinationAsset, sourceAsset }: SwapRequest,
) {
  const asked = yield* Effect.forEach(
    openers,
    (opener) =>
      Effect.result(Effect.as(mayCall(opener.name, "open", [sourceAsset, destinationAsset]), opener)),
  )
  const [on, off] = Array.partition(asked, (result) => result)
  return Array.isReadonlyArrayNonEmpty(off) && on.length === 0 ? yield* mostTelling(off) : on
})

/** A provider that can make a payload, with the request in the form that it takes. */
export interface Encoder {
  readonly name: ProviderName
  readonly encode: VaultSwaps["encode"]
  readonly request: VaultSwapRequest
}

/** The providers to ask for a payload, the preferred first, or only the named one. */
export const encodersFor = Effect.fnUntraced(function* (
  registry: Registered,
  account: Account,
  { platform, request }: Wanted<VaultSwapRequest>,
) {
  const chain = chainOf(request.sourceAsset)
  const encoder = (provider: Provider): Result.Result<Encoder, Issues> => {
    const { name, vaultSwaps } = provider
    if (vaultSwaps?.chains.includes(chain) !== true) {
      return Result.fail(otherStart(provider, "transaction", chain, platform))
    }
    if (vaultSwaps.needsSender === true && request.sender.address === undefined) {
      return Result.fail(
        issueAbout("sourceAddress", `is required by ${name}, whose payloads fit one sender only`),
      )
    }
    return Result.map(
      honoured(provider, request),
      (request) => ({ name, encode: vaultSwaps.encode, request }),
    )
  }
  return yield* ableTo(request, yield* enabledOf(registry, account, platform), platform, encoder)
})

const byWait = Order.mapInput(Order.Number, waitOf)

/**
 * The refusal that is reported when nobody opened: the preferred provider's, but not that it takes no calls for now where
 * another gave a different reason, as that says nothing about the request. Where no provider takes calls, the shortest
 * wait is reported (as decision 17 does for quotes), and of minimums the lowest (decision 15).
 */
export const mostTelling = (refusals: Array.NonEmptyReadonlyArray<ProviderError>): ProviderError => {
  const told = Array.min(refusals, byWait)
  return told.reason instanceof DepositBelowMinimum ? Array.min(refusals, lowestMinimum) : told
}

/** The first provider's answer. The next is asked only if the one before provably did nothing (decision 16). */
export const firstAnswer = Effect.fnUntraced(function* <Asked, A>(
  [preferred, ...others]: Array.NonEmptyReadonlyArray<Asked>,
  ask: (asked: Asked) => Effect.Effect<A, ProviderError>,
): Effect.fn.Return<{ readonly asked: Asked; readonly answer: A }, ProviderError> {
  let asked = preferred
  let answer = yield* Effect.result(ask(asked))
  const refusals: Array<ProviderError> = []
  for (const next of others) {
    if (Result.isSuccess(answer) || mayHaveOpened(answer.failure.reason)) break
    refusals.push(answer.failure)
    asked = next
    answer = yield* Effect.result(ask(asked))
  }
  if (Result.isSuccess(answer)) return { asked, answer: answer.success }
  return yield* mayHaveOpened(answer.failure.reason)
    ? answer.failure
    : mostTelling(Array.append(refusals, answer.failure))
})
