import { Context, Effect, Layer, Option, Schema } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import { CurrentAccount } from "#api/Authorization.ts"
import { traceId } from "../requests/failedRequests.ts"
import { currentAgent } from "./authenticateAgent.ts"
import { errors, guide } from "./guide.ts"
import { refusalOf, type ToolFailure } from "./refusals.ts"
import { makeSwapNumbers } from "./swapNumbers.ts"
import { withReadableTimes } from "./timeLabels.ts"
import { forScope } from "./Tool.ts"
import { assetsAnswer, everyAsset } from "./tools/listAssets.ts"
import { paymentCode, svg } from "./tools/getPayment.ts"
import { lookAtSwap } from "./tools/getSwap.ts"

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

export const resources = Layer.mergeAll(
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

export const prompts = Layer.mergeAll(swapAssistant, whyStuck)
