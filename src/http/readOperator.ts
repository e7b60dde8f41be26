import { Effect, Result, Schema, Struct } from "effect"
import {
  AccountChangesBody,
  AccountPageParameters,
  AuditParameters,
  KeyPageParameters,
  NewAccountBody,
  NewKeyBody,
  RoutePairParameters,
  RouteRuleBody,
  SwapMoveBody,
} from "../api/OperatorBodies.ts"
import type { AccountTerms } from "../domain/Account.ts"
import { AuditEntryId } from "../domain/Audit.ts"
import type { PageQuery } from "../domain/Page.ts"
import { present } from "../domain/RequestRules.ts"
import { accept } from "./accept.ts"
import { keptTextIssues } from "./keptTextIssues.ts"
import { bodyMembers, queryParameters } from "./rawParameters.ts"
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
const readPair = parameterReader(
  RoutePairParameters.mapFields(Struct.map(Schema.optionalKey)),
  Struct.keys(RoutePairParameters.fields),
)

const pairOf = ({ sourceAsset, destinationAsset }: ReturnType<typeof readPair>["values"]) =>
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

/** Of which pair a query wants the rule removed. */
export const readRoutePair = Effect.flatMap(queryParameters, (raw) => {
  const { values, issues } = readPair(raw)
  return accept([issues], pairOf(values))
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

const readAudit = parameterReader(AuditParameters, [])

const readAccounts = parameterReader(AccountPageParameters, [])
const readKeys = parameterReader(KeyPageParameters, [])

const defaultLimit = 50

interface PageValues<Id> {
  readonly offset?: Id | undefined
  readonly limit?: number | undefined
}

const pageQuery = <Id>({ offset, limit = defaultLimit }: PageValues<Id>): PageQuery<Id> => ({
  limit,
  ...(offset === undefined ? {} : { offset }),
})

/** Which accounts a query asks for. */
export const readAccountPage = Effect.flatMap(queryParameters, (raw) => {
  const { values, issues } = readAccounts(raw)
  return accept([issues], Result.succeed(pageQuery(values)))
})

/** Which keys of an account a query asks for. */
export const readKeyPage = Effect.flatMap(queryParameters, (raw) => {
  const { values, issues } = readKeys(raw)
  return accept([issues], Result.succeed(pageQuery(values)))
})

/** Which part of the audit log a query asks for. */
export const readAuditQuery = Effect.flatMap(queryParameters, (raw) => {
  const { values: { offset, limit }, issues } = readAudit(raw)
  return accept(
    [issues],
    Result.succeed(
      pageQuery({ limit, offset: offset === undefined ? undefined : AuditEntryId.make(offset) }),
    ),
  )
})
