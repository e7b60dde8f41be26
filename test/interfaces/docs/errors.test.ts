import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { codes } from "#domain/ProblemCode.ts"
import { Scope } from "#domain/accounts/Key.ts"
import { guides } from "#api/document/guides.ts"
import { statusDefinitions } from "#api/Problems.ts"
import { partsOf, programOf } from "./support/programOf.ts"

const textOf = (name: string): string =>
  guides.find((guide) => guide.name === name)?.description ?? assert.fail(name)

layer(broker(), { excludeTestServices: true })("the guides", (it) => {
  it.effect("show the problem that their request gets", function* () {
    const { origin } = yield* brokerUrl
    const [, path = assert.fail("no request"), body = ""] =
      /^curl "\$URL([^"]+)" -H "X-API-Key: \$KEY" --json '([^']+)'/.exec(programOf("Errors", "sh")) ?? []
    const headers = { "x-api-key": testKey, "content-type": "application/json" }
    const response = yield* Effect.promise(() => fetch(origin + path, { method: "POST", headers, body }))
    const { traceId: _, ...problem }: Record<string, unknown> = yield* Effect.promise(() => response.json())
    const { traceId: __, ...shown }: Record<string, unknown> = JSON.parse(partsOf("Errors", "json")[0] ?? "")
    assert.deepStrictEqual(problem, shown)
  })

  it("name each status of a failure, each code and each scope", () => {
    for (const status of Object.keys(statusDefinitions)) {
      assert.match(textOf("Errors"), new RegExp(`^\\|[^|]*${status}[^|]*\\|`, "m"))
    }
    for (const code of Object.keys(codes)) assert.include(textOf("Errors"), `\`${code}\``)
    for (const scope of Scope.literals) assert.include(textOf("Accounts, keys and routes"), `\`${scope}\``)
  })
})
