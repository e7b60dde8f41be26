import { assert, describe, it } from "@effect/vitest"
import type { JsonSchema } from "#api/document/Contract.ts"
import { contract as contractWithSandbox } from "#tools/client/packages.ts"
import { markdown } from "#interfaces/http/docs/markdown.tsx"
import { operationsOf } from "#interfaces/http/docs/operations.tsx"
import { makeReference } from "#interfaces/http/docs/reference.tsx"
import { kindOf, membersOf } from "#interfaces/http/docs/shapes.tsx"

const contract = contractWithSandbox()
const { overview, pages } = makeReference(contract)
const texts = new Map(pages.map(({ page, slug }) => [slug, `${page()}`]))

const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" }

/** What a reader sees of HTML, with every run of spaces as one. */
const seen = (page: string): string =>
  page.replaceAll(/<[^>]*>/g, "").replaceAll(/&(\w+|#39);/g, (_, name: string) => named[name] ?? "")
    .replaceAll(/\s+/g, " ")

/** The words of Markdown, without its signs. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  seen(`${markdown(text)}`).match(/[A-Za-z0-9_./-]+/g) ?? []

/** Whether the GET and the POST of a path are one section. */
const isTogether = (path: string): boolean => /^\/(?:swap|tx-payload\/\w+)$/.test(path)

const pageOf = (tag: string): string => {
  const page = texts.get(tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"))
  return page ?? assert.fail(`${tag} has no page`)
}

describe("the pages of the documentation", () => {
  it("are one for each topic, at paths of their own", () => {
    assert.strictEqual(texts.size, contract.tags.length + ["reference", "changelog"].length)
    for (const taken of ["settings", "try", "style.css", "script.js", "icon.svg"]) {
      assert.isFalse(texts.has(taken))
    }
    for (const { description = "", name } of contract.tags) {
      const page = seen(pageOf(name))
      for (const word of wordsOf(description)) assert.include(page, word, name)
    }
  })

  it("say all that the document says of an endpoint: call, texts, parameters, bodies, answers", () => {
    const operations = operationsOf(contract)
    assert.isAbove(operations.length, 90)
    for (
      const { answers, body, description, id, isMessage, method, parameters, path, samples, summary, tag }
        of operations
    ) {
      const page = pageOf(tag)
      // A POST that is told with the GET of its path stands in the section of that.
      const part = page.split("<section").find((one) => one.includes(`id="op-${id}"`)) ?? assert.fail(id)
      const text = seen(part)
      for (const said of [path, ...answers.map(([status]) => status)]) assert.include(text, said, id)
      if (!isMessage && !isTogether(path)) assert.include(text, summary, id)
      for (const { name, schema } of parameters) {
        assert.include(text, name.replace(/^(affiliate)\d/, "$11…4"), id)
        if (!isMessage) assert.match(part, new RegExp(`id="\\w+\\.${name.replace(/[2-4]/, "1")}"`), id)
        for (const word of wordsOf(schema.description ?? "")) assert.include(text, word, id)
      }
      for (const word of wordsOf(description)) assert.include(text, word, id)
      if (method === "GET" || !isTogether(path)) {
        for (const { source } of samples) assert.include(text, seen(source.replaceAll("<", "&lt;")), id)
        for (const type of Object.keys(body)) assert.include(text, type, id)
      }
      assert.isTrue(texts.get("reference")?.includes(`href="/docs/`), id)
      assert.match(part, new RegExp(`<span class="verb">(?:${method}|to you)</span>`), id)
    }
  })

  it("tell GET and POST of one path together, where both take the same", () => {
    const swap = pageOf("Swap")
    assert.strictEqual(swap.split("<section").length - 1, 2)
    for (const id of ["op-openSwap", "op-openSwapByPost"]) assert.include(swap, `id="${id}"`)
    assert.isBelow(
      swap.indexOf('id="openSwap.destinationAsset"'),
      swap.indexOf('id="openSwap.Idempotency-Key"'),
    )
    assert.include(swap, 'id="openSwap.ccmPayload"')
  })

  it("open every shape that they name, with its members", () => {
    for (const [slug, page] of texts) {
      const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
      for (const [, id = ""] of page.matchAll(/href="#([^"]+)"/g)) assert.isTrue(ids.has(id), `${slug}#${id}`)
      assert.strictEqual([...page.matchAll(/ id="([^"]+)"/g)].length, ids.size, `${slug}: an id stands twice`)
    }
    const quotes = pageOf("Quotes")
    const members = Object.keys(contract.components.schemas["Quote"]?.properties ?? {})
    assert.isAbove(members.length, 10)
    const [, shape = ""] = quotes.split('id="shape-Quote"')
    for (const member of members) assert.include(shape.split("</details>")[0], `<code>${member}</code>`)
  })

  it("lead to parts of each other that are there", () => {
    for (const page of [`${overview}`, ...texts.values()]) {
      for (const [, slug = "", id] of page.matchAll(/href="\/docs\/([a-z-]+)(?:#([^"]+))?"/g)) {
        if (["settings", "try"].includes(slug)) continue
        const there = texts.get(slug) ?? assert.fail(`there is no /docs/${slug}`)
        if (id !== undefined) assert.include(there, `id="${id}"`)
      }
    }
  })

  it("have no field but that of the search, which shows no key", () => {
    for (const page of [`${overview}`, ...texts.values()]) {
      const names = [...page.matchAll(/<input (?!type="radio")[^>]*name="([^"]*)"/g)].map(([, name]) => name)
      assert.deepStrictEqual(names, ["q"])
      assert.notMatch(page, /(?:placeholder|value)="[A-Za-z0-9+/=_]{20,}"/)
    }
  })

  it("are small", () => {
    for (const [slug, page] of texts) assert.isAtMost(page.length, 160_000, slug)
    assert.isAtMost(`${overview}`.length, 20_000)
  })
})

describe("a schema in words", () => {
  const kinds: ReadonlyArray<readonly [JsonSchema, string]> = [
    [{ type: "string" }, "string"],
    [{}, "any value"],
    [{ enum: ["a", 2] }, "one of a, 2"],
    [{ enum: ["only"] }, "only"],
    [{ items: { $ref: "#/components/schemas/Quote" } }, "list of Quote"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string or null"],
    [{ prefixItems: [{ type: "string" }, { type: "integer" }] }, "list of string, then integer"],
  ]
  it.each(kinds)("is told: %o", (schema, expected) => assert.strictEqual(seen(`${kindOf(schema)}`), expected))

  it("has the members of objects within it behind theirs, and marks those that may be absent", () => {
    const inner = { type: "object", properties: { c: {} }, required: ["c"] }
    const schema = {
      properties: { a: inner, b: { items: inner }, d: { additionalProperties: inner } },
      required: ["a"],
    }
    assert.deepStrictEqual(
      membersOf(schema).map(({ name, required }) => `${name}${required ? "" : "?"}`),
      ["a", "a.c", "b?", "b[].c", "d?", "d*.c"],
    )
  })
})

describe("Markdown", () => {
  it("becomes HTML in which no text is a tag", () => {
    const text =
      "Text <script>x</script> `<b>` **bold & <i>**\n\n- one\n- `two`\n\n| a | b |\n|---|---|\n| 1 | <u> |\n\n```sh\na < b\n```"
    const page = `${markdown(text)}`
    assert.notMatch(page, /<(?:script|i|u)>/)
    for (
      const part of [
        "<code>&lt;b&gt;</code>",
        "<b>bold &amp; &lt;i&gt;</b>",
        "<li>one</li>",
        "<td>&lt;u&gt;</td>",
        "a &lt; b",
      ]
    ) {
      assert.include(page, part)
    }
  })
})
