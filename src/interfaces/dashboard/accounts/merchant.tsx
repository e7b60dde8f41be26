import { Effect } from "effect"
import { MerchantBody } from "#api/OperatorBodies.ts"
import { Merchants } from "#application/accounts/Merchants.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import { isSomebody, mostLogoBytes, mostNameLength } from "#domain/accounts/Merchant.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import type { AccountSwap } from "#domain/operations/Business.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { contactLink } from "../../pages/contactsPart.tsx"
import { kv, section, untrusted } from "../../pages/parts.tsx"
import { filled, formAction, readEntered, type Submitted, text } from "../formAction.tsx"
import { page, type PageRequest } from "../Page.ts"
import { payLinkAct } from "../swaps/swapActs.tsx"
import { accountOf, backToAccount } from "./account.tsx"
import { accountPath, merchantPath } from "./paths.ts"

const readMerchant = readEntered(readerOf(MerchantBody))

/** Sets what payers of an account see of it. */
export const setMerchant = formAction({
  path: "/dashboard/accounts/:name/merchant",
  button: "Save",
  tone: "go",
  fields: {
    displayName: text({ label: "Name shown", hint: `At most ${mostNameLength} characters.` }),
    colour: text({ label: "Button colour", hint: "Such as #0b6b5d, dark enough for white text." }),
    logo: text({
      label: "Logo",
      hint: `PNG, JPEG or WebP of at most ${mostLogoBytes} bytes as a data URL: data:image/png;base64,…`,
    }),
    support: text({
      label: "Help",
      hint: "A mail address or an https URL, such as help@acme-wallet.example.",
    }),
    returnUrl: text({ label: "Return URL", hint: "https. Where payers go when they are done." }),
  },
  done: { merchantSet: "Payer’s page saved." },
  again: { title: "Payer’s page", back: "Account", backTo: ({ param }) => accountPath(param("name")) },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    yield* (yield* Merchants).set(name, yield* readMerchant(sent.entered), sent.by)
    return { to: accountPath(name), said: "merchantSet" } as const
  }),
})

/** The form for what payers of an account see. */
export const merchantPage = page({
  path: "/dashboard/accounts/:name/merchant",
  operator: Effect.fnUntraced(function* (request: PageRequest<Operator>) {
    const { name } = yield* accountOf(request)
    const merchant = yield* (yield* Merchants).ofAccount(name)
    return {
      title: "Payer’s page",
      crumb: backToAccount(name),
      line: "An empty form shows the operator’s own name, colour and contact.",
      body: setMerchant.form({ name }, { entered: filled(merchant) }),
    }
  }),
})

const swatch = (colour: string): Html => (
  <>
    <svg width="12" height="12" aria-hidden="true">
      <rect width="12" height="12" rx="3" fill={colour} />
    </svg>
    <code>{colour}</code>
  </>
)

/** What payers of an account see, and a link to the page of its latest swap with a channel. */
export const merchantSection = Effect.fnUntraced(
  function* (name: AccountName, swaps: ReadonlyArray<AccountSwap>) {
    const merchant = yield* (yield* Merchants).ofAccount(name)
    const { colour, displayName, logo, returnUrl, support } = merchant
    // An account that has set anything takes nothing from the operator's.
    const absent = isSomebody(merchant) ? "none" : "the operator’s"
    const latest = swaps.find(({ record: { status } }) => status.depositChannel !== undefined)?.record.id
    return section(
      { title: "Payer’s page", id: "merchant", aside: <a href={merchantPath(name)}>Edit</a> },
      [
        kv([
          ["Name shown", displayName === undefined ? absent : untrusted(displayName)],
          ["Colour", colour === undefined ? absent : swatch(colour)],
          ["Logo", logo === undefined ? absent : "its own"],
          ["Help", support === undefined ? absent : contactLink(support)],
          ["Return URL", returnUrl === undefined ? absent : contactLink(returnUrl)],
        ]),
        latest === undefined
          ? nothing
          : payLinkAct.form({ id: latest }, { button: `Payment link of swap ${latest}` }),
      ],
    )
  },
)
