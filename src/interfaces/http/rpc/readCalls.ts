import { Option, Predicate, Result } from "effect"
import {
  isListText,
  isObjectText,
  itemsOf,
  type JsonText,
  membersOf,
  parseJsonText,
  repeatedMembers,
} from "#domain/JsonText.ts"
import { batchTooLarge, invalidRequest, parseError, repeated, type RpcError } from "./toRpcError.ts"

/** A call, with its values as they were written. */
export interface Call {
  /** Absent in a notification, which waits for no reply and so does nothing. */
  readonly id?: JsonText
  readonly method: string
  /** A list or an object; absent where the call has no parameters. */
  readonly params?: JsonText
}

/** An item of a body that is no call: its error, and its id if it has a valid one. */
export interface NoCall {
  readonly id?: JsonText
  readonly error: RpcError
}

/** The contents of a request: one call, or a batch of calls, whose replies are a list. */
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

/** Reads the calls of a body, or fails with the error that answers for all of it. */
export const readCalls = (body: string, mostOfBatch: number): Result.Result<Calls, RpcError> => {
  const json = Option.getOrUndefined(parseJsonText(body))
  if (json === undefined) return Result.fail(parseError)
  if (!isListText(json)) return Result.succeed({ isBatch: false, items: [readCall(json)] })
  const items = itemsOf(json)
  if (items.length === 0) return Result.fail(invalidRequest)
  if (items.length > mostOfBatch) return Result.fail(batchTooLarge(mostOfBatch))
  return Result.succeed({ isBatch: true, items: items.map(readCall) })
}
