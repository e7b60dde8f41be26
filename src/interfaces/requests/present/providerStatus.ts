import type { ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { reasonFactsOf } from "#domain/reasonFacts.ts"
import { codeOf } from "../providerProblem.ts"
import { listField, nameItem, stringItem } from "../structuredFields.ts"

/** The header with each provider's answer to a request for quotes. */
export const providerStatusHeader = "provider-status"

/** `TimedOut` is `timed_out`. */
const inWords = (tag: string): string => tag.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

/** The kind of a failure, for clients, where it has no code. */
const kindOf = ({ reason }: ProviderError): string => reasonFactsOf(reason).kind ?? inWords(reason._tag)

/** The code of a failure, or its kind where it has no code. */
export const codeOrKind = (error: ProviderError): string => codeOf(error) ?? kindOf(error)

const told = (error: ProviderError): string => {
  const code = codeOf(error)
  if (code === undefined) return `reason=${stringItem(kindOf(error))}`
  const { reason } = error
  const because = "because" in reason && reason.because !== undefined
    ? `;reason=${stringItem(reason.because)}`
    : ""
  const wait = because !== "" && reason._tag === "NotCalled" ? `;retry-after=${reason.retryAfterSeconds}` : ""
  return `code=${stringItem(code)}${because}${wait}`
}

/** Each provider's result as an RFC 9651 list: `chainflip;code="upstream_error"`, `near-intents;ok`. */
export const providerStatus = (
  providers: ReadonlyArray<ProviderName>,
  failures: ReadonlyArray<ProviderError>,
): string =>
  listField(providers.map((name) => {
    const failure = failures.find(({ provider }) => provider === name)
    return `${nameItem(name)};${failure === undefined ? "ok" : told(failure)}`
  }))
