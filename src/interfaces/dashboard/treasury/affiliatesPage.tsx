import { Effect } from "effect"
import { NewAffiliateBody } from "#api/Treasury.ts"
import { formatUnits } from "#domain/money/Amount.ts"
import { factsOf } from "#domain/chains/Asset.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { csvOf, csvTable } from "../../requests/csv.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { dollars } from "../../pages/values.tsx"
import { type Html, nothing, path, withQuery } from "../../pages/jsx-runtime.ts"
import { code, known, onDemand, table } from "../../pages/parts.tsx"
import { Affiliates, type AffiliateStanding } from "#application/treasury/Affiliates.ts"
import { providerTitle } from "#providers/Registry.ts"
import { choice, formAction, readEntered, type Submitted, text } from "../formAction.tsx"
import { csvButton, page, type PageRequest } from "../Page.ts"
import { atTodaysPrices, holdingLine, sumOf, valuing } from "./balances.tsx"
import { treasuryPages, treasuryTabs } from "./tabs.ts"

const heldBy = ({ seen }: AffiliateStanding) => seen?.earned ?? []

const readRegisterAffiliate = readEntered(readerOf(NewAffiliateBody))

/** Names an affiliate, registering it first where no account is given. */
export const registerAffiliate = formAction({
  path: "/dashboard/money/affiliates",
  scope: "withdraw",
  button: "Register affiliate",
  tone: "go",
  fields: {
    provider: choice({ label: "Provider", choices: [], named: providerTitle }),
    name: text({
      label: "Name",
      required: true,
      hint: "Integrators send it as affiliateN. It never changes.",
    }),
    withdrawalAddress: text({ label: "Paid to", hint: "The share is paid only here. It never changes." }),
    account: text({ label: "Or an existing account", hint: "If the affiliate is already registered." }),
  },
  done: { affiliateRegistered: "Affiliate registered. Integrators can use its name in affiliateN." },
  again: {
    title: "Register an affiliate",
    back: "Affiliates",
    backTo: () => treasuryPages.affiliates,
    offers: ({ field }) => Effect.succeed({ provider: [field("provider")] }),
  },
  run: Effect.fnUntraced(function* ({ by, entered }: Submitted) {
    yield* (yield* Affiliates).add(yield* readRegisterAffiliate(entered), by)
    return { to: treasuryPages.affiliates, said: "affiliateRegistered" } as const
  }),
})

const withdrawCell = ({ named, seen }: AffiliateStanding): Html => {
  const [held] = seen?.earned ?? []
  if (held === undefined || held.amount === 0n) return <span class="soft">nothing to withdraw</span>
  if (named === undefined) return <span class="soft">name it first</span>
  const to = withQuery(path`/dashboard/money/withdraw`, { affiliate: named.name })
  return <a href={to} aria-label={`Withdraw ${factsOf(held.asset).ticker} of ${named.name}`}>Withdraw</a>
}

const affiliatesCsv = csvTable<AffiliateStanding>("affiliates.csv", [
  ["name", ({ named }) => named?.name],
  ["platform", ({ platform }) => platform],
  ["account", ({ named, seen }) => named?.account ?? seen?.account],
  ["withdrawalAddress", ({ named, seen }) => named?.withdrawalAddress ?? seen?.withdrawalAddress],
  [
    "earned",
    (one) => heldBy(one).map(({ amount, asset }) => `${formatUnits(asset, amount)} ${asset}`).join("; "),
  ],
])

/** Who shares in the commission by a registered account, what each has, and a form for another. */
export const affiliatesPage = page({
  path: "/dashboard/money/affiliates",
  within: "treasury",
  operator: Effect.fnUntraced(function* ({ now }: PageRequest<Operator>) {
    const { affiliates, shown, standings } = yield* treasuryTabs("affiliates")
    const held = affiliates.flatMap(heldBy)
    const valueOf = yield* valuing(held.map(({ asset }) => asset), now)
    const sumHeld = (of: ReadonlyArray<AffiliateStanding>) =>
      sumOf(of.flatMap(heldBy).map(({ amount, asset }) => valueOf(asset, amount)))
    const total = sumHeld(affiliates)
    const registrars = standings.filter(({ hasAffiliates }) => hasAffiliates)
      .map(({ platform }) => platform)
    const form = registrars.length === 0 ? nothing : onDemand(
      "Register an affiliate",
      <>
        <p class="soft">You pay an affiliate’s share by a withdrawal to its address.</p>
        {registerAffiliate.form({}, { offers: { provider: registrars } })}
      </>,
      affiliates.length === 0 ? "go" : "plain",
    )
    return {
      title: "Affiliates",
      acts: affiliates.length === 0 ? nothing : csvButton(treasuryPages.affiliates),
      body: [
        shown,
        <section id="affiliates" aria-label="Affiliates" data-live>
          {table({
            caption: "Affiliates and their balances",
            columns: [
              ["Name", ({ named }) => named?.name ?? <span class="soft">unnamed</span>, "a"],
              ["Provider", ({ platform }) => providerTitle(platform)],
              [
                "Account",
                ({ named, seen }) => known(named?.account ?? seen?.account, code) ?? "unknown",
                "all",
              ],
              [
                "Pays to",
                ({ named, seen }) => known(named?.withdrawalAddress ?? seen?.withdrawalAddress, code),
                "all",
              ],
              [
                "Balance",
                (one) => <>{heldBy(one).map(({ amount, asset }) => holdingLine(asset, amount))}</>,
                "number",
              ],
              [
                "≈ USD",
                (one) => {
                  const { unvalued, value } = sumHeld([one])
                  return unvalued > 0 ? "no price" : dollars(value, "cents", atTodaysPrices)
                },
                "number",
              ],
              ["Action", withdrawCell, "number b"],
            ],
            rows: affiliates,
            totals: ["Total", "", "", "", "", dollars(total.value, "cents", atTodaysPrices), ""],
            empty: (
              <>
                No affiliates yet. An affiliate gets a share of the commission of each swap that names it.
                Registering one costs the broker account one transaction. {form}
              </>
            ),
          })}
        </section>,
        affiliates.length === 0 ? nothing : form,
      ],
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* (_: PageRequest<Operator>) {
      return csvOf(affiliatesCsv, { items: yield* (yield* Affiliates).all })
    }),
  },
})
