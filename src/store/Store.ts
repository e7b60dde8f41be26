import type { PgClient } from "@effect/sql-pg"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { AccountsRepo } from "./AccountsRepo.ts"
import { AuditRepo } from "./AuditRepo.ts"
import { CallersRepo } from "./CallersRepo.ts"
import { CommissionsRepo } from "./CommissionsRepo.ts"
import type { DatabaseLocation } from "./DatabaseLocation.ts"
import { DeliveriesRepo } from "./DeliveriesRepo.ts"
import { DeliveryListRepo } from "./DeliveryListRepo.ts"
import { KeysRepo } from "./KeysRepo.ts"
import { KeySecretRepo } from "./KeySecretRepo.ts"
import { IdempotencyRepo } from "./IdempotencyRepo.ts"
import { JournalRepo } from "./JournalRepo.ts"
import { LookupsRepo } from "./LookupsRepo.ts"
import { MovesRepo } from "./MovesRepo.ts"
import { NotFoundRepo } from "./NotFoundRepo.ts"
import { OpeningsRepo } from "./OpeningsRepo.ts"
import { OutboxRepo } from "./OutboxRepo.ts"
import { RetentionRepo } from "./RetentionRepo.ts"
import { RoutesRepo } from "./RoutesRepo.ts"
import { type DatabaseFailed, sqlLayer } from "./Sql.ts"
import { StallsRepo } from "./StallsRepo.ts"
import { SwapsRepo } from "./SwapsRepo.ts"
import { SwitchesRepo } from "./SwitchesRepo.ts"
import { VaultSwapsRepo } from "./VaultSwapsRepo.ts"
import { WebhooksRepo } from "./WebhooksRepo.ts"

/** Everything that is kept in the database. */
export type Repositories =
  | AccountsRepo
  | CallersRepo
  | KeysRepo
  | KeySecretRepo
  | RoutesRepo
  | AuditRepo
  | OpeningsRepo
  | IdempotencyRepo
  | SwapsRepo
  | LookupsRepo
  | MovesRepo
  | NotFoundRepo
  | RetentionRepo
  | StallsRepo
  | JournalRepo
  | OutboxRepo
  | SwitchesRepo
  | VaultSwapsRepo
  | CommissionsRepo
  | WebhooksRepo
  | DeliveriesRepo
  | DeliveryListRepo

/** The repositories over any database whose tables are up to date. */
export const repositories: Layer.Layer<Repositories, never, SqlClient.SqlClient> = Layer.mergeAll(
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
  Layer.provideMerge(OutboxRepo.layer),
  Layer.provideMerge(AuditRepo.layer),
)

/** The whole store at its location; the client too, for those who ask whether the database answers. */
export const storeLayer = (
  location: DatabaseLocation,
): Layer.Layer<Repositories | PgClient.PgClient | SqlClient.SqlClient, DatabaseFailed> =>
  repositories.pipe(Layer.provideMerge(sqlLayer(location)))
