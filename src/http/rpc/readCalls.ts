import { Option, Predicate, Result } from "effect"
import {
  isListText,
  isObjectText,
  itemsOf,
  type JsonText,
  membersOf,
  parseJsonText,
  repeatedMembers,
} from "../../domain/JsonText.ts"
import { batchTooLarge, invalidRequest, parseError, repeated, type RpcError } from "./RpcError.ts"

/** One call, as it was written. */
export interface Call {
  /** Absent: nobody waits for a reply, so there is nothing to do. */
  readonly id?: JsonText
  readonly method: string
  /** A list or an object; absent where there are none. */
  readonly params?: JsonText
}

/** What of a body is no call, and the id that it has all the same, if any. */
export interface NoCall {
  readonly id?: JsonText
  readonly error: RpcError
}

/** What a request asks for: one call, or a batch of them, whose replies are a list. */
export interface Calls {
  readonly isBatch: boolean
  readonly items: ReadonlyArray<Result.Result<Call, NoCall>>
}

const isId = (json: JsonText): boolean => /^(?:"|-?[0-9]|null$)/.test(json)

const readParams = (json: JsonText | undefined): Option.Option<{ readonly params?: JsonText }> => {
  if (json === undefined || json === "null") return Option.some({})
  return isListText(json) || isObjectText(json) ? Option.some({ params: json }) : Option.none()
}

const readMember = (json: JsonText | undefined): unknown => json === undefined ? undefined : JSON.parse(json)

const readCall = (json: JsonText): Result.Result<Call, NoCall> => {
  const members = membersOf(json)
  const twice = repeatedMembers(json)
  const value = (name: string): unknown => readMember(members.get(name))
  const written = members.get("id")
  const id = written !== undefined && isId(written) ? { id: written } : {}
  const method = value("method")
  const params = readParams(members.get("params"))
  const isCall = value("jsonrpc") === "2.0" && Predicate.isString(method) &&
    (written === undefined || id.id !== undefined) && Option.isSome(params)
  if (twice.length > 0) return Result.fail({ ...id, error: repeated(twice) })
  return isCall
    ? Result.succeed({ ...id, method, ...params.value })
    : Result.fail({ ...id, error: invalidRequest })
}

/** The calls of a body, or the one error that answers for all of it. */
export const readCalls = (body: string, mostOfBatch: number): Result.Result<Calls, RpcError> => {
  const json = Option.getOrUndefined(parseJsonText(body))
  if (json === undefined) return Result.fail(parseError)
  if (!isListText(json)) return Result.succeed({ isBatch: false, items: [readCall(json)] })
  const items = itemsOf(json)
  if (items.length === 0) return Result.fail(invalidRequest)
  if (items.length > mostOfBatch) return Result.fail(batchTooLarge(mostOfBatch))
  return Result.succeed({ isBatch: true, items: items.map(readCall) })
}
