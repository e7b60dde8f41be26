import { Effect } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { issueAbout } from "#domain/Issues.ts"
import { ProviderError, RequestRefused } from "#domain/ProviderError.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { Provider } from "#providers/Provider.ts"
import type { Offer } from "../Fixtures.ts"
import { variants } from "../memory/variants.ts"
import type { Fault } from "./mutations.ts"

const { payloadsAlone, plain, quotesOnly } = variants

const opens = "opens a channel, with a waiting record"

const withParties = (offer: Offer): Offer => ({
  ...offer,
  sender: quotesOnly.fixtures.request.refundAddress,
  recipient: quotesOnly.fixtures.request.destinationAddress,
})

const unknownParties = ({ name }: Provider): ProviderError =>
  new ProviderError({
    provider: name,
    operation: "quote",
    reason: new RequestRefused({ errors: issueAbout("senderAddress", "is missing") }),
  })

/** Quotes, assets, and what a provider has at all. */
export const otherFaults: ReadonlyArray<Fault> = [
  {
    what: "has channels, though its fixtures say that it has none",
    variant: { ...quotesOnly, traits: plain.traits },
    mutate: (provider) => provider,
    fails: ["opens no channels"],
  },
  {
    what: "has payloads, though its fixtures say that it has none",
    variant: { ...quotesOnly, traits: payloadsAlone.traits },
    mutate: (provider) => provider,
    fails: ["makes no payloads", "each operation that it has"],
  },
  {
    what: "has no channels, though its fixtures say that it has some",
    variant: { ...plain, traits: quotesOnly.traits },
    mutate: (provider) => provider,
    fails: [opens, "as completed", "each operation that it has"],
  },
  {
    what: "does not fail in one of its operations as far as its fixtures say",
    variant: {
      ...payloadsAlone,
      fixtures: { ...payloadsAlone.fixtures, failures: quotesOnly.fixtures.failures },
    },
    mutate: (provider) => provider,
    fails: ["each operation that it has"],
  },
  {
    what: "takes what is to arrive for what is sent",
    variant: plain,
    mutate: (provider) => ({ ...provider, capabilities: { ...provider.capabilities, exactOutput: true } }),
    fails: ["promises an output"],
  },
  {
    what: "says that it can do more than its fixtures say",
    variant: quotesOnly,
    mutate: (provider) => ({ ...provider, capabilities: { ...provider.capabilities, affiliates: true } }),
    fails: ["is passed over for affiliates"],
  },
  {
    what: "quotes without the commission",
    variant: quotesOnly,
    mutate: (provider) => ({
      ...provider,
      quotes: (request) =>
        Effect.map(
          provider.quotes(request),
          (quotes) =>
            quotes.map((quote) => ({ ...quote, fees: quote.fees.filter(({ type }) => type !== "broker") })),
        ),
    }),
    fails: ["takes the commission out of what btc.btc to eth.eth pays"],
  },
  {
    what: "quotes for another amount",
    variant: quotesOnly,
    mutate: (provider) => ({
      ...provider,
      quotes: (request) =>
        Effect.map(provider.quotes(request), (quotes) =>
          quotes.map((quote) => ({
            ...quote,
            ingress: { ...quote.ingress, amount: NativeAmount.make(quote.ingress.amount - 1n) },
          }))),
    }),
    fails: ["quotes btc.btc to eth.eth, and opens nothing by it"],
  },
  {
    what: "offers what is over already",
    variant: quotesOnly,
    mutate: (provider) => ({
      ...provider,
      quotes: (request) =>
        Effect.map(
          provider.quotes(request),
          (quotes) => quotes.map((quote) => ({ ...quote, expiresAt: EpochMillis.make(0) })),
        ),
    }),
    fails: ["quotes btc.btc to eth.eth, and opens nothing by it"],
  },
  {
    what: "lists an asset twice",
    variant: quotesOnly,
    mutate: (provider) => ({
      ...provider,
      assets: Effect.map(provider.assets, (assets) => [...assets, ...assets]),
    }),
    fails: ["lists its assets, each once"],
  },
  {
    what: "quotes for known addresses only, and does not say so",
    variant: {
      ...quotesOnly,
      fixtures: { ...quotesOnly.fixtures, offers: [withParties(quotesOnly.fixtures.offers[0])] },
    },
    mutate: (provider) => ({
      ...provider,
      quotes: (request) =>
        request.sender === undefined || request.recipient === undefined
          ? Effect.fail(unknownParties(provider))
          : provider.quotes(request),
    }),
    fails: ["quotes btc.btc to eth.eth, and opens nothing by it"],
  },
]
