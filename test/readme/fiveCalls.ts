import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { section } from "./section.ts"

const readme = Deno.readTextFileSync(new URL("../../README.md", import.meta.url))

/** The URL and the body of each `curl` line. */
const calls = section(readme, "calls").split("\n").filter((line) => line.startsWith("curl ")).map((line) => {
  const [, url = "", body] = /^curl "([^"]+)"(?: -d '([^']+)')?$/.exec(line) ?? []
  return { url, body }
})

const Opened = Schema.fromJsonString(Schema.Struct({ address: Schema.String }))
const Quoted = Schema.fromJsonString(Schema.NonEmptyArray(Schema.Struct({ quoteId: Schema.String })))
const Completed = Schema.fromJsonString(
  Schema.Struct({ status: Schema.Struct({ state: Schema.Literal("completed") }) }),
)

/** Makes the README's calls at a service, and fails unless the last one shows a completed swap. */
export const makeFiveCalls = Effect.fnUntraced(function* (origin: string, key: string) {
  let address = ""
  let quoteId = ""
  const answers: Array<string> = []
  for (const { url, body } of calls) {
    const answer = yield* Effect.promise(async () => {
      const response = await fetch(
        url.replace("$URL", origin).replace("$KEY", key).replace(/QUOTE_ID\w*/, quoteId),
        body === undefined ? {} : { method: "POST", body: body.replace(/ADDRESS[^"]*/, address) },
      )
      assert.isBelow(response.status, 300, `${url}: ${response.status}`)
      return await response.text()
    })
    answers.push(answer)
    if (url.includes("/quotes?")) quoteId = (yield* Schema.decodeEffect(Quoted)(answer))[0].quoteId
    if (url.includes("/swap?")) assert.include(url, "quoteId=")
    if (url.includes("/swap?")) address = (yield* Schema.decodeEffect(Opened)(answer)).address
  }
  assert.strictEqual(answers.length, 5)
  yield* Schema.decodeEffect(Completed)(answers.at(-1) ?? "")
})
