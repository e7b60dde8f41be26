import { Cause, Context, Duration, Effect, Exit, Layer, Option } from "effect"
import { CircuitBreaker, RateLimiter } from "effect/persistence"
import type { Socket } from "node:net"
import { socketServer } from "./socketServer.ts"

type Store = CircuitBreaker.CircuitBreakerStore["Service"]
type Limits = RateLimiter.RateLimiterStore["Service"]

interface Stores {
  readonly circuits: Store
  readonly limits: Limits
  readonly values: Map<string, string>
  /** By key and field. */
  readonly hashes: Map<string, Map<string, string>>
}

type Reply = string | number | ReadonlyArray<string | number>

const encode = (reply: Reply): string => {
  if (typeof reply === "number") return `:${reply}\r\n`
  if (typeof reply === "string") return `$${reply.length}\r\n${reply}\r\n`
  return `*${reply.length}\r\n${reply.map(encode).join("")}`
}

/** The first command of what came in, if it is all there, and what follows it. Everything is ASCII. */
const takeCommand = (text: string) => {
  const head = /^\*(\d+)\r\n/.exec(text)
  if (head === null) return undefined
  let rest = text.slice(head[0].length)
  const words: Array<string> = []
  while (words.length < Number(head[1])) {
    const length = /^\$(\d+)\r\n/.exec(rest)
    if (length === null) return undefined
    const start = length[0].length
    const end = start + Number(length[1])
    if (rest.length < end + 2) return undefined
    words.push(rest.slice(start, end))
    rest = rest.slice(end + 2)
  }
  return { words, rest }
}

const refusal = ({ reason }: CircuitBreaker.CircuitBreakerError): Reply =>
  reason._tag === "CircuitOpen"
    ? ["open", Math.ceil(Duration.toMillis(reason.retryAfter))]
    : reason._tag === "CircuitHalfOpen"
    ? ["halfopen"]
    : reason.message

const admit = (store: Store, key: string): Effect.Effect<Reply> =>
  Effect.match(Effect.scoped(store.admit(key)), {
    onFailure: refusal,
    onSuccess: ({ generation, probe, consecutiveOpenings, transition }) => [
      "ok",
      `${generation}`,
      probe ? 1 : 0,
      consecutiveOpenings,
      transition === undefined ? 0 : 1,
    ],
  })

const record = (store: Store, key: string, words: ReadonlyArray<string>) => {
  const [generation = "", outcome, policy, count = "", minimumCalls = "", size = "", openFor = ""] = words
  return Effect.map(
    Effect.orDie(store.record({
      key,
      generation: Number(generation),
      outcome: outcome === "Success" || outcome === "Failure" ? outcome : "Ignored",
      tripPolicy: policy === "Consecutive" ? CircuitBreaker.consecutive(Number(count)) : CircuitBreaker.rate({
        threshold: Number(count),
        minimumCalls: Number(minimumCalls),
        size: Number(size),
      }),
      openFor: Duration.millis(Number(openFor)),
    })),
    (moved): Reply =>
      moved === undefined ? ["none", 0] : [
        `${moved.from}-${moved.to}`.toLowerCase(),
        moved.to === "Open" ? moved.consecutiveOpenings : 0,
      ],
  )
}

const state = (store: Store, key: string) =>
  Effect.map(Effect.orDie(store.state(key)), (found): Reply => [
    found._tag,
    found._tag === "Open" ? Math.ceil(Duration.toMillis(found.retryAfter)) : 0,
    found._tag === "Closed" ? 0 : found.consecutiveOpenings,
    found._tag === "HalfOpen" && found.probing ? 1 : 0,
  ])

const takeTokens = (limits: Limits, key: string, words: ReadonlyArray<string>): Effect.Effect<Reply> => {
  const [tokens = "", refillMillis = "", limit = "", , overflow] = words
  return Effect.map(
    Effect.orDie(limits.tokenBucket({
      key,
      tokens: Number(tokens),
      refillRate: Duration.millis(Number(refillMillis)),
      limit: Number(limit),
      allowOverflow: overflow === "1",
    })),
    (answer) => answer.map(String),
  )
}

/** Scripts of circuits have one key, and differ in how many arguments they take; that of limits has two keys. */
const run = ({ circuits, limits }: Stores, keyCount: string, words: ReadonlyArray<string>) => {
  const [key = "", ...rest] = words
  if (keyCount === "2") return takeTokens(limits, key, rest.slice(1))
  switch (rest.length) {
    case 0:
      return state(circuits, key)
    case 2:
      return admit(circuits, key)
    case 3:
      return Effect.succeed<Reply>(1)
    default:
      return record(circuits, key, rest)
  }
}

const nothing = "$-1\r\n"

/** Of the time that a value is kept nothing is seen: no test takes so long. */
const answer = (
  stores: Stores,
  [command = "", first = "", keyCount = "", ...rest]: ReadonlyArray<string>,
) => {
  if (command === "GET") {
    const found = stores.values.get(first)
    return Effect.succeed(found === undefined ? nothing : encode(found))
  }
  if (command === "SET") stores.values.set(first, keyCount)
  if (command.startsWith("H") && command !== "HELLO") {
    const hash = stores.hashes.get(first) ?? new Map<string, string>()
    stores.hashes.set(first, hash)
    if (command === "HSET") hash.set(keyCount, rest[0] ?? "")
    if (command === "HDEL") hash.delete(keyCount)
    return Effect.succeed(encode(command === "HVALS" ? [...hash.values()] : 1))
  }
  if (command === "PEXPIRE") return Effect.succeed(encode(1))
  if (command === "EVALSHA") return Effect.map(run(stores, keyCount, rest), encode)
  if (command === "SCRIPT") return Effect.succeed(encode("a script"))
  if (command === "HELLO") return Effect.succeed("%1\r\n+server\r\n+redis\r\n")
  return Effect.succeed(command === "PING" ? "+PONG\r\n" : first === "" ? "-ERR\r\n" : "+OK\r\n")
}

const serve = (stores: Stores) => (socket: Socket) => {
  let text = ""
  let busy: Promise<unknown> = Promise.resolve()
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1")
    for (let taken = takeCommand(text); taken !== undefined; taken = takeCommand(text)) {
      const { words, rest } = taken
      text = rest
      // Answers come in the order of the commands.
      busy = busy.then(async () => {
        const exit = await Effect.runPromiseExit(answer(stores, words))
        const problem = Option.map(Exit.getCause(exit), Cause.pretty)
        socket.write(Exit.isSuccess(exit) ? exit.value : `-ERR ${Option.getOrElse(problem, () => "")}\r\n`)
      })
    }
  })
}

/**
 * As much of a Redis as circuits, limits and explanations need, until the scope closes, where there is none: the protocol of
 * Redis over stores in memory, with the stores' scripts by what they are to do.
 */
export const respServer = Effect.gen(function* () {
  const context = yield* Layer.build(
    Layer.merge(CircuitBreaker.layerStoreMemory(), RateLimiter.layerStoreMemory),
  )
  const server = yield* socketServer(serve({
    circuits: Context.get(context, CircuitBreaker.CircuitBreakerStore),
    limits: Context.get(context, RateLimiter.RateLimiterStore),
    values: new Map(),
    hashes: new Map(),
  }))
  return new URL(`redis://127.0.0.1:${server.port}`)
})
