import { Effect } from "effect"
import { redisServers } from "#test/support/redis/redisServers.ts"
import { type Environment, startProgram, startService } from "#test/support/process.ts"
import { ask, type Asked, firstOf, newAccount, opening, type Taken } from "../fairness/parties.ts"
import { atLeast, atMost, type Judged } from "../goal.ts"
import { bareServer, limitedUpstream } from "./limitedUpstream.ts"

/** What the upstreams allow in a minute, as they really do, and as the sandbox does with `rateLimits`. */
const limits = {
  CHAINFLIP_QUOTES_PER_MINUTE: "100",
  RELAY_QUOTES_PER_MINUTE: "50",
  THORCHAIN_REQUESTS_PER_MINUTE: "60",
  MAYA_REQUESTS_PER_MINUTE: "60",
}

/** Quotes a second: ten times what the most generous of them allows. */
const quotesPerSecond = 10 * 100 / 60

/** Seconds between two quotes of an account that asks for few, between two openings, and between two statuses. */
const pauses = { small: 10, opening: 2, status: 0.2 }
const smallAccounts = 3

export interface Demand {
  readonly seconds: number
  readonly quotes: number
  /** Answers of upstreams that were a 429. */
  readonly refused: Judged
  /** Percent. */
  readonly openings: Judged
  /** Percent of quotes that were answered with an offer within a second. */
  readonly answered: Judged
  /** Percent of the quotes of accounts that ask for few in which an upstream with a limit made an offer, by upstream. */
  readonly offered: Readonly<Record<string, Judged>>
  /** Milliseconds of quotes: half of them, and all but one in a hundred. */
  readonly statuses: Judged
  /** Calls and 429s of each upstream. */
  readonly upstreams: Readonly<Record<string, { readonly calls: number; readonly refused: number }>>
  /** The same quotes of a server that does nothing but ask. */
  readonly bare: {
    readonly refused: number
    readonly answered: number
    readonly offered: Readonly<Record<string, number>>
  }
}

interface Quoted extends Taken {
  readonly status: number
  readonly providers: string
}

const quote = async (url: URL, path: string, key: string): Promise<Quoted> => {
  const begin = performance.now()
  const answer = await fetch(new URL(path, url), { headers: { "x-api-key": key } })
  const text = await answer.text()
  return {
    status: answer.status,
    text,
    millis: performance.now() - begin,
    providers: answer.headers.get("provider-status") ?? "",
  }
}

let amount = 0
/** An amount of its own each, so that no call is shared. */
const quotePath = (): string => {
  amount += 1
  return `/quotes?sourceAsset=eth.eth&destinationAsset=btc.btc&start=any&amount=1.${
    `${amount}`.padStart(5, "0")
  }1`
}

/** Does something again and again at a pace, until it is over, whatever becomes of it. */
const paced = async <A>(everySeconds: number, seconds: number, act: (number: number) => Promise<A>) => {
  const begin = performance.now()
  const underWay: Array<Promise<A>> = []
  for (let number = 0; number * everySeconds < seconds; number++) {
    const left = begin + number * everySeconds * 1_000 - performance.now()
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, left)))
    underWay.push(act(number))
  }
  return await Promise.all(underWay)
}

const percent = (all: ReadonlyArray<unknown>, some: ReadonlyArray<unknown>): number =>
  all.length === 0 ? 100 : some.length * 100 / all.length

const inTime = (all: ReadonlyArray<Quoted>): number =>
  percent(all, all.filter(({ millis, status }) => status === 200 && millis <= 1_000))

const withOffer = (all: ReadonlyArray<Quoted>, upstream: string): number =>
  percent(all, all.filter(({ providers }) => providers.includes(`${upstream};ok`)))

const limited = ["chainflip", "relay", "thorchain"]

