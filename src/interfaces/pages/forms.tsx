import type { Html, Url } from "./jsx-runtime.ts"
import type { ButtonTone } from "./parts.tsx"

/** What is wrong with a field. */
const faultLine = (fault: string | undefined): Html => (
  <>{fault !== undefined && <small class="fault">{fault}</small>}</>
)

/** The hint of a field, once: not where the fault says the same. */
const hintLine = (hint: Html | string | undefined, fault = ""): Html =>
  <>{hint !== undefined && !fault.includes(`${hint}`) && <small class="soft">{hint}</small>}</>

/** A field of one line, under its label. `fault` says what was wrong with what was entered before. */
export const field = (
  { label, name, value = "", type = "text", hint, required = false, autocomplete = "off", fault, isPicture }:
    {
      readonly label: string
      readonly name: string
      readonly value?: string
      readonly type?: "text" | "password" | "color"
      /** Whether the text is a picture as a data URL, which the page's script takes out of a file. */
      readonly isPicture?: boolean
      readonly hint?: Html | string
      readonly required?: boolean
      readonly autocomplete?: string
      readonly fault?: string | undefined
    },
): Html =>
  <label class="field">
    {label}
    <input
      type={type}
      name={name}
      value={value}
      spellcheck="false"
      required={required}
      autocomplete={autocomplete}
      aria-invalid={fault === undefined ? undefined : "true"}
      data-picture={isPicture}
    />
    {faultLine(fault)}
    {hintLine(hint, fault)}
  </label>

/** A choice of one. */
export interface Choice {
  readonly value: string
  readonly label: string
}

const options = (choices: ReadonlyArray<Choice>, chosen: string): ReadonlyArray<Html> =>
  choices.map(({ label, value }) => <option value={value} selected={value === chosen}>{label}</option>)

/** A list to choose one from, under its label. */
export const select = (
  { label, name, choices, value = "", hint, fault }: {
    readonly label: string
    readonly name: string
    readonly choices: ReadonlyArray<Choice>
    readonly value?: string
    readonly hint?: string
    readonly fault?: string | undefined
  },
): Html =>
  <label class="field">
    {label}
    <select name={name} aria-invalid={fault === undefined ? undefined : "true"}>
      {options(choices, value)}
    </select>
    {faultLine(fault)}
    {hintLine(hint, fault)}
  </label>

/** Cards to choose one from, each with what it means, for a choice with consequences. The present one is chosen. */
export const pick = (
  { legend, name, choices, value, shape = "column", fault }: {
    readonly legend: string
    readonly name: string
    readonly choices: ReadonlyArray<Choice & { readonly hint?: string }>
    readonly value: string
    readonly shape?: "column" | "row"
    readonly fault?: string | undefined
  },
): Html => (<fieldset class={`pick ${shape}`}>
  <legend>{legend}</legend>
  {choices.map((choice) => (
    <label>
      <input type="radio" name={name} value={choice.value} checked={choice.value === value} />
      <span>{choice.label}{hintLine(choice.hint)}</span>
    </label>
  ))}
  {faultLine(fault)}
</fieldset>)

/** A box to tick. */
export const checkbox = (
  { label, name, value = "yes", checked = false }: {
    readonly label: Html | string
    readonly name: string
    readonly value?: string
    readonly checked?: boolean
  },
): Html =>
  <label class="check">
    <input type="checkbox" name={name} value={value} checked={checked} />
    <span>{label}</span>
  </label>

/** Boxes of which any number can be ticked, under one legend. */
export const checkboxes = (
  { legend, name, choices, apart = { title: "", choices: [] }, checked, hint, fault }: {
    readonly legend: string
    readonly name: string
    readonly choices: ReadonlyArray<Choice>
    /** Choices that few need, folded with the hint unless one is ticked. */
    readonly apart?: { readonly title: string; readonly choices: ReadonlyArray<Choice> }
    readonly checked: ReadonlyArray<string>
    readonly hint?: string
    readonly fault?: string | undefined
  },
): Html => {
  const isTicked = ({ value }: Choice) => checked.includes(value)
  const box = (one: Choice) => checkbox({ ...one, name, checked: isTicked(one) })
  return (
    <fieldset class="checks">
      <legend>{legend}</legend>
      {choices.map(box)}
      {apart.choices.length > 0 && (
        <details open={apart.choices.some(isTicked)}>
          <summary>{apart.title}</summary>
          {apart.choices.map(box)}
          {hintLine(hint)}
        </details>
      )}
      {faultLine(fault)}
      {apart.choices.length === 0 && hintLine(hint, fault)}
    </fieldset>
  )
}

