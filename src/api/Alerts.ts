import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { AlertPlace, ToldAlert } from "#domain/operations/Alert.ts"
import { about, reading } from "./endpoint.ts"
import { needsScope, OperatorAuthorization, ParameterFaults } from "./Authorization.ts"
import { listLimit } from "./OperatorBodies.ts"
import { BadRequest } from "./Problems.ts"

export const AlertPageParameters = Schema.Struct({
  offset: Schema.optionalKey(AlertPlace.annotate({
    description:
      "Place to start from, itself included: the `state` and the `id` of an alert with `-` in between.",
    examples: [AlertPlace.make("ended-12")],
    message: "must be the state and the id of an alert, such as ended-12",
  })),
  limit: listLimit,
})

/** Endpoints for the operator: what is wrong, and what was. */
export class AlertsGroup extends HttpApiGroup.make("alerts").add(
  HttpApiEndpoint.get("alerts", "/operator/alerts", {
    query: AlertPageParameters,
    success: Schema.Array(ToldAlert.annotate({ identifier: "Alert" })).annotate({
      description:
        'Active alerts first, each part newest first. `Link: rel="next"` leads on when there is more.',
    }),
    error: [BadRequest, ...reading],
  }).annotateMerge(about(
    "listAlerts",
    "List what is wrong, and what was",
    "An alert begins when its fault has lasted for `ALERT_AFTER` and ends when it has been gone for " +
      "`ALERT_OVER_AFTER`. Each also is the metric `swap_broker_alert`, a line of the log and a message to " +
      "`OPERATOR_WEBHOOK_URL` when it begins and when it ends (`alert.began`, `alert.ended`; `data` is the alert as " +
      "here). What could not be asked neither begins nor ends an alert.",
  )),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(
  needsScope("operate", { title: "Alerts", description: "What the operator has to know of." }),
) {}
