import { Effect } from "effect"
import type { Accounts } from "../../accounts/Accounts.ts"
import { Routes } from "../../accounts/Routes.ts"
import { RoutePairParameters, RouteRuleBody } from "../../api/OperatorBodies.ts"
import { actorOf } from "../../domain/Audit.ts"
import { anyAsset, RouteAsset, type RouteRule } from "../../domain/Route.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { actForm, hidden, select } from "../../pages/forms.ts"
import { type Html, html } from "../../pages/html.ts"
import { badge, section, table } from "../../pages/parts.ts"
import { path } from "../../pages/Url.ts"
import { accountOf, backToAccount } from "./account.ts"
import { again, type Entered, given, readEntered, truth, untouched } from "../entered.ts"
import type { Act, Page, Sent } from "../Page.ts"

const routesPath = (name: string) => path`/dashboard/accounts/${name}/routes`

const choices = RouteAsset.literals.map((value) => ({
  value,
  label: value === anyAsset ? "any asset" : value,
}))

const ruleForm = (name: string, { fault, value }: Entered): Html =>
  actForm({ to: routesPath(name), button: "Set the rule", tone: "info" }, [
    select({
      label: "From",
      name: "sourceAsset",
      choices,
      value: value("sourceAsset", anyAsset),
      fault: fault("sourceAsset"),
    }),
    select({
      label: "To",
      name: "destinationAsset",
      choices,
      value: value("destinationAsset", anyAsset),
      fault: fault("destinationAsset"),
    }),
    select({
      label: "Such swaps are",
      name: "allowed",
      choices: [{ value: "false", label: "denied" }, { value: "true", label: "allowed" }],
      value: value("allowed", "false"),
      fault: fault("allowed"),
    }),
  ])

const removeForm = (name: string, { destinationAsset, sourceAsset }: RouteRule): Html =>
  actForm({ to: path`/dashboard/accounts/${name}/routes/remove`, button: "Remove" }, [
    hidden("sourceAsset", sourceAsset),
    hidden("destinationAsset", destinationAsset),
  ])

const assetName = (asset: string): string => asset === anyAsset ? "any asset" : asset

/** Which pairs an account may swap. */
export const routesPage: Page<Accounts | Routes> = {
  path: "/dashboard/accounts/:name/routes",
  operator: Effect.fnUntraced(function* (asked) {
    const { name } = yield* accountOf(asked)
    const rules = yield* (yield* Routes).ofAccount(name)
    return {
      title: "Routes",
      above: backToAccount(name),
      body: [
        section(
          { title: "Rules", id: "rules" },
          table({
            caption: "Rules, the most specific first",
            columns: [{ label: "From" }, { label: "To" }, { label: "Such swaps are" }, { label: "Change" }],
            rows: rules.map((rule) => [
              assetName(rule.sourceAsset),
              assetName(rule.destinationAsset),
              rule.allowed ? badge("allowed", "good") : badge("denied", "bad"),
              removeForm(name, rule),
            ]),
            empty: "There is no rule: the account may swap every pair.",
          }),
        ),
        section({ title: "Set a rule", id: "set" }, [
          html`
            <p
              class="empty">The rule of a pair comes before those of its two assets, either of which can deny; those before the rule of any asset to any asset.</p>
          `,
          ruleForm(name, untouched),
        ]),
      ],
    }
  }),
}

const readRule = readEntered(readerOf(RouteRuleBody))
const readPair = readEntered(readerOf(RoutePairParameters))

const enteredPair = ({ field }: Sent) => ({
  sourceAsset: field("sourceAsset"),
  destinationAsset: field("destinationAsset"),
})

/** Allows or denies a pair. */
export const setRoute: Act<Accounts | Routes> = {
  path: "/dashboard/accounts/:name/routes",
  run: Effect.fnUntraced(function* (sent) {
    const { name } = yield* accountOf(sent)
    const rule = yield* readRule(given({ ...enteredPair(sent), allowed: truth(sent.field("allowed")) }))
    yield* (yield* Routes).set(name, rule, actorOf(sent.viewer.caller))
    return { to: routesPath(name), said: "routeSet" } as const
  }),
  again: again({
    title: "Set a rule",
    back: "Routes",
    backTo: ({ param }) => routesPath(param("name")),
    form: ({ param }, entered) => ruleForm(param("name"), entered),
  }),
}

/** Removes the rule of a pair. */
export const removeRoute: Act<Accounts | Routes> = {
  path: "/dashboard/accounts/:name/routes/remove",
  run: Effect.fnUntraced(function* (sent) {
    const { name } = yield* accountOf(sent)
    yield* (yield* Routes).remove(name, yield* readPair(enteredPair(sent)), actorOf(sent.viewer.caller))
    return { to: routesPath(name), said: "routeRemoved" } as const
  }),
}
