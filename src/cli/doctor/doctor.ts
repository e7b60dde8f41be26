import { Effect, type Layer, Option } from "effect"
import { Command } from "effect/cli"
import { counted } from "#domain/figures.ts"
import { nearMissText } from "#infrastructure/config/nearMisses.ts"
import { readSettings } from "#settings.ts"
import { CommandFailed } from "../failures.ts"
import type { OperatorClient } from "../OperatorClient.ts"
import { type Columns, print, prints, table } from "../output.ts"
import { ownRecordKeys, readLocation, servicePlace } from "../settings.ts"
import { checklist } from "./checklist.ts"
import { advice, checkDatabase, checkRedis, checkService, type Finding, ill, well } from "./checks.ts"
import { checkUpstreams } from "./upstreams.ts"

const wrongSettings = (issues: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  issues.map((sentence) =>
    ill("settings", sentence, "Correct it in the environment. All settings: cli deploy env")
  )

const databaseFindings = Effect.gen(function* () {
  return yield* checkDatabase(yield* readLocation, yield* Effect.option(ownRecordKeys))
}).pipe(Effect.catchTag("CommandFailed", () => Effect.succeed<ReadonlyArray<Finding>>([])))

/** Every check that works without a running service. */
const here = Effect.gen(function* () {
  const settings = yield* readSettings
  const rest = yield* Effect.all([
    Effect.map(checkRedis(settings.redis), (finding) => [finding]),
    checkUpstreams(settings),
  ], { concurrency: "unbounded" })
  const configured = yield* settings.providersAt(settings.sandbox.url)
  return [
    well("settings", `fit, MODE=${settings.mode}`),
    ...settings.nearMisses.map((nearMiss) =>
      advice("settings", nearMissText(nearMiss), `Rename it to ${nearMiss.setting}, or unset it`)
    ),
    ...checklist(settings, configured.flatMap(({ places }) => places)),
    ...yield* databaseFindings,
    ...rest.flat(),
  ]
}).pipe(Effect.catchTag(
  "SettingsWrong",
  ({ issues }) => Effect.map(databaseFindings, (found) => [...wrongSettings(issues), ...found]),
))

const stateOf = ({ ok, todo }: Finding): string => ok ? todo === undefined ? "ok" : "ADVICE" : "FAILS"

const columns: Columns<Finding> = ["check", ["state", stateOf], ["found", "detail"]]

/** The findings, and below them each thing to do once, with the checks that ask for it. */
const report = (findings: ReadonlyArray<Finding>): string => {
  const todos = Map.groupBy(findings, ({ todo }) => todo)
  todos.delete(undefined)
  const lines = [...todos].map(([todo, all]) =>
    `- ${[...new Set(all.map(({ check }) => check))].join(", ")}: ${todo}`
  )
  return [table(columns, findings), ...(lines.length === 0 ? [] : ["", "To do:", ...lines])].join("\n")
}

/** `doctor`: checks the service that is set, or else everything that a service would need here. */
export const doctor = (operator: Layer.Layer<OperatorClient, CommandFailed>) =>
  Command.make(
    "doctor",
    {},
    Effect.fnUntraced(function* () {
      const service = yield* servicePlace
      const findings = Option.isSome(service) ? yield* checkService(operator) : yield* here
      yield* print(findings, report(findings))
      const failing = findings.filter(({ ok }) => !ok).length
      if (failing > 0) {
        return yield* new CommandFailed({
          kind: "failed",
          detail: `${failing} of ${counted(findings.length, "check")} failed`,
        })
      }
    }),
  ).pipe(
    Command.withDescription("Check settings, database, upstreams and Redis, and say what to do"),
    prints("`[{check, ok, detail, todo?}]`"),
  )
