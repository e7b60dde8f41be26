import { Effect, Layer, Option } from "effect"
import type { Alert } from "#domain/operations/Alert.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { Attempt } from "#domain/accounts/Webhook.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { Poster, type Posting } from "#application/webhooks/Poster.ts"

export const provider = ProviderName.make("first")
export const other = ProviderName.make("second")

/** A provider that is down. */
export const down = (of: ProviderName = provider): Alert => ({
  type: "provider_down",
  provider: of,
  operations: ["quote"],
})

/** What a source of `provider_down` sees. */
export const downs = (...faults: ReadonlyArray<Alert>) => ({
  type: "provider_down" as const,
  faults,
  unknown: [],
})

/** Of this provider nothing is known. */
export const notAsked = (of: ProviderName = provider) => ({ ...downs(), unknown: [of] })

export const at = (seconds: number): EpochMillis => EpochMillis.make(seconds * 1_000)

/** A receiver that takes everything, unless `answer` says otherwise, and what it was sent. */
export const recordingPoster = () => {
  const posted: Array<Posting> = []
  const answers: Array<Pick<Attempt, "status" | "failure">> = []
  const post = Effect.fnUntraced(function* (posting: Posting) {
    posted.push(posting)
    const answer = Option.getOrElse(Option.fromUndefinedOr(answers.shift()), () => ({ status: 200 }))
    return { at: yield* currentMillis, durationMillis: 1, ...answer }
  })
  return {
    layer: Layer.succeed(Poster, { post, check: () => Effect.void }),
    /** The answers to the next attempts. */
    answer: (...next: typeof answers) => void answers.push(...next),
    posted,
  }
}
