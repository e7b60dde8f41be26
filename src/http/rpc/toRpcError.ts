import { Effect } from "effect"
import { type Faults, hasFaults } from "../../domain/Faults.ts"
import { logFailure } from "../problemResponse.ts"
import { type Failure, toProblem } from "../toProblem.ts"
import { traceId } from "../traceId.ts"
import { inWireNames } from "./names.ts"
import { rpcCodes, RpcError } from "./RpcError.ts"

/** `boost_fee is …; destination_address: This Ethereum address …`. */
const inOneLine = (faults: Faults): string =>
  Object.entries(faults).flatMap(([name, sentences]) =>
    sentences.map((sentence) => sentence.startsWith(name) ? sentence : `${name}: ${sentence}`)
  ).join("; ")

/** What is wrong with the parameters of a call, in the names of its wire. */
export const invalidParams = (errors: Faults): RpcError =>
  new RpcError({ code: rpcCodes.params, message: `Invalid params: ${inOneLine(errors)}`, data: { errors } })

/**
 * The error of a call that failed: what the problem of `/swap` says, in the form of the upstream's servers.
 * Like a problem it is logged where it is not the caller's doing.
 */
export const toRpcError = Effect.fnUntraced(function* (failure: Failure) {
  const { code, detail, errors = {}, status } = toProblem(failure)
  if (status >= 500) yield* logFailure(failure)
  if (hasFaults(errors)) return invalidParams(inWireNames(errors))
  return new RpcError({
    code: failure._tag === "Unexpected" ? rpcCodes.internal : rpcCodes.other,
    message: detail,
    data: { status, ...(code === undefined ? {} : { code }), traceId: yield* traceId },
  })
})