const setLimits = async (sandbox: URL) => {
  const answer = await fetch(new URL("/sandbox/faults", sandbox), {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ behaviour: "rateLimits", on: true }),
  })
  if (answer.status >= 300) throw new Error(`No limits: ${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}

const sandboxWithLimits = Effect.fnUntraced(function* () {
  const sandbox = yield* startProgram("src/sandbox.ts", {
    SANDBOX_PORT: "0",
    SANDBOX_SPEED: "1",
    DATA_DIR: "memory",
    LOG_FORMAT: "json",
  })
  yield* Effect.promise(() => setLimits(sandbox.url))
  return yield* limitedUpstream(sandbox.url)
})

/** The demand on a pair of replicas, and on a bare server, for so many seconds each. */
export const measureDemand = Effect.fnUntraced(function* (seconds: number, settings: Environment) {
  const redis = yield* (redisServers.at(-1) ?? redisServers[0])?.place ??
    Effect.die("There is a double of Redis")
  const upstream = yield* sandboxWithLimits()
  const start = startService({
    ...limits,
    ...settings,
    MODE: "sandbox",
    SANDBOX_URL: upstream.url.href,
    REDIS_URL: redis.url.href,
    BULKHEAD_SHARE: "0.5",
    RATE_LIMIT: "60000",
    // A busy machine is not what this is about.
    DATABASE_TIMEOUT: "60 seconds",
  })
  const first = yield* start
  const second = yield* start
  const pair = [first, second] as const
  const isOne = "DATABASE_URL" in settings
  /** The key of an account at each of the two, which are one service where they have one database. */
  const accountOf = Effect.fnUntraced(function* (name: string) {
    const key = firstOf(yield* newAccount(first, name, 1))
    return [key, isOne ? key : firstOf(yield* newAccount(second, name, 1))] as const
  })
  const busy = yield* accountOf("busy")
  const opens = yield* accountOf("opens")
  const small = yield* Effect.forEach(
    Array.from({ length: smallAccounts }, (_, number) => `small-${number}`),
    accountOf,
  )
  const at = (number: number, keys: readonly [string, string]) =>
    number % 2 === 0 ? { service: pair[0], key: keys[0] } : { service: pair[1], key: keys[1] }
  const quoteOf = (keys: readonly [string, string]) => (number: number) => {
    const { key, service } = at(number, keys)
    return quote(service.url, quotePath(), key)
  }
  const openingAt = (number: number): Promise<Taken> => {
    const { key, service } = at(number, opens)
    const asked = opening(key)
    const ofRelay: Asked = {
      ...asked,
      body: {
        sourceAsset: "eth.eth",
        destinationAsset: "usdc.arb",
        destinationAddress: "0x1111111111111111111111111111111111111111",
        refundAddress: "0x1111111111111111111111111111111111111111",
        platform: "relay",
        amount: "1",
      },
    }
    return ask(service, number % 4 < 2 ? asked : ofRelay)
  }
  const measured = yield* Effect.promise(async () => {
    const statusOf = (number: number) => {
      const { key, service } = at(number, opens)
      return ask(service, { method: "GET", path: "/swaps", key })
    }
    return await Promise.all([
      paced(1 / quotesPerSecond, seconds, quoteOf(busy)),
      Promise.all(small.map((keys) => paced(pauses.small, seconds, quoteOf(keys)))),
      paced(pauses.opening, seconds, openingAt),
      paced(pauses.status, seconds, statusOf),
    ])
  })
  const [flood, few, openings, statuses] = measured
  const ofFew = few.flat()
  const quotes = [...flood, ...ofFew]
  const refused = Object.values(upstream.answers).reduce((sum, { refused }) => sum + refused, 0)
  const isOpened = ({ status }: Taken) => status === 200
  for (const { status, text } of openings) if (status !== 200) console.error(`An opening: ${status} ${text}`)

  const alone = yield* sandboxWithLimits()
  const url = yield* bareServer(alone.url, upstream.latest)
  const bare = yield* Effect.promise(() =>
    paced(1 / quotesPerSecond, seconds, () => quote(url, "/quotes", "none"))
  )
  const demand: Demand = {
    seconds,
    quotes: quotes.length,
    refused: atMost(0, refused),
    openings: atLeast(100, percent(openings, openings.filter(isOpened))),
    answered: atLeast(95, inTime(quotes)),
    offered: Object.fromEntries(limited.map((name) => [name, atLeast(99, withOffer(ofFew, name))])),
    statuses: atLeast(100, percent(statuses, statuses.filter(isOpened))),
    upstreams: upstream.answers,
    bare: {
      refused: Object.values(alone.answers).reduce((sum, { refused }) => sum + refused, 0),
      answered: inTime(bare),
      offered: Object.fromEntries(limited.map((name) => [name, withOffer(bare, name)])),
    },
  }
  return demand
}, Effect.scoped)
