import { Effect, Result, Schema, Struct } from "effect"
import {
  AccountChangesBody,
  NewAccountBody,
  NewKeyBody,
  RouteRuleBody,
  SwapMoveBody,
} from "../api/OperatorBodies.ts"
import type { AccountTerms } from "../domain/Account.ts"
import { present } from "../domain/RequestRules.ts"
import { accept } from "./accept.ts"
import { keptTextIssues } from "./keptTextIssues.ts"
import { bodyMembers } from "./rawParameters.ts"
import { parameterReader } from "./readParameters.ts"

const originList = ["allowedOrigins"]
const readChanges = parameterReader(AccountChangesBody, [], originList)
const readNew = parameterReader(
  NewAccountBody.mapFields(({ name, ...terms }) => ({ ...terms, name: Schema.optionalKey(name) })),
  ["name"],
  originList,
)

type Changes = ReturnType<typeof readChanges>["values"]

const termsOf = (
  { commissionBps, affiliates, allowedOrigins, suspended }: Changes,
): Partial<AccountTerms> => ({
  ...(commissionBps === undefined ? {} : { commissionBps }),
  ...(affiliates === undefined ? {} : { affiliates }),
  ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
  ...(suspended === undefined ? {} : { suspended }),
})

/** What a body wants changed of an account. */
export const readAccountChanges = Effect.flatMap(bodyMembers, (raw) => {
  const { values, issues } = readChanges(raw)
  return accept([issues], Result.succeed(termsOf(values)))
})

/** Which account a body wants created. */
export const readNewAccount = Effect.flatMap(bodyMembers, (raw) => {
  const { values, issues } = readNew(raw)
  return accept([issues], Result.map(present(values.name), (name) => ({ name, terms: termsOf(values) })))
})

const readKey = parameterReader(NewKeyBody, [], ["scopes"])

/** What a body wants a key issued with. */
export const readNewKey = Effect.gen(function* () {
  const { values: { scopes, expiresAt, label }, issues } = readKey(yield* bodyMembers)
  return yield* accept(
    [issues, yield* keptTextIssues("label", label)],
    Result.succeed({
      ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(label === undefined ? {} : { label }),
    }),
  )
})

const readRule = parameterReader(
  RouteRuleBody.mapFields(Struct.map(Schema.optionalKey)),
  Struct.keys(RouteRuleBody.fields),
)
const pairOf = ({ sourceAsset, destinationAsset }: ReturnType<typeof readRule>["values"]) =>
  Result.all({ sourceAsset: present(sourceAsset), destinationAsset: present(destinationAsset) })

/** Which rule a body wants set. */
export const readRouteRule = Effect.flatMap(bodyMembers, (raw) => {
  const { values, issues } = readRule(raw)
  return accept(
    [issues],
    Result.all({ pair: pairOf(values), allowed: present(values.allowed) }).pipe(
      Result.map(({ pair, allowed }) => ({ ...pair, allowed })),
    ),
  )
})

const readMove = parameterReader(
  SwapMoveBody.mapFields(({ account }) => ({ account: Schema.optionalKey(account) })),
  ["account"],
)

/** To which account a body wants a swap moved. */
export const readSwapMove = Effect.flatMap(bodyMembers, (raw) => {
  const { values, issues } = readMove(raw)
  return accept([issues], present(values.account))
})
