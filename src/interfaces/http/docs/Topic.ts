import type { Contract } from "#api/document/Contract.ts"
import { guides, slugOf } from "#api/document/guides.ts"
import { path, type Url } from "../../pages/jsx-runtime.ts"
import { entriesOf, type Entry, type Operation, operationsOf } from "./operations.tsx"

/** An entry with the place of its page. */
export interface Call {
  readonly entry: Entry
  readonly first: Operation
  /** The path below that of the documentation. */
  readonly slug: string
  readonly to: Url
}

/** A part of the documentation: a guide, or calls that belong together. */
export interface Topic {
  readonly name: string
  readonly group: string
  readonly text: string
  readonly slug: string
  readonly to: Url
  readonly calls: ReadonlyArray<Call>
}

/** The group of topics that are no part of an integration. */
export const operatorGroup = "Operator API"

/** The topics in the order of their groups, in which readers go through them. A call that is alone is the page of its topic. */
export const topicsOf = (contract: Contract): ReadonlyArray<Topic> => {
  const operations = operationsOf(contract)
  // A guide comes last: the document that is sent has its address in the place of its text.
  const texts = new Map(
    [...contract.tags, ...guides].map(({ description = "", name }) => [name, description] as const),
  )
  return contract["x-tagGroups"].flatMap(({ name: group, tags }) =>
    tags.map((name) => {
      const slug = slugOf(name)
      const to = path`/docs/${slug}`
      const entries = entriesOf(operations.filter(({ tag }) => tag === name))
      const calls = entries.map((entry): Call => {
        const [first] = entry
        if (entries.length === 1) return { entry, first, slug, to }
        const own = first.id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
        return { entry, first, slug: `${slug}/${own}`, to: path`/docs/${slug}/${own}` }
      }).toSorted((one, other) => Number(one.first.isDeprecated) - Number(other.first.isDeprecated))
      return { name, group, text: texts.get(name) ?? "", slug, to, calls }
    })
  )
}
