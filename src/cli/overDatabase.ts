import { Effect, Layer, Match, Redacted } from "effect"
import { Accounts } from "../accounts/Accounts.ts"
import { Audit } from "../accounts/Audit.ts"
import type { AccountExists, AccountUnknown, KeyUnknown, LastOperator } from "../accounts/failures.ts"
import { heldKeyIssues } from "../accounts/heldKey.ts"
import { Keys } from "../accounts/Keys.ts"
import { Routes } from "../accounts/Routes.ts"
import { accountBody } from "../api/OperatorBodies.ts"
import { presentEntry } from "../api/present/journal.ts"
import type { Actor } from "../domain/Audit.ts"
import { combineIssues, hasIssues, InvalidRequest, type Issues } from "../domain/Issues.ts"
import type { JournalEntryId } from "../domain/Journal.ts"
import type { PageQuery } from "../domain/Page.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { type ProviderSwitch, type SwitchChange, switchIssues } from "../domain/ProviderSwitch.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapNotFound } from "../domain/SwapRecord.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { SwitchesRepo } from "../store/SwitchesRepo.ts"
import { Journals } from "../swapping/Journals.ts"
import { Moves } from "../swapping/Moves.ts"
import type { Deliveries } from "../webhooks/Deliveries.ts"
import type {
  DeliveryUnknown,
  TooManySecrets,
  TooManyWebhooks,
  WebhookDisabled,
  WebhookUnknown,
} from "../webhooks/failures.ts"
import type { Webhooks } from "../webhooks/Webhooks.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { Operator, type ProviderSeen } from "./Operator.ts"
import { wholeList } from "./wholeList.ts"
import { webhooksOverDatabase } from "./webhooksOverDatabase.ts"

/** Who changes things here, and which providers the service has. */
export interface DatabaseOptions {
  readonly actor: Actor
  /** The setting `PROVIDERS`. */
  readonly providers: ReadonlyArray<ProviderName>
}

/** Everything that the work in the database can fail with. */
export type Failure =
  | AccountExists
  | AccountUnknown
  | InvalidRequest
  | KeyUnknown
  | LastOperator
  | StoreUnavailable
  | SwapNotFound
  | WebhookUnknown
  | DeliveryUnknown
  | WebhookDisabled
  | TooManyWebhooks
  | TooManySecrets

const refused = ({ message }: Error) => new CommandFailed({ kind: "refused", detail: message })

/** One sentence for each issue. */
const inWords = (issues: Issues): string => Object.values(issues).flat().join("\n")

const toCommandFailed: (failure: Failure) => CommandFailed = Match.type<Failure>().pipe(
  Match.tagsExhaustive({
    AccountExists: refused,
    AccountUnknown: refused,
    KeyUnknown: refused,
    LastOperator: refused,
    SwapNotFound: () => new CommandFailed({ kind: "refused", detail: "There is no such swap" }),
    WebhookUnknown: refused,
    DeliveryUnknown: refused,
    WebhookDisabled: refused,
    TooManyWebhooks: refused,
    TooManySecrets: refused,
    InvalidRequest: ({ errors }) => new CommandFailed({ kind: "usage", detail: inWords(errors) }),
    StoreUnavailable: ({ message, cause }) =>
      new CommandFailed({ kind: "unreachable", detail: `${message}: ${cause}` }),
  }),
)

const orFailed = <A>(effect: Effect.Effect<A, Failure>): Effect.Effect<A, CommandFailed> =>
  Effect.mapError(effect, toCommandFailed)

/** What a service would answer with 400. */
const noIssuesIn = (issues: ReadonlyArray<Issues>): Effect.Effect<void, CommandFailed> => {
  const errors = combineIssues(issues)
  return hasIssues(errors) ? toCommandFailed(new InvalidRequest({ errors })) : Effect.void
}

const seen = (name: ProviderName, latest: ReadonlyArray<ProviderSwitch>): ProviderSeen => {
  const off = latest.filter(({ platform, enabled }) => platform === name && !enabled)
  const whole = off.find(({ operation, asset }) => operation === undefined && asset === undefined)
  return {
    name,
    enabled: whole === undefined,
    ...(whole === undefined ? {} : { disabledReason: whole.reason }),
    switches: off.map(({ platform: _platform, enabled: _enabled, ...rest }) => rest),
  }
}

/** The operator's work in the database, for which no service has to run; one that does follows in a second. */
export const overDatabase = (
  { actor, providers }: DatabaseOptions,
): Layer.Layer<
  Operator,
  never,
  Accounts | Keys | Routes | Audit | Deliveries | Journals | Moves | SwitchesRepo | Webhooks
> =>
  Layer.effect(
    Operator,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const keys = yield* Keys
      const routes = yield* Routes
      const audit = yield* Audit
      const switches = yield* SwitchesRepo
      const journals = yield* Journals
      const moves = yield* Moves

      const webhooks = yield* webhooksOverDatabase(actor, orFailed)

      const switchProvider = Effect.fnUntraced(function* (change: SwitchChange) {
        yield* noIssuesIn([switchIssues(change), heldKeyIssues("reason", change.reason, [])])
        if (!providers.includes(change.platform)) {
          const detail = `There is no provider "${change.platform}"; PROVIDERS names ${providers.join(", ")}`
          return yield* new CommandFailed({ kind: "refused", detail })
        }
        yield* orFailed(switches.add(change, { actor, at: yield* currentMillis }))
        return seen(change.platform, yield* orFailed(switches.latest))
      })

      return Operator.of({
        accounts: orFailed(Effect.map(accounts.all, (all) => all.map(accountBody))),
        createAccount: (name, terms) =>
          orFailed(Effect.map(accounts.create(name, terms, actor), accountBody)),
        changeAccount: (name, terms) =>
          orFailed(Effect.map(accounts.change(name, terms, actor), accountBody)),
        keys: (account) => orFailed(keys.ofAccount(account)),
        issueKey: (account, terms) =>
          Effect.andThen(
            noIssuesIn([heldKeyIssues("label", terms.label, [])]),
            orFailed(
              Effect.map(
                keys.issue(account, terms, actor),
                ({ key, record }) => ({ ...record, key: Redacted.value(key) }),
              ),
            ),
          ),
        revokeKey: (id) => orFailed(keys.revoke(id, actor)),
        routes: (account) => orFailed(routes.ofAccount(account)),
        setRoute: (account, rule) => orFailed(routes.set(account, rule, actor)),
        removeRoute: (account, pair) => orFailed(routes.remove(account, pair, actor)),
        providers: orFailed(
          Effect.map(switches.latest, (latest) => providers.map((name) => seen(name, latest))),
        ),
        switchProvider,
        journal: (swap) =>
          wholeList(
            (query: PageQuery<JournalEntryId>) =>
              orFailed(Effect.map(journals.pageOfAny(swap, query), ({ items }) => items.map(presentEntry))),
            ({ id }) => id,
          ),
        moveSwap: (swap, to) => orFailed(moves.move(swap, to, actor)),
        webhooks,
        audit: (part) => orFailed(Effect.map(audit.page(part), ({ entries }) => entries)),
      })
    }),
  )
