import { Effect } from "effect"
import { Command } from "effect/cli"
import type { RouteRule } from "../domain/Route.ts"
import { OperatorClient } from "./OperatorClient.ts"
import { type Columns, printRows } from "./output.ts"
import { account, routeAsset } from "./parameters.ts"

const columns: Columns<RouteRule> = {
  "source asset": ({ sourceAsset }) => sourceAsset,
  "destination asset": ({ destinationAsset }) => destinationAsset,
  allowed: ({ allowed }) => allowed,
}

const printRules = (rules: ReadonlyArray<RouteRule>) =>
  printRows(columns, rules, "No rule: the account may swap every pair")

const pair = {
  account,
  sourceAsset: routeAsset("source-asset", "Asset to swap from"),
  destinationAsset: routeAsset("destination-asset", "Asset to swap to"),
}

const setting = (name: string, allowed: boolean) =>
  Command.make(
    name,
    pair,
    Effect.fnUntraced(function* ({ account, sourceAsset, destinationAsset }) {
      const { operator } = yield* OperatorClient
      const payload = { sourceAsset, destinationAsset, allowed }
      yield* printRules(yield* operator.setRoute({ params: { name: account }, payload }))
    }),
  )

const allow = setting("allow", true).pipe(
  Command.withDescription("Allow an account a pair"),
  Command.withExamples([{ command: "routes allow wallet-one btc.btc '*'" }]),
)

const deny = setting("deny", false).pipe(
  Command.withDescription("Deny an account a pair"),
  Command.withExamples([{ command: "routes deny wallet-one '*' '*'" }]),
)

const remove = Command.make(
  "remove",
  pair,
  Effect.fnUntraced(function* ({ account, sourceAsset, destinationAsset }) {
    const { operator } = yield* OperatorClient
    const query = { sourceAsset, destinationAsset }
    yield* printRules(yield* operator.removeRoute({ params: { name: account }, query }))
  }),
).pipe(Command.withDescription("Remove the rule of a pair"))

const list = Command.make(
  "list",
  { account },
  Effect.fnUntraced(function* ({ account }) {
    yield* printRules(yield* (yield* OperatorClient).operator.routes({ params: { name: account } }))
  }),
).pipe(Command.withDescription("List the rules of an account, the most specific first"))

/** `routes …` */
export const routes = Command.make("routes").pipe(
  Command.withDescription("Which pairs an account may swap; without a rule, every one"),
  Command.withSubcommands([allow, deny, remove, list]),
)
