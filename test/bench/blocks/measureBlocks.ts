import { Effect } from "effect"
import { inlined } from "#test/contract/support/inlined.ts"
import { isList, numberAt, parseJson } from "#test/contract/support/Json.ts"
import { visits } from "#test/interfaces/dashboard/support/visits.ts"
import { type Operation, operations } from "#test/security/hostile/operations.ts"
import { requestBytes, Wire } from "#test/security/hostile/Wire.ts"
import { startProgram, startServiceIn } from "#test/support/process.ts"
import { atMost, type Judged, judgedCells } from "../goal.ts"
import { table } from "../table.ts"
import { bodies, forms, type Input, messages, queries, values } from "./inputs.ts"

/** A request, and for whoever reads the figures: to where, and with what. */
interface Sending {
  readonly to: string
  readonly what: string
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: string
}

/** The longest block of the process while a request was answered. */
export interface BlockOf {
  readonly to: string
  readonly what: string
  readonly judged: Judged
  /** The same of an honest request to the same operation, in milliseconds. */
  readonly honestly: number
}

export interface BlockFigures {
  readonly requests: number
  /** How many of them were sent again. */
  readonly suspects: number
  /** The longest ones. */
  readonly longest: ReadonlyArray<BlockOf>
}

const goalMillis = 50
const shown = 25

const headerNames = [
  "accept",
  "accept-encoding",
  "cookie",
  "if-none-match",
  "idempotency-key",
  "x-forwarded-for",
  "traceparent",
  "authorization",
  "x-api-key",
  "content-type",
  "origin",
  "last-event-id",
]

/** One operation of each kind: the same code reads headers for all. */
const withHeaders = ["GET /quotes", "GET /swaps", "GET /assets", "GET /operator/accounts", "GET /providers"]

const pathOf = ({ template }: Operation, value = "1"): string => template.replaceAll(/\{\w+\}/g, value)

