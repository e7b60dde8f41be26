import { Option, Schema } from "effect"
import { optional } from "../optional.ts"

/** The most characters of a merchant's name. */
export const mostNameLength = 60

/** The name: one line without characters that nobody sees or that turn the writing around. */
const nameForm = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u

export const MerchantName = Schema.String.check(
  Schema.isTrimmed(),
  Schema.isMinLength(1),
  Schema.isMaxLength(mostNameLength),
  Schema.isPattern(nameForm),
)

/** The part of the light that a channel of a colour gives, from 0 to 1 (WCAG 2.2, relative luminance). */
const lightOf = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** The contrast of white with a colour `#rrggbb`, from 1 to 21 (WCAG 2.2, contrast ratio). */
export const contrastWithWhite = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    lightOf(parseInt(colour.slice(at, at + 2), 16))
  )
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** The least contrast at which white words can be read (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5

/** The colour of the button, `#rrggbb`: dark enough for the white words on it. */
export const MerchantColour = Schema.String.check(
  Schema.isPattern(/^#[0-9a-fA-F]{6}$/),
  Schema.makeFilter((colour) => contrastWithWhite(colour) >= leastContrast),
)

export const expectedColour =
  `#rrggbb and dark enough for white words on it: a contrast of ${leastContrast} or more, such as #0b6b5d`

/** The most bytes of a logo: the page with all that it loads stays small. */
export const mostLogoBytes = 16_384

/** Whether bytes, as a text of them, begin as those of a kind of pictures do. None of these can hold a script. */
const beginnings: Readonly<Record<string, (bytes: string) => boolean>> = {
  "image/png": (bytes) => bytes.startsWith("\x89PNG\r\n\x1a\n"),
  "image/jpeg": (bytes) => bytes.startsWith("\xff\xd8\xff"),
  "image/webp": (bytes) => bytes.startsWith("RIFF") && bytes.startsWith("WEBP", 8),
}

export interface Picture {
  readonly type: string
  readonly bytes: Uint8Array
}

const dataUrl =
  /^data:(image\/(?:png|jpeg|webp));base64,((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/

/** The most characters of a data URL that can be small enough; a longer one is not read. */
const mostTextLength = Math.ceil(mostLogoBytes / 3) * 4 + 40

/** The picture of a data URL; none where its bytes are not what it says, or too many. */
export const pictureOf = (text: string): Option.Option<Picture> => {
  if (text.length > mostTextLength) return Option.none()
  const [, type = "", base64 = ""] = dataUrl.exec(text) ?? []
  const isOfType = beginnings[type]
  if (isOfType === undefined) return Option.none()
  const binary = atob(base64)
  return binary.length <= mostLogoBytes && isOfType(binary)
    ? Option.some({ type, bytes: Uint8Array.from(binary, (character) => character.charCodeAt(0)) })
    : Option.none()
}

/** A small picture as a data URL. */
export const MerchantLogo = Schema.String.check(Schema.makeFilter((text) => Option.isSome(pictureOf(text))))

export const expectedLogo =
  `a PNG, JPEG or WebP of at most ${mostLogoBytes} bytes as a data URL: data:image/png;base64, and the bytes in base64`

/** A URL that a payer can follow: over TLS, without a name or password in it. */
const isSafeUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === "https:" && url.username === "" && url.password === ""
}

/** No white space and no quotes: the text is a link on a page. */
const linkForm = /^[^\s"'<>\\\p{Cc}\p{Cf}]{1,300}$/u
const mailForm = /^[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$/i

/** Where payers are sent when they are done. */
export const MerchantReturnUrl = Schema.String.check(Schema.isPattern(linkForm), Schema.makeFilter(isSafeUrl))

/** Where payers get help: a mail address or a URL. */
export const MerchantSupport = Schema.String.check(
  Schema.isPattern(linkForm),
  Schema.makeFilter((text) => mailForm.test(text) || isSafeUrl(text)),
)

/** What is expected of the two, in words. */
export const expectedReturnUrl = "an https URL of at most 300 characters, such as https://acme-wallet.example"
export const expectedSupport = "a mail address or an https URL, such as help@acme-wallet.example"

/** Who payers deal with, as their page shows it. */
export const Merchant = Schema.Struct({
  displayName: optional(MerchantName),
  colour: optional(MerchantColour),
  logo: optional(MerchantLogo),
  support: optional(MerchantSupport),
  returnUrl: optional(MerchantReturnUrl),
})
export type Merchant = typeof Merchant.Type

/** Nobody: payers then see the name of the service. */
export const nobody: Merchant = {}

/** Whether anything is set. */
export const isSomebody = (merchant: Merchant): boolean => Object.keys(merchant).length > 0
