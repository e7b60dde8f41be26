import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { OperatorGroup } from "#api/Operator.ts"
import { IssuedKeyBody, KeyBody, mostListed } from "#api/OperatorBodies.ts"
import type { ApiKeyRecord } from "#domain/accounts/Key.ts"
import { act, answers, group, perform, rows, view } from "./act.ts"
import { answerTo } from "./OperatorClient.ts"
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

const rotate = Command.make(
  "rotate",
  {
    account,
    keyId,
    expires,
    revoke: switchOn("revoke", "Revoke the old key at once; by default both stay active until you revoke it"),
  },
  Effect.fnUntraced(function* ({ account, keyId, expires, revoke }) {
    const replaced = revoke
      ? `The key ${keyId} is revoked`
      : `The key ${keyId} stays active. When its last use is past: cli keys revoke ${keyId}`
    const terms = { name: account, replaces: keyId, expiresAt: Option.getOrUndefined(expires) }
    yield* perform(issueKey, terms, issued(`\n${replaced}`))
    if (revoke) yield* answerTo(revokeKey, { id: keyId })
  }),
).pipe(
  Command.withDescription("Issue a key with the same scopes and label, to replace one without a gap"),
  Command.withExamples([{ command: "keys rotate wallet-one 7f3kq2mzr5xwa6hd" }]),
  answers(issueKey),
)

export const keys = group("keys", "The API keys of an account", [
  act("create", issueKey, {
    takes: { name: account, ...keyTerms },
    shows: issued(),
    examples: ["keys create wallet-one --label backend --scopes quote,swap,status"],
  }),
  act("list", list, {
    takes: { name: account },
    always: { limit: mostListed },
    shows: record,
    about: "List every key that an account ever had, newest first",
  }),
  rotate,
  act("revoke", revokeKey, {
    takes: {
      id: keyId,
      withMade: Flag.map(
        switchOn("with-made", "Also revoke the keys that it issued, and those that they issued"),
        (isOn) => isOn ? "true" : undefined,
      ),
    },
    shows: record,
  }),
])
