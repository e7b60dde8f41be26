import { Context, Effect, Layer } from "effect"
import type { AlertPlace, ToldAlert } from "#domain/operations/Alert.ts"
import type { Page, PageQuery } from "#domain/Page.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { AlertsRepo } from "#infrastructure/store/alerts/AlertsRepo.ts"
import { alertText } from "./alertText.ts"

/** What the operator must know of: every alert that is active, and those that were. `observing.ts` begins and ends them. */
export class Alerts extends Context.Service<Alerts, {
  /** Every active alert, the latest first. */
  readonly active: StoreEffect<ReadonlyArray<ToldAlert>>
  /** A page of all alerts: the active ones first, each part with the latest first. */
  readonly page: (query: PageQuery<AlertPlace>) => StoreEffect<Page<ToldAlert, AlertPlace>>
}>()("swap-broker/alerts/Alerts") {
  static readonly layer = Layer.effect(Alerts)(Effect.map(AlertsRepo, (repo) =>
    Alerts.of({
      active: Effect.map(repo.active, (entries) => entries.map(alertText)).pipe(
        Effect.withSpan("Alerts.active"),
      ),
      page: Effect.fn("Alerts.page")((query: PageQuery<AlertPlace>) =>
        Effect.map(repo.page(query), ({ items, ...rest }) => ({ items: items.map(alertText), ...rest }))
      ),
    })))
}
