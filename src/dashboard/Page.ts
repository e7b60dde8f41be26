import type { Effect } from "effect"
import type { Issues } from "../domain/Issues.ts"
import type { Scope } from "../domain/Key.ts"
import type { EpochMillis } from "../domain/Time.ts"
import type { Integrator, Operator, Viewer } from "../domain/Viewer.ts"
import type { Failure } from "../requests/problems.ts"
import type { Html } from "../pages/html.ts"
import type { Url } from "../pages/Url.ts"
import type { DoneMessage } from "./doneMessages.ts"

/** The path of every page begins so. */
export const root = "/dashboard"
type PagePath = typeof root | `${typeof root}/${string}`

/** A request for a page, by somebody who may see it. */
export interface Asked<V extends Viewer> {
  readonly viewer: V
  /** The value of a parameter of the path; empty where the path has none of this name. */
  readonly param: (name: string) => string
  /** The first value of a parameter of the query, without spaces around it; undefined where it is empty. */
  readonly query: (name: string) => string | undefined
  readonly now: EpochMillis
}

/** What a page shows. */
export interface Shown {
  readonly title: string
  readonly body: Html | ReadonlyArray<Html>
  /** Links above the heading that lead back. */
  readonly above?: Html
}

/**
 * A page. Each kind of viewer has a function of its own, which gets that viewer: a page of the operator's cannot be
 * shown to an integrator by mistake, and the page of an integrator has nothing but the account to ask the services
 * with. Without `integrator` the page does not exist for integrators.
 */
export interface Page<R> {
  readonly path: PagePath
  /** The words of its link in the navigation, where it has one. */
  readonly nav?: string
  /** Whether the link is for integrators only: operators come to the same by the page of an account. */
  readonly navOfIntegrators?: boolean
  readonly operator: (asked: Asked<Operator>) => Effect.Effect<Shown, Failure, R>
  readonly integrator?: (asked: Asked<Integrator>) => Effect.Effect<Shown, Failure, R>
}

/** A form that was sent, by an operator whose key has the scope that it takes. */
export interface Sent extends Asked<Operator> {
  /** The host that the browser names. */
  readonly host: string | undefined
  /** The value of a field, without spaces around it; empty where there is none. */
  readonly field: (name: string) => string
  /** All values of a field, such as of boxes that are ticked. */
  readonly fields: (name: string) => ReadonlyArray<string>
}

/** Where the browser goes after a form, and what is said there. */
export interface Done {
  readonly to: Url
  readonly said: DoneMessage
}

/** What was wrong with a form: sentences by field, and one that says it for the whole form. */
export interface Trouble {
  readonly errors: Issues
  readonly detail: string
}

/** A form's target. Only operators change anything. */
export interface Act<R> {
  readonly path: PagePath
  /** The scope that the operator's key needs besides `operate`. */
  readonly scope?: Scope
  /** Leads elsewhere, or shows something that is seen this once: a secret. */
  readonly run: (sent: Sent) => Effect.Effect<Done | Shown, Failure, R>
  /** The form once more, with what was wrong and everything that was entered. */
  readonly again?: (sent: Sent, trouble: Trouble) => Shown
}
