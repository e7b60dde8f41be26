import { Effect, Option, Schema, Struct } from "effect"
import { McpSchema } from "effect/ai"
import { DepositChannelBody } from "#api/Swap.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { KeyedRequest, WrittenAnswer } from "#domain/swaps/Idempotency.ts"
import {
  combineIssues,
  hasIssues,
  InvalidRequest,
  issueAbout,
  type Issues,
  noIssues,
} from "#domain/Issues.ts"
import { makeOnce } from "../../requests/idempotent.ts"
import { makeRepeatedOpening, makeWithFreshQuote, presentOpened, readSwap } from "../../requests/openings.ts"
import type { Failure } from "../../requests/problems.ts"
import { traceId } from "../../requests/failedRequests.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { Idempotency, KeyState } from "#application/swapping/opening/Idempotency.ts"
import type { OpenedSwap } from "#application/swapping/opening/OpeningRecord.ts"
import { requireQuote } from "#application/swapping/opening/QuoteBinding.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import type { OpeningRequest } from "#application/swapping/opening/SwapRules.ts"
import { isReadOut, readCharacters } from "../addresses.ts"
import { confirmationLength, Confirmations, type ConfirmedTerms, digestOf } from "../Confirmations.ts"
import { type Agent, currentAgent, presentCaller } from "../authenticateAgent.ts"
import { toMembers } from "../json.ts"
import { answerBy, argumentsReader, type Asks, type Tool } from "../Tool.ts"
import {
  NotConfirmed,
  openingRefusalOf,
  readRefusal,
  type Refusal,
  refusalOf,
  Refused,
  writeRefusal,
} from "../refusals.ts"

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
interface PendingConfirmation {
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
const elicitation = Effect.fnUntraced(function* (asked: PendingConfirmation) {
  const { clientCapabilities } = yield* McpSchema.McpRequestContext
  if (!canAsk(clientCapabilities)) return "agreed" as const
  const client = yield* Effect.serviceOption(McpSchema.McpServerClient)
  return Option.isSome(client)
    ? yield* askByConnection(client.value.getClient, asked)
    : yield* askByAnswer(asked)
})

const end = (description: string) =>
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(readCharacters)).annotate({
    description,
    examples: ["a1B2c3"],
    message: `must be the last ${readCharacters} characters of the address, as the human read them`,
  })

const input = Schema.Struct({
  confirmation: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(16_384)).annotate({
    description: "From prepare_swap, unchanged.",
    message:
      `must be the ${confirmationLength} characters of a confirmation, copied whole from prepare_swap's answer`,
  }),
  confirmedDestination: end(
    `The last ${readCharacters} characters of the destination address, read by the human from their own wallet, never ` +
      "copied from a tool's answer.",
  ),
  confirmedRefund: end("The same of the refund address."),
})

const output = Schema.Struct({
  ...Struct.omit(DepositChannelBody.fields, [
    "issuedBlock",
    "channelId",
    "sourceExpiryBlock",
    "channelOpeningFee",
    "channelOpeningFeeNative",
    "explorerUrl",
    "refundAddress",
    "exactOutput",
  ]),
  sourceAsset: AssetId.annotate({
    description: "The only asset to pay with, on `network` alone; all amounts here are of it.",
  }),
  nextStep: Schema.String,
})

const write = answerBy(output)
const read = argumentsReader(input)

const nextStep =
  "Show the human the address, the amount and every warning of `payment`; get_payment has a QR code. Then " +
  "follow the swap with get_swap."

const nextStepExpired =
  "The channel has expired. Tell the human not to pay to its address any more, and call get_swap for the status."

/** The issues of the ends of addresses that the human read out. They never contain the right ends. */
const readOutIssues = (
  { request: { destinationAddress, destinationAsset, refundAddress, sourceAsset } }: OpeningRequest,
  { confirmedDestination, confirmedRefund }: typeof input.Type,
): Issues => {
  const differs = (name: string) =>
    issueAbout(
      name,
      "does not match the end of that address; let the human read it again, and stop if it differs",
    )
  return combineIssues([
    isReadOut(chainOf(destinationAsset), destinationAddress, confirmedDestination)
      ? noIssues
      : differs("confirmedDestination"),
    isReadOut(chainOf(sourceAsset), refundAddress, confirmedRefund) ? noIssues : differs("confirmedRefund"),
  ])
}

/** Writes the outcome of an opening as the answer that is kept for the confirmation, and repeated with it. */
const writing = Effect.gen(function* () {
  const id = yield* traceId
  const { networkOf } = yield* OpeningRules
  const refused = (refusal: Refusal): WrittenAnswer => ({
    status: refusal.status,
    body: writeRefusal(refusal),
  })
  return {
    /** What was opened; or, as nothing is kept for it, why the confirmation opens nothing any more. */
    success: (opened: OpenedSwap | NotConfirmed): WrittenAnswer =>
      opened instanceof NotConfirmed ? refused(refusalOf(opened, id)) : {
        status: 200,
        body: JSON.stringify(
          write({
            ...presentOpened(opened, networkOf(opened.platform)),
            sourceAsset: opened.sourceAsset,
            nextStep,
          }).body,
        ),
      },
    failure: (failure: Failure): WrittenAnswer => refused(openingRefusalOf(failure, id)),
  }
})

