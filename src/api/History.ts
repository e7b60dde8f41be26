import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { SwapState } from "../domain/Swap.ts"
import { Authorization, needsScope, ParameterFaults } from "./Authorization.ts"
import { HistoryLimit, Identifier, Platform } from "./Parameters.ts"
import { BadRequest, InternalServerError, ServiceUnavailable } from "./Problems.ts"
import { SwapRecordBody } from "./SwapStatusBody.ts"

const optional = Schema.optionalKey

/** Parameters of `/swaps`. */
export const HistoryParameters = Schema.Struct({
  offset: optional(
    Identifier("Swap id to start from, itself included; descending goes down from it, ascending up.", "100"),
  ),
  limit: optional(HistoryLimit),
  status: optional(
    Schema.Array(SwapState).annotate({
      description: "States to list; repeat the parameter for several. Only `completed` when absent.",
      message: `must be one of ${SwapState.literals.join(", ")}; repeat the parameter for several`,
    }),
  ),
  sort: optional(
    Schema.Literals(["ascending", "descending"]).annotate({
      description: "By id; descending when absent.",
      message: "must be ascending or descending",
    }),
  ),
  platform: optional(Platform),
})

/** The swaps of the account (api.md 4.5). `Link: rel="next"` leads on when there is more. */
export class HistoryGroup extends HttpApiGroup.make("history").add(
  HttpApiEndpoint.get("swaps", "/swaps", {
    query: HistoryParameters,
    success: Schema.Array(SwapRecordBody),
    error: [BadRequest, InternalServerError, ServiceUnavailable],
  }).annotate(OpenApi.Summary, "List swaps"),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope("history", { title: "History", description: "The account's swaps." }),
) {}
