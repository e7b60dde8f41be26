import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api.ts"
import { DepositChannelBody, swapParameterNames } from "#api/Swap.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import type { OpeningRequest } from "#application/swapping/opening/SwapRules.ts"
import type { OpenedSwap } from "#application/swapping/opening/OpeningRecord.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { type IdempotentRequest, makeIdempotent } from "../requests/idempotent.ts"
import { accept } from "../requests/parameterIssues.ts"
import { failAsProblem } from "../requests/failAsProblem.ts"
import {
  makeRepeatedOpening,
  makeWithFreshQuote,
  presentOpened,
  readPostedSwap,
  readSwap,
  refusePrefetch,
  requestSwap,
} from "../requests/openings.ts"
import type { Failure } from "../requests/problems.ts"
import { givenInBoth, givenInQuery, type RequestServices } from "../requests/unknownParameters.ts"

const encodeBody = Schema.encodeSync(DepositChannelBody)

/** The body of the answer. A repetition under the same key gets the same text until the channel expires. */
const writeOpened = ({ networkOf }: OpeningRules["Service"]) => (opened: OpenedSwap): string =>
  JSON.stringify(encodeBody(presentOpened(opened, networkOf(opened.platform))))

/** How the parameters of a refused opening are read again, to tell every issue. */
export const swapReadings = { swap: readSwap, swapPost: readPostedSwap }

/** The services that reading a request needs. */
type ReadingServices = Effect.Services<ReturnType<typeof readPostedSwap>> | RequestServices

export const SwapHandlers = HttpApiBuilder.group(
  Api,
  "swap",
  Effect.fnUntraced(function* (handlers) {
    const swaps = yield* Swaps
    const rules = yield* OpeningRules

    const idempotent = yield* makeIdempotent
    const withFreshQuote = yield* makeWithFreshQuote
    const repeat = yield* makeRepeatedOpening
    const write = writeOpened(rules)

    const answer = <Unread extends Failure>(
      sent: IdempotentRequest<OpeningRequest, Unread, ReadingServices>,
    ) =>
      refusePrefetch("would open a deposit channel").pipe(
        Effect.andThen(idempotent.opening({
          ...sent,
          parameters: swapParameterNames,
          perform: (order, claim) =>
            Effect.flatMap(
              CurrentAccount,
              (caller) => swaps.open(caller, order, claim === undefined ? undefined : { claim }),
            ).pipe(withFreshQuote(order, "channel")),
          write,
          repeat,
        })),
        Effect.provideService(Swaps, swaps),
        // An opening's answer never goes stale: its address is repeated for as long as its key is kept.
        Effect.catchTag("AnswerStale", Effect.die),
      )

    return handlers
      .handle("swap", ({ endpoint, headers, query }) =>
        failAsProblem(answer({
          headers,
          given: givenInQuery(endpoint),
          read: ({ issues }) => Effect.flatMap(requestSwap(query), (order) => accept([issues], order)),
        })))
      .handleRaw("swapPost", ({ endpoint, headers }) =>
        failAsProblem(answer({
          headers,
          given: givenInBoth(endpoint),
          read: ({ issues, raw }) => readPostedSwap(raw, issues),
        })))
  }),
)
