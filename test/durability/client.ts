import { Data, Effect, Schema } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { RunningService } from "#test/support/process.ts"

/** A service, or what stands before several. */
export type Addressed = Pick<RunningService, "apiKey" | "url">

/** The connection was refused or cut before the whole answer was there. */
export class Unanswered extends Data.TaggedError("Unanswered")<{ readonly cause: unknown }> {}

/** An answer that nobody expected. */
export class Unexpected extends Data.TaggedError("Unexpected")<{
  readonly status: number
  readonly text: string
}> {
  override get message(): string {
    return `Unexpected answer ${this.status}: ${this.text}`
  }
}

/** A swap as the answer to its opening names it. */
const OpenedBody = Schema.Struct({
  id: Schema.Int,
  address: Schema.String,
  issuedBlock: Schema.Int,
  network: Schema.String,
  channelId: Schema.Int,
})
export type Opened = typeof OpenedBody.Type

/** As much of a record as tells swaps and their ends apart. */
const RecordBody = Schema.Struct({
  id: Schema.Int,
  status: Schema.Struct({
    state: Schema.String,
    depositChannel: Schema.Struct({
      id: Schema.String,
      depositAddress: Schema.String,
      isExpired: Schema.Boolean,
    }),
  }),
})
export type Recorded = typeof RecordBody.Type

const DepositBody = Schema.Struct({ transactionHash: Schema.String })
const SandboxBody = Schema.Struct({ openChannelCount: Schema.Int })

