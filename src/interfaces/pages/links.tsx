import { type Html, nothing } from "./jsx-runtime.ts"
import { type Url } from "./Url.ts"

/** How a button looks: the one filled button of a page, one that ends something, a quiet one. */
export type ButtonTone = "plain" | "go" | "stop" | "quiet"

/** A link that looks like a button. */
export const button = (label: Html | string, to: Url, tone: ButtonTone = "plain"): Html =>
  <a class={`btn ${tone}`} href={to}>{label}</a>

/** Buttons and forms in a line. */
export const acts = (...parts: ReadonlyArray<Html | undefined | false>): Html =>
  <div class="acts">{parts}</div>

/** A link to another view of the same. */
export interface Choosable {
  readonly label: string
  readonly to: Url
  readonly isCurrent: boolean
}

/** A choice of a period or a form of the same, each a link: `24 h`, `7 d`. */
export const segments = (
  label: string,
  choices: ReadonlyArray<Choosable>,
): Html => (<nav class="seg" aria-label={label}>
  {choices.map(({ isCurrent, label, to }) => <a href={to} aria-current={isCurrent && "true"}>{label}</a>)}
</nav>)

/** Saved views or parts of a thing, with how many are in each; counts that need a person are tinted. */
export const tabs = (
  label: string,
  views: ReadonlyArray<Choosable & { readonly count?: number | string; readonly tone?: "warn" | "bad" }>,
): Html => (<nav class="tabs" aria-label={label}>
  {views.map(({ count, isCurrent, label, to, tone = "" }) => (
    <a href={to} aria-current={isCurrent && "page"}>
      {label} {count !== undefined && <span class={`n ${tone}`}>{count}</span>}
    </a>
  ))}
</nav>)

/** What a list says under it: how many and their sums, and the links to the first and the next page. */
export const pager = (
  { first, next, said }: {
    readonly said?: Html | string
    readonly first?: Url | undefined
    readonly next?: Url | undefined
  },
): Html =>
  first === undefined && next === undefined && said === undefined
    ? nothing
    : (
      <nav class="pager" aria-label="More of the list">
        <span>{said}</span>
        <span class="acts">
          {first !== undefined &&
            <a class="btn" href={first}>First page</a>}
          {next !== undefined &&
            <a class="btn" rel="next" href={next}>Next page</a>}
        </span>
      </nav>
    )
