import { Effect } from "effect"
import type { AlertPlace } from "#domain/operations/Alert.ts"
import type { PageQuery } from "#domain/Page.ts"
import { service } from "#infrastructure/platform/service.ts"
import { AlertsRepo } from "#infrastructure/store/alerts/AlertsRepo.ts"
import { alertText } from "./alertText.ts"

/** What the operator must know of: every alert that is active, and those that were. `observing.ts` begins and ends them. */
export class Alerts extends service<Alerts>()(
  "swap-broker/alerts/Alerts",
  Effect.map(AlertsRepo, (repo) => ({
    /** Every active alert, the latest first. */
    active: Effect.map(repo.active, (entries) => entries.map(alertText)).pipe(
      Effect.withSpan("Alerts.active"),
    ),
    /** A page of all alerts: the active ones first, each part with the latest first. */
    page: Effect.fn("Alerts.page")((query: PageQuery<AlertPlace>) =>
      Effect.map(repo.page(query), ({ items, ...rest }) => ({ items: items.map(alertText), ...rest }))
    ),
  })),
) {}
