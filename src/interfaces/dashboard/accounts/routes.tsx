import { Effect } from "effect"
import { RouteRules } from "#application/accounts/RouteRules.ts"
import { RoutePairParameters, RouteRuleBody } from "#api/OperatorBodies.ts"
import { anyAsset, routeAssets, type RouteRule } from "#domain/accounts/Route.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { csvOf, csvTable } from "../../requests/csv.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { pill, section } from "../../pages/parts.tsx"
import { table } from "../../pages/table.tsx"
import { choice, filled, fixed, formAction, readEntered, type Submitted, truth } from "../formAction.tsx"
import { csvButton } from "../filters.ts"
import { page, type PageRequest } from "../Page.ts"
import { accountOf, accountTabs, backToAccount } from "./account.tsx"
import { routesPath } from "./paths.ts"

const assetName = (asset: string): string => asset === anyAsset ? "any asset" : asset

const choices = routeAssets().map((value) => ({ value, label: assetName(value) }))

const readSetRoute = readEntered(readerOf(RouteRuleBody))

/** Allows or denies a pair. */
export const setRoute = formAction({
  path: "/dashboard/accounts/:name/routes",
  button: "Set the rule",
  tone: "go",
  fields: {
    sourceAsset: choice({ label: "From", choices, usual: anyAsset }),
    destinationAsset: choice({ label: "To", choices, usual: anyAsset }),
    allowed: choice({
      label: "Swaps of it are",
      choices: [{ value: "false", label: "denied" }, { value: "true", label: "allowed" }],
      usual: "false",
      as: truth,
    }),
  },
  done: { routeSet: "The rule is in force on every replica within a second." },
  again: { title: "Set a rule", back: "Routes", backTo: ({ param }) => routesPath(param("name")) },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    yield* (yield* RouteRules).set(name, yield* readSetRoute(sent.entered), sent.by)
    return { to: routesPath(name), said: "routeSet" } as const
  }),
})

const readRemoveRoute = readEntered(readerOf(RoutePairParameters))

/** Removes the rule of a pair. */
export const removeRoute = formAction({
  path: "/dashboard/accounts/:name/routes/remove",
  button: "Remove",
  fields: { sourceAsset: fixed(), destinationAsset: fixed() },
  done: { routeRemoved: "The rule is gone. The next rule that fits the pair counts." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { name } = yield* accountOf(sent)
    yield* (yield* RouteRules).remove(name, yield* readRemoveRoute(sent.entered), sent.by)
    return { to: routesPath(name), said: "routeRemoved" } as const
  }),
})

const routesCsv = csvTable<RouteRule>("routes.csv", [
  ["sourceAsset", ({ sourceAsset }) => sourceAsset],
  ["destinationAsset", ({ destinationAsset }) => destinationAsset],
  ["allowed", ({ allowed }) => `${allowed}`],
])

/** Which pairs an account may swap. */
export const routesPage = page({
  path: "/dashboard/accounts/:name/routes",
  operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
    const account = yield* accountOf(asked)
    const { name } = account
    const { rules, shown } = yield* accountTabs(account, "routes", asked.now)
    return {
      title: "Routes",
      crumb: backToAccount(name),
      acts: csvButton(routesPath(name)),
      body: [
        shown,
        section(
          { title: "Rules", id: "rules" },
          table({
            caption: "Rules, the most specific first",
            columns: [
              ["From", ({ sourceAsset }) => assetName(sourceAsset)],
              ["To", ({ destinationAsset }) => assetName(destinationAsset)],
              [
                "Swaps of it are",
                ({ allowed }) => allowed ? pill("allowed", "good") : pill("denied", "bad"),
              ],
              ["Change", ({ allowed: _, ...pair }) => removeRoute.form({ name }, { entered: filled(pair) })],
            ],
            rows: rules,
            empty: "There is no rule: the account may swap every pair.",
          }),
        ),
        section({ title: "Set a rule", id: "set" }, [
          <p class="soft">
            The rule of a pair comes before those of its two assets, either of which can deny; those before
            the rule of any asset to any asset.
          </p>,
          setRoute.form({ name }),
        ]),
      ],
    }
  }),
  csv: {
    operator: Effect.fnUntraced(function* (asked: PageRequest<Operator>) {
      const { name } = yield* accountOf(asked)
      return csvOf(routesCsv, { items: yield* (yield* RouteRules).ofAccount(name) })
    }),
  },
})
