import { assert, layer } from "../support/it.ts"
import { Effect } from "effect"
import { guides } from "../../src/api/document/guides.ts"
import { broker, brokerUrl, testKey } from "../support/broker.ts"

/** The program in a language that a guide shows. */
const programOf = (name: string, language: string): string => {
  const { description = "" } = guides.find((guide) => guide.name === name) ?? {}
  const [, program] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(description) ?? []
  return program ?? assert.fail(`${name} has no ${language}`)
}

layer(broker(), { excludeTestServices: true })("the quickstart", (it) => {
  it.effect("comes to completed in JavaScript, as it stands but for the URL and the key", function* () {
    const { origin } = yield* brokerUrl
    const program = programOf("Quickstart", "js").replace("http://127.0.0.1:8080", origin)
      .replace("your-api-key", testKey).replace("console.log(status.state)", "export default status.state")
    const written: { readonly default: unknown } = yield* Effect.promise(
      () => import(`data:text/javascript,${encodeURIComponent(program)}`),
    )
    assert.strictEqual(written.default, "completed")
  })
})
