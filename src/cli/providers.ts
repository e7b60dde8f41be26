import { Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import { wordsOf } from "#api/endpoint.ts"
import { AlertPageParameters, AlertsGroup, OperatorGroup } from "#api/Operator.ts"
import { AuditEntryBody, AuditParameters } from "#api/OperatorBodies.ts"
import { ProviderBody, ProvidersGroup, SwitchBody } from "#api/Providers.ts"
import { ToldAlert } from "#domain/operations/Alert.ts"
import { endingText } from "#domain/operations/EndpointEnding.ts"
import { actorName, AuditAction, type AuditChange } from "#domain/operations/Audit.ts"
import { SwitchOperation } from "#domain/operations/ProviderSwitch.ts"
import { act, group, rows, view } from "./act.ts"
import { linesOf } from "./layout.ts"
import { type Cell, timeCell } from "./output.ts"
import { choices, date, flagOf, limit, provider } from "./parameters.ts"

const { disabledReason, enabled, endings, name, operations, registered, switches } = ProviderBody.fields

/** A provider with its switches. Only a running service knows whether it is registered, and the state of its operations. */
export const ProviderSeen = Schema.Struct({
  name,
  enabled,
  disabledReason,
  switches,
  endings,
  registered: Schema.optionalKey(registered),
  operations,
})
export type ProviderSeen = typeof ProviderSeen.Type

const inWords = ({ asset, changedBy, operation, reason }: ProviderSeen["switches"][number]): string =>
  `${[operation ?? "all", ...(asset === undefined ? [] : [asset])].join(" ")} by ${changedBy}: ${reason}`

const circuitsOf = ({ operations }: ProviderSeen): Cell =>
  operations === undefined
    ? undefined
    : Object.entries(operations).map(([name, { circuit }]) => `${name} ${circuit}`).join(", ")

const standing = rows(ProviderSeen, [
  ["provider", "name"],
  "enabled",
  ["reason", "disabledReason"],
  ["circuit breakers", circuitsOf],
  [
    "ending endpoints",
    ({ endings }) => endings.length === 0 ? undefined : endings.map(endingText).join("; "),
  ],
  ["switched off", ({ switches }) => switches.length === 0 ? undefined : switches.map(inWords).join("; ")],
], "No providers are enabled")

export const providers = group("providers", "The providers", [
  act("list", ProvidersGroup.endpoints.providers, {
    shows: standing,
    about: "List the providers. Only a running service (BROKER_URL) knows what is paused",
  }),
  act("switch", ProvidersGroup.endpoints.switch, {
    takes: {
      name: provider,
      enabled: Argument.Literals("state", ["on", "off"]).pipe(
        Argument.withDescription("Whether the service uses the provider"),
        Argument.map((state) => state === "on"),
      ),
      reason: Flag.String("reason").pipe(
        Flag.withDescription(wordsOf({ schema: SwitchBody.fields.reason })),
        Flag.withSchema(SwitchBody.fields.reason),
      ),
      operation: Flag.Literals("operation", SwitchOperation.literals).pipe(
        Flag.withDescription(wordsOf(SwitchBody.fields.operation)),
        Flag.optional,
      ),
      asset: flagOf("asset", SwitchBody.fields.asset),
    },
    shows: standing,
    examples: ['providers switch chainflip off --reason "maintenance upstream"'],
  }),
])

const commandOf = (alert: ToldAlert["alert"]): string | undefined => {
  switch (alert.type) {
    case "database_slow":
      return "doctor"
    case "webhook_failing":
      return alert.account === undefined ? undefined : `webhooks list ${alert.account}`
    case "swaps_stalled":
      return `swaps list --provider ${alert.provider} --state stalled`
    case "end_disputed":
      return `swaps list --provider ${alert.provider} --state disputed`
    case "outcome_unknown":
      return `swaps unknown --provider ${alert.provider}`
    case "channels_unrecorded":
      return `channels --provider ${alert.provider}`
    case "wire_drift":
      return `rehearse --provider ${alert.provider}`
    case "provider_down":
    case "endpoint_ending":
      return "providers list"
    default:
      return "treasury"
  }
}

/** An alert as a paragraph, whose sentences and commands are whole. */
const alertLines = ({ action, alert, endedAt, id, problem, since, state }: ToldAlert): string => {
  const times = [timeCell(since, `${state} since `), timeCell(endedAt, "until ")].filter((time) =>
    time !== undefined
  )
  const command = commandOf(alert)
  return [
    `${id}  ${alert.type}, ${times.join(" ")}`,
    ...[`${problem}.`, `${action}.`, ...(command === undefined ? [] : [`cli ${command}`])]
      .flatMap((text) => linesOf(text, 96)).map((line) => `    ${line}`),
  ].join("\n")
}

export const alerts = act("alerts", AlertsGroup.endpoints.alerts, {
  takes: { limit: limit("alerts"), offset: flagOf("from", AlertPageParameters.fields.offset) },
  shows: view(
    Schema.Array(ToldAlert),
    (all) => all.length === 0 ? "No alerts" : all.map(alertLines).join("\n\n"),
  ),
  about: "List the alerts, active ones first",
})

/** The subject of a change: a provider, a swap, or an account with its key or its webhook. */
const changed = (change: AuditChange): string => {
  if ("platform" in change) return change.platform
  if ("swapId" in change) return `swap ${change.swapId}`
  if ("webhookId" in change) return `${change.account} ${change.webhookId}`
  return "keyId" in change ? `${change.account} ${change.keyId}` : change.account
}

/** JSON that a cell can break between its members. */
const spaced = (value: unknown): string => JSON.stringify(value, undefined, 1).replaceAll(/\n */g, " ")

/** The state before and after a change, in one line. */
const stateOf = (change: AuditChange): string =>
  [
    ...("before" in change && change.before !== undefined ? [spaced(change.before)] : []),
    ...("after" in change ? [`-> ${spaced(change.after)}`] : ["-> nothing"]),
  ].join(" ")

export const audit = act("audit", OperatorGroup.endpoints.audit, {
  takes: {
    limit: limit("entries"),
    offset: flagOf("from", AuditParameters.fields.offset),
    account: flagOf("account", AuditParameters.fields.account),
    action: choices("action", "Only these changes", AuditAction.literals),
    actor: flagOf("actor", AuditParameters.fields.actor),
    from: date("since", "Time of the first changes"),
    before: date("until", "Time before which the changes were made"),
  },
  shows: rows(AuditEntryBody, [
    "id",
    "at",
    ["actor", ({ actor }) => actorName(actor)],
    ["change", ({ change }) => change.action],
    ["about", ({ change }) => changed(change)],
    ["before -> after", ({ change }) => stateOf(change)],
  ], "No changes found"),
  about: "List who changed what, newest first",
  examples: ["audit --account wallet-one --action key.issued,key.revoked"],
})
