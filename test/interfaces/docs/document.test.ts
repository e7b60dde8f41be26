import { assert, describe, it } from "@effect/vitest"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "#api/Api.ts"
import { contractIn } from "#api/document/Contract.ts"
import { guides } from "#api/document/guides.ts"
import { withAllDigits } from "#api/document/json.ts"
import { sent } from "#api/document/sent.ts"
import { shared } from "#api/document/shared.ts"
import { MessageType } from "#domain/accounts/Webhook.ts"
import { topicsOf } from "#interfaces/http/docs/search.tsx"
import { SandboxApi } from "#interfaces/http/Sandbox.ts"
import {
  at,
  find,
  isList,
  isObject,
  type Json,
  listAt,
  objectAt,
  parseJson,
  textAt,
} from "#test/contract/support/Json.ts"
import { inlined } from "#test/contract/support/inlined.ts"
import { extended, resolve, schemaFaults } from "#test/contract/support/JsonSchema.ts"
import { pageSamples, writeJson } from "./support/pageSamples.ts"
import { readCurl } from "./support/readCurl.ts"
import { requestOf } from "./support/runSamples.ts"

const documentOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
): Json => parseJson(JSON.stringify(OpenApi.fromApi(api), withAllDigits))

/** The document of the service with its sandbox in a shorter form. */
const shortOf = (form: typeof sent): Json =>
  parseJson(JSON.stringify(form({ ...OpenApi.fromApi(Api.addHttpApi(SandboxApi)) }), withAllDigits))

const documents: ReadonlyArray<readonly [mode: string, document: Json]> = [
  ["live", documentOf(Api)],
  ["sandbox", documentOf(Api.addHttpApi(SandboxApi))],
]

interface Place {
  readonly path: string
  readonly json: Json
}

const places = (json: Json, path = ""): ReadonlyArray<Place> => {
  const inside = isList(json)
    ? json.flatMap((one, index) => places(one, `${path}/${index}`))
    : isObject(json)
    ? Object.entries(json).flatMap(([name, member]) => places(member, `${path}/${name}`))
    : []
  return [{ path, json }, ...inside]
}

/** Examples hold what an answer said, which is no part of the document's own. */
const isOwn = ({ path }: Place): boolean => !/\/examples?\//.test(path)

const operationsOf = (document: Json) =>
  [...Object.entries(objectAt(document, "paths")), ...Object.entries(objectAt(document, "webhooks"))]
    .flatMap(([path, operations]) =>
      Object.entries(objectAt(operations)).map(([method, operation]) => ({
        name: `${method} ${path}`,
        operation,
      }))
    )

const isDescribed = (document: Json, schema: Json): boolean => {
  const reference = find(schema, "$ref")
  return typeof find(schema, "description") === "string" ||
    typeof reference === "string" && isDescribed(document, resolve(document, reference))
}

const contentOf = (json: Json) =>
  Object.entries(find(json, "content") === undefined ? {} : objectAt(json, "content"))

/** What an operation has a schema and an example of: parameters, requests and answers. */
const holdersOf = (name: string, operation: Json) => {
  const parameters = find(operation, "parameters")
  const requests = find(operation, "requestBody")
  const answers = Object.entries(objectAt(operation, "responses")).filter(([status]) =>
    status.startsWith("2")
  )
  const bodies = [...requests === undefined ? [] : [["request", requests] as const], ...answers]
  return [
    ...(isList(parameters) ? parameters : []).map((one) => ({
      name: `${name} ${textAt(one, "name")}`,
      holder: one,
    })),
    ...bodies.flatMap(([what, body]) =>
      contentOf(body).map(([type, holder]) => ({ name: `${name} ${what} ${type}`, holder }))
    ),
  ]
}

/** The members of a value that its schema does not name, nor any of its alternatives: where they stand. */
const undocumented = (document: Json, schema: Json, value: Json, path = ""): ReadonlyArray<string> => {
  const reference = find(schema, "$ref")
  if (typeof reference === "string") return undocumented(document, resolve(document, reference), value, path)
  const alternatives = find(schema, "anyOf")
  if (isList(alternatives)) {
    const fitting = alternatives.filter((one) => schemaFaults(document, one, value).length === 0)
    const found = fitting.map((one) => undocumented(document, one, value, path))
    return found.toSorted((one, other) => one.length - other.length)[0] ?? []
  }
  if (isList(value)) {
    const items = find(schema, "items")
    return items === undefined ? [] : value.flatMap((one) => undocumented(document, items, one, `${path}[]`))
  }
  const properties = find(schema, "properties")
  if (!isObject(value) || !isObject(properties)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const known = properties[name] ?? find(schema, "additionalProperties")
    return known === undefined || known === false
      ? [`${path}.${name}`]
      : undocumented(document, known, member, `${path}.${name}`)
  })
}

