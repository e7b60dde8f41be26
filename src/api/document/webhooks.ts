import { MessageType, testType } from "#domain/accounts/Webhook.ts"
import { exampleName } from "./examples.ts"
import type { Members } from "./json.ts"

/** When each event is sent. */
export const meanings: Readonly<Record<typeof MessageType.Type, string>> = {
  "swap.waiting": "The channel is open and waits for a deposit.",
  "swap.receiving": "A deposit was seen and is being confirmed.",
  "swap.swapping": "The deposit is confirmed and being swapped.",
  "swap.sending": "The payout is scheduled.",
  "swap.sent": "The payout was sent and is being confirmed.",
  "swap.completed": "The payout arrived on the destination chain. `result` says whether a part was refunded.",
  "swap.failed": "The swap failed; `failure` says why. A refund can follow.",
  "swap.refunded": "The deposit was refunded. The event can follow `swap.failed`.",
  "swap.stalled": "The swap is over its usual time.",
  "swap.disputed":
    "The provider's result contradicts the record: the swap keeps its state until the dispute is resolved.",
  "channel.expired": "The channel takes no more deposits.",
  "webhook.test": "A test of the endpoint.",
}

const text = { type: "string" }

const headers: ReadonlyArray<readonly [name: string, description: string, value: string]> = [
  ["webhook-id", "ID of the event, the same in each attempt. Use it to skip events that you have.", "evt_42"],
  ["webhook-timestamp", "Time of the attempt, in seconds since 1970. Refuse old ones.", "1785333864"],
  [
    "webhook-signature",
    "One or several, with spaces between: `v1,` and the base64 of HMAC-SHA256 of `id.timestamp.body` under the " +
    "secret. One match is enough.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ],
]

const parameters = headers.map(([name, description, value]) => ({
  name,
  in: "header",
  required: true,
  schema: { ...text, description },
  examples: { [exampleName]: { value } },
}))

/** The `operationId` of a message: `onSwapCompleted` for `swap.completed`. */
const operationIdOf = (type: string): string =>
  `on${type.split(".").map((part) => part.replace(/^./, (first) => first.toUpperCase())).join("")}`

const messageOf = (type: typeof MessageType.Type, exampleOf: (type: string) => unknown): Members => ({
  post: {
    operationId: operationIdOf(type),
    summary: type,
    description: meanings[type],
    tags: ["Webhooks"],
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${type === testType ? "WebhookTest" : "SwapEvent"}` },
          examples: { [exampleName]: { value: exampleOf(type) } },
        },
      },
    },
    responses: {
      "2XX": { description: "Accepted. The body is not read." },
      "410": { description: "No more events wanted: the webhook is disabled." },
      default: { description: "Any other status is a failure, redirects too: the delivery is retried." },
    },
  },
})

/** The messages to webhooks, by their types. */
export const webhooks = (exampleOf: (type: string) => unknown): Members =>
  Object.fromEntries(MessageType.literals.map((type) => [type, messageOf(type, exampleOf)]))

/** The body of a test message, which no endpoint returns. */
export const webhookTest = {
  type: "object",
  description: "The message that tests an endpoint.",
  required: ["type", "timestamp", "data"],
  properties: {
    type: { ...text, enum: [testType], description: "Always `webhook.test`." },
    timestamp: { ...text, description: "Time of the test, in ISO 8601." },
    data: { type: "object", description: "Nothing." },
  },
}
