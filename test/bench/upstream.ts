import { Context, Effect, Layer, Schema } from "effect"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { startProgram, startService } from "#test/support/process.ts"
import { quotePath } from "./quotePath.ts"
import { recordedAmount, type Recording } from "./Recording.ts"

const Reply = Schema.Struct({ result: Schema.Json })
const readReply = Schema.decodeUnknownSync(Reply)

const methods = ["cf_environment", "cf_safe_mode_statuses"]

const get = async (url: string): Promise<string> => {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`The simulated network answered ${answer.status}`)
  return await answer.text()
}

const call = async (node: URL, method: string) => {
  const answer = await fetch(node, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: method, method, params: [] }),
  })
  return [method, readReply(await answer.json()).result] as const
}

/** Asks the simulated network once, so that the bodies have the shape and size of real ones. */
const record = Effect.gen(function* () {
  const sandbox = yield* Layer.build(
    Sandbox.layer({ hostname: "127.0.0.1", port: 0, speed: 0, seed: "bench", dataDir: "memory" }),
  )
  const { brokerAccount, backendUrl, nodeUrl } = Context.get(sandbox, Sandbox).chainflip
  const recording: Recording = yield* Effect.promise(async () => ({
    quotes: await get(`${backendUrl}${quotePath}${recordedAmount}`),
    networkInfo: await get(`${backendUrl}/api/networkInfo`),
    node: Object.fromEntries(await Promise.all(methods.map((method) => call(nodeUrl, method)))),
  }))
  return { brokerAccount, recording }
}).pipe(Effect.scoped)

/** Where the work is, not how much of it is let through; nor is an upstream slow because the machine is busy. */
const letEverythingThrough = {
  QUOTE_BULKHEAD: "1000",
  QUOTE_DEADLINE: "15 seconds",
  QUOTE_TIMEOUT: "10 seconds",
  QUOTE_SLOW_CALL: "10 seconds",
}

/** A network that answers at once, and the settings of a service in live mode with its provider alone. */
export const startFastUpstream = Effect.gen(function* () {
  const { brokerAccount, recording } = yield* record
  const upstream = yield* startProgram("test/bench/upstreamServer.ts", {
    RECORDING: JSON.stringify(recording),
  })
  const settings = {
    MODE: "live",
    PROVIDERS: "chainflip",
    CHAINFLIP_BACKEND_URL: upstream.url.origin,
    CHAINFLIP_NODE_URL: upstream.url.origin,
    CHAINFLIP_BROKER_URL: upstream.url.origin,
    CHAINFLIP_BROKER_ACCOUNT: brokerAccount,
    ...letEverythingThrough,
  }
  return { settings, upstream }
})

/** The service in live mode with one provider, whose network answers at once; and that network. */
export const startOverFastUpstream = Effect.fnUntraced(function* (folder: string) {
  const { settings, upstream } = yield* startFastUpstream
  const service = yield* startService({ ...settings, DATA_DIR: folder })
  return { service, upstream }
})