/** The answer that a confirmation stands for. */
const told = Effect.fnUntraced(function* ({ body, status }: WrittenAnswer) {
  if (status >= 400) return yield* new Refused({ refusal: yield* Effect.orDie(readRefusal(body)) })
  return { body: toMembers(JSON.parse(body)) }
})

/** The same, told again: without the link of a channel that has expired. */
const toldAgain = Effect.fnUntraced(function* (answer: WrittenAnswer) {
  const repeat = yield* makeRepeatedOpening
  return yield* told(yield* repeat(answer, { nextStep: nextStepExpired }))
})

/** Fails where the human does not agree, and lets the confirmation stand for that; or passes the question on. */
const agreedOr = Effect.fnUntraced(function* (asked: PendingConfirmation, keyed: KeyedRequest) {
  const outcome = yield* elicitation(asked)
  if (outcome instanceof McpSchema.InputRequired) return Option.some(outcome)
  if (outcome === "agreed") return Option.none()
  const failure = new NotConfirmed({ reason: outcome })
  if (outcome === "declined") {
    const refusal = refusalOf(failure, yield* traceId)
    yield* (yield* Idempotency).keep(keyed, { status: refusal.status, body: writeRefusal(refusal) })
  }
  return yield* failure
})

const unexpired = Effect.fnUntraced(function* ({ expiresAt }: ConfirmedTerms) {
  if ((yield* currentMillis) >= expiresAt) return yield* new NotConfirmed({ reason: "expired" })
})

/** What was agreed to. Parameters that we signed fitted then, so where they do not the account's terms have changed. */
const agreedOrder = ({ parameters }: ConfirmedTerms) =>
  Effect.catchTag(
    readSwap(parameters),
    "InvalidRequest",
    () => Effect.fail(new NotConfirmed({ reason: "changed" })),
  )

/** Fails where a confirmation may open nothing any more: it has expired, or comes to another request than then. */
const holds = Effect.fnUntraced(function* (terms: ConfirmedTerms, { request }: OpeningRequest) {
  yield* unexpired(terms)
  if (digestOf(request) !== terms.request) return yield* new NotConfirmed({ reason: "changed" })
})

/** Opens what was agreed to once, by the rights and terms that the caller's account has now. */
const openOnce = Effect.fnUntraced(function* (terms: ConfirmedTerms, keyed: KeyedRequest) {
  const caller = yield* CurrentAccount
  const swaps = yield* Swaps
  const once = yield* makeOnce
  const withFreshQuote = yield* makeWithFreshQuote
  const write = yield* writing
  const { answer, isRepeated } = yield* once(keyed, {
    read: readSwap(terms.parameters),
    perform: (order, claim) =>
      swaps.open(caller, order, { claim, mayOpen: holds(terms, order) }).pipe(
        Effect.catchTag("NotConfirmed", (failure) => Effect.succeed(failure)),
        withFreshQuote(order, "channel"),
      ),
    write,
  }).pipe(
    Effect.catchTag("AnswerStale", Effect.die),
    Effect.catch((failure) => told(write.failure(failure)).pipe(Effect.andThen(Effect.die("no failure")))),
  )
  return yield* (isRepeated ? toldAgain(answer) : told(answer))
})

const scope = "swap"

const perform = Effect.fnUntraced(function* (given: unknown) {
  const agent = yield* currentAgent
  const named = yield* read(given)
  const { confirmation } = named
  const found = yield* (yield* Confirmations).read(agent, confirmation)
  if (Option.isNone(found)) return yield* new NotConfirmed({ reason: "invalid" })
  const { keyed, terms } = found.value
  const standing = yield* (yield* Idempotency).recall(keyed)
  if (KeyState.$is("Answered")(standing)) return yield* toldAgain(standing.answer)
  const isUnused = KeyState.$is("Unused")(standing)
  const order = yield* agreedOrder(terms)
  // Before the confirmation's own end, which is that of its quote: a fresh quote tells more than that it has expired.
  if (isUnused) yield* requireQuote(order.request).pipe((yield* makeWithFreshQuote)(order, "channel"))
  if (isUnused) yield* unexpired(terms)
  const errors = readOutIssues(order, named)
  if (hasIssues(errors)) return yield* new InvalidRequest({ errors })
  if (isUnused) {
    yield* holds(terms, order)
    const question = yield* agreedOr({ agent, confirmation, terms }, keyed)
    if (Option.isSome(question)) return question.value
  }
  return yield* openOnce(terms, keyed).pipe(
    Effect.provideServiceEffect(CurrentAccount, presentCaller(agent, scope)),
  )
})

export const openSwap: Tool<Asks<typeof perform>> = {
  name: "open_swap",
  title: "Open a confirmed swap",
  description:
    "Opens the deposit channel of a prepared swap, and answers with the address to pay to. Call it only after the human " +
    "has read the summary, agreed, and read to you the last six characters of both addresses from their own wallets. A " +
    "confirmation opens one channel: called again with it, you get the same answer.",
  scope,
  effects: "opens",
  input,
  output,
  perform,
}
