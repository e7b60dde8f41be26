import { Context, Effect, Layer } from "effect"
import type { AuditEntry, AuditEntryId } from "#domain/operations/Audit.ts"
import { type Page, pageOf } from "#domain/Page.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { type AuditQuery, AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"

/** Reads the audit log. Each service writes its entries together with its changes (`AuditRepo.recorded`). */
export class Audit extends Context.Service<Audit, {
  /** A page of entries, the latest first; `offset` is included. */
  readonly page: (query: AuditQuery) => StoreEffect<Page<AuditEntry, AuditEntryId>>
}>()("swap-broker/accounts/Audit") {
  static readonly layer = Layer.effect(Audit)(Effect.gen(function* () {
    const repo = yield* AuditRepo
    const page = Effect.fn("Audit.page")(function* (query: AuditQuery) {
      const found = yield* repo.entries({ ...query, limit: query.limit + 1 })
      return pageOf(found, query.limit, ({ id }) => id)
    })
    return Audit.of({ page })
  }))
}
