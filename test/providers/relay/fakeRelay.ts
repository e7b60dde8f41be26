import { Effect, Option, Redacted, Result } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import { anyPrice } from "#domain/money/Price.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { makeClient } from "#providers/relay/client.ts"
import { makeConditions, readCurrencies } from "#providers/relay/conditions.ts"
import { make } from "#providers/relay/provider.ts"
import type { Options } from "#providers/relay/settings.ts"
import { writeChain } from "#sandbox/relay/answers.ts"
import { relayChains } from "#sandbox/relay/engine/currencies.ts"
import { type Asked, fakeUpstream, notBefore, type Provided, type ScriptOf } from "../fakeUpstream.ts"

export { plain, reasonOf, type Reply } from "../fakeUpstream.ts"

export const feeRecipient = "0x1111111111111111111111111111111111111111"

export const options: Options = {
  url: new URL("http://relay.test/"),
  key: Option.some(Redacted.make("the-key-of-the-tests")),
  quoteVersion: "v2",
  feeRecipient: Option.some(feeRecipient),
  explorerUrl: "https://explorer.test/{depositAddress}",
}

export const btc = { chainId: 8_253_038, address: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8" }
export const eth = { chainId: 1, address: "0x0000000000000000000000000000000000000000" }

/** Bitcoin and Ethereum, as the sandbox lists them. */
export const [ethereum, bitcoin] = relayChains.filter(({ id }) => id === eth.chainId || id === btc.chainId)
  .map((chain) => writeChain(chain, false))

/** A tenth of a Bitcoin to Ether, at any price. */
export const swapRequest = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: Address.make("0xcac3C41676deF4FE375E57118f3eB83A99105577"),
  refundAddress: Address.make("bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly"),
  minimumPrice: anyPrice,
  retryDurationBlocks: 0,
  maximumBoostFeeBps: noBps,
  commissionBps: Bps.make(25),
  affiliates: [],
  amount: NativeAmount.make(10_000_000n),
} satisfies SwapRequest

export const depositAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
export const requestId = `0x${"ab".repeat(32)}`
export const quotedOutput = 2_998_000_000_000_000_000n

/** The figures of an answer to whatever was asked. */
export const figures = (recipient: unknown) => ({
  fees: {
    relayer: { currency: btc, amount: "2100" },
    app: { currency: btc, amount: "25000" },
  },
  details: {
    recipient,
    currencyIn: { currency: btc, amount: "10000000" },
    currencyOut: { currency: eth, amount: `${quotedOutput}`, minimumAmount: "2970000000000000000" },
    timeEstimate: 620.5,
  },
})

/** The answer that opens an address for the request of the tests. */
export const opening = {
  ...figures(swapRequest.destinationAddress),
  steps: [{
    id: "deposit",
    kind: "transaction",
    requestId,
    depositAddress,
    items: [{
      status: "incomplete",
      data: { to: depositAddress, value: "10000000", chainId: btc.chainId },
      check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" },
    }],
  }],
  protocol: {
    v2: {
      orderData: {
        inputs: [{ refunds: [{ chainId: "bitcoin", recipient: swapRequest.refundAddress }] }],
        output: { deadline: 1_796_000_000, payments: [{ recipient: swapRequest.destinationAddress }] },
      },
    },
  },
}

type Kind = "chains" | "price" | "opening" | "status" | "requests" | "reindex" | "appFees"

/** The fake's answers by kind of call. */
export type Script = ScriptOf<Kind>

const kindOf = ({ body, url: { pathname } }: Asked): Kind => {
  if (pathname === "/chains") return "chains"
  if (pathname === "/intents/status/v3") return "status"
  if (pathname === "/requests/v3") return "requests"
  if (pathname.startsWith("/app-fees/")) return "appFees"
  if (pathname.startsWith("/quote/")) return body["useDepositAddress"] === true ? "opening" : "price"
  return "reindex"
}

const ordinaryDay: Script = {
  chains: { body: { chains: [bitcoin, ethereum] } },
  price: ({ body }) => ({ body: figures(body["recipient"]) }),
  opening: { body: opening },
}

/** When tests begin. */
export const now = Date.parse("2026-11-21T05:00:00.000Z")

/** The provider over a fake upstream that differs from an ordinary day by `script`. */
export const providerOver = (script: Script, differing: Partial<Options> = {}): Effect.Effect<Provided> =>
  Effect.gen(function* () {
    const { asked, client } = fakeUpstream(kindOf, { ...ordinaryDay, ...script })
    const settings = { ...options, ...differing }
    const relay = makeClient(client, settings)
    const conditions = yield* makeConditions(relay)
    yield* notBefore(now)
    return [make(settings, relay, conditions), asked]
  })

/** Every currency that the sandbox lists. */
export const { currencies } = Result.getOrThrow(
  readCurrencies({ chains: relayChains.map((chain) => writeChain(chain, false)) }),
)
