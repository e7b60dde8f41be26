import { Effect } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { pageOf } from "#domain/Page.ts"
import { type AuditQuery, AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"

/** Reads the audit log. Each service writes its entries together with its changes (`AuditRepo.recorded`). */
export class Audit extends service<Audit>()(
  "swap-broker/accounts/Audit",
  Effect.gen(function* () {
    const repo = yield* AuditRepo
    /** A page of entries, the latest first; `offset` is included. */
    const page = Effect.fn("Audit.page")(function* (query: AuditQuery) {
      const found = yield* repo.entries({ ...query, limit: query.limit + 1 })
      return pageOf(found, query.limit, ({ id }) => id)
    })
    return { page }
  }),
) {}
