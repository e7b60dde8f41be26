import { Effect, Option } from "effect"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import type { Choice } from "../pages/forms.tsx"
import { type Html, type Url, withQuery } from "../pages/jsx-runtime.ts"
import { button, pager } from "../pages/parts.tsx"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { Overview } from "#providers/Overview.ts"
import type { PageRequest } from "./Page.ts"

/** The value of a filter, where it is given; a request with another value than the form offers is refused. */
export const readFilter = <A>(
  name: string,
  text: string | undefined,
  decode: (text: string) => Option.Option<A>,
) =>
  text === undefined ? Effect.undefined : Effect.mapError(
    Effect.fromOption(decode(text)),
    () => new InvalidRequest({ errors: issueAbout(name, "has a value that the form does not offer") }),
  )

const millisPerDay = 86_400_000
const wholeDay = /^\d{4}-\d{2}-\d{2}$/

const dayPlus = (after: number) => (text: string): Option.Option<EpochMillis> =>
  wholeDay.test(text) ? EpochMillis.makeOption(Date.parse(`${text}T00:00:00Z`) + after) : Option.none()

/** The beginning of a day (UTC). */
export const startOf = dayPlus(0)

/** The end of a day (UTC): the beginning of the one after it. */
export const endOf = dayPlus(millisPerDay)

/** The button that loads a list as a file for a spreadsheet, with its filters. */
export const csvButton = (
  here: Url,
  filters: Readonly<Record<string, string | number | undefined>> = {},
  label = "CSV",
): Html => button(label, withQuery(here, { ...filters, format: "csv" }))

/** The choice that filters nothing. */
export const any = (label: string): Choice => ({ value: "", label })

/** The enabled providers to choose from, by the names that people call them. */
export const providerChoices = Effect.map(
  Effect.flatMap(Overview, ({ all }) => all),
  (standings): ReadonlyArray<Choice> =>
    standings.map(({ contact, name }) => ({ value: name, label: contact.name })),
)

/** Words to choose from, each as it is. */
export const choices = (values: ReadonlyArray<string>): ReadonlyArray<Choice> =>
  values.map((value) => ({ value, label: value }))

/**
 * A list that comes in pages: the place in it that the address of the page names, and the links to the first and the
 * next of them, which keep the filters.
 */
export const pagesOf = <A extends string | number>(
  { query }: Pick<PageRequest<Viewer>, "query">,
  here: Url,
  read: (text: string) => Option.Option<A>,
  { filters = {}, name = "from" }: {
    readonly name?: string
    readonly filters?: Readonly<Record<string, string | number | undefined>>
  } = {},
) => {
  const offset = Option.getOrUndefined(read(query(name) ?? ""))
  return {
    offset: optionalMembers(offset, (offset) => ({ offset })),
    links: (next: A | undefined): Html =>
      pager({
        first: offset === undefined ? undefined : withQuery(here, filters),
        next: next === undefined ? undefined : withQuery(here, { ...filters, [name]: next }),
      }),
  }
}
