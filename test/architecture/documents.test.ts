import { assert, describe, it } from "@effect/vitest"
import { documentAt, documents, hasFile, modules, modulesAndTests } from "./support/source.ts"

/** Longer documents, each with the lines that it may have. */
const mostLines: Readonly<Record<string, number>> = {
  "README.md": 120,
  "src/README.md": 112,
  "test/README.md": 96,
  "src/sandbox/README.md": 93,
  "src/providers/README.md": 170,
  "src/api/README.md": 100,
}

/** Places at which the document that a comment names may lie: beside src, beside a provider, beside the file. */
const placesOf = (name: string, path: string): ReadonlyArray<string> => [
  name,
  `src/${name}`,
  `src/providers/${name}`,
  new URL(name, `file:///${path}`).pathname.slice(1),
]

/** The names by which links reach the headings of a document, as GitHub makes them. */
const anchorsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-")
  )

describe("the documents", () => {
  it("are there for every room of src", () => {
    const folders = new Set(
      modules.map(({ path }) => path.split("/")).filter(({ length }) => length > 2)
        .map(([, room = ""]) => room),
    )
    const missing = [...folders].filter((room) => documentAt(`src/${room}/README.md`) === undefined)
    assert.deepStrictEqual(missing, [])
  })

  it("are short enough to be read", () => {
    const tooLong = documents.filter(({ path }) => path.endsWith("README.md"))
      .filter(({ path, lines }) => lines > (mostLines[path] ?? 80))
      .map(({ path, lines }) => `${path}: ${lines} lines`)
    assert.deepStrictEqual(tooLong, [])
  })

  it("are in the repository where a comment names one", () => {
    const missing = modulesAndTests.flatMap(({ path, text }) =>
      [...text.matchAll(/(?<![\w./*])[\w./-]+\.md\b/g)].map(([name]) => name)
        .filter((name) => placesOf(name, path).every((place) => documentAt(place) === undefined))
        .map((name) => `${path}: ${name}`)
    )
    assert.deepStrictEqual(missing, [])
  })

  it("lead to files that are there", () => {
    const dead = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)#:\s]+)\)/g)].map(([, to = ""]) =>
        new URL(to, `file:///${path}`).pathname.slice(1)
      )
        // Pages of the documentation are found by its own tests.
        .filter((to) => !hasFile(to) && !/^(?:docs\/|openapi\.json|llms\.txt)/.test(to))
        .map((to) => `${path}: ${to}`)
    )
    assert.deepStrictEqual(dead, [])
  })

  it("lead to headings that are there", () => {
    const dead = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)#:\s]*)#([^)\s]+)\)/g)].flatMap(([link, to = "", heading = ""]) => {
        const other = documentAt(to === "" ? path : new URL(to, `file:///${path}`).pathname.slice(1))
        return other === undefined || anchorsOf(other.text).includes(heading) ? [] : [`${path}: ${link}`]
      })
    )
    assert.deepStrictEqual(dead, [])
  })

  it("have every decision of the contract that a comment cites", () => {
    const decisions = [...(documentAt("src/api/README.md")?.text ?? "").matchAll(/^(\d+)\. /gm)]
      .map(([, number = ""]) => number)
    const cited = modulesAndTests.flatMap(({ path, text }) =>
      [...text.matchAll(/\bdecisions? (\d+(?:(?:, | and | to )\d+)*)/g)]
        .flatMap(([, numbers = ""]) => numbers.match(/\d+/g) ?? [])
        .filter((number) => !decisions.includes(number))
        .map((number) => `${path}: decision ${number}`)
    )
    assert.deepStrictEqual(cited, [])
  })
})
