import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { section } from "./section.ts"

const readme = Deno.readTextFileSync(new URL("../../README.md", import.meta.url))

// A body of several lines is one line here.
const lines = section(readme, "calls").replaceAll(",\n  ", ", ").split("\n")

/** The variables that the lines export. */
const exported = Object.fromEntries(
  lines.filter((line) => line.startsWith("export "))
    .flatMap((line) => [...line.matchAll(/ ([A-Z]+)=(?:"([^"]+)"|(\S+))/g)])
    .map(([, name = "", quoted, plain]) => [name, quoted ?? plain ?? ""]),
)

/** The URL and the body of each call. */
const calls = lines.flatMap((line) => {
  const [, url, body] = /^(?:[A-Z]+=\$\()?call "([^"]+)"(?: -H "[^"]+")?(?: --json '(.+)')?/.exec(line) ?? []
  return url === undefined ? [] : [{ url, body }]
})

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/'?\$([A-Z]+)'?/g, (_, name: string) => values[name] ?? assert.fail(`no value of ${name}`))

const Opened = Schema.fromJsonString(Schema.Struct({ id: Schema.Number, address: Schema.String }))
const Quoted = Schema.fromJsonString(Schema.NonEmptyArray(Schema.Struct({ quoteId: Schema.String })))
const Completed = Schema.fromJsonString(
  Schema.Struct({ status: Schema.Struct({ state: Schema.Literal("completed") }) }),
)

/** Makes the README's calls at a service, and fails unless the last one shows a completed swap. */
export const makeFiveCalls = Effect.fnUntraced(function* (origin: string, key: string) {
  const values: Record<string, string> = { ...exported, URL: origin }
  const answers: Array<string> = []
  for (const { url, body } of calls) {
    const answer = yield* Effect.promise(async () => {
      const response = await fetch(
        filled(url, values),
        {
          headers: { "x-api-key": key, "content-type": "application/json" },
          ...(body === undefined ? {} : { method: "POST", body: filled(body, values) }),
        },
      )
      assert.isBelow(response.status, 300, `${url}: ${response.status}`)
      return await response.text()
    })
    answers.push(answer)
    if (url.includes("/quotes?")) values["QUOTE"] = (yield* Schema.decodeEffect(Quoted)(answer))[0].quoteId
    if (!url.endsWith("/swap")) continue
    assert.include(body, "quoteId")
    const { address, id } = yield* Schema.decodeEffect(Opened)(answer)
    Object.assign(values, { ADDRESS: address, ID: `${id}` })
  }
  assert.strictEqual(answers.length, 5)
  yield* Schema.decodeEffect(Completed)(answers.at(-1) ?? "")
})
