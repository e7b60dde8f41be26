import type { PgClient } from "@effect/sql-pg"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { AccountsRepo } from "./accounts/AccountsRepo.ts"
import { AuditRepo } from "./accounts/AuditRepo.ts"
import { CallersRepo } from "./accounts/CallersRepo.ts"
import { CommissionsRepo } from "./accounts/CommissionsRepo.ts"
import { KeySecretRepo } from "./accounts/KeySecretRepo.ts"
import { KeysRepo } from "./accounts/KeysRepo.ts"
import { RoutesRepo } from "./accounts/RoutesRepo.ts"
import { SwitchesRepo } from "./accounts/SwitchesRepo.ts"
import type { DatabaseLocation } from "./database/DatabaseLocation.ts"
import { type DatabaseFailed, sqlLayer } from "./database/Sql.ts"
import { IdempotencyRepo } from "./swaps/IdempotencyRepo.ts"
import { JournalRepo } from "./swaps/JournalRepo.ts"
import { LookupsRepo } from "./swaps/LookupsRepo.ts"
import { MovesRepo } from "./swaps/MovesRepo.ts"
import { NotFoundRepo } from "./swaps/NotFoundRepo.ts"
import { OpeningsRepo } from "./swaps/OpeningsRepo.ts"
import { OutboxRepo, type WriteRecord } from "./swaps/OutboxRepo.ts"
import { RetentionRepo } from "./swaps/RetentionRepo.ts"
import { StallsRepo } from "./swaps/StallsRepo.ts"
import { SwapsRepo } from "./swaps/SwapsRepo.ts"
import { VaultSwapsRepo } from "./swaps/VaultSwapsRepo.ts"
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
    RoutesRepo.layer,
    OpeningsRepo.layer,
    IdempotencyRepo.layer,
    SwapsRepo.layer,
    LookupsRepo.layer,
    MovesRepo.layer,
    NotFoundRepo.layer,
    RetentionRepo.layer,
    StallsRepo.layer,
    SwitchesRepo.layer,
    VaultSwapsRepo.layer,
    CommissionsRepo.layer,
    WebhooksRepo.layer,
    DeliveriesRepo.layer,
    DeliveryListRepo.layer,
  ).pipe(
    Layer.provideMerge(JournalRepo.layer),
    Layer.provideMerge(OutboxRepo.layer(write)),
    Layer.provideMerge(AuditRepo.layer),
  )

export type Repositories = Layer.Success<ReturnType<typeof repositories>>

/** The whole store at its location, with its client, which the health check asks whether the database answers. */
export const storeLayer = (
  location: DatabaseLocation,
  write: WriteRecord,
): Layer.Layer<Repositories | PgClient.PgClient | SqlClient.SqlClient, DatabaseFailed> =>
  repositories(write).pipe(Layer.provideMerge(sqlLayer(location)))
