import { Cause, Duration, Exit, Match, Option } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { ProviderError, type ProviderErrorReason } from "../../domain/ProviderError.ts"

const hinted = (reason: { readonly retryAfterSeconds?: number }): CircuitBreaker.Outcome =>
  reason.retryAfterSeconds === undefined
    ? CircuitBreaker.failure()
    : CircuitBreaker.failure({ retryAfter: Duration.seconds(reason.retryAfterSeconds) })

/** The upstream answered about the request: it is well. */
const healthy = () => CircuitBreaker.success
const failure = () => CircuitBreaker.failure()
/** Says nothing about the upstream's health. */
const ignored = () => CircuitBreaker.ignored

/** What a failure says of the upstream's health (resilience.md, "Outcomes"). */
export const outcomeOf: (reason: ProviderErrorReason) => CircuitBreaker.Outcome = Match.type<
  ProviderErrorReason
>().pipe(
  Match.tagsExhaustive({
    AmountBelowMinimum: healthy,
    EgressBelowMinimum: healthy,
    EgressFeeNotCovered: healthy,
    InsufficientLiquidity: healthy,
    DepositBelowMinimum: healthy,
    DepositAboveMaximum: healthy,
    RequestRefused: healthy,
    QuotingMaintenance: healthy,
    SwappingMaintenance: healthy,
    AssetDisabled: healthy,
    AssetNotListed: healthy,
    DepositChannelFailed: healthy,
    TooManyChannels: healthy,
    RequestCancelled: ignored,
    NotCalled: ignored,
    RateLimited: hinted,
    Unreachable: hinted,
    UpstreamFailed: failure,
    TimedOut: failure,
    MalformedBody: failure,
  }),
)

/** A failure of the provider itself, out of whatever ended the call. */
export const providerErrorIn = (exit: Exit.Exit<unknown, unknown>): Option.Option<ProviderError> =>
  Exit.isSuccess(exit)
    ? Option.none()
    : Option.filter(Cause.findErrorOption(exit.cause), (error) => error instanceof ProviderError)

/** What a call says of the upstream's health by how it ended; a defect is a failure like any other. */
const outcomeOfEnd = (exit: Exit.Exit<unknown, unknown>): CircuitBreaker.Outcome => {
  if (Exit.isSuccess(exit)) return healthy()
  if (Cause.hasInterruptsOnly(exit.cause)) return ignored()
  return Option.match(providerErrorIn(exit), { onNone: failure, onSome: ({ reason }) => outcomeOf(reason) })
}

/** What a call says of the upstream's health: how it ended, and how long it took. */
export const classify = (
  exit: Exit.Exit<unknown, unknown>,
  took: Duration.Duration,
  slowCall: Duration.Duration | undefined,
): CircuitBreaker.Outcome => {
  const outcome = outcomeOfEnd(exit)
  const slow = slowCall !== undefined && Duration.isGreaterThan(took, slowCall)
  return outcome._tag === "Success" && slow ? failure() : outcome
}
