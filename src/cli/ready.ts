import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { serviceSettings } from "#infrastructure/config/common.ts"
import { readOnly } from "#infrastructure/config/read.ts"
import { struct } from "#infrastructure/config/Setting.ts"
import { connectHost } from "#infrastructure/platform/connectHost.ts"
import { httpSettings } from "#interfaces/requests/settings.ts"
import { CommandFailed } from "./failures.ts"
import { print, prints } from "./output.ts"

const patienceMillis = 4_000

/** The service of `BROKER_URL`, or else the one that listens here by `HOST` and `PORT`. */
const serviceUrl = readOnly(struct({ service: serviceSettings, http: httpSettings })).pipe(
  Effect.map(({ service, http }) =>
    Option.getOrElse(service.url, () => new URL(`http://${connectHost(http.hostname)}:${http.port}`))
  ),
  Effect.mapError(({ message }) => new CommandFailed({ kind: "usage", detail: message })),
)

const unreachable = (url: URL, why: unknown) =>
  new CommandFailed({ kind: "unreachable", detail: `${url.origin} is not ready: ${why}` })

/** `ready`: needs no key, for a probe that runs every few seconds. */
export const ready = Command.make(
  "ready",
  {},
  Effect.fnUntraced(function* () {
    const url = yield* serviceUrl
    const status = yield* Effect.tryPromise({
      try: async () => {
        const answer = await fetch(new URL("/readyz", url), { signal: AbortSignal.timeout(patienceMillis) })
        await answer.body?.cancel()
        return answer.status
      },
      catch: (cause) => unreachable(url, cause),
    })
    if (status !== 200) return yield* unreachable(url, `/readyz answers with ${status}`)
    yield* print({ ready: true }, `${url.origin} is ready`)
  }),
).pipe(
  Command.withDescription("Whether the service can serve (/readyz): whether a proxy should send it requests"),
  prints("`{ready: true}`"),
)
