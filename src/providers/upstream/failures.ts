import { Effect, Match } from "effect"
import {
  DepositChannelFailed,
  MalformedBody,
  ProviderError,
  type ProviderErrorReason,
  type ProviderOperation,
  TimedOut,
  Unreachable,
} from "../../domain/ProviderError.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"

/** The error of the port, from the reasons that an adapter fails with inside. */
export const failAs = (provider: ProviderName) => (operation: ProviderOperation) =>
  Effect.mapError((reason: ProviderErrorReason) => new ProviderError({ provider, operation, reason }))

const notOpened = ({ detail }: { readonly detail: string }) => new DepositChannelFailed({ detail })

/**
 * What failed before the call that opens a channel has opened nothing, whatever it reached: another provider
 * may be asked (decision 16).
 */
export const beforeOpening = Effect.mapError((reason: ProviderErrorReason): ProviderErrorReason =>
  Match.value(reason).pipe(
    Match.tag("Unreachable", ({ detail }) => new Unreachable({ detail, reached: false })),
    Match.tag("MalformedBody", ({ detail }) => new MalformedBody({ detail, reached: false })),
    Match.tag("TimedOut", ({ detail }) => new TimedOut({ detail, reached: false })),
    Match.tag("UpstreamFailed", notOpened),
    Match.tag("RequestCancelled", notOpened),
    Match.orElse((other) => other),
  )
)