/** What an example does not fit of its schema; that there is none, too. */
const exampleFaults = (document: Json, { name, holder }: { name: string; holder: Json }) => {
  const examples = find(holder, "examples")
  if (!isObject(examples)) return [`${name} has no example`]
  return Object.values(examples).flatMap((example) => {
    const value = find(example, "value")
    if (value === undefined) return [`${name} has an example without a value`]
    return schemaFaults(document, at(holder, "schema"), value).map((fault) =>
      `${name}: ${JSON.stringify(fault)}`
    )
  })
}

describe.each(documents)("the document in %s mode", (mode, document) => {
  const operations = operationsOf(document)

  it("names every operation as a function would be called, each once", () => {
    const names = operations.map(({ operation }) => textAt(operation, "operationId"))
    for (const name of names) assert.match(name, /^[a-z][A-Za-z]+$/)
    assert.strictEqual(new Set(names).size, names.length)
  })

  it("describes every operation beyond its one line", () => {
    for (const { name, operation } of operations) {
      assert.isNotEmpty(textAt(operation, "summary"), name)
      assert.isAbove(textAt(operation, "description").length, 20, name)
    }
  })

  it("describes every member of every body", () => {
    const bare = places(document).filter(isOwn).flatMap(({ json, path }) =>
      path.endsWith("/properties") && isObject(json)
        ? Object.entries(json).flatMap(([name, schema]) =>
          isDescribed(document, schema) ? [] : [`${path}/${name}`]
        )
        : []
    )
    assert.deepStrictEqual(
      bare,
      [],
      "describe them in their schema, or by name in src/api/document/words.json",
    )
  })

  it("has an example of every parameter, request and answer, each of which fits its schema", () => {
    const faults = operations.flatMap(({ name, operation }) =>
      holdersOf(name, operation).flatMap((holder) => exampleFaults(document, holder))
    )
    assert.deepStrictEqual(faults, [], "after a change of answers, `deno task examples` records them anew")
  })

  it("shows no member in an example that its schema does not have", () => {
    const unknown = operations.flatMap(({ name, operation }) =>
      holdersOf(name, operation).flatMap(({ holder, name }) =>
        Object.values(objectAt(holder, "examples")).flatMap((example) =>
          undocumented(document, at(holder, "schema"), at(example, "value")).map((path) => `${name}: ${path}`)
        )
      )
    )
    // The payload is taken as it was answered, with members that say nothing to the sandbox.
    assert.deepStrictEqual(unknown.filter((one) => !one.includes("/sandbox/vault-swaps request")), [])
  })

  it("shows nothing of the library that it is derived with", () => {
    for (const { json, path } of places(document).filter(isOwn)) {
      assert.notMatch(path, /\/x-effect|\/_tag$|Encoded$|_[0-9]+$/)
      if (typeof json === "string") assert.notMatch(json, /^(?:NaN|-?Infinity)$|effect\//, path)
      if (typeof json === "string" && path.endsWith("/pattern")) assert.notInclude(json, "\\p{", path)
    }
  })

  it("says where it is served, who is asked about it, and under what licence it stands", () => {
    assert.deepStrictEqual(listAt(document, "servers").map((server) => textAt(server, "url")), ["/"])
    assert.isNotEmpty(textAt(document, "info", "contact", "name"))
    assert.strictEqual(textAt(document, "info", "license", "identifier"), "MIT")
    assert.notMatch(JSON.stringify(find(document, "info")), /https?:/)
  })

  it("writes the scheme of the bearer in lower case, as pages know no other", () => {
    assert.strictEqual(textAt(document, "components", "securitySchemes", "bearer", "scheme"), "bearer")
  })

  it("lets every link lead to an operation, with parameters that it has", () => {
    const byId = new Map(operations.map(({ operation }) => [textAt(operation, "operationId"), operation]))
    const links = places(document).filter(isOwn).filter(({ path }) => /\/links\/[^/]+$/.test(path))
    assert.isAbove(links.length, 20)
    for (const { json, path } of links) {
      const target = byId.get(textAt(json, "operationId")) ?? assert.fail(`${path} leads nowhere`)
      const names = listAt(target, "parameters").map((parameter) => textAt(parameter, "name"))
      assert.includeMembers(names, Object.keys(objectAt(json, "parameters")), path)
    }
  })

  it("describes the message of every type that webhooks are sent, with its signature", () => {
    const webhooks = objectAt(document, "webhooks")
    assert.sameMembers(Object.keys(webhooks), [...MessageType.literals])
    for (const webhook of Object.values(webhooks)) {
      assert.sameMembers(
        listAt(webhook, "post", "parameters").map((parameter) => textAt(parameter, "name")),
        ["webhook-id", "webhook-timestamp", "webhook-signature"],
      )
    }
  })

  it("begins with the guides, and describes every group of operations", () => {
    const tags = listAt(document, "tags")
    const names = tags.map((tag) => textAt(tag, "name"))
    assert.strictEqual(names[0], "Quickstart")
    for (const tag of tags) assert.isNotEmpty(textAt(tag, "description"), textAt(tag, "name"))
    const used = operations.flatMap(({ operation }) => listAt(operation, "tags"))
    assert.includeMembers<Json>(names, used)
    const [quickstart] = tags
    for (const language of ["sh", "js", "python"]) {
      assert.include(textAt(quickstart ?? null, "description"), `\`\`\`${language}\n`)
    }
  })

  it("shows of every operation the command that makes the request which the page sends", () => {
    const reader = { url: new URL("http://broker.test:8080"), key: "a-key" }
    for (const sample of pageSamples(document)) {
      const shown = readCurl(sample.shown, { URL: reader.url.origin, KEY: reader.key })
      const path = "apiKey" in sample.path ? { ...sample.path, apiKey: reader.key } : sample.path
      const sent = requestOf({ ...sample, path }, reader)
      assert.deepStrictEqual(
        {
          ...shown,
          url: new URL(shown.url).href,
          body: shown.body === undefined ? undefined : parseJson(shown.body),
        },
        { ...sent, body: sample.body },
        sample.operationId,
      )
    }
  })

  it("shows a sample of every operation, in which no option is on that the sample does not need", () => {
    const samples = pageSamples(document)
    assert.lengthOf(samples, operations.length - MessageType.literals.length)
    const swap = samples.find(({ operationId }) => operationId === "openSwap")
    assert.deepStrictEqual(swap?.query.map(([name]) => name), [
      "sourceAsset",
      "destinationAsset",
      "destinationAddress",
      "refundAddress",
    ])
    const posted = samples.find(({ operationId }) => operationId === "openSwapByPost")
    assert.deepStrictEqual(posted?.query, [])
    assert.isTrue(mode === "live" || samples.some(({ template }) => template === "/sandbox/deposits"))
  })
})

/** Puts what only the short document has as components of schemas where it is meant. */
const inFull = (short: Json, long: Json) => {
  const within = (json: Json): Json => {
    if (isList(json)) return json.map(within)
    if (!isObject(json)) return json
    const { $ref, allOf, ...others } = json
    if (isList(allOf)) return within({ ...objectAt(extended(short, { allOf })), ...others })
    const name = typeof $ref === "string" ? $ref.replace("#/components/schemas/", "") : ""
    const isAdded = find(short, "components", "schemas", name) !== undefined &&
      find(long, "components", "schemas", name) === undefined
    return isAdded
      ? within({ ...objectAt(short, "components", "schemas", name), ...others })
      : Object.fromEntries(Object.entries(json).map(([name, member]) => [name, within(member)]))
  }
  return within
}

/** An operation as programs need it: without its sample, its parameters with the example in their schemas. */
const forPrograms = (operation: Json): Json => {
  const { "x-codeSamples": _, parameters = [], ...others } = objectAt(operation)
  return {
    ...others,
    parameters: listAt(parameters).map((parameter) => {
      const { examples, schema = null, ...own } = objectAt(parameter)
      const value = find(examples ?? null, "default", "value") ?? at(schema, "examples", 0)
      return { ...own, schema: { ...objectAt(schema), examples: [value] } }
    }),
  }
}

/** The order in which required members are named says nothing, nor that there are none. */
const inOrder = (json: Json): Json => {
  if (isList(json)) return json.map(inOrder)
  if (!isObject(json)) return json
  const { required, ...others } = json
  const members = Object.entries(others).map(([name, member]): [string, Json] => [name, inOrder(member)])
  const names = isList(required) ? required.toSorted() : required
  return {
    ...Object.fromEntries(members),
    ...(names === undefined || isList(names) && names.length === 0 ? {} : { required: names }),
  }
}

const bodyPlace = ["post", "requestBody", "content", "application/json"] as const

describe("the document as it is sent", () => {
  const long = documentOf(Api.addHttpApi(SandboxApi))
  const forms: Readonly<Record<string, Json>> = { pages: shortOf(shared), programs: shortOf(sent) }
  const short = forms.pages ?? null

  it.each(Object.entries(forms))("says for %s what the whole one says", (_, form) => {
    const within = inFull(form, long)
    const [said, whole] = [inlined(form), inlined(long)].map((document) =>
      Object.entries(objectAt(document, "paths")).flatMap(([path, operations]) =>
        Object.entries(objectAt(operations)).map(([method, operation]) =>
          [path, method, inOrder(forPrograms(operation))] as const
        )
      )
    )
    assert.deepStrictEqual(
      said?.map(([path, method, operation]) => [path, method, inOrder(within(operation))]),
      whole?.map((one) => [...one]),
    )
    for (const [name, schema] of Object.entries(objectAt(long, "components", "schemas"))) {
      assert.deepStrictEqual(inOrder(within(at(form, "components", "schemas", name))), inOrder(schema), name)
    }
    for (const [type, message] of Object.entries(objectAt(inlined(form), "webhooks"))) {
      const body = objectAt(long, "webhooks", type, ...bodyPlace)
      const { examples = body.examples, ...others } = objectAt(message, ...bodyPlace)
      assert.deepStrictEqual({ examples, ...others }, { ...body }, type)
      assert.deepStrictEqual(
        at(message, "post", "responses"),
        at(long, "webhooks", type, "post", "responses"),
      )
    }
  })

  it.each(Object.entries(forms))("has for %s no component that nothing refers to", (_, form) => {
    const text = writeJson(form)
    const parts = Object.entries(objectAt(form, "components")).filter(([kind]) => kind !== "securitySchemes")
    const unused = parts.flatMap(([kind, components]) =>
      Object.keys(objectAt(components)).filter((name) => !text.includes(`"#/components/${kind}/${name}"`))
    )
    assert.deepStrictEqual(unused, [])
  })

  it("shows programs the body of messages once for each schema", () => {
    const bodies = Object.values(objectAt(forms.programs ?? null, "webhooks"))
      .map((message) => objectAt(message, ...bodyPlace))
    const shown = bodies.filter(({ examples }) => examples !== undefined)
    const schemas = (some: typeof bodies) => new Set(some.map(({ schema }) => writeJson(schema ?? null)))
    assert.deepStrictEqual(schemas(shown), schemas(bodies))
    assert.lengthOf(shown, schemas(bodies).size)
  })

  it("has all tags, with the address of each guide for its text", () => {
    const tags = listAt(short, "tags")
    const paths = new Map(topicsOf(contractIn(writeJson(short))).map(({ text, to }) => [`${to}`, text]))
    for (const [index, tag] of listAt(long, "tags").entries()) {
      if (find(tag, "x-scalar-ignore") !== true) assert.deepStrictEqual(tags[index], tag)
      else {
        const [, path = ""] = /`(.*)`/.exec(textAt(tags[index] ?? null, "description")) ?? []
        assert.strictEqual(paths.get(path), textAt(tag, "description"), path)
      }
    }
  })

  it("shows all digits of each amount, as the guides do", () => {
    const texts = [writeJson(short), ...guides.map(({ description }) => description)].join("\n")
    const twins = [...texts.matchAll(/"(\w+)": ?([\d.]+),\s*"\1Native": ?"(\d+)"/g)]
    assert.isAbove(twins.length, 100)
    for (const [text, , amount = "", native = ""] of twins) {
      const digits = amount.replace(".", "").replace(/^0+/, "")
      assert.strictEqual(digits.replace(/0+$/, ""), native.replace(/0+$/, ""), text)
    }
  })

  it("is short enough to be read by a program at each start", () => {
    assert.isAtMost(writeJson(forms.programs ?? null).length, 520_000)
  })
})