const queryOf = ({ query }: Operation): string =>
  Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(`${JSON.parse(value)}`)}`).join(
    "&",
  )

const jsonType = ["content-type", "application/json"] as const
const formType = ["content-type", "application/x-www-form-urlencoded"] as const

/** What is sent to one operation of the document: `key` is the operator's. */
const sendingsOf = (operation: Operation, key: string): ReadonlyArray<Sending> => {
  const { method, slots, template } = operation
  const to = `${method} ${template}`
  const named = slots.find(({ place }) => place === (method === "GET" ? "query" : "body"))?.name ?? "name"
  const plain = `${pathOf(operation)}?${queryOf(operation)}`
  const own = ["x-api-key", key] as const
  const inBody = method === "GET" ? [] : bodies(named).map(({ text, what }): Sending => ({
    to,
    what,
    method,
    target: pathOf(operation),
    headers: [own, jsonType],
    body: text,
  }))
  const inQuery = queries(named).map(({ text, what }): Sending => ({
    to,
    what: `a query of ${what}`,
    method,
    target: `${pathOf(operation)}?${text}`,
    headers: [own],
  }))
  const inPath: Sending = {
    to,
    what: "a long path",
    method,
    target: pathOf(operation, "9".repeat(7_900)),
    headers: [own],
  }
  const inHeaders = !withHeaders.includes(to)
    ? []
    : headerNames.flatMap((name) =>
      values.map(({ text, what }): Sending => ({
        to,
        what: `${name} of ${what}`,
        method,
        target: plain,
        headers: name === "x-api-key" ? [[name, text]] : [own, [name, text]],
      }))
    )
  return [...inBody, ...inQuery, inPath, ...inHeaders]
}

const to =
  (method: string, target: string, headers: Sending["headers"]) => ({ text, what }: Input): Sending => ({
    to: `${method} ${target}`,
    what,
    method,
    target,
    headers,
    ...(method === "GET" ? {} : { body: text }),
  })

/** What is sent to the faces beside the contract. */
const others = (key: string): ReadonlyArray<Sending> => {
  const own = ["x-api-key", key] as const
  const pages = Object.keys(visits).flatMap((page) =>
    queries("find").map(({ text, what }): Sending => ({
      to: `GET ${page}`,
      what: `a query of ${what}`,
      method: "GET",
      target: `${page.replaceAll(/:\w+/g, "1")}?${text}`,
      headers: [own],
    }))
  )
  return [
    ...pages,
    ...["/dashboard/login", "/dashboard/enter", "/dashboard/accounts"].flatMap((target) =>
      forms.map(to("POST", target, [formType, ["sec-fetch-site", "same-origin"]]))
    ),
    ...[...bodies("method"), ...messages].map(
      to("POST", "/mcp", [own, jsonType, ["accept", "application/json, text/event-stream"]]),
    ),
    ...bodies("method").map(to("POST", "/rpc", [own, jsonType])),
    ...bodies("method").map(to("POST", `/rpc/${key}`, [jsonType])),
    ...queries("t").map(({ text, what }): Sending => ({
      to: "GET /pay/{token}",
      what,
      method: "GET",
      target: `/pay/${"a".repeat(43)}?${text}`,
      headers: [],
    })),
  ]
}

const now = () => performance.timeOrigin + performance.now()

interface Block {
  readonly begin: number
  readonly end: number
  readonly millis: number
}

const isSame = (one: Pick<Block, "begin" | "end">, other: Pick<Block, "begin" | "end">): boolean =>
  one.begin <= other.end && other.begin <= one.end

/** A port that nobody listens on. */
const freePort = (): number => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 })
  listener.close()
  return listener.addr.port
}

/** From which block on a request is sent again. */
const suspectMillis = 30
/** How often it is sent again; its shortest block counts, as others have to do with the machine. */
const tries = 3

/** The same request with next to nothing in it: what its operation takes anyway. */
const honest = ({ body, target, ...sending }: Sending): Sending => ({
  ...sending,
  headers: sending.headers.filter(([, value]) => value.length < 1_000),
  target: target.length < 1_000 ? target : target.slice(0, Math.max(0, target.indexOf("?"))) || "/",
  ...(body === undefined ? {} : { body: "{}" }),
})

/** Sends everything to a service, one after another, after a part of it: code that is compiled meanwhile would count, too. */
export const measureBlocks = Effect.gen(function* () {
  const port = freePort()
  // In a process of its own, so that its work is no block of the service.
  const sandbox = yield* startProgram("src/sandbox.ts", {
    PORT: "0",
    DATA_DIR: "memory",
    SANDBOX_SPEED: "0",
  })
  const service = yield* startServiceIn("test/bench/blocks/watchedService.ts")({
    BLOCKS_PORT: `${port}`,
    SANDBOX_URL: sandbox.url.origin,
    SANDBOX_SPEED: "0",
    RATE_LIMIT_CREDENTIALS: "0",
  })
  return yield* Effect.promise(async (): Promise<BlockFigures> => {
    const wire = new Wire(service.url)
    const document = parseJson(
      await fetch(new URL("/openapi.json", service.url)).then((answer) => answer.text()),
    )
    const blocksUntilNow = async (): Promise<ReadonlyArray<Block>> => {
      const told = parseJson(await fetch(`http://127.0.0.1:${port}`).then((answer) => answer.text()))
      return (isList(told) ? told : []).map((block) => ({
        begin: Number(numberAt(block, "begin")),
        end: Number(numberAt(block, "end")),
        millis: Number(numberAt(block, "millis")),
      }))
    }
    const sendings = [
      ...operations(inlined(document)).flatMap((operation) => sendingsOf(operation, service.apiKey)),
      ...others(service.apiKey),
    ]
    const send = async (sending: Sending) => {
      const begin = now()
      await wire.ask(requestBytes(sending), sending.method)
      return { begin, end: now() }
    }
    const longestOf = async (sending: Sending): Promise<number> => {
      const all: Array<number> = []
      for (let count = 0; count < tries; count++) {
        await blocksUntilNow()
        const span = await send(sending)
        const during = (await blocksUntilNow()).filter((block) => isSame(block, span))
        all.push(Math.max(0, ...during.map(({ millis }) => millis)))
      }
      return Math.min(...all)
    }
    for (const sending of sendings.filter((_, index) => index % 7 === 0)) await send(sending)
    await blocksUntilNow()
    const spans: Array<Awaited<ReturnType<typeof send>>> = []
    for (const sending of sendings) spans.push(await send(sending))
    const blocks = await blocksUntilNow()
    const suspects = sendings.filter((_, index) => {
      const span = spans[index]
      return span !== undefined &&
        blocks.some((block) => block.millis >= suspectMillis && isSame(block, span))
    })
    const measured: Array<BlockOf> = []
    for (const sending of suspects) {
      measured.push({
        to: sending.to,
        what: sending.what,
        judged: atMost(goalMillis, await longestOf(sending)),
        honestly: await longestOf(honest(sending)),
      })
    }
    const longest = measured.toSorted((one, other) => other.judged.value - one.judged.value)
    return { requests: sendings.length, suspects: suspects.length, longest: longest.slice(0, shown) }
  })
}).pipe(Effect.scoped)

/** The figures as a person reads them. */
export const renderBlocks = ({ longest, requests, suspects }: BlockFigures): string =>
  table([
    [
      `The longest blocks of the process over ${requests} requests of up to 64 kB, ms; ${suspects} sent again`,
      "with",
      "ms",
      "goal",
      "reached",
      "honest",
    ],
    ...longest.map(({ honestly, judged, to, what }) =>
      [to, what, ...judgedCells(judged, 1), honestly.toFixed(1)] as const
    ),
  ])
