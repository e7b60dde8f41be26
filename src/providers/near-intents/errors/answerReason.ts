import { Option } from "effect"
import { DepositChannelFailed, type ProviderErrorReason } from "../../../domain/ProviderError.ts"
import { messageOf, statusReason } from "../../upstream/failureAnswer.ts"
import type { Answer } from "../../upstream/transport.ts"
import { knownReason, type Subject } from "./knownMessages.ts"

/** What our messages call the upstream. */
export const endpoint = "1Click service"

/** What was asked when the answer came. */
export interface Asked {
  /** Whether it was the call that opens a deposit address. */
  readonly opening: boolean
  /** Of calls for a quote, dry or not. */
  readonly subject: Option.Option<Subject>
}

/** The token that we sent is not one of theirs, or no longer. */
export const isTokenRefused = ({ status }: Answer): boolean => status === 401

/** Whatever the service refuses in so many words it has not done, so another provider may be asked. */
const unlessRefused = (reason: ProviderErrorReason, { status }: Answer, opening: boolean) =>
  opening && reason._tag === "UpstreamFailed" && status < 500
    ? new DepositChannelFailed({ detail: reason.detail })
    : reason

/**
 * What an answer means that is not 2xx (near-intents/wire.md 1). There are no codes: a known text counts more than
 * the status, and a text that is not known means nothing.
 */
export const answerReason = (answer: Answer, { opening, subject }: Asked): ProviderErrorReason =>
  Option.all({ message: messageOf(answer.body), subject }).pipe(
    Option.flatMap(({ message, subject }) => knownReason(message, subject)),
    Option.getOrElse(() => unlessRefused(statusReason(answer, { endpoint, opening }), answer, opening)),
  )
