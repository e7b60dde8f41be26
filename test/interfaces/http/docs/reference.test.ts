import { assert, describe, it } from "@effect/vitest"
import type { JsonSchema } from "#api/document/Contract.ts"
import { guides } from "#api/document/guides.ts"
import { rowsOf } from "#infrastructure/config/pageOrder.ts"
import { everySetting } from "#settings.ts"
import { contract as contractWithSandbox } from "#tools/client/packages.ts"
import { markdown } from "#interfaces/http/docs/markdown.tsx"
import { entriesOf, operationsOf } from "#interfaces/http/docs/operations.tsx"
import { makeReference } from "#interfaces/http/docs/reference.tsx"
import { kindOf, membersOf } from "#interfaces/http/docs/schemas.tsx"

const contract = contractWithSandbox()
const { found, pages } = makeReference(contract, "", rowsOf(everySetting.variables), "sandbox")
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

const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

const pageOf = (slug: string): string => texts.get(slug) ?? assert.fail(`there is no /docs/${slug}`)

/** The page of an operation: its own, or that of its topic where it is alone there. */
const pageOfOperation = (id: string, tag: string): string => {
  const own = [...texts].find(([slug, page]) =>
    slug.startsWith(`${slugOf(tag)}`) && page.includes(`id="op-${id}"`)
  )
  return own?.[1] ?? assert.fail(`${id} has no page`)
}

describe("the pages of the documentation", () => {
  it("are one for each guide, topic, call and schema, at paths of their own", () => {
    for (const taken of ["try", "style.css", "script.js", "icon.svg"]) {
      assert.isFalse(texts.has(taken))
    }
    const entries = entriesOf(operationsOf(contract))
    const isAlone = (tag: string) => entries.filter(([first]) => first.tag === tag).length === 1
    const ofGuides = new Map(guides.map(({ description, name }) => [name, description]))
    for (const { description: ofTag = "", name } of contract.tags) {
      const page = seen(pageOf(slugOf(name)))
      const description = ofGuides.get(name) ?? ofTag
      for (const word of isAlone(name) ? [] : wordsOf(description)) assert.include(page, word, name)
    }
    assert.strictEqual(
      texts.size,
      contract.tags.length + entries.filter(([{ tag }]) => !isAlone(tag)).length +
        Object.keys(contract.components.schemas).length +
        ["", "reference", "operator-api", "schemas", "settings", "changelog"].length,
    )
  })

  it("say all that the document says of an endpoint: call, texts, parameters, bodies, answers", () => {
    const operations = operationsOf(contract)
    assert.isAbove(operations.length, 90)
    for (
      const { answers, body, description, id, isDeprecated, method, parameters, path, samples, summary, tag }
        of operations
    ) {
      const page = pageOfOperation(id, tag)
      const text = seen(page)
      for (const said of [path, ...answers.map(([status]) => status)]) assert.include(text, said, id)
      // A POST that is told with the GET of its path stands on the page of that.
      if (!isTogether(path)) assert.include(text, summary, id)
      for (const { name, schema } of parameters) {
        assert.include(text, name.replace(/^(affiliate)\d/, "$11…4"), id)
        assert.match(page, new RegExp(`id="\\w+\\.${name.replace(/[2-4]/, "1")}"`), id)
        for (const word of wordsOf(schema.description ?? "")) assert.include(text, word, id)
      }
      for (const word of wordsOf(description)) assert.include(text, word, id)
      if (method === "POST" || !isTogether(path)) {
        for (const { source } of samples) assert.include(text, seen(source.replaceAll("<", "&lt;")), id)
      }
      if (!isTogether(path)) { for (const type of Object.keys(body)) assert.include(text, type, id) }
      assert.match(page, new RegExp(`<span class="verb \\w+"[^>]*>${method}</span>`), id)
      assert.strictEqual(text.includes("Deprecated"), isDeprecated, id)
    }
  })

  it("tell GET and POST of one path together, where both take the same", () => {
    const swap = pageOf("swap")
    for (const id of ["op-openSwap", "op-openSwapByPost"]) assert.include(swap, `id="${id}"`)
    assert.isBelow(swap.indexOf(">POST<"), swap.indexOf(">GET<"))
    assert.isBelow(
      swap.indexOf('id="openSwap.Idempotency-Key"'),
      swap.indexOf('id="openSwap.destinationAsset"'),
    )
    assert.include(swap, 'id="openSwap.ccmPayload"')
  })

  it("group what an opening takes, and show first how to open a quote, so that a repeat is safe", () => {
    const page = pageOf("swap")
    const titles = [...page.matchAll(/<h3>([^<]+)/g)].map(([, title]) => title)
    assert.deepStrictEqual(titles, [
      "Safe repeat",
      "What to swap",
      "Addresses",
      "Price limit",
      "Fees",
      "More",
    ])
    const [request = ""] = seen(page.split('class="show"')[1] ?? "").split("Response 200")
    for (const part of ["Idempotency-Key: $(uuidgen)", "crypto.randomUUID()", "str(uuid.uuid4())"]) {
      assert.include(request, part)
    }
    assert.strictEqual(request.match(/"?quoteId"?: "QUOTE_ID"/g)?.length, 3)
  })

  it("mark the amounts of which one is required, where no quote has it", () => {
    const marks = (page: string) => seen(page).match(/one of amount, amountOut is required/g) ?? []
    assert.lengthOf(marks(pageOf("quotes/get-quotes")), 2)
    assert.isEmpty(marks(pageOf("swap")))
  })

  it("keep the operator's calls apart from those of integrators", () => {
    assert.notInclude(pageOf("reference"), "/operator/accounts")
    assert.include(pageOf("operator-api"), "/operator/accounts")
  })

  it("have no id twice, and have the members of every schema", () => {
    for (const [slug, page] of texts) {
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      assert.strictEqual(new Set(ids).size, ids.length, `${slug}: an id stands twice`)
      for (const [, id = ""] of page.matchAll(/href="#([^"]+)"/g)) assert.include(ids, id, slug)
    }
    for (const [name, { properties = {} }] of Object.entries(contract.components.schemas)) {
      const page = pageOf(`schemas/${name}`)
      for (const member of Object.keys(properties)) assert.include(page, `<code>${member}</code>`, name)
    }
  })

  it("lead to parts of each other that are there", () => {
    for (const page of texts.values()) {
      for (const [, slug = "", id] of page.matchAll(/href="\/docs\/([\w-]+(?:\/[\w-]+)?)(?:#([^"]+))?"/g)) {
        if (slug === "try") continue
        const there = pageOf(slug)
        if (id !== undefined) assert.include(there, `id="${id}"`)
      }
    }
  })

  it("have no field but that of the search, which shows no key", () => {
    for (const page of texts.values()) {
      const names = [...page.matchAll(/<input (?!type="radio")[^>]*name="([^"]*)"/g)].map(([, name]) => name)
      assert.deepStrictEqual(names, ["q"])
      assert.notMatch(page, /(?:placeholder|value)="[A-Za-z0-9+/=_]{20,}"/)
    }
  })

  it("are small, each of them", () => {
    const bytesOf = (page: string) => new TextEncoder().encode(page).length
    const large = [...texts].filter(([, page]) => bytesOf(page) > 60_000).map(([slug]) => slug)
    assert.deepStrictEqual(large, [])
    for (const query of ["swap", "a", "the"]) assert.isAtMost(bytesOf(`${found(query)}`), 60_000)
  })
})

