import { Effect, Result, Schema } from "effect"
import type { UnusableLog } from "../EventLog.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { manner, readAddress, writeStatus } from "./answers.ts"
import * as Intents from "./engine/Intents.ts"
import { intentsMessage, intentsRefusal } from "./refusals.ts"

/** `GET /v0/status` and `POST /v0/deposit/submit` (near-intents/wire.md 1). */

const find = Effect.fnUntraced(function* (
  address: string,
  success: number,
): Effect.fn.Return<Reply, never, World | Faults> {
  const { seed } = yield* World
  const written = yield* manner
  return yield* World.read(({ intents }) => {
    const whole = readAddress(address, written)
    const order = whole === undefined ? undefined : Intents.findOrder(intents, whole)
    return order === undefined
      ? intentsRefusal(404, intentsMessage.unknownAddress(address))
      : json(success, writeStatus(seed, intents, order, written))
  })
})

export const getStatus = Effect.fn("sandbox.nearIntents.status")(function* (
  query: URLSearchParams,
): Effect.fn.Return<Reply, never, World | Faults> {
  const address = query.get("depositAddress")
  return address === null || address === ""
    ? intentsRefusal(400, "depositAddress: Required")
    : yield* find(address, 200)
})

const Submission = Schema.fromJsonString(
  Schema.Struct({ txHash: Schema.NonEmptyString, depositAddress: Schema.NonEmptyString }),
)
const readSubmission = Schema.decodeUnknownResult(Submission)

/** Takes a client's report of its deposit transaction, if the order has that transaction. */
export const submitDeposit = Effect.fn("sandbox.nearIntents.submitDeposit")(function* (
  body: string,
): Effect.fn.Return<Reply, UnusableLog, World | Faults> {
  const read = readSubmission(body)
  if (Result.isFailure(read)) return intentsRefusal(400, "txHash and depositAddress are required")
  const { depositAddress, txHash } = read.success
  const submitted = yield* World.perform({
    _tag: "SubmitDeposit",
    address: readAddress(depositAddress, yield* manner) ?? depositAddress,
    transactionReference: txHash,
  })
  return Result.isFailure(submitted)
    ? intentsRefusal(404, intentsMessage.unknownAddress(depositAddress))
    : yield* find(depositAddress, 201)
})
