import type { PgClient } from "@effect/sql-pg"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { AccountsRepo } from "./accounts/AccountsRepo.ts"
import { AuditRepo } from "./accounts/AuditRepo.ts"
import { CallersRepo } from "./accounts/CallersRepo.ts"
import { CommissionsRepo } from "./accounts/CommissionsRepo.ts"
import { KeySecretRepo } from "./accounts/KeySecretRepo.ts"
import { KeysRepo } from "./accounts/KeysRepo.ts"
import { RequestErrorsRepo } from "./accounts/RequestErrorsRepo.ts"
import { RoutesRepo } from "./accounts/RoutesRepo.ts"
import { SessionsRepo } from "./accounts/SessionsRepo.ts"
import { SwitchesRepo } from "./accounts/SwitchesRepo.ts"
import { ListedSwapsRepo } from "./business/ListedSwapsRepo.ts"
import { SumsRepo } from "./business/SumsRepo.ts"
import { TrackRecordsRepo } from "./business/TrackRecordsRepo.ts"
import { OpenFundsRepo } from "./business/OpenFundsRepo.ts"
import { UnknownOutcomesRepo } from "./business/UnknownOutcomesRepo.ts"
import { ValuesRepo } from "./business/ValuesRepo.ts"
import { AlertMessagesRepo } from "./alerts/AlertMessagesRepo.ts"
import { type AssetsMissing, checkAssets } from "./knownAssets.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { AlertsRepo } from "./alerts/AlertsRepo.ts"
import type { DatabaseLocation } from "./database/DatabaseLocation.ts"
import { type DatabaseFailed, sqlLayer } from "./database/Sql.ts"
import { BudgetsRepo } from "./ops/BudgetsRepo.ts"
import { EndpointEndingsRepo } from "./ops/EndpointEndingsRepo.ts"
import { ProviderHistoryRepo } from "./ops/ProviderHistoryRepo.ts"
import { RecordKeysRepo } from "./ops/RecordKeysRepo.ts"
import { RefusalsRepo } from "./ops/RefusalsRepo.ts"
import { WireRoundsRepo } from "./ops/WireRoundsRepo.ts"
import { IdempotencyRepo } from "./swaps/IdempotencyRepo.ts"
import { JournalRepo } from "./swaps/JournalRepo.ts"
import { LaterSwapsRepo } from "./swaps/LaterSwapsRepo.ts"
import { LostOpeningsRepo } from "./swaps/LostOpeningsRepo.ts"
import { LookupsRepo } from "./swaps/LookupsRepo.ts"
import { MovesRepo } from "./swaps/MovesRepo.ts"
import { NoticesRepo } from "./swaps/NoticesRepo.ts"
import { NotFoundRepo } from "./swaps/NotFoundRepo.ts"
import { OpeningsRepo } from "./swaps/OpeningsRepo.ts"
import { OutboxRepo, type WriteRecord } from "./swaps/OutboxRepo.ts"
import { CaseRepo } from "./swaps/CaseRepo.ts"
import { RetentionRepo } from "./swaps/RetentionRepo.ts"
import { PaymentsRepo } from "./swaps/PaymentsRepo.ts"
import { MerchantsRepo } from "./accounts/MerchantsRepo.ts"
import { VolumesRepo } from "./swaps/VolumesRepo.ts"
import { PayLinksRepo } from "./swaps/PayLinksRepo.ts"
import { PayloadSearchesRepo } from "./swaps/PayloadSearchesRepo.ts"
import { StallsRepo } from "./swaps/StallsRepo.ts"
import { SwapsRepo } from "./swaps/SwapsRepo.ts"
import { VaultSwapsRepo } from "./swaps/VaultSwapsRepo.ts"
import { AffiliatesRepo } from "./treasury/AffiliatesRepo.ts"
import { LedgerRepo } from "./treasury/LedgerRepo.ts"
import { BalanceReadsRepo } from "./treasury/BalanceReadsRepo.ts"
import { SpendingRepo } from "./treasury/SpendingRepo.ts"
import { WithdrawalsRepo } from "./treasury/WithdrawalsRepo.ts"
import { DeliveriesRepo } from "./webhooks/DeliveriesRepo.ts"
import { DeliveryListRepo } from "./webhooks/DeliveryListRepo.ts"
import { WebhooksRepo } from "./webhooks/WebhooksRepo.ts"

/** The repositories over any database whose tables are up to date. `write` renders a swap as the text of its events. */
export const repositories = (write: WriteRecord) =>
  Layer.mergeAll(
    AccountsRepo.layer,
    CallersRepo.layer,
    KeysRepo.layer,
    KeySecretRepo.layer,
    RequestErrorsRepo.layer,
    RoutesRepo.layer,
    SessionsRepo.layer,
    OpeningsRepo.layer,
    MerchantsRepo.layer,
    VolumesRepo.layer,
    PayLinksRepo.layer,
    IdempotencyRepo.layer,
    SwapsRepo.layer,
    LookupsRepo.layer,
    LostOpeningsRepo.layer,
    LaterSwapsRepo.layer,
    MovesRepo.layer,
    NotFoundRepo.layer,
    NoticesRepo.layer,
    CaseRepo.layer,
    PaymentsRepo.layer,
    RetentionRepo.layer,
    PayloadSearchesRepo.layer,
    StallsRepo.layer,
    SwitchesRepo.layer,
    VaultSwapsRepo.layer,
    CommissionsRepo.layer,
    ListedSwapsRepo.layer,
    SumsRepo.layer,
    ValuesRepo.layer,
    TrackRecordsRepo.layer,
    OpenFundsRepo.layer,
    UnknownOutcomesRepo.layer,
    WebhooksRepo.layer,
    DeliveriesRepo.layer,
    DeliveryListRepo.layer,
    AlertsRepo.layer,
    AlertMessagesRepo.layer,
    AffiliatesRepo.layer,
    LedgerRepo.layer,
    BalanceReadsRepo.layer,
    SpendingRepo.layer,
    WithdrawalsRepo.layer,
    BudgetsRepo.layer,
    EndpointEndingsRepo.layer,
    ProviderHistoryRepo.layer,
    RecordKeysRepo.layer,
    RefusalsRepo.layer,
    WireRoundsRepo.layer,
  ).pipe(
    Layer.provideMerge(JournalRepo.layer),
    Layer.provideMerge(OutboxRepo.layer(write)),
    Layer.provideMerge(AuditRepo.layer),
  )

/** Why the store cannot be used at the start. */
export type StoreFailed = DatabaseFailed | AssetsMissing | StoreUnavailable

export type Repositories = Layer.Success<ReturnType<typeof repositories>>

/** The whole store at its location, with its client. Fails where the catalogue lacks a recorded asset. */
export const storeLayer = (
  location: DatabaseLocation,
  write: WriteRecord,
): Layer.Layer<Repositories | PgClient.PgClient | SqlClient.SqlClient, StoreFailed> =>
  Layer.merge(repositories(write), Layer.effectDiscard(checkAssets)).pipe(
    Layer.provideMerge(sqlLayer(location)),
  )
