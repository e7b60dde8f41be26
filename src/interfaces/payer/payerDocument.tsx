import type { Network } from "#domain/chains/Chain.ts"
import { documentOf, type Html, nothing } from "../pages/jsx-runtime.ts"
import { contactLink } from "../pages/contactsPart.tsx"
import { pill } from "../pages/parts.tsx"
import { path, secureUrl, type Url, withQuery } from "../pages/Url.ts"
import { languages } from "./words/languages.ts"
import type { PageText } from "./pageText.tsx"

/** The files of every page, below a path of their own, so that they stay where pages are cached. */
export const files = {
  style: path`/pay/files/style.css`,
  icon: path`/pay/files/icon.svg`,
  script: path`/pay/files/script.js`,
}

/** Who the payer deals with. */
export interface Shop {
  /** Absent where there is none: the page then has the service's name. */
  readonly name: string | undefined
  /** Where the picture is, if there is one. */
  readonly logo: Url | undefined
  /** The style with the colour, if there is one. */
  readonly colours: Url | undefined
  /** Where payers get help: a mail address or a URL. */
  readonly support: string | undefined
  readonly returnUrl: string | undefined
}

/** A page, with what stands around its content. */
export interface Frame {
  readonly title: string
  /** The page itself, for who loads it again; absent where a page has no place. */
  readonly here: Url | undefined
  /** The host of the service, so that a name or a picture cannot pretend to be another's. */
  readonly host: string
  readonly shop: Shop
  readonly network: Network
  readonly writer: PageText
  /** What else the last lines say. */
  readonly foot?: Html
}

const marks = { mainnet: undefined, testnet: "testnet", sandbox: "sandbox" } as const

const header = ({ host, network, shop: { logo, name }, writer: { say } }: Frame): Html => {
  const mark = marks[network]
  return (
    <p class="merchant">
      {logo !== undefined && <img src={logo} alt="" width="32" height="32" />}
      <bdi>{name ?? host}</bdi>
      {mark !== undefined && pill(say(mark), "warn")}
    </p>
  )
}

/** Whom to ask, and the way back to where the payer came from. */
const wayBack = ({ shop: { name, returnUrl = "", support }, writer: { fill } }: Frame): Html => {
  const back = secureUrl(returnUrl)
  return (
    <div class="ways">
      {support !== undefined && <span>{fill("help", { place: contactLink(support) })}</span>}
      {back !== undefined && (
        <a href={back} rel="noreferrer">
          {fill("backToShop", { merchant: <bdi>{name ?? new URL(`${back}`).host}</bdi> })}
        </a>
      )}
    </div>
  )
}

/** The same page in each other language. */
const otherLanguages = ({ here, writer: { language, say } }: Frame): Html =>
  here === undefined ? nothing : (<nav class="ways" aria-label={say("languages")}>
    {languages.map(({ name, tag }) =>
      tag !== language.tag && (
        <>
          {" "}
          <a href={withQuery(here, { lang: tag })} lang={tag} hreflang={tag}>{name}</a>
        </>
      )
    )}
  </nav>)

/** The document of a page for payers. Search engines do not list it. */
export const payerDocument = (frame: Frame, body: Html | ReadonlyArray<Html>): Html => {
  const { foot = nothing, host, shop, title, writer: { fill, language, say } } = frame
  return documentOf(
    <html lang={language.tag}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{title} · {shop.name ?? host}</title>
        <link rel="icon" type="image/svg+xml" href={files.icon} />
        <link rel="stylesheet" href={files.style} />
        {shop.colours !== undefined && <link rel="stylesheet" href={shop.colours} />}
        <script type="module" src={files.script}></script>
      </head>
      <body class="solo pay">
        <a class="skip" href="#main">{say("skip")}</a>
        <main id="main" tabindex="-1">
          {header(frame)} {body}
          <div class="foot">
            {wayBack(frame)}
            <p class="soft">
              <small>
                <b>{say("nobodyWrites")}</b> {say("beware")}
              </small>
            </p>
            <p class="soft">
              <small>{fill("runBy", { host: <b>{host}</b> })} {foot}</small>
            </p>
            {otherLanguages(frame)}
          </div>
        </main>
        <p
          id="said"
          class="un"
          role="status"
          data-copied={say("copied")}
          data-refused={say(
            "copyRefused",
          )}
        >
        </p>
      </body>
    </html>,
  )
}
