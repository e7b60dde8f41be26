import { Effect, Layer, Schema } from "effect"
import { McpServer } from "effect/ai"
import { guide } from "./guide.ts"
import { makeSwapNumbers } from "./swapNumbers.ts"

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
