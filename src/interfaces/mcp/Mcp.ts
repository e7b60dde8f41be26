import { Context, type Duration, Effect, Fiber, Layer, Option, Schedule, Schema } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import { Headers, HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Keys } from "#application/accounts/Keys.ts"
import type { Paths } from "../requests/RequestMeta.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { version } from "#infrastructure/platform/version.ts"
import { type Agent, CurrentAgent, currentAgent, makeDoor, type ToolCall } from "./authenticateAgent.ts"
import { Confirmations } from "./Confirmations.ts"
import { errors, guide, instructions, llmsText } from "./guide.ts"
import { serverJson } from "./serverJson.ts"
import { endings, type Holder, makeSessions, type SessionLimits } from "./sessions.ts"
import { forScope, type Tool, toolsLayer, withReadableTimes } from "./Tool.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { traceId } from "../requests/failedRequests.ts"
import { refusalOf, type ToolFailure } from "./refusals.ts"
import { assetsAnswer, everyAsset, listAssets } from "./tools/listAssets.ts"
import { getLimits } from "./tools/getLimits.ts"
import { getPayment, paymentCode, svg } from "./tools/getPayment.ts"
import { getSwap, lookAtSwap } from "./tools/getSwap.ts"
import { explainSwap } from "./tools/explainSwap.ts"
import { getQuotes } from "./tools/getQuotes.ts"
import { listSwaps } from "./tools/listSwaps.ts"
import { openSwap } from "./tools/openSwap.ts"
import { prepareSwap } from "./tools/prepareSwap.ts"
import { sandboxAdvance } from "./tools/sandboxAdvance.ts"
import { SwapState } from "#domain/swaps/Swap.ts"
import { Swaps } from "#application/swapping/Swaps.ts"

type ServicesOf<T> = T extends Tool<infer R> ? R : never

const tools = [
  listAssets,
  getLimits,
  getQuotes,
  prepareSwap,
  openSwap,
  getPayment,
  getSwap,
  listSwaps,
  explainSwap,
]

type Services = ServicesOf<typeof tools[number] | ReturnType<typeof sandboxAdvance>>

/** Every tool, in the order in which they are listed; that of the sandbox where `sandboxUrl` is given. */
const toolsOf = (sandboxUrl: URL | undefined): ReadonlyArray<Tool<Services>> => [
  ...tools,
  ...(sandboxUrl === undefined ? [] : [sandboxAdvance(sandboxUrl)]),
]

/** How many of the latest swaps a number is looked for among: as many as one answer may suggest. */
const most = 100

const swapsNotReadable = new McpSchema.InternalError({ message: "The swaps cannot be read for now" })

/** Suggests numbers of the account's latest swaps by prefix; none for a key that may not list. */
const makeSwapNumbers = Effect.gen(function* () {
  const { history } = yield* Swaps
  return Effect.fnUntraced(
    function* (typed: string) {
      const { caller } = yield* currentAgent
      if (!caller.scopes.includes("history")) return []
      const { records } = yield* history(caller, {
        limit: most,
        states: SwapState.literals,
        sort: "descending",
      })
      return records.map(({ id }) => `${id}`).filter((number) => number.startsWith(typed))
    },
    Effect.catchTag("StoreUnavailable", () => Effect.fail(swapsNotReadable)),
  )
})

const path = "/mcp"

/** What the operator publishes in the MCP registry. */
const serverJsonPath = "/mcp/server.json"

/** Where models look for what a site is (llmstxt.org). */
const llmsPath = "/llms.txt"

/** The header in which clients of the older versions name their session. */
const sessionHeader = "mcp-session-id"

/** The header in which clients name the version that they speak. */
const versionHeader = "mcp-protocol-version"

/** The version without sessions. */
const stateless = McpProtocol.v2026_07_28

/** The subscriptions of that version, which are not served. */
const subscribing = "subscriptions/listen"

