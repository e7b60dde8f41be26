import type { Asked, Taken } from "./parties.ts"
import { opening } from "./parties.ts"

/** What both accounts have. */
export interface Parties {
  readonly flooding: { readonly keys: ReadonlyArray<string>; readonly ids: ReadonlyArray<number> }
  readonly calm: { readonly keys: ReadonlyArray<string>; readonly ids: ReadonlyArray<number> }
}

/** A way in which one account may cost another something. */
export interface Way {
  readonly name: string
  /** Requests a second of the account that floods, and what each is. */
  readonly flood: number
  readonly flooding: (number: number, of: Parties) => Asked
  /** Requests a second of the other one, and what each is. */
  readonly calm: number
  readonly asking: (number: number, of: Parties) => Asked
  /** Settings of the service in which it costs something, if not those of all ways. */
  readonly settings?: Readonly<Record<string, string>>
  /** What such a request waits for after its answer, which counts in its time. */
  readonly settled?: (answer: Taken) => Promise<void>
}

/** One of these, in turn. */
export const one = <A>(of: ReadonlyArray<A>, number: number): A => {
  const chosen = of[number % of.length]
  if (chosen === undefined) throw new Error("There is none to choose")
  return chosen
}

const hash = (): string =>
  `0x${[...crypto.getRandomValues(new Uint8Array(32))].map((b) => b.toString(16).padStart(2, "0")).join("")}`

const get = (path: string, key: string): Asked => ({ method: "GET", path, key })

const statusOf = (id: number, key: string): Asked => get(`/status-by-id?swapId=${id}`, key)

/** One of its own swaps, in turn. */
const ownStatus = (number: number, { calm }: Parties): Asked =>
  statusOf(one(calm.ids, number), one(calm.keys, 0))

/** An amount of its own each, so that no call is shared. */
const quote = (number: number, { calm }: Parties): Asked =>
  get(
    `/quotes?sourceAsset=eth.eth&destinationAsset=btc.btc&amount=1.${number % 100_000}1`,
    one(calm.keys, 0),
  )

const batch = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: "2.0", id, method: "cf_environment" }))

const letters = "abcdefghijklmnopqrstuvwxyz234567"
const characters = (count: number): string =>
  [...crypto.getRandomValues(new Uint8Array(count))].map((byte) => letters[byte % 32]).join("")

export const ways: ReadonlyArray<Way> = [
  {
    name: "made-up hashes",
    flood: 180,
    flooding: (_, { flooding }) =>
      get(`/status-by-transaction-hash?transactionHash=${hash()}`, one(flooding.keys, 0)),
    calm: 20,
    asking: ownStatus,
  },
  {
    name: "openings at a slow broker",
    flood: 24,
    flooding: (_, { flooding }) => opening(one(flooding.keys, 0)),
    calm: 2,
    asking: (_, { calm }) => opening(one(calm.keys, 0)),
  },
  {
    name: "/rpc batches",
    flood: 20,
    flooding: (_, { flooding }) => ({
      method: "POST",
      path: `/rpc/${one(flooding.keys, 0)}`,
      key: one(flooding.keys, 0),
      body: batch,
    }),
    calm: 20,
    asking: quote,
  },
  {
    name: "many keys",
    flood: 200,
    flooding: (number, { flooding }) => get("/swaps", one(flooding.keys, number)),
    calm: 20,
    asking: (_, { calm }) => get("/swaps", one(calm.keys, 0)),
  },
  {
    name: "guessing behind a shared address",
    flood: 180,
    flooding: () => get("/swaps", `an-invented-key-${characters(32)}`),
    calm: 10,
    // Each is new to the service, as far as there are keys.
    asking: (number, { calm }) => get("/swaps", one(calm.keys, number)),
  },
  {
    name: "refreshes",
    flood: 180,
    flooding: (number, { flooding }) => statusOf(one(flooding.ids, number), one(flooding.keys, 0)),
    calm: 20,
    asking: ownStatus,
  },
  {
    name: "quotes beyond what an upstream allows",
    flood: 10,
    flooding: (number, { flooding }) =>
      get(
        `/quotes?sourceAsset=eth.eth&destinationAsset=btc.btc&amount=2.${number}1`,
        one(flooding.keys, 0),
      ),
    // Less than half of the 60 calls that become free in a minute.
    calm: 0.4,
    asking: quote,
    settings: { CHAINFLIP_QUOTES_PER_MINUTE: "100" },
  },
]
