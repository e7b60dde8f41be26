import { BigDecimal, Console, Effect, Schema, Struct } from "effect"
import { NativeAmount, toHuman } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { SwapState } from "#domain/swaps/Swap.ts"
import { type ChannelSeen, Client, type QuoteSeen, type SwapSeen } from "./Client.ts"
import { Bps } from "#domain/money/Bps.ts"
import { minimumPrice, Price } from "#domain/money/Price.ts"
import type { StartPath } from "#domain/swaps/Start.ts"

/** A swap did not go through its states, or did not end, as its scenario says. */
class WrongCourse extends Schema.TaggedError<WrongCourse>()("WrongCourse", {
  title: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `${this.title}: ${this.detail}`
  }
}

/** The seconds of a step of simulated time: a block of the state chain, so that no state is missed. */
const blockSeconds = 6

/** The blocks after which any network knows a transaction: two simulated minutes. */
const blocksUntilSeen = 20

/** The longest that a swap may take: two simulated hours, far more than any swap of the demo needs. */
const patienceBlocks = 1_200

const human = (asset: AssetId, native: bigint): string =>
  `${formatDecimal(toHuman(asset, NativeAmount.make(native)))} ${asset}`

const describeQuote = (quote: QuoteSeen): string => {
  const kind = quote.numberOfChunks === undefined ? "regular" : `dca in ${quote.numberOfChunks} chunks`
  const boost = quote.boostQuote === undefined
    ? ""
    : `; boosted for ${quote.boostQuote.estimatedBoostFeeBps} bps in ${quote.boostQuote.estimatedDurationSeconds} s`
  return `${quote.platform} ${kind}: ${human(quote.egressAsset, quote.egressAmountNative)} in about ` +
    `${quote.estimatedDurationSeconds} s${boost}`
}

/** The notes on a swap beside its state. */
const describeProgress = ({ status }: SwapSeen): string => {
  const notes = [
    status.swap?.dca === undefined
      ? undefined
      : `${status.swap.dca.executedChunks} chunks done, ${status.swap.dca.remainingChunks} to go`,
    status.swap?.regular !== undefined && status.swap.regular.retryCount > 0
      ? `price limit not met, retries: ${status.swap.regular.retryCount}`
      : undefined,
    status.boost?.effectiveBoostFeeBps === undefined
      ? undefined
      : `boosted for ${status.boost.effectiveBoostFeeBps} bps`,
    status.swapEgress === undefined
      ? undefined
      : `pays ${human(status.destinationAsset, status.swapEgress.amountNative)}`,
    status.refundEgress === undefined
      ? undefined
      : `sends back ${human(status.sourceAsset, status.refundEgress.amountNative)}`,
    status.swapEgress?.transactionReference ?? status.refundEgress?.transactionReference,
  ]
  return notes.filter((note) => note !== undefined).join(", ")
}

const isOver = (state: SwapState): boolean => state === "completed" || state === "failed"

/** Follows a swap block by block to its end, some blocks after its deposit. Returns the states in order, and the end. */
const follow = Effect.fnUntraced(function* (id: number, after: number) {
  const client = yield* Client
  const states: Array<SwapState> = []
  let said = ""
  for (let block = after; block <= patienceBlocks; block++) {
    const seen = yield* client.status(id)
    const line = `${seen.status.state.padEnd(9)}  ${describeProgress(seen)}`.trimEnd()
    if (line !== said) {
      yield* Console.log(`   +${`${block * blockSeconds} s`.padEnd(8)} ${line}`)
      said = line
    }
    if (states.at(-1) !== seen.status.state) states.push(seen.status.state)
    if (isOver(seen.status.state)) return { states, end: seen }
    yield* client.wait(blockSeconds)
  }
  return yield* new WrongCourse({ title: `Swap ${id}`, detail: "did not end within two simulated hours" })
})