/** The facts about the paths that the server needs. No page of another origin may read the endpoint. */
export const mcpPaths: Paths = new Map([
  [path, { methods: ["POST", "DELETE"], beginsSwap: true, isClosed: true }],
  [serverJsonPath, { methods: ["GET"] }],
  [llmsPath, { methods: ["GET"] }],
])

/** How long clients may keep lists of what there is. */
const listed = { ttl: "5 minutes", cacheScope: "private" } as const

const markdown = "text/markdown"
const json = "application/json"

const contents = (uri: string, mimeType: string, text: string) => ({ contents: [{ uri, mimeType, text }] })

const page = (uri: string, name: string, description: string, text: string) =>
  McpServer.resource({
    uri,
    name,
    description,
    mimeType: markdown,
    content: Effect.succeed(contents(uri, markdown, text)),
  })

const assetsUri = "broker://assets"

const assets = Layer.unwrap(
  Effect.map(Effect.context<Effect.Services<typeof everyAsset>>(), (services) =>
    McpServer.resource({
      uri: assetsUri,
      name: "assets",
      description: "Every asset with its id, network, decimals and least amount.",
      mimeType: json,
      content: assetsAnswer(Option.none(), false).pipe(
        Effect.map(({ body }) => contents(assetsUri, json, JSON.stringify(body))),
        Effect.provideContext(services),
      ),
    })),
).pipe(Layer.provide(forScope("quote").layer))

/** A swap that cannot be read. Only a number is repeated in the answer: any other text may hold a key. */
const notReadable = (uri: string, swapId: string | undefined, message: string) =>
  new McpSchema.InvalidParams({ message, ...(/^[0-9]+$/.test(swapId ?? "") ? { data: { uri } } : {}) })

interface OfSwap<R> {
  readonly name: string
  readonly description: string
  readonly mimeType: string
  /** What follows the number of the swap in the URI. */
  readonly rest: string
  readonly read: (named: { readonly swapId: string | undefined }) => Effect.Effect<string, ToolFailure, R>
}

const ofSwap = <R>({ description, mimeType, name, read, rest }: OfSwap<R | CurrentAccount>) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const server = yield* McpServer.McpServer
    const services = yield* Effect.context<R>()
    const swapNumbers = yield* makeSwapNumbers
    yield* server.addResourceTemplate({
      template: new McpSchema.ResourceTemplate({
        uriTemplate: `broker://swaps/{swapId}${rest}`,
        name,
        description,
        mimeType,
      }),
      annotations: Context.empty(),
      services: yield* Effect.context<never>(),
      // The router's form of the template: a colon begins a parameter, and two of them are one.
      routerPath: `broker:://swaps/:0${rest}`,
      completions: {
        swapId: (typed) =>
          Effect.map(
            swapNumbers(typed),
            (values) => McpSchema.CompleteResult.make({ completion: { values } }),
          ),
      },
      handle: (uri, [swapId]) =>
        Effect.flatMap(currentAgent, ({ caller }) =>
          read({ swapId }).pipe(
            Effect.provideContext(services),
            Effect.provideService(CurrentAccount, caller),
            Effect.catch((failure) =>
              Effect.flatMap(
                traceId,
                (id) => Effect.fail(notReadable(uri, swapId, refusalOf(failure, id).detail)),
              )
            ),
            Effect.map((text) => contents(uri, mimeType, text)),
          )),
    })
  })).pipe(Layer.provide(forScope("status").layer))

const swap = ofSwap({
  name: "swap",
  description: "The current status of a swap of this account, by its ID.",
  mimeType: json,
  rest: "",
  read: Effect.fnUntraced(function* (named) {
    const { body } = yield* lookAtSwap(named)
    return JSON.stringify(yield* withReadableTimes(body))
  }),
})

const code = ofSwap({
  name: "payment-code",
  description: "The QR code of a swap that waits for its deposit, to show to the payer.",
  mimeType: svg,
  rest: "/qr.svg",
  read: paymentCode,
})

