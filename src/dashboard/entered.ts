import { Option, Result } from "effect"
import { hasIssues, type Issues } from "../domain/Issues.ts"
import { EpochMillis } from "../domain/Time.ts"
import { alreadyTold } from "../domain/RequestRules.ts"
import { accept, type RawParameters, type Reader } from "../requests/parameterIssues.ts"
import { hidden } from "../pages/forms.ts"
import { type Html, html } from "../pages/html.ts"
import { notice } from "../pages/parts.ts"
import type { Url } from "../pages/Url.ts"
import type { Sent, Shown, Trouble } from "./Page.ts"

/** What a form is filled in with: what is there, or what was entered before with what was wrong with it. */
export interface Entered {
  /** What was entered in a field; `present` where the form is new. */
  readonly value: (name: string, present?: string) => string
  readonly values: (name: string, present: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly fault: (name: string) => string | undefined
}

/** A new form. */
export const untouched: Entered = {
  value: (_, present = "") => present,
  values: (_, present) => present,
  fault: () => undefined,
}

/** The first sentence about a field, without its name at the beginning, as it stands under the field's label. */
const faultOf = (errors: Issues, name: string): string | undefined => {
  const [first] = Object.hasOwn(errors, name) ? errors[name] ?? [] : []
  return first?.startsWith(`${name} `) === true ? first.slice(name.length + 1) : first
}

const enteredBefore = ({ field, fields }: Sent, { errors }: Trouble): Entered => ({
  value: (name) => field(name),
  values: (name) => fields(name),
  fault: (name) => faultOf(errors, name),
})

/** A form by itself, with what was wrong with it. What was entered is in it, secrets aside. */
export const again = (
  { back, backTo, form, title }: {
    readonly title: string
    readonly backTo: (sent: Sent) => Url
    readonly back: string
    readonly form: (sent: Sent, entered: Entered) => Html
  },
) =>
(sent: Sent, trouble: Trouble): Shown => ({
  title,
  above: html`<a href="${backTo(sent)}">${back}</a>`,
  body: [
    notice("bad", hasIssues(trouble.errors) ? "Nothing was changed: see the fields below." : trouble.detail),
    html`<section aria-label="${title}">${form(sent, enteredBefore(sent, trouble))}</section>`,
  ],
})

/** The name of the field of `once`. */
export const onceField = "once"

/** A field that makes a form count once, however often it is sent: by a double click, or by loading an answer again. */
export const once = (): Html => hidden(onceField, crypto.randomUUID())

/** A whole number, or the text as it is, which the schema then refuses. */
export const numberOr = (text: string): number | string => /^\d{1,15}$/.test(text) ? Number(text) : text

/** `true` and `false` as the API has them, or the text as it is. */
export const truth = (text: string): boolean | string =>
  text === "true" ? true : text === "false" ? false : text

/** A moment that was entered as a day or as a time of UTC: `2030-01-31`, `2030-01-31 12:00`. */
export const momentOr = (text: string): number | string => {
  const form = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/.test(text)
  const millis = form ? Date.parse(`${text.replace(" ", "T")}${text.length === 10 ? "T00:00" : ""}Z`) : NaN
  return Option.match(EpochMillis.makeOption(millis), { onNone: () => text, onSome: Number })
}

/** The values that were entered, with those left out that are empty. */
export const given = (values: RawParameters): RawParameters =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== undefined))

/**
 * Reads what was entered by the schema of the API, with the rules that the API has for it, or fails with all that is
 * wrong.
 */
export const readEntered = <Whole extends Part, Part>(
  reader: Reader<Whole, Part>,
  rules: (values: Part) => ReadonlyArray<Issues> = () => [],
) =>
(raw: RawParameters) => {
  const whole = reader.whole(raw)
  if (Option.isSome(whole)) return accept(rules(whole.value), Result.succeed(whole.value))
  const { issues, values } = reader.part(raw)
  return accept([issues, ...rules(values)], alreadyTold)
}
