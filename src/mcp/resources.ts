import { Context, Effect, Layer, Option } from "effect"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import { CurrentAccount } from "../api/Authorization.ts"
import { traceId } from "../http/traceId.ts"
import { currentAgent } from "./door.ts"
import { errors, guide } from "./guide.ts"
import { refusalOf } from "./refusals.ts"
import { makeSwapNumbers } from "./swapNumbers.ts"
import { type Asks, forScope } from "./Tool.ts"
import { assetsAnswer, everyAsset } from "./tools/listAssets.ts"
import { getSwap } from "./tools/getSwap.ts"

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

/** A swap of the account, read as the tool reads it. */
const swap = Layer.effectDiscard(Effect.gen(function* () {
  const server = yield* McpServer.McpServer
  const services = yield* Effect.context<Asks<typeof getSwap.perform>>()
  const swapNumbers = yield* makeSwapNumbers
  yield* server.addResourceTemplate({
    template: new McpSchema.ResourceTemplate({
      uriTemplate: "broker://swaps/{swapId}",
      name: "swap",
      description: "A swap of this account as it stands, by its number.",
      mimeType: json,
    }),
    annotations: Context.empty(),
    services: yield* Effect.context<never>(),
    // The router's form of the template: a colon begins a parameter, and two of them are one.
    routerPath: "broker:://swaps/:0",
    completions: {
      swapId: (typed) =>
        Effect.map(swapNumbers(typed), (values) => McpSchema.CompleteResult.make({ completion: { values } })),
    },
    handle: (uri, [swapId]) =>
      Effect.flatMap(currentAgent, ({ caller }) =>
        getSwap.perform({ swapId }).pipe(
          Effect.provideContext(services),
          Effect.provideService(CurrentAccount, caller),
          Effect.catch((failure) =>
            Effect.flatMap(traceId, (id) =>
              Effect.fail(notReadable(uri, swapId, refusalOf(failure, id).detail)))
          ),
          Effect.flatMap((answer) =>
            answer instanceof McpSchema.InputRequired
              ? Effect.fail(notReadable(uri, swapId, "This resource asks for nothing"))
              : Effect.succeed(contents(uri, json, JSON.stringify(answer.body)))
          ),
        )),
  })
})).pipe(Layer.provide(forScope("status").layer))

/** The resources. */
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
)
