import { Effect, Option } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Account } from "#domain/accounts/Account.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { InvalidRequest, issueAbout, type Issues } from "#domain/Issues.ts"
import type { Scope } from "#domain/accounts/Key.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { Integrator, Operator, Viewer } from "#domain/accounts/Viewer.ts"
import type { Failure } from "../requests/problems.ts"
import { type Html, type Url, withQuery } from "../pages/jsx-runtime.ts"
import type { Head } from "../pages/layout.tsx"
import type { NavPlace } from "./navigation.ts"
import type { Choice } from "../pages/forms.tsx"
import { button, pager } from "../pages/parts.tsx"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { Overview } from "#providers/Registry.ts"

/** The path of every page begins so. */
export const root = "/dashboard"
export type PagePath = typeof root | `${typeof root}/${string}`

/** The account that a page is about. */
export type Owner = Pick<Account, "id" | "name">

/** A request for a page, by somebody who may see it. */
export interface PageRequest<V extends Viewer> {
  readonly viewer: V
  /** The value of a parameter of the path; empty where the path has none of this name. */
  readonly param: (name: string) => string
  /** The first value of a parameter of the query, without spaces around it; undefined where it is empty. */
  readonly query: (name: string) => string | undefined
  readonly now: EpochMillis
}

/** What a page shows: its head and its body. */
export interface Shown extends Head {
  readonly body: Html | ReadonlyArray<Html>
}

/** Where a page leads in place of showing something: to the one thing that was searched for. */
export interface Elsewhere {
  readonly to: Url
}

/** Something by kind of viewer, so that no operator's part can be shown to an integrator. */
export interface ForViewers<A, R> {
  readonly operator: (asked: PageRequest<Operator>) => Effect.Effect<A, Failure, R>
  readonly integrator?: (asked: PageRequest<Integrator>) => Effect.Effect<A, Failure, R>
}

export interface Page<R> extends ForViewers<Shown | Elsewhere, R> {
  readonly path: PagePath
  /** Its place in the navigation, where it has one. */
  readonly nav?: NavPlace
  /** The place that is current on a page without one, where that is not the place of the page that it is below. */
  readonly within?: NavPlace
  /** Whether the link is for integrators only: operators come to the same by the page of an account. */
  readonly navOfIntegrators?: boolean
  /** Its list as a file for a spreadsheet: the answer to the page's address with `format=csv`, with the same filters. */
  readonly csv?: ForViewers<HttpServerResponse.HttpServerResponse, R>
  /** What it is about as a file to keep: the answer to the page's address with `format=json`. */
  readonly json?: ForViewers<HttpServerResponse.HttpServerResponse, R>
  /** A picture on it: the answer to the page's address with `format=picture`. */
  readonly picture?: ForViewers<HttpServerResponse.HttpServerResponse, R>
}

/** A form that was sent, by an operator whose key has the scope that it takes. */
export interface SubmittedForm extends PageRequest<Operator> {
  /** The host that the browser names. */
  readonly host: string | undefined
  /** The value of a field, without spaces around it; empty where there is none. */
  readonly field: (name: string) => string
  /** All values of a field, such as of boxes that are ticked. */
  readonly fields: (name: string) => ReadonlyArray<string>
  /** Who acts, for the audit log. */
  readonly by: Actor
}

/** Where the browser goes after a form, and which of the act's sentences is said there. */
export interface Done<Said extends string = string> {
  readonly to: Url
  readonly said: Said
}

/** What was wrong with a form: sentences by field, and one that says it for the whole form. */
export interface Trouble {
  readonly errors: Issues
  readonly detail: string
}

/** A form's target. Only operators change anything. */
interface ActBase<R> {
  readonly path: PagePath
  /** The scope that the operator's key needs besides `operate`: the key of the session, or the one that was entered. */
  readonly scope?: Scope
  /**
   * What a page says after the act, by the names that addresses have for it: fixed texts, so that no link can make a
   * page say something else.
   */
  readonly done?: Readonly<Record<string, string>>
  /** Leads elsewhere, or shows something that is seen this once: a secret. */
  readonly run: (sent: SubmittedForm) => Effect.Effect<Done | Shown, Failure, R>
}

/** The form once more, with what was wrong and everything that was entered, but for a key. */
type Again<R> = (sent: SubmittedForm, trouble: Trouble) => Effect.Effect<Shown, Failure, R>

/** A form that is acted on for whoever is signed in. */
export interface PlainAct<R> extends ActBase<R> {
  readonly asksKey?: false
  readonly again?: Again<R>
}

/**
 * A form that moves money, or decides about it: it takes the operator's key once more (`confirm.ts`), as a session alone
 * may have been left open or stolen. Who acts is the key that was entered.
 */
export interface KeyAct<R> extends ActBase<R> {
  readonly asksKey: true
  readonly again: Again<R>
}

export type Act<R> = PlainAct<R> | KeyAct<R>

type Files = "csv" | "json" | "picture"

/** A page, with the services that it and its files ask told from what they do. */
export const page = <R, F = never>(page: Omit<Page<R>, Files> & Pick<Page<F>, Files>): Page<R | F> => page

/** A form that asks for the key once more, likewise. */
export const keyAct = <R, A>(
  described: Omit<KeyAct<R>, "again" | "asksKey"> & { readonly again: Again<A> },
): KeyAct<R | A> => ({ ...described, asksKey: true })

/** The same for each kind of viewer, about the viewer's own account. */
const ownOf = <A, R>(
  about: (account: Owner, asked: PageRequest<Viewer>) => Effect.Effect<A, Failure, R>,
) => ({
  operator: (asked: PageRequest<Operator>) => about(asked.viewer.caller, asked),
  integrator: (asked: PageRequest<Integrator>) => about(asked.viewer.account, asked),
})

/** A page about the viewer's own account, which is in the navigation of integrators, and its list as a file. */
export const ownPage = <R, F = never>(
  { file, show, ...page }: Pick<Page<R>, "path" | "nav"> & {
    readonly show: (account: Owner, asked: PageRequest<Viewer>) => Effect.Effect<Shown, Failure, R>
    readonly file?: (
      account: Owner,
      asked: PageRequest<Viewer>,
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Failure, F>
  },
): Page<R | F> => ({
  ...page,
  navOfIntegrators: true,
  ...ownOf(show),
  ...(file === undefined ? {} : { csv: ownOf(file) }),
})

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
