import { assert, layer } from "#test/support/it.ts"
import { pages } from "#interfaces/dashboard/registry.ts"
import { call, get } from "#test/contract/support/call.ts"
import { inlined } from "#test/contract/support/inlined.ts"
import { request, signIn } from "#test/interfaces/dashboard/support/signIn.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { operations, type Slot } from "./hostile/operations.ts"

/** No database takes the character, so no text with it may reach one. */
const nul = "%00"

/** The names that a page's forms and links give to parameters of its query. */
const namesOn = (html: string): ReadonlyArray<string> => [
  ...new Set([
    ...[...html.matchAll(/<(?:input|select)[^>]* name="([^"]+)"/g)].map(([, name = ""]) => name),
    ...[...html.matchAll(/href="[^"?]*\?([^"]+)"/g)].flatMap(([, query = ""]) => [
      ...new URLSearchParams(query.replaceAll("&amp;", "&")).keys(),
    ]),
  ]),
]

/** Parameters that are in no form, as they are in addresses that a page makes only when it has such rows. */
const inNoForm = [
  "account",
  "action",
  "actor",
  "endpoint",
  "entry",
  "find",
  "format",
  "from",
  "of",
  "offset",
  "set",
]

const isInUrl = ({ place }: Slot) => place === "query" || place === "path"

layer(brokerInProcess({}), { excludeTestServices: true })("a NUL in a parameter", (it) => {
  it.effect("is a 400, a 404 or finds nothing at every GET of the contract", function* () {
    const asked = operations(inlined(yield* get("/docs/try/document.json"))).filter(({ method }) =>
      method === "GET"
    )
    const targets = asked.flatMap(({ query, slots, template }) =>
      slots.filter(isInUrl).map(({ name, place }) => {
        const path = template.replaceAll(
          /\{(\w+)\}/g,
          (_, own) => place === "path" && own === name ? nul : "1",
        )
        const others = Object.entries(query).filter(([other]) => other !== name)
          .map(([other, value]) => `${other}=${encodeURIComponent(String(JSON.parse(value)))}`)
        return `${path}?${
          [...others, ...(place === "query" ? [`${name}=${nul}`, `${name}=a${nul}b`] : [])].join("&")
        }`
      })
    )
    assert.isAbove(targets.length, 100)
    const failed: Array<string> = []
    for (const target of targets) {
      const { status } = yield* call("GET", target)
      if (status === 500) failed.push(target)
    }
    assert.deepStrictEqual(failed, [])
  })

  it.effect("finds nothing on every page of the dashboard, whatever filter has it", function* () {
    const headers = { cookie: yield* signIn() }
    const failed: Array<string> = []
    let filters = 0
    for (const { path } of pages) {
      const plain = path.replaceAll(/:\w+/g, "default")
      const { status, text } = yield* request(plain, { headers })
      assert.notInclude([303, 401, 500], status, plain)
      const targets = [...new Set([...namesOn(text), ...inNoForm])].flatMap((name) => {
        filters += 1
        return [`${plain}?${name}=${nul}`, `${plain}?${name}=a${nul}b`]
      })
      for (const target of [path.replaceAll(/:\w+/g, nul), ...targets]) {
        const { status } = yield* request(target, { headers })
        if (status >= 500) failed.push(target)
      }
    }
    assert.deepStrictEqual(failed, [])
    assert.isAbove(filters, 200)
  })
})
