import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { SwitchReason } from "../api/Providers.ts"
import { AssetId } from "../domain/Asset.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { SwitchOperation } from "../domain/ProviderSwitch.ts"
import { OperatorClient, type ProviderSeen } from "./OperatorClient.ts"
import { type Cell, type Columns, printOne, printRows } from "./output.ts"

type Switch = ProviderSeen["switches"][number]

const inWords = ({ operation, asset, reason, changedBy }: Switch): string =>
  `${[operation ?? "all", ...(asset === undefined ? [] : [asset])].join(" ")} by ${changedBy}: ${reason}`

const circuitsOf = ({ operations }: ProviderSeen): Cell =>
  operations === undefined
    ? undefined
    : Object.entries(operations).map(([name, { circuit }]) => `${name} ${circuit}`).join(", ")

const columns: Columns<ProviderSeen> = {
  provider: ({ name }) => name,
  enabled: ({ enabled }) => enabled,
  reason: ({ disabledReason }) => disabledReason,
  circuits: circuitsOf,
  "switched off": ({ switches }) => switches.length === 0 ? undefined : switches.map(inWords).join("; "),
}

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    yield* printRows(columns, yield* (yield* OperatorClient).providers.list, "no provider is enabled")
  }),
).pipe(Command.withDescription("List the providers; circuits only where a service is asked (BROKER_URL)"))

const name = Argument.String("provider").pipe(
  Argument.withDescription("Name of a provider, such as chainflip"),
  Argument.withSchema(ProviderName.annotate({ message: "must be the name of a provider" })),
)

const state = Argument.Literals("state", ["on", "off"]).pipe(Argument.withDescription("How it shall stand"))

const reason = Flag.String("reason").pipe(
  Flag.withDescription("Why; callers read it"),
  Flag.withSchema(SwitchReason),
)

const operation = Flag.Literals("operation", SwitchOperation.literals).pipe(
  Flag.withDescription("Only this operation; quotes, openings and payloads when not given"),
  Flag.optional,
)

const asset = Flag.String("asset").pipe(
  Flag.withDescription("Only swaps of or to this asset, such as btc.btc"),
  Flag.withSchema(
    Schema.String.pipe(Schema.decodeTo(
      AssetId.annotate({ message: "must be a known asset, such as btc.btc" }),
    )),
  ),
  Flag.optional,
)

const change = Command.make(
  "switch",
  { name, state, reason, operation, asset },
  Effect.fnUntraced(function* ({ name, state, reason, operation, asset }) {
    const changed = yield* (yield* OperatorClient).providers.switch({
      platform: name,
      ...(Option.isSome(operation) ? { operation: operation.value } : {}),
      ...(Option.isSome(asset) ? { asset: asset.value } : {}),
      enabled: state === "on",
      reason,
    })
    yield* printOne(columns, changed)
  }),
).pipe(
  Command.withDescription("Switch a provider, or a part of it, off or on; in force within a second"),
  Command.withExamples([{ command: 'providers switch chainflip off --reason "maintenance upstream"' }]),
)

/** `providers …` */
export const providers = Command.make("providers").pipe(
  Command.withDescription("The upstream networks"),
  Command.withSubcommands([list, change]),
)
