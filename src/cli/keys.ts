import { Clock, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { OperatorGroup } from "../api/Operator.ts"
import { IssuedKeyBody, KeyBody, mostListed } from "../api/OperatorBodies.ts"
import type { AccountName } from "../domain/Account.ts"
import type { ApiKeyRecord, KeyId } from "../domain/Key.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { act, answers, perform, rows, view } from "./act.ts"
import { CommandFailed } from "./failures.ts"
import { answerTo, readAs } from "./OperatorClient.ts"
import { type Columns, table, timeCell, together } from "./output.ts"
import { account, expires, keyId, keyTerms, switchOn } from "./parameters.ts"

const { issueKey, keys: list, revokeKey } = OperatorGroup.endpoints

const columns: Columns<ApiKeyRecord> = [
  ["key id", "id"],
  "label",
  "scopes",
  ["created", ({ createdAt, madeBy }) => together(timeCell(createdAt), madeBy && `by ${madeBy}`)],
  "expiresAt",
  "lastUsedAt",
  "revokedAt",
]

const record = rows(KeyBody, columns, "The account has no keys yet")

const issued = (more = "") =>
  view(IssuedKeyBody, (made) => `${table(columns, [made])}\n\nAPI key (shown only now): ${made.key}${more}`)

const readKeys = readAs(Schema.Array(KeyBody))

const refuse = (detail: string) => new CommandFailed({ kind: "refused", detail })

/** The key to be replaced; a revoked key cannot be. */
const replaceable = Effect.fnUntraced(function* (account: AccountName, id: KeyId) {
  const keys = yield* readKeys(yield* answerTo(list, { name: account, limit: mostListed }))
  const old = keys.find((key) => key.id === id)
  if (old === undefined) return yield* refuse(`The account "${account}" has no key "${id}"`)
  return old.revokedAt === undefined
    ? old
    : yield* refuse(`The key "${id}" is revoked already; issue a new one with keys create`)
})

/** The terms of the new key: those of the old one, except an end that has passed. */
const termsAfter = (
  { label, scopes, expiresAt }: ApiKeyRecord,
  expires: Option.Option<EpochMillis>,
  now: number,
) => ({
  label,
  scopes,
  expiresAt: Option.getOrElse(
    expires,
    () => expiresAt === undefined || expiresAt <= now ? undefined : expiresAt,
  ),
})

const rotate = Command.make(
  "rotate",
  {
    account,
    keyId,
    expires,
    revoke: switchOn("revoke", "Revoke the old key at once; else both work until you revoke it"),
  },
  Effect.fnUntraced(function* ({ account, keyId, expires, revoke }) {
    const terms = termsAfter(yield* replaceable(account, keyId), expires, yield* Clock.currentTimeMillis)
    const replaced = revoke
      ? `The key ${keyId} is revoked`
      : `The key ${keyId} still works. Once nobody uses it: keys revoke ${keyId}`
    yield* perform(issueKey, { name: account, ...terms }, issued(`\n${replaced}`))
    if (revoke) yield* answerTo(revokeKey, { id: keyId })
  }),
).pipe(
  Command.withDescription("Issue a key like another one of the account's, to replace it without a gap"),
  Command.withExamples([{ command: "keys rotate wallet-one 7f3kq2mzr5xwa6hd" }]),
  answers(issueKey),
)

/** `keys …` */
export const keys = Command.make("keys").pipe(
  Command.withDescription("The API keys of an account"),
  Command.withSubcommands([
    act("create", issueKey, {
      takes: { name: account, ...keyTerms },
      shows: issued(),
      examples: ["keys create wallet-one --label backend --scopes quote,swap,status"],
    }),
    act("list", list, {
      takes: { name: account },
      always: { limit: mostListed },
      shows: record,
      about: "List every key that an account ever had, the latest first",
    }),
    rotate,
    act("revoke", revokeKey, {
      takes: {
        id: keyId,
        withMade: Flag.map(
          switchOn("with-made", "Revoke the keys that were issued with it, too, and those issued with these"),
          (isOn) => isOn ? "true" : undefined,
        ),
      },
      shows: record,
    }),
  ]),
)
