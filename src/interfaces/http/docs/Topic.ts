import { path, type Url } from "../../pages/Url.ts"
import type { Entry } from "./operations.tsx"

/** A part of the documentation: a guide, or endpoints that belong together. */
export interface Topic {
  readonly name: string
  readonly group: string
  readonly text: string
  readonly slug: string
  readonly entries: ReadonlyArray<Entry>
}

export const placeOf = ({ slug }: Pick<Topic, "slug">): Url => path`/docs/${slug}`
