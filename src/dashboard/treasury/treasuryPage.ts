import { Effect } from "effect"
import { Business } from "../../business/Business.ts"
import { AccountName } from "../../domain/Account.ts"
import { CommissionKey, type CommissionSum } from "../../domain/Business.ts"
import type { Operator } from "../../domain/Viewer.ts"
import { filterField, filterForm, filterSelect } from "../../pages/forms.ts"
import { html } from "../../pages/html.ts"
import { foreign, section } from "../../pages/parts.ts"
import { known, type Value } from "../../pages/table.ts"
import { path } from "../../pages/Url.ts"
import { spread } from "../../platform/spread.ts"
import { accountPath } from "../accounts/accounts.ts"
import { commissionFields, sumsTable, wantedCommission } from "./commission.ts"
import { readFilter } from "../filters.ts"
import { affiliatesSection, treasurySection } from "./treasury.ts"
import { withdrawalsSection } from "./withdrawals.ts"
import { Affiliates } from "../../treasury/Affiliates.ts"
import { Treasury } from "../../treasury/Treasury.ts"
import { Withdrawals } from "../../treasury/Withdrawals.ts"
import { type Asked, page } from "../Page.ts"

/** The most withdrawals on the page. */
const latest = 20

const keyLabels = { account: "Account", platform: "Provider", asset: "Asset", day: "Day (UTC)" } as const

const cells: { readonly [Key in CommissionKey]: (sum: CommissionSum) => Value } = {
  account: ({ account }) => known(account, (name) => html`<a href="${accountPath(name)}">${name}</a>`),
  platform: ({ platform }) => known(platform, foreign),
  asset: ({ asset }) => asset,
  day: ({ day }) => day,
}

const keyChoices = CommissionKey.literals.map((value) => ({ value, label: keyLabels[value] }))

/** The commission that the address of the page asks for. */
const asked = Effect.fnUntraced(function* (request: Asked<Operator>) {
  const { query } = request
  const by = CommissionKey.literals.find((key) => key === query("by")) ?? "account"
  const account = yield* readFilter("account", query("account"), AccountName.makeOption)
  const wanted = yield* wantedCommission(request)
  return { ...wanted, by: [by] as const, ...spread(account, (account) => ({ account })) }
})

/** The operator's accounts at the providers, and what was earned over all accounts. */
export const treasuryPage = page({
  path: "/dashboard/money",
  nav: "treasury",
  operator: Effect.fnUntraced(function* (request) {
    const { now, query } = request
    const wanted = yield* asked(request)
    const sums = yield* (yield* Business).commission(wanted)
    const standings = yield* (yield* Treasury).all
    const withdrawals = yield* Withdrawals
    const unknown = yield* withdrawals.page({ limit: latest, state: "unknown" })
    const { items } = yield* withdrawals.page({ limit: latest })
    const others = items.filter(({ state }) => state !== "unknown")
    const registrars = standings.filter(({ hasAffiliates }) => hasAffiliates).map(({ platform }) => platform)
    const affiliates = yield* (yield* Affiliates).all
    const [by] = wanted.by
    return {
      title: "Treasury",
      body: [
        ...standings.map((standing) => treasurySection(standing, now)),
        withdrawalsSection([...unknown.items, ...others], now),
        affiliatesSection(affiliates, registrars),
        section({ title: "Commission", id: "commission" }, [
          filterForm({
            to: path`/dashboard/money`,
            fields: [
              ...(yield* commissionFields(wanted)),
              filterSelect({ label: "By", name: "by", choices: keyChoices, value: by }),
              filterField({ label: "Account", name: "account", value: query("account") ?? "" }),
            ],
          }),
          sumsTable(
            `Commission by ${keyLabels[by]}`,
            [keyLabels[by], cells[by]],
            by === "day" ? sums.toReversed() : sums,
          ),
          html`
            <p
              class="soft">As a table for a spreadsheet: <code>GET /operator/commission</code> with <code>Accept: text/csv</code>, or <code>cli commission</code>.</p>
          `,
        ]),
      ],
    }
  }),
})
