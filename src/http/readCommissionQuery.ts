import { Effect, Result, Schema, Struct } from "effect"
import { CommissionParameters, mostDays } from "../api/History.ts"
import { type CommissionQuery, daysWithin } from "../domain/Commission.ts"
import { issueAbout, type Issues, noIssues } from "../domain/Issues.ts"
import { accept } from "./accept.ts"
import { queryParameters } from "./rawParameters.ts"
import { parameterReader } from "./readParameters.ts"

const read = parameterReader(
  CommissionParameters.mapFields(Struct.map(Schema.optionalKey)),
  ["from", "to"],
)

const checkDays = ({ from, to, asset }: ReturnType<typeof read>["values"]): Result.Result<
  CommissionQuery,
  Issues
> => {
  // its own issue is told already.
  if (from === undefined || to === undefined) return Result.fail(noIssues)
  const days = daysWithin(from, to)
  if (days < 1) return Result.fail(issueAbout("from", "must not be after to"))
  if (days > mostDays) return Result.fail(issueAbout("to", `must be at most ${mostDays - 1} days after from`))
  return Result.succeed({ from, to, ...(asset === undefined ? {} : { asset }) })
}

/** Which commission `/commission` asks for. */
export const readCommissionQuery = Effect.flatMap(queryParameters, (raw) => {
  const { values, issues } = read(raw)
  return accept([issues], checkDays(values))
})