/** A swap that the demo makes, and its expected course. */
interface Scenario {
  readonly title: string
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amount: string
  /** The endpoint that begins it. */
  readonly path: StartPath
  readonly platform: string
  /** Parameters of that endpoint beyond the pair and the provider, from the provider's quotes. */
  readonly parameters: (quotes: ReadonlyArray<QuoteSeen>) => Readonly<Record<string, string>>
  /** The states that have to be seen, in this order. Other states may come between. */
  readonly states: ReadonlyArray<SwapState>
  readonly ending: "paid out" | "refunded"
}

const ethereumAddress = "0x2222222222222222222222222222222222222222"
const bitcoinAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"

const regularPrice = (quotes: ReadonlyArray<QuoteSeen>): Price => {
  const regular = quotes.find((quote) => quote.type === "regular")
  return Price.make(BigDecimal.fromNumberUnsafe(regular?.estimatedPrice ?? 0))
}

/** The states of a swap that ends well, paid out or refunded: all but `failed` (decision 23). */
const everyState: ReadonlyArray<SwapState> = SwapState.literals.filter((state) => state !== "failed")

/** A limit that cannot be met: twice the market's price. */
const unreachable = (price: Price): Price => Price.make(BigDecimal.multiply(price, BigDecimal.fromBigInt(2n)))

/** The price limit that the regular quote meets with one percent to spare. */
const limitOf = (quotes: ReadonlyArray<QuoteSeen>): string =>
  formatDecimal(minimumPrice(regularPrice(quotes), Bps.make(100)))

/** The main job in six ways. */
export const scenarios: ReadonlyArray<Scenario> = [
  {
    title: "A regular swap with a slippage limit of 1 %",
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    amount: "0.1",
    path: "/swap",
    platform: "chainflip",
    parameters: (quotes) => ({
      destinationAddress: ethereumAddress,
      refundAddress: bitcoinAddress,
      minimumPrice: limitOf(quotes),
    }),
    states: everyState,
    ending: "paid out",
  },
  {
    title: "A boosted swap: the deposit is credited before its confirmations",
    sourceAsset: "btc.btc",
    destinationAsset: "usdc.eth",
    amount: "0.05",
    path: "/swap",
    platform: "chainflip",
    parameters: () => ({ destinationAddress: ethereumAddress, boostFee: "30" }),
    states: ["waiting", "swapping", "sending", "sent", "completed"],
    ending: "paid out",
  },
  {
    title: "A DCA swap: spread over time for a better price",
    sourceAsset: "eth.eth",
    destinationAsset: "btc.btc",
    amount: "20",
    path: "/swap",
    platform: "chainflip",
    parameters: (quotes) => ({
      destinationAddress: bitcoinAddress,
      numberOfChunks: `${quotes.find((quote) => quote.type === "dca")?.numberOfChunks ?? 4}`,
      chunkIntervalBlocks: "2",
    }),
    states: everyState,
    ending: "paid out",
  },
  {
    title: "A swap whose minimum price cannot be met: the deposit is refunded",
    sourceAsset: "eth.eth",
    destinationAsset: "usdc.eth",
    amount: "1",
    path: "/swap",
    platform: "chainflip",
    parameters: (quotes) => ({
      destinationAddress: ethereumAddress,
      refundAddress: ethereumAddress,
      minimumPrice: formatDecimal(unreachable(regularPrice(quotes))),
      retryDurationInBlocks: "10",
    }),
    states: everyState,
    ending: "refunded",
  },
  {
    title: "An address that Relay opens for one amount",
    sourceAsset: "eth.arb",
    destinationAsset: "usdc.eth",
    amount: "1.5",
    path: "/swap",
    platform: "relay",
    parameters: (quotes) => ({
      destinationAddress: ethereumAddress,
      refundAddress: ethereumAddress,
      minimumPrice: limitOf(quotes),
      amount: "1.5",
    }),
    states: ["waiting", "completed"],
    ending: "paid out",
  },
  {
    title: "A transaction that says itself what to swap: a memo to THORChain",
    sourceAsset: "eth.eth",
    destinationAsset: "btc.btc",
    amount: "2",
    path: "/tx-payload/evm",
    platform: "thorchain",
    parameters: (quotes) => ({
      destinationAddress: bitcoinAddress,
      refundAddress: ethereumAddress,
      minimumPrice: limitOf(quotes),
      amount: "2",
    }),
    states: ["sending", "sent", "completed"],
    ending: "paid out",
  },
]

