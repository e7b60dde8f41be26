import { Duration, Effect, Option, Result, Schema } from "effect"
import {
  allTypes,
  NewWebhookBody,
  ReplayBody,
  RotationBody,
  WebhookChangesBody,
} from "../api/WebhookBodies.ts"
import { present } from "../domain/RequestRules.ts"
import { rangeOf } from "../webhooks/replayRange.ts"
import { defaultOverlap, type WebhookChange } from "../webhooks/Webhooks.ts"
import { accept } from "./accept.ts"
import { keptTextIssues } from "./keptTextIssues.ts"
import { bodyMembers } from "./rawParameters.ts"
import { parameterReader } from "./readParameters.ts"

const typeList = ["types"]

const readNew = parameterReader(
  NewWebhookBody.mapFields(({ types, url }) => ({ types, url: Schema.optionalKey(url) })),
  ["url"],
  typeList,
)

/** What a webhook is to be created with. */
export const readNewWebhook = Effect.gen(function* () {
  const { values: { types, url }, issues } = readNew(yield* bodyMembers)
  const wanted = types === undefined || types === allTypes ? {} : { types }
  return yield* accept(
    [issues, yield* keptTextIssues("url", url)],
    Result.map(present(url), (given) => ({ url: given, ...wanted })),
  )
})

const readChanges = parameterReader(WebhookChangesBody, [], typeList)

/** What is to be changed of a webhook. */
export const readWebhookChanges = Effect.flatMap(bodyMembers, (raw) => {
  const { values: { enabled, types }, issues } = readChanges(raw)
  const change: WebhookChange = {
    ...(enabled === undefined ? {} : { enabled }),
    ...(types === undefined ? {} : { types: types === allTypes ? Option.none() : Option.some(types) }),
  }
  return accept([issues], Result.succeed(change))
})

const readBody = parameterReader(RotationBody, [])

/** How long the secrets before a new one are to sign as well. */
export const readOverlap = Effect.flatMap(bodyMembers, (raw) => {
  const { values: { overlapSeconds }, issues } = readBody(raw)
  return accept(
    [issues],
    Result.succeed(overlapSeconds === undefined ? defaultOverlap : Duration.seconds(overlapSeconds)),
  )
})

const readRange = parameterReader(ReplayBody, [])

/** Which events a webhook is to be told of again. */
export const readReplay = Effect.flatMap(bodyMembers, (raw) => {
  const { values, issues } = readRange(raw)
  return accept([issues], rangeOf(values))
})
