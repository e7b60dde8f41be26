import { Option } from "effect"
import type { ProviderErrorReason } from "../../../domain/ProviderError.ts"
import { type Call, messageOf, statusReason } from "../../upstream/failureAnswer.ts"
import type { Answer } from "../../upstream/transport.ts"
import { knownReason, type Pair } from "./knownMessages.ts"

/** The three parts of the upstream, as messages call them. */
export type Endpoint = "swap backend" | "node" | "broker"

/** What was asked when the answer came, and the assets that messages are about. */
export interface Asked extends Call {
  readonly endpoint: Endpoint
  readonly pair: Pair
}

/**
 * What an answer means that is not 2xx. A known message, in `{"message":"…"}` as the backend's failures have
 * it (chainflip/wire.md 3.5), counts more than the status.
 */
export const answerReason = (answer: Answer, asked: Asked): ProviderErrorReason =>
  messageOf(answer.body).pipe(
    Option.flatMap((text) => knownReason(text, asked.pair)),
    Option.getOrElse(() => statusReason(answer, asked)),
  )
