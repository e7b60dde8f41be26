import { Context, Effect, Layer, Predicate, type Scope } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import { Sandbox, type SandboxFailure, type SandboxOptions } from "#sandbox/Sandbox.ts"

/** 2026-07-29T14:04:24Z. */
export const genesis = EpochMillis.make(1_785_333_864_000)

/** An answer, with its body as text and, where it is JSON, as what that says. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

/** A client of a running sandbox. */
export interface Client {
  readonly url: URL
  readonly get: (path: string) => Effect.Effect<Answer>
  readonly send: (method: string, path: string, body: unknown) => Effect.Effect<Answer>
  /** One call, positional or named; the reply as it came. */
  readonly call: (server: "node" | "broker", method: string, params: unknown) => Effect.Effect<unknown>
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * A body that can be sent only once: fetch repeats a request with another body by itself, a POST too, when a
 * connection that it used before is cut.
 */
const bodyOf = (body: unknown): ReadableStream =>
  new Blob([typeof body === "string" ? body : JSON.stringify(body)]).stream()

const request = (url: URL, method: string, body?: unknown): Effect.Effect<Answer> =>
  Effect.promise(async (signal) => {
    const answer = await fetch(url, { method, signal, ...(body === undefined ? {} : { body: bodyOf(body) }) })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: readJson(text) }
  })

/** The sandbox's own client. */
export const clientOf = (url: URL): Client => {
  const send = (method: string, path: string, body?: unknown) => request(new URL(path, url), method, body)
  return {
    url,
    get: (path) => send("GET", path),
    send,
    call: (server, method, params) =>
      Effect.map(
        send("POST", `/chainflip/${server}`, { jsonrpc: "2.0", id: 1, method, params }),
        ({ json }) => json,
      ),
  }
}

/** Everything in memory, on a free port, standing still, beginning now. */
export const defaultOptions: SandboxOptions = {
  seed: "test",
  speed: 0,
  dataDir: "memory",
  hostname: "127.0.0.1",
  port: 0,
}

/** A sandbox of its own that begins at the genesis above unless told otherwise, until the scope closes. */
export const startSandbox = (
  options: Partial<SandboxOptions> = {},
): Effect.Effect<Client, SandboxFailure, Scope.Scope> => start({ ...defaultOptions, genesis, ...options })

/** A sandbox with exactly these options. */
export const start = (options: SandboxOptions): Effect.Effect<Client, SandboxFailure, Scope.Scope> =>
  Layer.build(Sandbox.layer(options)).pipe(
    Effect.map((context) => clientOf(Context.get(context, Sandbox).url)),
  )

/** A folder that is gone when the scope closes. */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => Deno.makeTempDir({ prefix: "swap-broker-sandbox-" })),
  (folder) => Effect.promise(() => Deno.remove(folder, { recursive: true })),
)

/** Starts a sandbox on the folder, uses it and stops it. */
export const session = <A>(
  dataDir: string,
  use: (client: Client) => Effect.Effect<A, never, never>,
  options: Partial<SandboxOptions> = {},
) => Effect.scoped(Effect.flatMap(startSandbox({ dataDir, ...options }), use))

/** The value at a path of members and indexes; undefined where there is none. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((inner, key) => Predicate.hasProperty(inner, key) ? inner[key] : undefined, value)

/** The text at a path. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string =>
  `${at(value, ...path)}`

/** The names of an object's members, sorted. */
export const members = (value: unknown): ReadonlyArray<string> =>
  Predicate.isObject(value) ? Object.keys(value).sort() : []

export const bitcoinAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
export const ethereumAddress = "0x1111111111111111111111111111111111111111"

/** What a test changes in an opening from btc.btc to eth.eth. */
export interface Opening {
  readonly source_asset?: unknown
  readonly destination_asset?: unknown
  readonly destination_address?: string
  readonly broker_commission?: unknown
  readonly boost_fee?: number | null
  readonly refund_parameters?: Readonly<Record<string, unknown>>
  readonly dca_parameters?: unknown
  readonly channel_metadata?: unknown
  readonly affiliate_fees?: unknown
}

/** Named parameters of `broker_request_swap_deposit_address`. */
export const opening = (changes: Opening = {}) => ({
  source_asset: { chain: "Bitcoin", asset: "BTC" },
  destination_asset: { chain: "Ethereum", asset: "ETH" },
  destination_address: ethereumAddress,
  broker_commission: 25,
  channel_metadata: null,
  boost_fee: null,
  affiliate_fees: null,
  dca_parameters: null,
  ...changes,
  refund_parameters: {
    retry_duration: 150,
    refund_address: bitcoinAddress,
    min_price: "0x0",
    refund_ccm_metadata: null,
    max_oracle_price_slippage: null,
    ...changes.refund_parameters,
  },
})

/** An open channel, as later calls name it. */
export interface OpenedChannel {
  readonly address: string
  /** `<issued_block>-<network>-<channel_id>`. */
  readonly id: string
}

/** Opens a channel; from btc.btc to eth.eth unless changed. */
export const openChannel = Effect.fnUntraced(function* (client: Client, changes: Opening = {}) {
  const params = opening(changes)
  const reply = yield* client.call("broker", "broker_request_swap_deposit_address", params)
  const chain = textAt(params.source_asset, "chain")
  const channel: OpenedChannel = {
    address: textAt(reply, "result", "address"),
    id: `${at(reply, "result", "issued_block")}-${chain}-${at(reply, "result", "channel_id")}`,
  }
  return channel
})

/** Sends a deposit of native units. */
export const deposit = (client: Client, { address }: OpenedChannel, amountNative: string) =>
  client.send("POST", "/sandbox/deposits", { address, amountNative })

/** Moves simulated time. */
export const advance = (client: Client, advanceSeconds: number) =>
  client.send("POST", "/sandbox/time", { advanceSeconds })

/** Changes the simulated networks, which must take the change. */
export const change = Effect.fnUntraced(function* (client: Client, change: string, members: object = {}) {
  const answer = yield* client.send("PATCH", "/sandbox/network", { change, ...members })
  if (answer.status !== 200) throw new Error(`${change} is refused: ${answer.text}`)
  return answer
})

/** The record of a swap by any of its ids. */
export const statusOf = (client: Client, id: string) => client.get(`/chainflip/backend/v2/swaps/${id}`)

/** The path of a quote for this many satoshi in ETH, with other parameters where given. */
export const quotePath = (amount: string, changes: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams({
    srcChain: "Bitcoin",
    srcAsset: "BTC",
    destChain: "Ethereum",
    destAsset: "ETH",
    amount,
    brokerCommissionBps: "25",
    isVaultSwap: "false",
    isOnChain: "false",
    dcaV2Enabled: "true",
    ...changes,
  })
  return `/chainflip/backend/v2/quote?${query}`
}

/** Each state that the record goes through and the record in it, looked at once a state-chain block. */
export const statesOf = Effect.fnUntraced(function* (client: Client, channel: OpenedChannel) {
  const seen = new Map<string, unknown>()
  for (let block = 0; block < 1_000; block++) {
    const { json } = yield* statusOf(client, channel.id)
    const state = textAt(json, "state")
    if (!seen.has(state)) seen.set(state, json)
    if (state === "COMPLETED" || state === "FAILED") {
      seen.set(state, json)
      return seen
    }
    yield* advance(client, 6)
  }
  return seen
})

/** The types of the fees in a record. */
export const feeTypes = (record: unknown): ReadonlyArray<string> => {
  const fees = at(record, "fees")
  return Array.isArray(fees) ? fees.map((fee) => textAt(fee, "type")) : []
}
