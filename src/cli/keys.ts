import { Clock, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { IssuedKeyBody, NewKeyBody } from "../api/OperatorBodies.ts"
import type { AccountName } from "../domain/Account.ts"
import type { ApiKeyRecord, KeyId, Scope } from "../domain/Key.ts"
import type { PageQuery } from "../domain/Page.ts"
import { CommandFailed } from "./failures.ts"
import { OperatorClient, wholeList } from "./OperatorClient.ts"
import { type Columns, print, printOne, printRows, table, timeCell } from "./output.ts"
import { account, expires, keyId, label, scopes } from "./parameters.ts"

const columns: Columns<ApiKeyRecord> = {
  "key id": ({ id }) => id,
  label: ({ label }) => label,
  scopes: ({ scopes }) => scopes.join(","),
  "made by": ({ madeBy }) => madeBy,
  created: ({ createdAt }) => timeCell(createdAt),
  expires: ({ expiresAt }) => timeCell(expiresAt),
  "last used": ({ lastUsedAt }) => timeCell(lastUsedAt),
  revoked: ({ revokedAt }) => timeCell(revokedAt),
}

/** Every key that an account ever had, the latest first. */
const keysOf = (name: AccountName) =>
  Effect.flatMap(OperatorClient, ({ operator }) =>
    wholeList(
      (query: PageQuery<KeyId>) => operator.keys({ params: { name }, query }),
      ({ id }) => id,
    ))

const shownOnce = (issued: IssuedKeyBody): string =>
  `${table(columns, [issued])}\n\nAPI key (shown only now): ${issued.key}`

const create = Command.make(
  "create",
  { account, scopes, expires, label },
  Effect.fnUntraced(function* ({ account, scopes, expires, label }) {
    const { operator } = yield* OperatorClient
    const payload = {
      ...(Option.isSome(scopes) ? { scopes: scopes.value } : {}),
      ...(Option.isSome(expires) ? { expiresAt: expires.value } : {}),
      ...(Option.isSome(label) ? { label: label.value } : {}),
    }
    const issued = yield* operator.issueKey({ params: { name: account }, payload })
    yield* print(issued, shownOnce(issued))
  }),
).pipe(
  Command.withDescription("Issue a key to an account, and show it this once"),
  Command.withExamples([{ command: "keys create wallet-one --label backend --scopes quote,swap,status" }]),
)

const list = Command.make(
  "list",
  { account },
  Effect.fnUntraced(function* ({ account }) {
    yield* printRows(columns, yield* keysOf(account), "The account has no key yet")
  }),
).pipe(Command.withDescription("List every key that an account ever had, the latest first"))

const refuse = (detail: string) => new CommandFailed({ kind: "refused", detail })

/** The key to be replaced; a revoked key cannot be. */
const replaceable = (keys: ReadonlyArray<ApiKeyRecord>, id: KeyId, account: string) => {
  const old = keys.find((key) => key.id === id)
  if (old === undefined) return Effect.fail(refuse(`The account "${account}" has no key "${id}"`))
  return old.revokedAt === undefined
    ? Effect.succeed(old)
    : Effect.fail(refuse(`The key "${id}" is revoked already; issue a new one with keys create`))
}

const isFilled = (scopes: ReadonlyArray<Scope>): scopes is readonly [Scope, ...ReadonlyArray<Scope>] =>
  scopes.length > 0

/** The terms of the new key: those of the old one, except an end that has passed. */
const termsAfter = (
  { label, scopes, expiresAt }: ApiKeyRecord,
  expires: Option.Option<NonNullable<NewKeyBody["expiresAt"]>>,
  now: number,
): NewKeyBody => {
  const until = Option.getOrElse(
    expires,
    () => expiresAt === undefined || expiresAt <= now ? undefined : expiresAt,
  )
  return {
    ...(label === undefined ? {} : { label }),
    ...(isFilled(scopes) ? { scopes } : {}),
    ...(until === undefined ? {} : { expiresAt: until }),
  }
}

const revokeNow = Flag.Boolean("revoke").pipe(
  Flag.withoutNegation,
  Flag.withDescription("Revoke the old key at once; else both work until you revoke it"),
  Flag.withDefault(false),
)

const rotate = Command.make(
  "rotate",
  { account, keyId, expires, revoke: revokeNow },
  Effect.fnUntraced(function* ({ account, keyId, expires, revoke }) {
    const { operator } = yield* OperatorClient
    const old = yield* replaceable(yield* keysOf(account), keyId, account)
    const payload = termsAfter(old, expires, yield* Clock.currentTimeMillis)
    const issued = yield* operator.issueKey({ params: { name: account }, payload })
    const replaced = revoke
      ? `The key ${keyId} does not work any more`
      : `The key ${keyId} still works. Once nobody uses it: keys revoke ${keyId}`
    yield* print(issued, `${shownOnce(issued)}\n${replaced}`)
    if (revoke) yield* operator.revokeKey({ params: { id: keyId }, query: {} })
  }),
).pipe(
  Command.withDescription("Issue a key like another one of the account's, to replace it without a gap"),
  Command.withExamples([{ command: "keys rotate wallet-one 7f3kq2mzr5xwa6hd" }]),
)

const withMade = Flag.Boolean("with-made").pipe(
  Flag.withoutNegation,
  Flag.withDescription("Revoke the keys that were issued with it, too, and those issued with these"),
  Flag.withDefault(false),
)

const revoke = Command.make(
  "revoke",
  { keyId, withMade },
  Effect.fnUntraced(function* ({ keyId, withMade }) {
    const { operator } = yield* OperatorClient
    const query = withMade ? { withMade: "true" } as const : {}
    yield* printOne(columns, yield* operator.revokeKey({ params: { id: keyId }, query }))
  }),
).pipe(Command.withDescription("Revoke a key for ever; nobody takes it a second later"))

/** `keys …` */
export const keys = Command.make("keys").pipe(
  Command.withDescription("The API keys of an account"),
  Command.withSubcommands([create, list, rotate, revoke]),
)
