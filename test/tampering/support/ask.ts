import { Effect } from "effect"
import { type Answer, openApi } from "#test/contract/support/call.ts"
import { assertDocumented } from "#test/contract/support/documented.ts"
import { parseJson } from "#test/contract/support/Json.ts"
import { assertProblem } from "#test/contract/support/problem.ts"
import type { SwapQuery } from "#test/contract/support/swaps.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"

/** Asks as a client does; the answer has to fit the OpenAPI document, whatever the upstreams say. */
export const ask = Effect.fnUntraced(function* (path: string, query: SwapQuery, key: string = testKey) {
  const url = new URL(path, yield* brokerUrl)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  const answer: Answer = yield* Effect.promise(async (signal) => {
    const response = await fetch(url, { headers: { "x-api-key": key }, signal })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parseJson(text) }
  })
  if (answer.status >= 400) assertProblem(answer)
  assertDocumented(yield* openApi, { method: "GET", path }, answer)
  return answer
})
