import { ConfigProvider, Effect, Layer } from "effect"
import { app } from "#App.ts"
import { readSettings } from "#settings.ts"
import { Server } from "#interfaces/http/server/Server.ts"
import { inlined } from "#test/contract/support/inlined.ts"
import { parseJson } from "#test/contract/support/Json.ts"
import { recordAnswers } from "./support/recordAnswers.ts"
import { isAtAnother, isRefused, type Ran, type Reader, runSamples, send } from "./support/runSamples.ts"

/** `deno task examples`: writes the answers anew that the document shows, from a service with its sandbox. */

const key = "a-key-for-recording-what-samples-answer"

const broker = Layer.unwrap(Effect.map(readSettings, (settings) => app(settings))).pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({
    env: {
      PORT: "0",
      DATA_DIR: "memory",
      SANDBOX_SPEED: "0",
      SANDBOX_GENESIS: "2026-07-29T14:04:24Z",
      BOOTSTRAP_API_KEY: key,
      BOOTSTRAP_COMMISSION_BPS: "25",
      DRAIN_DELAY: "0 millis",
      LOG_LEVEL: "none",
    },
  }))),
)

/** Operations whose answers say more once a swap has come to its end, or more events than the first look takes. */
const later =
  /^(?:getStatus|getSwapJournal|getAnySwapJournal|listSwaps|getCommission|listAccountSwaps|sumCommission|followSwap$|streamQuotes)/

const hasEvent = (text: string): boolean => /^data:.*\n\n/m.test(text)

const again = async (ran: ReadonlyArray<Ran>, reader: Reader): Promise<ReadonlyArray<Ran>> => {
  const of = (operationId: string) =>
    ran.flatMap(({ sample }) => sample.operationId === operationId ? [sample] : [])
  for (const sample of [...of("advanceSandboxTime"), ...of("getStatusById")]) await send(sample, reader)
  const asCsv = ["listSwaps", "listAccountSwaps", "sumCommission"].flatMap(of)
    .map((sample) => ({ ...sample, headers: { accept: "text/csv" } }))
  const fromTheFirst = of("followSwaps").map((sample) => ({
    ...sample,
    query: [["lastEventId", "0"]] as const,
  }))
  const ended = ran.flatMap(({ sample }) => later.test(sample.operationId) ? [sample] : [])
  const answers: Array<Ran> = []
  for (const sample of [...ended, ...asCsv, ...fromTheFirst]) {
    answers.push(await send(sample, reader, hasEvent))
  }
  return answers
}

const record = Effect.gen(function* () {
  const { url } = yield* Server
  const reader = { url, key, webhookUrl: "http://127.0.0.1:1025/webhooks" }
  yield* Effect.promise(async () => {
    const document = inlined(parseJson(await (await fetch(new URL("/docs/try/document.json", url))).text()))
    const ran = await runSamples(document, reader)
    const refused = ran.filter(isRefused)
    if (refused.length > 0) {
      throw new Error(refused.map(({ sample, text }) => `${sample.operationId}: ${text}`).join("\n"))
    }
    const answers = recordAnswers([...ran.filter((one) => !isAtAnother(one)), ...await again(ran, reader)])
    await Deno.writeTextFile(new URL("../../../src/api/document/answers.json", import.meta.url), answers)
  })
})

await Effect.runPromise(Effect.scoped(Effect.provide(record, broker)))
Deno.exit()
