import { Effect, Option, Result } from "effect"
import { hasIssues, type Issues, noIssues } from "#domain/Issues.ts"
import { alreadyTold } from "#domain/RequestRules.ts"
import { EpochMillis } from "#domain/Time.ts"
import { accept, type RawParameters, type Reader } from "../requests/parameterIssues.ts"
import type { Failure } from "../requests/problems.ts"
import { actForm, checkbox, checkboxes, type Choice, field, hidden, pick, select } from "../pages/forms.tsx"
import { type Html, nothing, pathOf, type Url } from "../pages/jsx-runtime.ts"
import { type ButtonTone, folded, note } from "../pages/parts.tsx"
import type { Done, PagePath, PlainAct, Shown, SubmittedForm, Trouble } from "./Page.ts"

/** What a form is filled in with: what is there, or what was entered before with what was wrong with it. */
export interface Entered {
  /** The value of a field; `usual` where the form has none for it. */
  readonly value: (name: string, usual: string) => string
  readonly values: (name: string, usual: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly fault: (name: string) => string | undefined
}

/** A form that shows what is there. A list is of the boxes that are ticked. */
export const filled = (present: Readonly<Record<string, string | ReadonlyArray<string>>>): Entered => ({
  value: (name, usual) => {
    const value = present[name]
    return typeof value === "string" ? value : usual
  },
  values: (name, usual) => {
    const value = present[name]
    return value === undefined || typeof value === "string" ? usual : value
  },
  fault: () => undefined,
})

/** A new form. */
const untouched = filled({})

/** The first sentence about a field, without its name at the beginning, as it stands under the field's label. */
const faultOf = (errors: Issues, name: string): string | undefined => {
  const [first] = Object.hasOwn(errors, name) ? errors[name] ?? [] : []
  return first?.startsWith(`${name} `) === true ? first.slice(name.length + 1) : first
}

const enteredBefore = ({ field, fields }: SubmittedForm, { errors }: Trouble): Entered => ({
  value: (name) => field(name),
  values: (name) => fields(name),
  fault: (name) => faultOf(errors, name),
})

/** A field of a form: how it is shown, and what was entered in it as a body of the API has it. */
interface Field {
  readonly show: (name: string, entered: Entered, offered: ReadonlyArray<string> | undefined) => Html
  readonly read: (name: string, sent: SubmittedForm) => unknown
}

const asItIs = (text: string): unknown => text

interface Words {
  readonly label: string
  readonly hint?: string
  /** What stands in a new form. */
  readonly usual?: string
  /** What a text stands for in the body of the API. */
  readonly as?: (text: string) => unknown
}

/** A field of one line. What a form offers for it is its hint there: a sentence, and words that can be entered. */
export const text = (
  { as = asItIs, usual = "", ...words }: Words & {
    readonly required?: boolean
    readonly isPicture?: boolean
  },
): Field => ({
  show: (name, { fault, value }, [sentence, ...offered] = []) => {
    const hint = (
      <>
        {sentence}
        {offered.map((one) => (
          <>
            {" "}
            <code>{one}</code>
          </>
        ))}
      </>
    )
    const shown = { ...words, ...(sentence === undefined ? {} : { hint }) }
    return field({ ...shown, name, value: value(name, usual), fault: fault(name) })
  },
  read: (name, { field }) => as(field(name)),
})

/** A colour by the picker of the browser, which always has one: the box below says whether it counts. */
export const colour = (
  { tick, usual, ...words }: Words & { readonly tick: string; readonly usual: string },
): Field => ({
  show: (name, { fault, value, values }) => {
    const own = value(name, "")
    const checked = values(`${name}Set`, own === "" ? [] : ["yes"]).length > 0
    return (
      <div class="stack tight">
        {field({ ...words, name, type: "color", value: own === "" ? usual : own, fault: fault(name) })}
        {checkbox({ label: tick, name: `${name}Set`, checked })}
      </div>
    )
  },
  read: (name, { field, fields }) => fields(`${name}Set`).length > 0 ? field(name) : "",
})

/** A choice of one. Where a form offers only some, these are the choices. */
export const choice = (
  { as = asItIs, choices, named = (value) => value, usual = "", ...words }: Words & {
    readonly choices: ReadonlyArray<Choice>
    /** What a choice that a form offers is called. */
    readonly named?: (value: string) => string
  },
): Field => ({
  show: (name, { fault, value }, offered) =>
    select({
      ...words,
      name,
      choices: offered?.map((value) => ({ value, label: named(value) })) ?? choices,
      value: value(name, usual),
      fault: fault(name),
    }),
  read: (name, { field }) => as(field(name)),
})

/** Cards to choose one from, each with what it means, for a choice with consequences. */
export const cards = (
  { as = asItIs, choices, label, usual = "" }: Omit<Words, "hint"> & {
    readonly choices: ReadonlyArray<Choice & { readonly hint?: string }>
  },
): Field => ({
  show: (name, { fault, value }) =>
    pick({ legend: label, name, choices, value: value(name, usual), shape: "row", fault: fault(name) }),
  read: (name, { field }) => as(field(name)),
})

/** A box to tick, which stands for yes. */
export const tick = (
  { label, usual = false }: { readonly label: string; readonly usual?: boolean },
): Field => ({
  show: (name, { values }) =>
    checkbox({ label, name, checked: values(name, usual ? ["yes"] : []).length > 0 }),
  read: (name, { fields }) => fields(name).length > 0,
})

/** Boxes of which any number can be ticked. */
export const boxes = (
  {
    apart = { title: "", values: [] },
    as = (ticked) => ticked,
    choices,
    hint,
    legend,
    meanings = {},
    usual = [],
  }: {
    readonly legend: string
    readonly hint: string
    readonly choices: ReadonlyArray<string>
    /** Choices that few need, folded under a title. */
    readonly apart?: { readonly title: string; readonly values: ReadonlyArray<string> }
    /** What a choice means, beside its name. */
    readonly meanings?: Readonly<Record<string, string>>
    readonly usual?: ReadonlyArray<string>
    readonly as?: (ticked: ReadonlyArray<string>) => unknown
  },
): Field => ({
  show: (name, { fault, values }, offered = choices) => {
    const named = (isApart: boolean) =>
      offered.filter((value) => apart.values.includes(value) === isApart).map((value) => {
        const meaning = meanings[value]
        return { value, label: meaning === undefined ? value : `${value}: ${meaning}` }
      })
    return checkboxes({
      legend,
      name,
      choices: named(false),
      apart: { title: apart.title, choices: named(true) },
      checked: values(name, usual),
      hint,
      fault: fault(name),
    })
  },
  read: (name, { fields }) => as(fields(name)),
})

/** A value that the form sends along. */
export const fixed = (as = asItIs): Field => ({
  show: (name, { value }) => hidden(name, value(name, "")),
  read: (name, { field }) => as(field(name)),
})

type Fields = Readonly<Record<string, Field>>
/** What a form offers to choose from, by field, where that is less than there is. */
type Offers = Readonly<Record<string, ReadonlyArray<string>>>

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

/** The name of the field that makes a form count once, however often it is sent: by a double click, or by loading an answer again. */
export const onceField = "once"

/** The names of the parameters of a path. */
type NameIn<P extends string> = P extends `${infer Part}/${infer Rest}` ? NameIn<Part> | NameIn<Rest>
  : P extends `:${infer Name}` ? Name
  : never

/** Values for the parameters of a path. */
type ParametersOf<P extends string> = { readonly [Name in NameIn<P>]: string | number }

/** What a form looks like where it is shown. */
interface Look {
  /** Other fields than usual, of another form of the act. */
  readonly fields?: Fields
  readonly entered?: Entered
  readonly offers?: Offers
  readonly button?: string
  readonly tone?: ButtonTone
  /** Whether the fields stand beside each other where there is room. */
  readonly isLine?: boolean
  readonly cancel?: Url
  /** What is said before the fields. */
  readonly lead?: Html
}

/** An act with the form that leads to it, for values of the parameters of its path. */
export interface FormAct<P extends string, R> extends PlainAct<R> {
  readonly form: (parameters: ParametersOf<P>, look?: Look) => Html
}

/** What is said of every act. */
interface Described<P extends PagePath, Said extends string> extends Pick<PlainAct<never>, "scope"> {
  readonly path: P
  readonly button: string
  readonly tone?: ButtonTone
  readonly fields?: Fields
  /** Fields that few need: they are folded under a title unless something is entered in one. */
  readonly apart?: { readonly title: string; readonly names: ReadonlyArray<string> }
  /** What another form of the act sends. */
  readonly also?: Fields
  /** Whether a form counts once, however often it is sent. */
  readonly once?: boolean
  readonly done?: Readonly<Record<Said, string>>
  /** The form by itself, with what was wrong with it. Secrets are not in it. */
  readonly again?: PageOfForm & {
    readonly offers?: (sent: SubmittedForm) => Effect.Effect<Offers>
  }
  /** What an act that cannot be undone says before it is done: its form has to be sent once more from that page. */
  readonly confirm?: PageOfForm & { readonly lead: string }
}

/** The title of a page that is one form, and its link back. */
interface PageOfForm {
  readonly title: string
  readonly back: string
  readonly backTo: (sent: SubmittedForm) => Url
}

/** The name of the field with which the page of a confirmation sends a form once more. */
const confirmedField = "confirmed"

const pageOfForm = (
  { back, backTo, title }: PageOfForm,
  sent: SubmittedForm,
  before: Html,
  form: Html,
): Shown => ({
  title,
  crumb: <a href={backTo(sent)}>{back}</a>,
  body: [before, <section aria-label={title}>{form}</section>],
})

type Answer<Said extends string, R> = Effect.Effect<Done<Said> | Shown, Failure, R>

/** A form that was sent, with what was entered in its fields as a body of the API has it. */
export interface Submitted extends SubmittedForm {
  /** Fields that are empty are left out. It is read once the act knows whom it is about. */
  readonly entered: RawParameters
}

/** An act and its form, of one description. */
export const formAction = <const P extends PagePath, R, Said extends string = never>(
  described: Described<P, Said> & { readonly run: (sent: Submitted) => Answer<Said, R> },
): FormAct<P, R> => {
  const {
    again,
    also,
    apart = { title: "", names: [] },
    button,
    confirm,
    done,
    fields: usual = {},
    once = false,
    path,
    run,
    scope,
    tone = "plain",
  } = described
  const formAt = (
    to: Url,
    { entered = untouched, fields = usual, offers = {}, lead = nothing, ...look }: Look = {},
  ) => {
    const isApart = (name: string) => apart.names.includes(name)
    const isEntered = (name: string) => entered.fault(name) !== undefined || entered.value(name, "") !== ""
    const show = (isFolded: boolean) =>
      Object.entries(fields).filter(([name]) => isApart(name) === isFolded)
        .map(([name, { show }]) => show(name, entered, offers[name]))
    return actForm({ to, button, tone, ...look }, [
      lead,
      ...show(false),
      apart.names.length === 0
        ? nothing
        : folded(apart.title, <div class="form">{show(true)}</div>, "apart", apart.names.some(isEntered)),
      once ? hidden(onceField, crypto.randomUUID()) : nothing,
    ])
  }
  const read = Object.entries({ ...usual, ...also })
  const enteredIn = (sent: SubmittedForm) =>
    given(Object.fromEntries(read.map(([name, { read }]) => [name, read(name, sent)])))
  const confirmation = (page: PageOfForm & { readonly lead: string }, sent: SubmittedForm) => {
    const form = formAt(pathOf(path, sent.param), {
      entered: enteredBefore(sent, { errors: noIssues, detail: "" }),
      lead: hidden(confirmedField, "yes"),
    })
    return pageOfForm(page, sent, note("warn", { text: page.lead }), form)
  }
  return {
    path,
    run: (sent) =>
      confirm !== undefined && sent.field(confirmedField) === ""
        ? Effect.succeed(confirmation(confirm, sent))
        : run({ ...sent, entered: enteredIn(sent) }),
    ...(scope === undefined ? {} : { scope }),
    ...(done === undefined ? {} : { done }),
    form: (parameters, look) => {
      const values: Readonly<Record<string, string | number>> = parameters
      return formAt(pathOf(path, (name) => values[name] ?? ""), look)
    },
    ...(again === undefined ? {} : {
      again: (sent: SubmittedForm, trouble: Trouble) =>
        Effect.map(again.offers?.(sent) ?? Effect.succeed({}), (offers) =>
          pageOfForm(
            again,
            sent,
            note("bad", {
              text: hasIssues(trouble.errors)
                ? "Nothing was changed. Correct the fields below."
                : trouble.detail,
            }),
            formAt(pathOf(path, sent.param), {
              entered: enteredBefore(sent, trouble),
              offers,
            }),
          )),
    }),
  }
}