interface Call {
  readonly method?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A body that goes out once only: fetch sends any other again when a connection is cut. */
const once = (body: unknown): ReadableStream => new Blob([JSON.stringify(body)]).stream()

/** An answer as it came. */
export interface Raw {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const send = Effect.fnUntraced(function* (
  service: Addressed,
  path: string,
  { method = "GET", query = {}, headers = {}, body }: Call,
) {
  const url = new URL(path, service.url)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const all = {
    "x-api-key": service.apiKey,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  }
  return yield* Effect.tryPromise({
    try: async (signal): Promise<Raw> => {
      const sent = body === undefined ? {} : { body: once(body) }
      const response = await fetch(url, { method, headers: all, signal, ...sent })
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    catch: (cause) => new Unanswered({ cause }),
  })
})

const call = <Body>(
  service: Addressed,
  path: string,
  how: Call,
  schema: Schema.ConstraintDecoder<Body>,
): Effect.Effect<Body, Unanswered | Unexpected> =>
  Effect.flatMap(
    send(service, path, how),
    ({ status, text }) =>
      Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(text).pipe(
        Effect.mapError(() => new Unexpected({ status, text })),
      ),
  )

/** Parameters of `/swap`. */
export type SwapParameters = Readonly<Record<string, string>>

export const openByGet = (service: Addressed, query: SwapParameters) =>
  call(service, "/swap", { query }, OpenedBody)

export const openByPost = (service: Addressed, body: SwapParameters) =>
  call(service, "/swap", { method: "POST", body }, OpenedBody)

/** Opens a channel under an `Idempotency-Key`, whatever the answer. */
export const openOnce = (service: Addressed, key: string, query: SwapParameters) =>
  send(service, "/swap", { query, headers: { "idempotency-key": key } })

/** Sends a deposit in human units and gives its transaction. */
export const deposit = (service: Addressed, address: string, amount: string) =>
  call(service, "/sandbox/deposits", { method: "POST", body: { address, amount } }, DepositBody)

export const travel = (service: Addressed, advanceSeconds: number) =>
  call(service, "/sandbox/time", { method: "POST", body: { advanceSeconds } }, Schema.Unknown)

/** Every answer to the opening of a channel takes this much longer from now on. */
export const slowOpenings = (service: Addressed, latencyMs: number) =>
  call(
    service,
    "/sandbox/faults",
    { method: "PUT", body: { operation: "open", kind: "latency", latencyMs } },
    Schema.Unknown,
  )

/** Upstreams behave from now on. */
export const clearFaults = (service: Addressed) => send(service, "/sandbox/faults", { method: "DELETE" })

export const openChannelCount = (service: Addressed) =>
  Effect.map(call(service, "/sandbox", {}, SandboxBody), (sandbox) => sandbox.openChannelCount)

export const byId = (service: Addressed, id: number) =>
  call(service, "/status-by-id", { query: { swapId: `${id}` } }, RecordBody)

export const byChannel = (service: Addressed, { issuedBlock, network, channelId }: Opened) =>
  call(
    service,
    "/status-by-deposit-channel",
    { query: { issuedBlock: `${issuedBlock}`, network, channelId: `${channelId}` } },
    RecordBody,
  )

const states = ["waiting", "receiving", "swapping", "sending", "sent", "completed", "failed"]

/** The whole history: more swaps than fit into one answer would be a fault of the test. */
export const history = (service: Addressed) =>
  call(
    service,
    `/swaps?limit=500&${states.map((state) => `status=${state}`).join("&")}`,
    {},
    Schema.Array(RecordBody),
  )

/** As much of a journal as tells whether it comes to the record of its swap. */
const JournalBody = Schema.NonEmptyArray(
  Schema.Struct({ kind: Schema.String, status: Schema.optionalKey(RecordBody.fields.status) }),
)

/** Everything that happened to a swap. */
export const journal = (service: Addressed, id: number) =>
  call(service, `/swaps/${id}/journal`, {}, JournalBody)

/** What the history lists by default: completed swaps. */
export const completed = (service: Addressed) =>
  call(service, "/swaps", { query: { limit: "500" } }, Schema.Array(RecordBody))

/** What a withdrawal is of: the operator's own earnings in an asset, or all that an affiliate has earned. */
export type Withdrawn = { readonly asset: AssetId } | { readonly affiliate: string }

/** Asks for a withdrawal from Chainflip under an `Idempotency-Key`, whatever the answer. */
export const orderOnce = (service: Addressed, key: string, withdrawn: Withdrawn) => {
  const headers = { "idempotency-key": key }
  return "asset" in withdrawn
    ? send(service, "/operator/treasury/withdrawals", {
      method: "POST",
      headers,
      body: { provider: "chainflip", asset: withdrawn.asset },
    })
    : send(service, `/operator/treasury/affiliates/${withdrawn.affiliate}/withdrawals`, {
      method: "POST",
      headers,
    })
}

/** As much of a withdrawal as tells what became of its order. */
const WithdrawalBody = Schema.Struct({
  id: Schema.Int,
  asset: Schema.String,
  affiliate: Schema.optionalKey(Schema.String),
  state: Schema.String,
  detail: Schema.optionalKey(Schema.String),
  reference: Schema.optionalKey(Schema.String),
  amountNative: Schema.optionalKey(Schema.String),
  feeNative: Schema.optionalKey(Schema.String),
})
export type WithdrawalTold = typeof WithdrawalBody.Type

/** A withdrawal in an answer. */
export const withdrawalIn = ({ status, text }: Raw) =>
  Schema.decodeUnknownEffect(Schema.fromJsonString(WithdrawalBody))(text).pipe(
    Effect.mapError(() => new Unexpected({ status, text })),
  )

/** All withdrawals. */
export const withdrawals = (service: Addressed) =>
  call(service, "/operator/treasury/withdrawals", { query: { limit: "100" } }, Schema.Array(WithdrawalBody))

/** Gives an affiliate's account a name. */
export const nameAffiliate = (service: Addressed, name: string, account: string) =>
  call(
    service,
    "/operator/treasury/affiliates",
    { method: "POST", body: { provider: "chainflip", name, account } },
    Schema.Struct({ account: Schema.String }),
  )

/** Whether the sandbox's network pays withdrawals out. */
export const setWithdrawals = (service: Addressed, enabled: boolean) =>
  call(
    service,
    "/sandbox/network",
    { method: "PATCH", body: { change: "setWithdrawals", enabled } },
    Schema.Unknown,
  )

/** As much of an alert as tells which it is, and whether it is over. */
const AlertBody = Schema.Struct({
  id: Schema.Int,
  state: Schema.Literals(["active", "ended"]),
  alert: Schema.Struct({
    type: Schema.String,
    channels: Schema.optionalKey(Schema.Int),
    addresses: Schema.optionalKey(Schema.Array(Schema.String)),
  }),
})

/** All alerts of a type. */
export const alertsOf = (service: Addressed, type: string) =>
  Effect.map(
    call(service, "/operator/alerts", { query: { limit: "500" } }, Schema.Array(AlertBody)),
    (all) => all.filter(({ alert }) => alert.type === type),
  )
