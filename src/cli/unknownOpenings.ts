import { Effect, Option, Schema } from "effect"
import { Command } from "effect/cli"
import { UnknownOpeningBody } from "../api/Business.ts"
import { spread } from "../platform/spread.ts"
import { isUnknown, listed } from "./business.ts"
import { type Columns, print, table, timeCell } from "./output.ts"
import { accountFlag, limit, platformFlag } from "./parameters.ts"

const encode = Schema.encodeSync(Schema.Array(UnknownOpeningBody))

const columns: Columns<UnknownOpeningBody> = {
  id: ({ id }) => id,
  account: ({ account }) => account,
  provider: ({ platform }) => platform,
  from: ({ sourceAsset }) => sourceAsset,
  to: ({ destinationAsset }) => destinationAsset,
  created: ({ createdAt }) => timeCell(createdAt),
  reason: ({ reason }) => reason,
}

/** `swaps unknown` */
export const unknownOpenings = Command.make(
  "unknown",
  { account: accountFlag, platform: platformFlag, limit: limit("openings") },
  Effect.fnUntraced(function* (flags) {
    const rows = (yield* listed(flags.limit, {
      opening: "unknown",
      ...spread(Option.getOrUndefined(flags.account), (account) => ({ account })),
      ...spread(Option.getOrUndefined(flags.platform), (platform) => ({ platform })),
    })).filter(isUnknown)
    yield* print(
      encode(rows),
      rows.length === 0 ? "The outcome of every opening is known" : table(columns, rows),
    )
  }),
).pipe(
  Command.withDescription(
    "List the openings of all accounts of which nobody knows what came of them, the latest first",
  ),
)
