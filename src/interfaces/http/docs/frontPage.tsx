import { type Html } from "../../pages/jsx-runtime.ts"
import { path, type Url, withFragment } from "../../pages/Url.ts"

type Card = readonly [title: string, to: Url, text: string, call?: string]

const quickstart = path`/docs/quickstart`

/** Where readers begin. */
const ways: ReadonlyArray<Card> = [
  ["Quickstart", quickstart, "Take a swap from quote to payout in five requests, in the sandbox."],
  ["Guides", path`/docs/quotes-and-best-price`, "Best price, refunds, webhooks, idempotency and errors."],
  ["API reference", path`/docs/reference`, "Every endpoint with parameters, samples and errors."],
]

/** What an integration has to do, in its order, with the call that does it. */
const tasks: ReadonlyArray<Card> = [
  [
    "Get a quote",
    path`/docs/quotes-and-best-price`,
    "Compare all providers for a pair and an amount.",
    "GET /quotes",
  ],
  ["Open a swap", path`/docs/opening-a-swap`, "Open a deposit channel for the quote you show.", "POST /swap"],
  [
    "Follow a swap",
    path`/docs/swap-states`,
    "Read the state, the payout and the refund.",
    "GET /status-by-id",
  ],
  [
    "Receive webhooks",
    path`/docs/webhooks-and-events`,
    "Get each event at your URL, signed.",
    "POST /webhooks",
  ],
  ["Handle errors", path`/docs/errors`, "Know what to correct, and what to retry.", "problem+json"],
  ["Go live", withFragment(quickstart, "before-you-go-live"), "Check six points before real money moves."],
]

const cardsOf = (name: string, cards: ReadonlyArray<Card>): Html => (
  <ul class={`doors ${name}`}>
    {cards.map(([title, to, text, call]) => (
      <li>
        <a href={to}>{title}</a>
        <p>{text}</p>
        {call !== undefined && <code>{call}</code>}
      </li>
    ))}
  </ul>
)

/** The first page of the documentation: what the service is, and where to go for each task. */
export const frontPage: ReadonlyArray<Html> = [
  <p class="lead">
    Swap Broker compares swap providers, opens deposit channels and follows each swap until the payout. One
    HTTP API covers quotes, swaps, status and webhooks.
  </p>,
  cardsOf("ways", ways),
  <section aria-labelledby="tasks-title">
    <h2 id="tasks-title">Integrate step by step</h2>
    {cardsOf("tasks", tasks)}
  </section>,
  <section aria-labelledby="tools-title">
    <h2 id="tools-title">Tools</h2>
    <p class="tools">
      <a href={withFragment(quickstart, "sdks")}>SDKs for TypeScript and Python</a>{" "}
      <a href={path`/openapi.json`}>OpenAPI document</a> <a href={path`/llms.txt`}>llms.txt</a>{" "}
      <a href={path`/docs/try`}>Try requests</a> <a href={path`/docs/settings`}>Settings</a>
    </p>
  </section>,
]
