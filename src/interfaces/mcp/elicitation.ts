import { Effect, Option, Schema } from "effect"
import { McpSchema } from "effect/ai"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { Confirmations, type ConfirmedTerms } from "./Confirmations.ts"
import type { Agent } from "./authenticateAgent.ts"
import { NotConfirmed } from "./refusals.ts"

const title = "I have compared both addresses with my own wallets, and want this swap"

/** The human's answer to the form. */
const isAnswer = Schema.is(Schema.Struct({ agree: Schema.Boolean }))

const form = {
  type: "object",
  properties: { agree: { type: "boolean", title } },
  required: ["agree"],
} as const

/** The only question there is, by its name in a message. */
const question = "agreement"

/** What the human made of the question: `unanswered` where they closed it, could not be asked, or left it empty. */
export type Agreement = "agreed" | "declined" | "unanswered"

const agreementIn = ({ action, content }: Readonly<Record<string, unknown>>): Agreement => {
  if (action === "accept" && isAnswer(content)) return content.agree ? "agreed" : "declined"
  return action === "decline" ? "declined" : "unanswered"
}

const canAsk = ({ elicitation }: McpSchema.ClientCapabilities): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0)

/** A confirmation that a human is asked about. */
export interface PendingConfirmation {
  readonly agent: Agent
  readonly confirmation: string
  readonly terms: ConfirmedTerms
}

/** Asks in the answer itself: the client calls once more, with the human's answer and the state that we signed. */
const askByAnswer = Effect.fnUntraced(function* ({ agent, confirmation, terms }: PendingConfirmation) {
  const { inputResponses, requestState } = yield* McpSchema.McpRequestContext
  const confirmations = yield* Confirmations
  const response = inputResponses?.[question]
  const isOurs = requestState !== undefined && confirmations.isQuestion(agent, confirmation, requestState)
  if (!isOurs && (requestState !== undefined || response !== undefined)) {
    return yield* new NotConfirmed({ reason: "unasked" })
  }
  // Asked once more where the client brought no answer back.
  if (response === undefined) {
    return new McpSchema.InputRequired({
      inputRequests: {
        [question]: {
          method: "elicitation/create",
          params: { mode: "form", message: terms.summary, requestedSchema: form },
        },
      },
      requestState: confirmations.question(agent, confirmation),
    })
  }
  return agreementIn(response)
})

/** Asks over the connection of the session, for as long as the confirmation holds. */
const askByConnection = (
  getClient: McpSchema.McpServerClient["Service"]["getClient"],
  { terms }: PendingConfirmation,
) =>
  Effect.gen(function* () {
    const left = Math.max(0, terms.expiresAt - (yield* currentMillis))
    const client = yield* getClient
    const asked = new McpSchema.ElicitRequestFormParams({
      mode: "form",
      message: terms.summary,
      requestedSchema: form,
    })
    const answer = yield* client.elicit(asked).pipe(
      Effect.timeoutOption(left),
      Effect.catch(() => Effect.succeedNone),
    )
    return Option.match(answer, { onNone: (): Agreement => "unanswered", onSome: agreementIn })
  }).pipe(Effect.scoped)

/** The person's answer where their client can ask; else the question, answered by both addresses' ends. */
export const elicitation = Effect.fnUntraced(function* (asked: PendingConfirmation) {
  const { clientCapabilities } = yield* McpSchema.McpRequestContext
  if (!canAsk(clientCapabilities)) return "agreed" as const
  const client = yield* Effect.serviceOption(McpSchema.McpServerClient)
  return Option.isSome(client)
    ? yield* askByConnection(client.value.getClient, asked)
    : yield* askByAnswer(asked)
})
