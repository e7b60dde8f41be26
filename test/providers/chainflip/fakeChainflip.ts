import { Effect, Redacted } from "effect"
import { BrokerAccount } from "#domain/chains/Address.ts"
import { environment, everythingOn, safeMode } from "./fixtures/environment.ts"
import { ourAccount } from "./fixtures/swaps.ts"
import { make } from "#providers/chainflip/provider.ts"
import type { Options } from "#providers/chainflip/settings.ts"
import { type Asked, fakeUpstream, type Provided, type Reply, type ScriptOf } from "../fakeUpstream.ts"

export { type Answer, type Asked, plain, reasonOf, type Reply } from "../fakeUpstream.ts"

/** The fake's answers by REST path or JSON-RPC method. */
export type Script = ScriptOf<string>

export const options: Options = {
  backendUrl: new URL("http://backend.test/chainflip/backend"),
  nodeUrl: new URL("http://node.test/chainflip/node/"),
  brokerUrl: Redacted.make(new URL("http://broker.test/rpc?apiKey=top-secret")),
  brokerAccount: BrokerAccount.make(ourAccount),
  explorerUrl: "https://scan.test/channels/{issuedBlock}-{network}-{channelId}",
}

/** A successful JSON-RPC reply to whatever was asked. */
export const result = (value: unknown) => ({ call }: Asked): Reply => ({
  body: { jsonrpc: "2.0", id: call?.id, result: value },
})

/** A JSON-RPC error to whatever was asked. */
export const rpcError = (code: number, message: string) => ({ call }: Asked): Reply => ({
  body: { jsonrpc: "2.0", id: call?.id, error: { code, message } },
})

/** The fake's answers on an ordinary day; a test replaces those that it is about. */
export const ordinaryDay: Script = {
  "/chainflip/backend/api/networkInfo": { body: everythingOn },
  cf_environment: result(environment),
  cf_safe_mode_statuses: result(safeMode()),
}

/** An upstream that answers by the script alone. */
export const fakeChainflip = (script: Script) =>
  fakeUpstream(({ call, url }) => call?.method ?? url.pathname, script)

/** The provider over an upstream that differs from an ordinary day by `script`. */
export const providerOver = (script: Script, differing: Partial<Options> = {}): Effect.Effect<Provided> => {
  const { asked, layer } = fakeChainflip({ ...ordinaryDay, ...script })
  return Effect.map(
    Effect.provide(make({ ...options, ...differing }), layer),
    (provider) => [provider, asked],
  )
}