const resources = Layer.mergeAll(
  page(
    "broker://guide",
    "guide",
    "How to swap with this broker: words, states, refunds, limits, safety.",
    guide,
  ),
  page("broker://errors", "errors", "What refused calls mean, and what to do.", errors),
  assets,
  swap,
  code,
)

const swapAssistant = McpServer.prompt({
  name: "swap-assistant",
  title: "Swap with care",
  description: "Guides a human through a swap: quotes, a check of the addresses, the deposit, and the wait.",
  parameters: {
    wish: Schema.optionalKey(
      Schema.String.check(Schema.isMaxLength(2_000)).annotate({
        description: "What the human wants, in their words: 0.1 BTC to ETH",
      }),
    ),
  },
  // Nobody can guess it. A client that asks for suggestions is told that there are none.
  completion: { wish: () => Effect.succeed([]) },
  content: ({ wish }) =>
    Effect.succeed(
      `${guide}\n## Now\n\nHelp me with a swap.${
        wish === undefined ? " Ask me what I want to swap." : ` What I want: ${wish}`
      }\n`,
    ),
})

const whyStuck = Layer.unwrap(Effect.map(makeSwapNumbers, (swapNumbers) =>
  McpServer.prompt({
    name: "why-is-my-swap-stuck",
    title: "Why is my swap stuck?",
    description: "Finds out where a swap is, why it waits, and what can be done.",
    parameters: {
      swapId: Schema.String.check(
        Schema.isPattern(/^[0-9]{1,15}$/, { message: "must be the ID of a swap" }),
      ).annotate({ description: "ID of the swap" }),
    },
    completion: { swapId: swapNumbers },
    content: ({ swapId }) =>
      Effect.succeed(
        `Call explain_swap with swapId ${swapId}. Tell me in plain words where my money is, why it waits, what I can do ` +
          "and what I must not do, such as paying again. Do not guess. If you cannot find it, tell me so.",
      ),
  })))

const prompts = Layer.mergeAll(swapAssistant, whyStuck)

/** The protocol itself, on a router of its own: nothing reaches it but through the door. */
const protocolWith = (tools: ReadonlyArray<Tool<Services>>) =>
  McpServer.layerHttp({
    name: "swap-broker",
    version,
    instructions,
    path,
    protocols: [stateless, McpProtocol.v2025_11_25, McpProtocol.v2025_06_18],
    allowSessionTermination: true,
    // A subscription would stay open for as long as a client likes, and lists change with the build only.
    allowSubscriptions: false,
    cacheHints: {
      discover: listed,
      tools: listed,
      resources: listed,
      resourceTemplates: listed,
      prompts: listed,
    },
    registrations: Layer.mergeAll(toolsLayer(tools), resources, prompts),
  }).pipe(
    Layer.provideMerge(Layer.fresh(HttpRouter.layer)),
    Layer.build,
    Effect.map((built) => Context.get(built, HttpRouter.HttpRouter).asHttpEffect()),
  )

const isOfStateless = (headers: Headers.Headers): boolean =>
  headers[versionHeader] === stateless.protocolVersion

/** A request without the session that it names, if its version has none: there it counts for nothing. */
const withoutStraySession = (request: HttpServerRequest.HttpServerRequest) =>
  request.method === "POST" && isOfStateless(request.headers)
    ? request.modify({ headers: Headers.remove(request.headers, sessionHeader) })
    : request

/** An answer that no proxy may hold back where it is a stream: the question to a human would wait in it unseen. */
const unheld = (response: HttpServerResponse.HttpServerResponse) =>
  response.headers["content-type"]?.startsWith("text/event-stream") === true
    ? HttpServerResponse.setHeader(response, "x-accel-buffering", "no")
    : response

/** The answer to a method that is not served. The library has subscriptions off answer 200, on a stream. */
const notServed = ({ id, method }: ToolCall) =>
  HttpServerResponse.jsonUnsafe({
    jsonrpc: "2.0",
    id,
    error: { code: McpSchema.METHOD_NOT_FOUND_ERROR_CODE, message: `Method not found: ${method}` },
  }, { status: 404 })

