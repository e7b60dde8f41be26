import type { Network } from "#domain/chains/Chain.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { documentOf, type Html, nothing, path, secureUrl, type Url, withQuery } from "../pages/jsx-runtime.ts"
import { contactLink } from "../pages/contactsPart.tsx"
import { pill } from "../pages/parts.tsx"
import { languages } from "./words/languages.ts"
import { copyable, type PageText } from "./parts.tsx"

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
  /** The swap that is shown, if there is one. */
  readonly id?: SwapRecordId
  /** What else the last lines say. */
  readonly foot?: Html
}

const marks = { mainnet: undefined, testnet: "testnet", sandbox: "sandbox" } as const

/** What a mail for help is about, so that it names the swap in the words of who helps. */
export const mailSubject = (id: SwapRecordId): string => `Swap ${id}`

/** Whose page it is: an address that is only numbers is no name. */
const brandOf = ({ host, shop }: Pick<Frame, "host" | "shop">): string =>
  shop.name ?? (/^[\d.:[\]]+$|^localhost\b/.test(host) ? "Swap Broker" : host)

/** The way back to where the payer came from, and whose place it is. */
export const wayBack = ({ name, returnUrl = "" }: Shop) => {
  const href = secureUrl(returnUrl)
  return href === undefined ? undefined : { href, merchant: name ?? new URL(`${href}`).host }
}

const header = (frame: Frame): Html => {
  const { network, shop, writer: { label, say } } = frame
  const mark = marks[network]
  const back = wayBack(shop)
  const merchant = (
    <>
      {shop.logo !== undefined && <img src={shop.logo} alt="" width="32" height="32" />}
      <bdi>{brandOf(frame)}</bdi>
    </>
  )
  return (
    <p class="merchant">
      {back === undefined
        ? merchant
        : (
          <a class="merchant" href={back.href} rel="noreferrer" aria-label={label("backToShop", back)}>
            <span aria-hidden="true">←</span> {merchant}
          </a>
        )}
      {mark !== undefined && pill(say(mark), "warn")}
    </p>
  )
}

/** Whom to ask, and the same page in each language. */
const ways = ({ here, id, shop: { support }, writer, writer: { fill, language, say } }: Frame): Html => (
  <div class="ways">
    {support !== undefined && (
      <span>
        {fill("help", { place: contactLink(support, id === undefined ? undefined : mailSubject(id)) })}
      </span>
    )}
    {id !== undefined && <span>{say("swapId")} {copyable(`${id}`, say("swapId"), writer)}</span>}
    {here !== undefined && (
      <nav class="ways" aria-label={say("languages")}>
        {languages.map(({ name, tag }) =>
          tag === language.tag
            ? <span aria-current="true">{name}</span>
            : <a href={withQuery(here, { lang: tag })} lang={tag} hreflang={tag}>{name}</a>
        )}
      </nav>
    )}
  </div>
)

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
        <title>{title} · {brandOf(frame)}</title>
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
            {ways(frame)}
            <p class="soft">
              <small>
                <b>{say("nobodyWrites")}</b> {say("beware")} {fill("runBy", { host: <b>{host}</b> })} {foot}
              </small>
            </p>
          </div>
        </main>
        <p
          id="said"
          class="un"
          role="status"
          data-copied={say("copied")}
          data-refused={say("copyRefused")}
        >
        </p>
      </body>
    </html>,
  )
}
