/** What the client gives its users, beside what is made of the contract. */
export { type Decimal, fromNative, type Other, toNative } from "./amounts.ts"
export { type Answer, type CallOptions, type ClientOptions } from "./connection.ts"
export {
  type FailedRequest,
  NoAnswer,
  type NoAnswerReason,
  ProblemError,
  type SignatureFault,
  SignatureRejected,
  SwapBrokerError,
  type WebhookFault,
  WebhookRejected,
} from "./errors.ts"
export { type StreamOptions } from "./events.ts"
export { type SignedExchange, verifyAnswer, verifyCaseFile } from "./signatures.ts"
export { type Patience } from "./time.ts"
export { type MessageHeaders, type ReceivedMessage, type VerifiedMessage, verifyWebhook } from "./webhooks.ts"
