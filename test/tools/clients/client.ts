import { Effect, Schema } from "effect"
import { brokerUrl, testKey } from "#test/support/broker.ts"

/** A swap that a client's user wants, for any price limit that the client sets itself. */
export interface Order {
  readonly sourceAsset: string
  readonly destinationAsset: string
  readonly destinationAddress: string
  readonly refundAddress: string
  /** Human-readable, in the source asset. */
  readonly amount: string
  readonly amountNative: string
}

/** What a client keeps of the quote that it takes. */
export interface Offer {
  /** Human-readable; units of the destination asset for one of the source asset. */
  readonly estimatedPrice: number
  readonly egressAmountNative: string
  readonly numberOfChunks?: number
  readonly chunkIntervalBlocks?: number
}

/** Where the client's user sends the money, and the request by which the client follows it. */
export interface Opened {
  readonly depositAddress: string
  readonly statusPath: string
}

/** What a client reads of a status. */
export interface Seen {
  readonly state: string
  readonly destinationAddress?: string | undefined
  readonly outputTransaction?: string | null | undefined
}

/** How a client sends a request. `path` has the query letter for letter as the client writes it. */
export type Request = { readonly path: string; readonly body?: unknown; readonly headers?: HeadersInit }

/** Sends a request as the client does, and reads the answer as strictly as the client does. */
export type Ask = <A, E>(request: Request, reading: Schema.Codec<A, E>) => Effect.Effect<A, Refused>

/** Why a client could not go on: what it was answered, or what of the answer it cannot read. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  path: Schema.String,
  why: Schema.String,
}) {
  override get message(): string {
    return `${this.path}: ${this.why}`
  }
}

/** A public client of services of this kind: its requests and its reading, as its own code has them. */
export interface PublicClient {
  readonly name: string
  /** The public repository and the file in which both can be read. */
  readonly source: string
  /** The pairs whose swaps are tried, source first. */
  readonly pairs: ReadonlyArray<readonly [source: string, destination: string]>
  /** Text in a successful body that makes the client give up, wherever it stands. */
  readonly stumblesOver?: string
  /** The terms of the account that its user needs. */
  readonly terms?: Readonly<Record<string, unknown>>
  /** What the client asks before it quotes: whether it finds both assets in the list. */
  readonly findAssets?: (ask: Ask, order: Order, key: string) => Effect.Effect<void, Refused>
  readonly quote: (ask: Ask, order: Order, key: string) => Effect.Effect<Offer, Refused>
  readonly open: (ask: Ask, order: Order, offer: Offer, key: string) => Effect.Effect<Opened, Refused>
  readonly status: (ask: Ask, opened: Opened) => Effect.Effect<Seen, Refused>
}

/** Sends what the client sends; an answer that is not 200, or that the client cannot read, stops it. */
export const asking = (stumblesOver?: string): Effect.Effect<Ask, never, Effect.Services<typeof brokerUrl>> =>
  Effect.map(brokerUrl, ({ origin }): Ask => (request, reading) => {
    const { body, headers, path } = request
    const refused = (why: string) => new Refused({ path: path.replaceAll(testKey, "…"), why })
    const init = body === undefined ? {} : {
      method: "POST",
      body: JSON.stringify(body),
    }
    return Effect.promise(async () => {
      const response = await fetch(`${origin}${path}`, {
        ...init,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      })
      return { status: response.status, text: await response.text() }
    }).pipe(
      Effect.filterOrFail(({ status }) => status === 200, ({ status, text }) => refused(`${status} ${text}`)),
      Effect.filterOrFail(
        ({ text }) => stumblesOver === undefined || !text.includes(stumblesOver),
        ({ text }) => refused(`the client gives up at "${stumblesOver}" in ${text}`),
      ),
      Effect.flatMap(({ text }) =>
        Effect.mapError(
          Schema.decodeUnknownEffect(reading)(JSON.parse(text)),
          (error) => refused(`${error.message} in ${text}`),
        )
      ),
    )
  })

/** A query as most clients write it: names in their order, values as they are but for what a URL cannot hold. */
export const query = (parameters: Readonly<Record<string, string | number | boolean | undefined>>): string =>
  Object.entries(parameters)
    .flatMap(([name, value]) => value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`])
    .join("&")
