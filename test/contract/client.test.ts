import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { genesis, withListeningBroker } from "./support/call.ts"

/**
 * A bot as somebody writes it who has read only the contract: plain fetch, JSON as doubles, unknown members
 * ignored. It must run unchanged.
 */
class Bot {
  constructor(readonly baseUrl: string, readonly apiKey: string) {}

  async #get(path: string, parameters: Readonly<Record<string, string | number>>): Promise<unknown> {
    const query = new URLSearchParams({ apiKey: this.apiKey })
    for (const [name, value] of Object.entries(parameters)) query.set(name, `${value}`)
    const response = await fetch(`${this.baseUrl}${path}?${query}`)
    const body: unknown = await response.json()
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${member(body, "detail")}`)
    return body
  }

  /** The quote with the most output, boosted or not, as the bot sees it. */
  async bestQuote(sourceAsset: string, destinationAsset: string, amount: number) {
    const quotes = await this.#get("/quotes", { sourceAsset, destinationAsset, amount })
    const [best] = items(quotes).toSorted((one, other) =>
      numeric(other, "egressAmount") - numeric(one, "egressAmount")
    )
    if (best === undefined) throw new Error("There is no quote")
    return {
      estimatedPrice: numeric(best, "estimatedPrice"),
      slippagePercent: numeric(best, "recommendedSlippageTolerancePercent"),
      egressAmountNative: `${member(best, "egressAmountNative")}`,
      ...(member(best, "type") === "dca"
        ? {
          chunks: {
            numberOfChunks: numeric(best, "numberOfChunks"),
            chunkIntervalBlocks: numeric(best, "chunkIntervalBlocks"),
          },
        }
        : {}),
    }
  }

  /** Opens a channel with the slippage limit of decision 6. */
  async swap(quote: Awaited<ReturnType<Bot["bestQuote"]>>, parameters: Readonly<Record<string, string>>) {
    const minimumPrice = quote.estimatedPrice * (1 - quote.slippagePercent / 100)
    return await this.#get("/swap", {
      ...parameters,
      ...quote.chunks,
      minimumPrice: minimumPrice.toFixed(8),
      retryDurationInBlocks: 15 * 60 / 6,
    })
  }

  statusById(channel: unknown) {
    return this.#get("/status-by-id", { swapId: numeric(channel, "id") })
  }

  statusByChannel(channel: unknown) {
    return this.#get("/status-by-deposit-channel", {
      issuedBlock: numeric(channel, "issuedBlock"),
      network: `${member(channel, "network")}`,
      channelId: numeric(channel, "channelId"),
    })
  }

  history() {
    return this.#get("/swaps", { limit: 10, sort: "descending" })
  }
}

const member = (json: unknown, name: string): unknown =>
  typeof json === "object" && json !== null ? Reflect.get(json, name) : undefined

const items = (json: unknown): ReadonlyArray<unknown> => Array.isArray(json) ? json : []

const numeric = (json: unknown, name: string): number => {
  const value = member(json, name)
  if (typeof value !== "number") throw new Error(`${name} is not a number`)
  return value
}

const state = (record: unknown): unknown => member(member(record, "status"), "state")

/** What happens in the world outside, which the bot only watches. */
const world = (baseUrl: string) => {
  const post = async (path: string, body: unknown) => {
    const headers = { "x-api-key": testKey, "content-type": "application/json" }
    await (await fetch(`${baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).text()
  }
  return {
    deposit: (address: unknown, amount: string) => post("/sandbox/deposits", { address, amount }),
    pass: (advanceSeconds: number) => post("/sandbox/time", { advanceSeconds }),
  }
}

const follow = async (bot: Bot, channel: unknown, pass: (seconds: number) => Promise<void>) => {
  for (let polls = 0; polls < 200; polls++) {
    const record = await (polls % 2 === 0 ? bot.statusById(channel) : bot.statusByChannel(channel))
    const now = state(record)
    if (now === "completed" || now === "failed") return record
    await pass(30)
  }
  throw new Error("The swap did not end")
}

const trades = [
  {
    what: "a regular swap with a slippage limit",
    amount: "1.5",
    parameters: {
      sourceAsset: "eth.arb",
      destinationAsset: "usdc.eth",
      destinationAddress: "0x1111111111111111111111111111111111111111",
      refundAddress: "0x2222222222222222222222222222222222222222",
    },
  },
  {
    what: "a boosted DCA swap from Bitcoin",
    amount: "0.5",
    parameters: {
      sourceAsset: "btc.btc",
      destinationAsset: "eth.eth",
      destinationAddress: "0x1111111111111111111111111111111111111111",
      refundAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
      boostFee: "10",
    },
  },
]

withListeningBroker({ SANDBOX_GENESIS: genesis })("a client that knows only the contract", (it) => {
  for (const { amount, parameters, what } of trades) {
    it.effect(`makes ${what}`, function* () {
      const { origin } = yield* brokerUrl
      const bot = new Bot(origin, testKey)
      const { deposit, pass } = world(origin)
      yield* Effect.promise(async () => {
        const quote = await bot.bestQuote(parameters.sourceAsset, parameters.destinationAsset, Number(amount))
        const channel = await bot.swap(quote, parameters)
        assert.strictEqual(state(await bot.statusById(channel)), "waiting")
        await deposit(member(channel, "address"), amount)
        const record = await follow(bot, channel, pass)
        assert.strictEqual(state(record), "completed")
        // By its channel alone: how many swaps that has had.
        assert.deepStrictEqual(await bot.statusByChannel(channel), { ...Object(record), swapCount: 1 })
        const [latest] = items(await bot.history())
        // Lists leave out the words for people.
        assert.deepStrictEqual(member(latest, "id"), member(record, "id"))
        assert.deepStrictEqual(member(latest, "status"), member(record, "status"))
        const egress = member(member(record, "status"), "swapEgress")
        assert.isNotEmpty(member(egress, "transactionReference"))
        if (!("boostFee" in parameters)) {
          assert.strictEqual(
            member(egress, "amountNative"),
            quote.egressAmountNative,
            "what was quoted arrived",
          )
        }
      })
    })
  }
})
