import { attributes, type Html, html } from "./html.ts"
import type { Tone } from "./parts.ts"
import type { Url } from "./Url.ts"

/** What is wrong with a field. */
const faultLine = (fault: string | undefined): Html =>
  html`${fault !== undefined && html`<small class="fault">${fault}</small>`}`

/** A field of one line, under its label. `fault` says what was wrong with what was entered before. */
export const field = (
  { label, name, value = "", type = "text", hint, required = false, autocomplete = "off", fault }: {
    readonly label: string
    readonly name: string
    readonly value?: string
    readonly type?: "text" | "search" | "password" | "number" | "date"
    readonly hint?: string
    readonly required?: boolean
    readonly autocomplete?: string
    readonly fault?: string | undefined
  },
): Html =>
  html`
    <label
      class="field"><span>${label}</span><input type="${type}" name="${name}" value="${value}" spellcheck="false" ${attributes(
        { required, autocomplete, "aria-invalid": fault === undefined ? undefined : "true" },
      )}>${faultLine(fault)}${hint !== undefined && html`<small>${hint}</small>`}</label>
  `

/** A choice of one. */
export interface Choice {
  readonly value: string
  readonly label: string
}

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
  html`
    <label
      class="field"><span>${label}</span><select name="${name}" ${attributes({
        "aria-invalid": fault === undefined ? undefined : "true",
      })}>${choices.map((choice) =>
        html`<option value="${choice.value}" ${
          attributes({ selected: choice.value === value })
        }>${choice.label}</option>`
      )}</select>${faultLine(fault)}${hint !== undefined && html`<small>${hint}</small>`}</label>
  `

/** A box to tick. */
export const checkbox = (
  { label, name, value = "yes", checked = false }: {
    readonly label: Html | string
    readonly name: string
    readonly value?: string
    readonly checked?: boolean
  },
): Html =>
  html`
    <label
      class="check"><input type="checkbox" name="${name}" value="${value}" ${attributes({
        checked,
      })}><span>${label}</span></label>
  `

/** Boxes of which any number can be ticked, under one legend. */
export const checkboxes = (
  { legend, name, choices, checked, hint, fault }: {
    readonly legend: string
    readonly name: string
    readonly choices: ReadonlyArray<Choice>
    readonly checked: ReadonlyArray<string>
    readonly hint?: string
    readonly fault?: string | undefined
  },
): Html =>
  html`<fieldset class="checks"><legend>${legend}</legend>${
    choices.map(({ label, value }) => checkbox({ label, name, value, checked: checked.includes(value) }))
  }${faultLine(fault)}${hint !== undefined && html`<small>${hint}</small>`}</fieldset>`

/** A value that a form sends along. */
export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** A form that changes something. It has one button, whose words say what it does. */
export const actForm = (
  { to, button, tone = "plain" }: { readonly to: Url; readonly button: string; readonly tone?: Tone },
  fields: Html | ReadonlyArray<Html>,
): Html =>
  html`
    <form class="act" method="post"
      action="${to}">${fields}<button type="submit" class="${tone}">${button}</button></form>
  `

/** A form that narrows a list down. */
export const filterForm = (to: Url, fields: ReadonlyArray<Html>): Html =>
  html`
    <form class="filter" method="get" action="${to}"
      role="search">${fields}<div class="buttons"><button type="submit">Apply</button><a href="${to}">Clear</a></div></form>
  `