describe("the search", () => {
  const resultsOf = (query: string) => seen(`${found(query)}`.split("<main")[1] ?? "")

  it("shows pages with the words in their title first, then parts, schemas and the operator's calls, with how many there are", () => {
    const text = resultsOf("deposit")
    const places = ["Open a deposit channel Call · ", "Guide · ", "Deposit Schema", "Operator API · "].map((
      kind,
    ) => text.indexOf(kind))
    assert.deepStrictEqual(places, places.toSorted((one, other) => one - other))
    assert.isAbove(Math.min(...places), 0)
    assert.match(text, /Show all \d+|Show the first \d+/)
    assert.match(resultsOf("minimumPrice"), /^.{0,80}minimumPrice Parameter · GET/)
    assert.match(text, /\d+ results/)
    assert.match(resultsOf("gevent"), /0 results/)
  })

  it("keeps what was asked in its field", () => {
    assert.match(`${found("refund <b>")}`, /<input id="search"[^>]* value="refund &lt;b&gt;"/)
  })

  it("cuts texts between words, and shows alike parameters of several calls as one result", () => {
    const page = `${found("slippage")}`
    const whole = seen([...texts.values()].join(" ")).replaceAll(/[`*]/g, "")
    for (const [, excerpt = ""] of page.matchAll(/<li><a.*?<p>(.*?)<\/p><\/li>/g)) {
      const words = seen(excerpt).replaceAll("…", "").trim().split(" ")
      for (const word of [words[0], words.at(-1)]) assert.include(whole, ` ${word}`.trim(), excerpt)
    }
    assert.lengthOf(page.match(/>rank<\/code>/g) ?? [], 0)
    assert.lengthOf(`${found("order of the quotes")}`.match(/rank<\/code><\/a>/g) ?? [], 1)
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
