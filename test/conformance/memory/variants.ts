import { Array, Effect } from "effect"
import { Address, NativeAmount, Seed, type VaultSwapRequest } from "#exports/domain.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import { MemoryUpstream } from "./MemoryUpstream.ts"
import { plainVault, type Traits } from "./traits.ts"
import { markIn } from "./vault.ts"
import { type Ask, coarseDigits, type Fixtures, notPossible, type Payloads } from "../Fixtures.ts"
import { fromEtherBy, priced } from "../sandbox/requests.ts"
import { asksOfChannels, failuresOf, memory, memoryChannels } from "./fixtures.ts"

// The network in memory as other networks are, each so that the kit asks what it asks of no other provider here.

/** A kind of network, and what the kit has to know of it. */
export interface Variant {
  readonly name: string
  readonly traits: Traits
  readonly fixtures: Fixtures<MemoryUpstream>
}

const { offers: [offer], request } = memory

const fromBitcoin: VaultSwapRequest = {
  ...request,
  amount: offer.amount,
  retryDurationBlocks: 7,
  sender: { _tag: "bitcoin", address: request.refundAddress },
}

const fromEther: VaultSwapRequest = {
  ...fromEtherBy(fromBitcoin),
  minimumPrice: priced("0.0312345678901234567"),
}

const others: ReadonlyArray<VaultSwapRequest> = [
  {
    ...fromEther,
    sourceAsset: "usdc.eth",
    minimumPrice: priced("0.0000123456789"),
    amount: NativeAmount.make(1_234_567_891n),
  },
  { ...fromEther, sourceAsset: "bnb.bsc", minimumPrice: priced("0.0097654321") },
  {
    ...fromBitcoin,
    sourceAsset: "sol.sol",
    refundAddress: Address.make(addressFor("sol.sol")),
    minimumPrice: priced("0.0712345678901234567"),
    amount: NativeAmount.make(12_345_678_901n),
    sender: {
      _tag: "solana",
      address: Address.make(addressFor("sol.sol")),
      seed: Seed.make(`0x${"0f".repeat(32)}`),
    },
  },
  {
    ...fromBitcoin,
    sourceAsset: "trx.tron",
    refundAddress: Address.make(addressFor("trx.tron")),
    minimumPrice: priced("0.000123456789012345"),
    amount: NativeAmount.make(2_345_678_901n),
    sender: { _tag: "tron" },
  },
]

const tooLittle: Payloads<MemoryUpstream>["send"] = (payload) =>
  Effect.flatMap(MemoryUpstream, ({ send }) => send(markIn(payload), offer.tooLittle))

const strangers = { Bitcoin: "ab".repeat(32), Ethereum: `0x${"ab".repeat(32)}` }

/** Payloads from Bitcoin, and from every other chain that the network has vaults on. */
const payloads: Payloads<MemoryUpstream> = {
  requests: [fromBitcoin, fromEther, ...others],
  send: (payload, { amount }) => Effect.flatMap(MemoryUpstream, ({ send }) => send(markIn(payload), amount)),
  strangersTransaction: strangers.Bitcoin,
  listed: notPossible("the network finds a transaction by its hash alone"),
  endings: {
    completed: { request: fromBitcoin },
    refunded: { request: { ...fromBitcoin, minimumPrice: priced("40") } },
    failed: { request: fromBitcoin, send: tooLittle, deposit: offer.tooLittle },
  },
}

/** The same with Ether first, which has more digits than a coarse network. */
const etherFirst: Payloads<MemoryUpstream> = {
  ...payloads,
  requests: [fromEther, fromBitcoin, ...others],
  strangersTransaction: strangers.Ethereum,
  endings: {
    completed: { request: fromEther },
    refunded: { request: { ...fromEther, minimumPrice: priced("1") } },
    failed: { request: fromEther, send: tooLittle, deposit: offer.tooLittle },
  },
}

const noChannels = notPossible("the network takes transactions that say what to swap")
const noPayloads = notPossible("the network takes deposits at its addresses only")

const asksOfPayloads: ReadonlyArray<Ask> = [
  { operation: "encode", request: fromBitcoin },
  { operation: "status", of: "payload" },
]

const payloadsAlone: Fixtures<MemoryUpstream> = {
  ...memory,
  channels: noChannels,
  payloads,
  failures: failuresOf(asksOfPayloads),
}

const byReference = { ...memoryChannels, strangersReference: "order-999" }

/** Native units of the assets with more than eight decimals. */
const eightDigits = { "eth.eth": 10n ** 10n, "bnb.bsc": 10n ** 10n, "sol.sol": 10n }

/** The network in memory as it is in the template too, and each other kind. */
export const variants = {
  plain: { name: "in memory", traits: { channels: "address", retry: true }, fixtures: memory },
  payloadsAlone: {
    name: "in memory, with payloads alone and without a retry window",
    traits: { vault: { ...plainVault, features: true }, retry: false },
    fixtures: {
      ...payloadsAlone,
      features: {
        affiliates: "honoured",
        boost: "honoured",
        dca: "honoured",
        ccm: "honoured",
        anyAmount: memory.features.anyAmount,
      },
    },
  },
  quotesOnly: {
    name: "in memory, with quotes only",
    traits: { retry: false },
    fixtures: {
      ...memory,
      channels: notPossible("the network only quotes"),
      payloads: notPossible("the network only quotes"),
      failures: failuresOf([]),
    },
  },
  exactAmounts: {
    name: "in memory, with exact amounts at one address",
    traits: { channels: "amount", retry: true },
    fixtures: {
      ...memory,
      channels: {
        ...byReference,
        endings: {
          ...memoryChannels.endings,
          failed: notPossible("the network takes another amount for nobody's deposit"),
        },
      },
      payloads: noPayloads,
    },
  },
  memos: {
    name: "in memory, with memos at one address, and with traces of lost openings",
    traits: { channels: "memo", traces: true, retry: false },
    fixtures: { ...memory, channels: byReference, payloads: noPayloads },
  },
  coarse: {
    name: "in memory, with amounts of eight digits",
    traits: { vault: { ...plainVault, nativeUnits: eightDigits }, retry: true },
    fixtures: {
      ...payloadsAlone,
      payloads: etherFirst,
      untold: { digits: coarseDigits("the network counts in eight digits", eightDigits) },
    },
  },
  untold: {
    name: "in memory, with marks alone and without the terms of a swap",
    traits: { vault: { ...plainVault, needsMarks: true, tellsTerms: false }, retry: true },
    fixtures: {
      ...payloadsAlone,
      untold: {
        fillOrKill: notPossible("the network does not tell the terms"),
        commission: notPossible("the network does not tell the terms"),
      },
    },
  },
  feeInValue: {
    name: "in memory, with channels, and with payloads that pay a fee on top",
    traits: {
      channels: "address",
      vault: { ...plainVault, feeInValue: NativeAmount.make(1_234_567n) },
      retry: true,
    },
    fixtures: {
      ...memory,
      payloads: { ...etherFirst, feeInValue: "the network is paid for its messages" },
      failures: failuresOf(Array.appendAll(asksOfChannels, asksOfPayloads)),
    },
  },
} as const satisfies Readonly<Record<string, Variant>>
