import { Effect, Option } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { MerchantBody } from "#api/OperatorBodies.ts"
import { Merchants } from "#application/accounts/Merchants.ts"
import { Business } from "#application/business/Business.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import {
  isSomebody,
  leastContrast,
  type Merchant,
  mostLogoBytes,
  mostNameLength,
  pictureOf,
} from "#domain/accounts/Merchant.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { PathUnknown } from "../../requests/problems.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { type Html, nothing, withQuery } from "../../pages/jsx-runtime.ts"
import { contactLink } from "../../pages/contactsPart.tsx"
import { code, columns, kv, section, untrusted } from "../../pages/parts.tsx"
import { colour, filled, formAction, readEntered, type Submitted, text } from "../formAction.tsx"
import { page, type PageRequest } from "../Page.ts"
import { payLinkAct } from "../swaps/swapActs.tsx"
import { accountFrame, accountOf } from "./account.tsx"
import { merchantPath } from "./paths.ts"

/** So many of the latest swaps are looked at for one with a channel. */
const mostSwaps = 6

const readMerchant = readEntered(readerOf(MerchantBody))

/** Sets what payers of an account see of it. */
export const setMerchant = formAction({
  path: "/dashboard/accounts/:name/merchant",
  button: "Save",
  tone: "go",
  fields: {
    displayName: text({ label: "Name shown", hint: `At most ${mostNameLength} characters.` }),
    colour: colour({
      label: "Button colour",
      usual: "#0b6b5d",
      hint: `Contrast with white at least ${leastContrast}:1; lighter colours are refused.`,
      tick: "Use this colour",
    }),
    logo: text({
      label: "Logo",
      isPicture: true,
      hint:
        `PNG, JPEG or WebP of at most ${
          mostLogoBytes / 1_024
        } KB, square, shown at 32 pixels. Choose a file, ` +
        "or paste a data URL: data:image/png;base64,… Empty for none.",
    }),
    support: text({
      label: "Support contact",
      hint: "A mail address or an https URL, such as help@acme-wallet.example.",
    }),
    returnUrl: text({ label: "Return URL", hint: "Payers return here after the swap. https only." }),
  },
  done: { merchantSet: "Payer’s page saved." },
  again: { title: "Payer’s page", back: "Payer’s page", backTo: ({ param }) => merchantPath(param("name")) },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    yield* (yield* Merchants).set(name, yield* readMerchant(sent.entered), sent.by)
    return { to: merchantPath(name), said: "merchantSet" } as const
  }),
})

/** A button in the colour, as the payer's page has them. */
const sampleButton = (colour: string): Html => (
  <svg width="100%" height="40" aria-hidden="true">
    <rect width="100%" height="40" rx="7" fill={colour} />
    <text x="50%" y="25" fill="#fff" text-anchor="middle">Back</text>
  </svg>
)

/** The saved logo, where there is one. */
const logoPicture = Effect.fnUntraced(function* (request: PageRequest<Operator>) {
  const { logo = "" } = yield* (yield* Merchants).ofAccount((yield* accountOf(request)).name)
  const picture = pictureOf(logo)
  if (Option.isNone(picture)) return yield* new PathUnknown()
  return HttpServerResponse.uint8Array(picture.value.bytes, { contentType: picture.value.type })
})

/** What payers see now, and a link to the page of the latest swap with a channel. */
const currentSection = Effect.fnUntraced(function* (name: AccountName, merchant: Merchant) {
  const { colour, displayName, logo, returnUrl, support } = merchant
  // An account that has set anything takes nothing from the operator's.
  const absent = isSomebody(merchant) ? "none" : "default (your own)"
  const { items } = yield* (yield* Business).swaps({ account: name, sort: "descending", limit: mostSwaps })
  const latest = items.find(({ record: { status } }) => status.depositChannel !== undefined)?.record.id
  const picture = withQuery(merchantPath(name), { format: "picture" })
  return section({ title: "Payers see", id: "merchant" }, [
    displayName === undefined && logo === undefined && colour === undefined
      ? nothing
      : (
        <div class="box stack tight">
          <p class="merchant">
            {logo !== undefined && <img src={picture} alt="Logo" width="32" height="32" />}
            {displayName !== undefined && untrusted(displayName)}
          </p>
          {colour !== undefined && sampleButton(colour)}
        </div>
      ),
    kv([
      ...(displayName === undefined ? [["Name shown", absent] as const] : []),
      ...(logo === undefined ? [["Logo", absent] as const] : []),
      ["Button colour", colour === undefined ? absent : code(colour)],
      ["Support contact", support === undefined ? absent : contactLink(support)],
      ["Return URL", returnUrl === undefined ? absent : contactLink(returnUrl)],
    ]),
    latest === undefined
      ? <p class="soft">Open a swap to see its payer’s page.</p>
      : payLinkAct.form({ id: latest }, { button: `Open the payment page of swap ${latest}` }),
  ])
})

/** The form for what payers of an account see, beside what they see now. */
export const merchantPage = page({
  path: "/dashboard/accounts/:name/merchant",
  picture: { operator: logoPicture },
  operator: Effect.fnUntraced(function* (request: PageRequest<Operator>) {
    const account = yield* accountOf(request)
    const { name } = account
    const { head, shown } = yield* accountFrame(account, "merchant")
    const merchant = yield* (yield* Merchants).ofAccount(name)
    return {
      ...head,
      body: [
        shown,
        columns(
          "wide",
          section({ title: "Payer’s page", id: "form" }, [
            <p class="soft">If all fields are empty, payers see your own name, colour and contact.</p>,
            setMerchant.form({ name }, { entered: filled(merchant) }),
          ]),
          yield* currentSection(name, merchant),
        ),
      ],
    }
  }),
})