/** A value that a form sends along. */
export const hidden = (name: string, value: string): Html => <input type="hidden" name={name} value={value} />

/** A form that changes something. It has one button, whose words say what it does. */
export const actForm = (
  { to, button, tone = "plain", isLine = false, cancel }: {
    readonly to: Url
    readonly button: string
    readonly tone?: ButtonTone
    /** Whether the fields stand beside each other where there is room. */
    readonly isLine?: boolean
    /** The page that a button beside the one that sends leads back to. */
    readonly cancel?: Url
  },
  fields: Html | ReadonlyArray<Html>,
): Html =>
  <form class={isLine ? "form line" : "form"} method="post" action={to}>
    {fields}
    <button type="submit" class={tone}>{button}</button>
    {cancel !== undefined && <a class="btn" href={cancel}>Cancel</a>}
  </form>

/** A list to choose one from in the line of filters. Its choices name what they are of: "Any state". */
export const filterSelect = (
  { label, name, choices, value = "" }: {
    readonly label: string
    readonly name: string
    readonly choices: ReadonlyArray<Choice>
    readonly value?: string
  },
): Html => <select aria-label={label} name={name}>{options(choices, value)}</select>

/** A field in the line of filters: a text, or a day with its word before it, written as it is everywhere. */
export const filterField = (
  { label, name, value = "", type = "text" }: {
    readonly label: string
    readonly name: string
    readonly value?: string
    readonly type?: "text" | "date"
  },
): Html => {
  const isDate = type === "date"
  const input = (
    <input
      type="text"
      name={name}
      value={value}
      aria-label={isDate ? undefined : label}
      placeholder={isDate ? "YYYY-MM-DD" : label}
      {...(isDate ? { pattern: "[0-9]{4}-[0-9]{2}-[0-9]{2}", title: "Year-month-day" } : {})}
      autocomplete="off"
      spellcheck="false"
    />
  )
  return isDate ? <label class="soft">{label}{input}</label> : input
}

/** The field that finds one thing of a list. */
const findField = (
  { hint, name, value = "" }: { readonly name: string; readonly hint: string; readonly value?: string },
): Html =>
  <input
    class="find"
    type="search"
    name={name}
    value={value}
    aria-label={hint}
    placeholder={hint}
    autocomplete="off"
    spellcheck="false"
  />

/** A form that finds something, in one line, with what it sends along and acts at the right. */
export const searchForm = (
  { to, fields = [], acts, ...find }: Parameters<typeof findField>[0] & {
    readonly to: Url
    readonly fields?: ReadonlyArray<Html>
    readonly acts?: ReadonlyArray<Html>
  },
): Html => (
  <form class="filters" method="get" action={to} role="search" aria-label={find.hint}>
    {findField(find)}
    {fields}
    <button type="submit">Search</button>
    {acts !== undefined && <span class="acts">{acts}</span>}
  </form>
)

/** A form that narrows a list, in one line: search field, filters, actions; filters fold when narrow. */
export const filterForm = (
  { to, find, fields, narrowed, acts }: {
    readonly to: Url
    /** The filters as they are: where one is set, a link clears them all. */
    readonly narrowed: ReadonlyArray<string | undefined>
    readonly find?: Parameters<typeof findField>[0]
    readonly fields: ReadonlyArray<Html>
    readonly acts?: Html
  },
): Html => (
  <form class="filters" method="get" action={to} role="search" aria-label="Filter the list">
    {find !== undefined &&
      findField(find)}
    <button type="button" class="menu" popovertarget="more">Filters</button>
    <div class="more" id="more" popover>
      {fields}
      <button type="submit">Filter</button>
      {narrowed
        .some((value = "") => value !== "") &&
        <a class="btn quiet" href={to}>Clear</a>}
    </div>
    {acts !==
        undefined && <span class="acts">{acts}</span>}
  </form>
)
