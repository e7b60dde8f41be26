import { documentOf, type Html, nothing, type Url } from "./jsx-runtime.ts"
import { icon, type IconName, mark } from "./icons.tsx"

/** Files that every page loads, by their paths. */
export interface PageFiles {
  readonly style: Url
  readonly icon: Url
  readonly script: Url
}

/** A link of the navigation. A count is of what needs a person. */
export interface NavLink {
  readonly label: string
  readonly to: Url
  readonly icon?: IconName
  readonly isCurrent: boolean
  readonly count?: number
  /** Whether it belongs to the link before it. */
  readonly isInner?: boolean
}

/** Links of the navigation that belong together, under a heading where they have one. */
export interface NavGroup {
  readonly title?: string
  readonly links: ReadonlyArray<NavLink>
  /** Whether only the heading is shown until it is opened. */
  readonly isFolded?: boolean
}

/** What stands beside and above the page of somebody who is signed in. */
export interface Side {
  readonly groups: ReadonlyArray<NavGroup>
  /** Who looks, and how they leave. */
  readonly viewer: Html
  /** The list that is searched, and the name of the parameter that it reads. */
  readonly search: {
    readonly to: Url
    readonly name: string
    readonly hint: string
    readonly label: string
    readonly value?: string | undefined
  }
  /** Where the page is of: the mode, and the time. */
  readonly marks: Html
}

export interface Head {
  /** The heading of the page, and its title before the name of the site. */
  readonly title: string
  /** Whether only readers of screens are told the heading, as the page needs none. */
  readonly hasUnseenTitle?: boolean
  /** The state of what the page is about, as a pill. */
  readonly state?: Html
  /** One line of facts. */
  readonly line?: Html | string
  /** Buttons at the right, or a choice of the period. */
  readonly acts?: Html | ReadonlyArray<Html>
  /** The link that leads back. */
  readonly crumb?: Html
}

export interface PageFrame extends Head {
  readonly site: string
  readonly home: Url
  readonly files: PageFiles
  /** Navigation and search; without them the page stands alone. */
  readonly side?: Side
  /** Of a page that stands alone: a card in the middle for one purpose, or a sheet to read. */
  readonly shape?: "card" | "sheet"
  /** Beside the name of the site, on a page that stands alone. */
  readonly marks?: Html
  /** Whether the page loads itself again at once, as its first request could not show it. */
  readonly again?: boolean
}

const linkOf = ({ count = 0, icon: name, isCurrent, isInner = false, label, to }: NavLink): Html => (
  <li class={isInner && "in"}>
    <a href={to} aria-current={isCurrent && "page"}>
      {name !== undefined && icon(name)}
      {label} {count > 0 && (
        <span class="n bad">
          {count}
          <span class="un">{" active"}</span>
        </span>
      )}
    </a>
  </li>
)

const groupOf = ({ isFolded = false, links, title }: NavGroup, number: number): Html =>
  isFolded
    ? (
      <details>
        <summary>{title}</summary>
        <ul>{links.map(linkOf)}</ul>
      </details>
    )
    : title === undefined
    ? <ul>{links.map(linkOf)}</ul>
    : (
      <div>
        <h2 id={`g${number}`}>{title}</h2>
        <ul aria-labelledby={`g${number}`}>{links.map(linkOf)}</ul>
      </div>
    )

const brandOf = ({ home, site }: PageFrame): Html => <a class="brand" href={home}>{mark}{site}</a>

/** The navigation, opened by a button on a narrow screen. Where browsers know no popover it stands after the page. */
const navigation = (frame: PageFrame, { groups, viewer }: Side): Html => (
  <nav class="side" id="nav" popover aria-label="Pages">{brandOf(frame)}{groups.map(groupOf)}{viewer}</nav>
)

const topLine = ({ marks, search: { hint, label, name, to, value } }: Side): Html => (
  <header class="top">
    <button type="button" class="menu" popovertarget="nav">Menu</button>
    <a class="btn menu" href="#nav">Menu</a>
    <form class="search" role="search" aria-label={label} action={to}>
      <label class="un" for="search">Search</label>
      {icon("search")}
      <input
        id="search"
        type="search"
        name={name}
        value={value}
        placeholder={hint}
        autocomplete="off"
        spellcheck="false"
      />
    </form>
    {marks}
  </header>
)

const headOf = ({ acts, crumb, hasUnseenTitle = false, line, state, title }: Head): Html =>
  hasUnseenTitle ? <h1 class="un">{title}</h1> : (
    <div class="head">
      {crumb !== undefined && <p class="crumb">{crumb}</p>}
      <h1>{title}</h1>
      {state}
      {line !== undefined && <small>{line}</small>}
      {acts !== undefined && <div class="acts">{acts}</div>}
    </div>
  )

type Body = Html | ReadonlyArray<Html>

const bodyOf = (frame: PageFrame, body: Body): Html => {
  const { marks = nothing, shape = "sheet", side } = frame
  const content = <>{headOf(frame)} {body}</>
  if (side !== undefined) {
    return (
      <div class="frame">
        {navigation(frame, side)}
        <div class="page">
          {topLine(side)}
          <main id="main" tabindex="-1">{content}</main>
        </div>
      </div>
    )
  }
  return shape === "card"
    ? (
      <main id="main" tabindex="-1">
        <div class="row">{brandOf(frame)}{marks}</div>
        <div class="box stack tight">{content}</div>
      </main>
    )
    : (
      <>
        <header class="top">{brandOf(frame)}{marks}</header>
        <main id="main" tabindex="-1">{content}</main>
      </>
    )
}

/** The document of a page: navigation, head and body. Search engines do not list it. */
export const document = (frame: PageFrame, body: Body): Html => {
  const { again = false, files, shape = "sheet", side, site, title } = frame
  return documentOf(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        {again && <meta http-equiv="refresh" content="0" />}
        <title>{title} · {site}</title>
        <link rel="icon" type="image/svg+xml" href={files.icon} />
        <link rel="stylesheet" href={files.style} />
        <script type="module" src={files.script}></script>
      </head>
      <body class={side !== undefined ? "" : shape === "card" ? "solo" : "sheet"}>
        <a class="skip" href="#main">Skip to the content</a> {bodyOf(frame, body)}
        <p id="said" class="un" role="status"></p>
      </body>
    </html>,
  )
}