/** The tools whose calls count as openings do. */
const openingTools = (tools: ReadonlyArray<Tool<Services>>): ReadonlyArray<string> =>
  tools.flatMap(({ effects, name }) => effects === "opens" || effects === "prepares" ? [name] : [])

export interface McpOptions {
  /** How long a confirmation can be opened. */
  readonly confirmationLifetime: Duration.Duration
  readonly sessions: SessionLimits
}

/** The door, the sessions, and the protocol behind them. */
const makeAnswer = Effect.fnUntraced(function* (options: McpOptions, sandboxUrl: URL | undefined) {
  const tools = toolsOf(sandboxUrl)
  const inside = Effect.orDie(yield* protocolWith(tools))
  const sessions = makeSessions(options.sessions)
  const door = yield* makeDoor(openingTools(tools))
  const { withoutMcp } = yield* Keys

  /** Answers a request to its end, with all headers: not even a client that goes away leaves a session unknown. */
  const toItsEnd = Effect.gen(function* () {
    let answered = HttpServerResponse.empty({ status: 500 })
    const handled = HttpEffect.toHandled(inside, (_, response) => Effect.sync(() => answered = response))
    yield* Effect.flatMap(Effect.forkChild(handled), Fiber.join)
    return answered
  })

  /** Ends sessions in the library, which would keep them for ever. */
  const end = Effect.forEach(
    (id: string) =>
      Effect.provideService(
        toItsEnd,
        HttpServerRequest.HttpServerRequest,
        HttpServerRequest.fromWeb(new Request(`http://broker.invalid${path}`, { method: "DELETE" }))
          .modify({ url: path, headers: Headers.fromInput({ [sessionHeader]: id }) }),
      ),
    { discard: true },
  )

  const begin = (holder: Holder) =>
    Effect.gen(function* () {
      const response = yield* toItsEnd
      const id = response.headers[sessionHeader]
      if (id !== undefined) yield* end(sessions.add(id, holder, yield* currentMillis))
      return response
    }).pipe(Effect.uninterruptible)

  /** Passes a request on, where the session that it names is its key's own. */
  const pass = Effect.fnUntraced(function* (agent: Agent, asked: ToolCall) {
    const { headers, method } = yield* HttpServerRequest.HttpServerRequest
    if (asked.method === subscribing && isOfStateless(headers)) return notServed(asked)
    const holder: Holder = { account: agent.caller.id, keyId: agent.caller.keyId }
    const id = headers[sessionHeader]
    if (id !== undefined && !sessions.use(id, holder, yield* currentMillis)) {
      return HttpServerResponse.empty({ status: 404 })
    }
    if (method === "DELETE" && id !== undefined) sessions.remove(id)
    return asked.method === "initialize" ? yield* begin(holder) : unheld(yield* inside)
  })

  const { sweep, turnedAway } = endings(sessions, { end, withoutMcp })
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("1 minute")))

  const answer = door({
    pass: (agent, asked) => Effect.provideService(pass(agent, asked), CurrentAgent, agent),
    turnedAway: Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      ({ headers }) => turnedAway(headers[sessionHeader]),
    ),
  })
  return Effect.updateService(answer, HttpServerRequest.HttpServerRequest, withoutStraySession)
})

/** The routes of the endpoint; with the sandbox's tool where `sandboxUrl` is given. */
export const mcp = (options: McpOptions, sandboxUrl: URL | undefined) =>
  Layer.unwrap(Effect.gen(function* () {
    const answer = yield* makeAnswer(options, sandboxUrl)
    return Layer.mergeAll(
      HttpRouter.add("POST", path, answer),
      HttpRouter.add("DELETE", path, answer),
      HttpRouter.add("GET", serverJsonPath, yield* serverJson(path)),
      HttpRouter.add("GET", llmsPath, HttpServerResponse.text(llmsText)),
    )
  })).pipe(Layer.provide(Confirmations.layer(options.confirmationLifetime)), Layer.orDie)