const check = (scenario: Scenario, states: ReadonlyArray<SwapState>, end: SwapSeen) => {
  const wanted = states.filter((state) => scenario.states.includes(state))
  if (wanted.join() !== scenario.states.join()) {
    return Effect.fail(
      new WrongCourse({
        title: scenario.title,
        detail: `went through ${states.join(", ")} instead of ${scenario.states.join(", ")}`,
      }),
    )
  }
  const refunded = end.status.refundEgress !== undefined && end.status.swapEgress === undefined
  return refunded === (scenario.ending === "refunded")
    ? Effect.void
    : Effect.fail(new WrongCourse({ title: scenario.title, detail: `was not ${scenario.ending}` }))
}

const parametersOf = (scenario: Scenario, quotes: ReadonlyArray<QuoteSeen>) => ({
  ...Struct.pick(scenario, ["sourceAsset", "destinationAsset", "platform"]),
  ...scenario.parameters(quotes.filter(({ platform }) => platform === scenario.platform)),
})

/** Opens a channel and deposits to it; gives the id of the swap, and how it began. */
const byChannel = Effect.fnUntraced(function* (scenario: Scenario, quotes: ReadonlyArray<QuoteSeen>) {
  const client = yield* Client
  const { amount, sourceAsset } = scenario
  const channel: ChannelSeen = yield* client.open(parametersOf(scenario, quotes))
  const { address, channelId, id, issuedBlock, network } = channel
  yield* Console.log(`   Channel ${issuedBlock}-${network}-${channelId} takes the deposit at ${address}`)
  const { status: { state } } = yield* client.status(id)
  yield* Console.log(`             ${state.padEnd(9)}  now sending ${amount} ${sourceAsset}`)
  yield* client.deposit(address, amount)
  return { id, began: [state], after: 0 }
})

/** Makes the transaction of a payload and waits until its provider has seen it; gives the id of the swap. */
const byTransaction = Effect.fnUntraced(function* (scenario: Scenario, quotes: ReadonlyArray<QuoteSeen>) {
  const client = yield* Client
  const payload = yield* client.payload(scenario.path, parametersOf(scenario, quotes))
  yield* Console.log(
    `   ${payload.platform} takes a transaction on ${payload.network}; nothing is opened for it`,
  )
  const hash = yield* client.send(payload)
  yield* Console.log(`             sent       ${scenario.amount} ${scenario.sourceAsset} in ${hash}`)
  // The network sees a transaction some blocks later, and an account asks after unknown ones a few times a minute only.
  yield* client.wait(blockSeconds * blocksUntilSeen)
  const found = yield* client.find(hash)
  return { id: found.id, began: [], after: blocksUntilSeen }
})

/** Makes a swap from quote to end, as an integrator would, and prints every step. */
export const perform = Effect.fnUntraced(function* (scenario: Scenario, number: number) {
  const client = yield* Client
  const { amount, destinationAsset, path, sourceAsset } = scenario
  yield* Console.log(`\n${number}. ${scenario.title}`)
  const quotes = yield* client.quotes({ sourceAsset, destinationAsset, amount })
  yield* Console.log(`   Quotes for ${amount} ${sourceAsset} → ${destinationAsset}:`)
  for (const quote of quotes) yield* Console.log(`     ${describeQuote(quote)}`)
  const { after, began, id } = yield* path === "/swap"
    ? byChannel(scenario, quotes)
    : byTransaction(scenario, quotes)
  const { states, end } = yield* follow(id, after)
  yield* check(scenario, began[0] === states[0] ? states : [...began, ...states], end)
  yield* Console.log(`   ✓ ${scenario.ending}`)
})
