import { Effect } from "effect"
import { RouteRules } from "#application/accounts/RouteRules.ts"
import { RoutePairParameters, RouteRuleBody } from "#api/OperatorBodies.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import { anyAsset, routeAssets, type RouteRule } from "#domain/accounts/Route.ts"
import type { Operator } from "#domain/accounts/Viewer.ts"
import { csvOf, csvTable } from "../../requests/csv.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { nothing } from "../../pages/jsx-runtime.ts"
import { onDemand, pill, section, table } from "../../pages/parts.tsx"
import { choice, filled, fixed, formAction, readEntered, type Submitted, truth } from "../formAction.tsx"
import { csvButton } from "../filters.ts"
import { page, type PageRequest } from "../Page.ts"
import { accountFrame, accountOf } from "./account.tsx"
import { routesPath } from "./paths.ts"

/** `BTC Bitcoin`, `any asset`. */
export const routeAssetName = (asset: RouteRule["sourceAsset"]): string =>
  asset === anyAsset ? "any asset" : `${factsOf(asset).ticker} ${chainFacts(chainOf(asset)).title}`

const choices = routeAssets().map((value) => ({ value, label: routeAssetName(value) }))

const readSetRoute = readEntered(readerOf(RouteRuleBody))

/** Allows or denies a pair. */
export const setRoute = formAction({
  path: "/dashboard/accounts/:name/routes",
  button: "Save rule",
  tone: "go",
  fields: {
    sourceAsset: choice({ label: "From", choices, usual: anyAsset }),
    destinationAsset: choice({ label: "To", choices, usual: anyAsset }),
    allowed: choice({
      label: "Rule",
      choices: [{ value: "false", label: "Deny" }, { value: "true", label: "Allow" }],
      usual: "false",
      as: truth,
    }),
  },
  done: { routeSet: "Route rule saved. It is in force within a second." },
  again: { title: "New route rule", back: "Route rules", backTo: ({ param }) => routesPath(param("name")) },
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
  done: { routeRemoved: "Route rule removed. The next rule that matches the pair applies." },
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
    const { head, rules, shown } = yield* accountFrame(account, "routes")
    const csv = csvButton(routesPath(name))
    const form = onDemand("New route rule", setRoute.form({ name }))
    return {
      ...head,
      body: [
        shown,
        section({ title: "Route rules", id: "rules", aside: rules.length === 0 ? nothing : csv }, [
          <p class="soft">
            The most specific rule wins: pair, asset, all. If two asset rules conflict, deny wins.
          </p>,
          table({
            caption: "Route rules, most specific first",
            columns: [
              ["From", ({ sourceAsset }) => routeAssetName(sourceAsset)],
              ["To", ({ destinationAsset }) => routeAssetName(destinationAsset)],
              ["Rule", ({ allowed }) => allowed ? pill("Allow", "good") : pill("Deny", "bad")],
              ["Action", ({ allowed: _, ...pair }) => removeRoute.form({ name }, { entered: filled(pair) })],
            ],
            rows: rules,
            empty: <>No route rules. The account may swap every pair. {form}</>,
          }),
          rules.length === 0 ? nothing : form,
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
