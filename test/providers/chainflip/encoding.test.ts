import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Option, Struct } from "effect"
import { Address } from "../../../src/domain/Address.ts"
import { NativeAmount } from "../../../src/domain/Amount.ts"
import { Bps } from "../../../src/domain/Bps.ts"
import { anyPrice, Price } from "../../../src/domain/Price.ts"
import type { VaultSwapRequest } from "../../../src/domain/VaultSwap.ts"
import { make } from "../../../src/providers/chainflip/provider.ts"
import type { Provider } from "../../../src/providers/Provider.ts"
import {
  type Answer,
  fakeUpstream,
  options,
  ordinaryDay,
  reasonOf,
  result,
  type Script,
  withProvider,
} from "./fakeUpstream.ts"
import { everythingOn, switches } from "./fixtures/environment.ts"
import { affiliate } from "./fixtures/swaps.ts"
import { encodings, requests, seed, solanaAddress } from "./vaultRequests.ts"
import { toStatus } from "../../support/toStatus.ts"

const method = "broker_request_swap_parameter_encoding"

const vaultSwapsOf = ({ vaultSwaps }: Provider) => {
  if (vaultSwaps === undefined) throw new Error("It has no vault swaps")
  return vaultSwaps
}

const encode = (request: VaultSwapRequest, encoding: unknown, script: Script = {}) =>
  withProvider(
    { [method]: result(encoding), ...script },
    (provider) => Effect.map(vaultSwapsOf(provider).encode(request), ({ payload }) => payload),
  )

const faultOf = (request: VaultSwapRequest, answer: Answer, script: Script = {}) =>
  withProvider(
    { [method]: answer, ...script },
    (provider, asked) =>
      Effect.map(reasonOf(vaultSwapsOf(provider).encode(request)), (reason) => ({
        reason,
        asked: asked.filter(({ call }) => call?.method === method).length,
      })),
  )

const parametersOf = (name: keyof typeof requests, changes: Partial<VaultSwapRequest> = {}) =>
  withProvider(
    { [method]: result(encodings[name]) },
    (provider, asked) =>
      vaultSwapsOf(provider).encode({ ...requests[name], ...changes }).pipe(
        Effect.map(() => asked.find(({ call }) => call?.method === method)?.call?.params ?? []),
      ),
  )

const price = (scaled: bigint) => `0x${scaled.toString(16)}`
const refund = {
  retry_duration: 150,
  refund_address: "bc1qrefund",
  min_price: price(325n * 2n ** 128n * 10n ** 8n),
  refund_ccm_metadata: null,
  max_oracle_price_slippage: null,
}

describe("Asking Chainflip for an encoding", () => {
  it.effect("limits the whole output of a Bitcoin transaction", () =>
    Effect.gen(function* () {
      const parameters = yield* parametersOf("bitcoin")
      assert.deepStrictEqual(parameters, [
        { chain: "Bitcoin", asset: "BTC" },
        { chain: "Ethereum", asset: "ETH" },
        "0x1111111111111111111111111111111111111111",
        25,
        {
          chain: "Bitcoin",
          min_output_amount: price(48_750_000_000_000_000_000n),
          retry_duration: 150,
          max_oracle_price_slippage: null,
        },
        null,
        null,
        [{ account: affiliate, bps: 10 }],
        null,
      ])
    }))

  it.effect("limits the price of any other, and tells its amount", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* parametersOf("tron"))[4], {
        chain: "Tron",
        input_amount: "0x8f0d180",
        refund_parameters: { ...refund, min_price: price(325n * 2n ** 128n * 10n ** 11n) },
      })
      const evm = (yield* parametersOf("ether", { minimumPrice: anyPrice }))[4]
      assert.deepStrictEqual(evm, {
        chain: "Ethereum",
        input_amount: "0x14d1120d7b160000",
        refund_parameters: { ...refund, min_price: "0x0" },
      })
    }))

  it.effect("names the sender on Solana, and the account only where one was given", () =>
    Effect.gen(function* () {
      const own = (yield* parametersOf("solana"))[4]
      assert.deepStrictEqual(own, {
        chain: "Solana",
        input_amount: "0x59682f00",
        refund_parameters: refund,
        from: solanaAddress,
        seed,
      })
      const tokenAccount = Address.make("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
      const sender = { _tag: "solana", address: Address.make(solanaAddress), seed, tokenAccount } as const
      const named = (yield* parametersOf("solana", { sender }))[4]
      assert.deepInclude(named, { from_token_account: tokenAccount })
    }))

  it.effect("sends message, boost and chunks", () =>
    Effect.gen(function* () {
      const parameters = yield* parametersOf("ether", {
        affiliates: [],
        maximumBoostFeeBps: Bps.make(30),
        dca: { numberOfChunks: 4, chunkIntervalBlocks: 2 },
        ccm: { gasBudget: NativeAmount.make(125_000n), message: "0xdeadbeef" },
      })
      assert.deepStrictEqual(parameters.slice(5), [
        { message: "0xdeadbeef", gas_budget: "0x1e848", ccm_additional_data: "0x" },
        30,
        null,
        { number_of_chunks: 4, chunk_interval: 2 },
      ])
    }))
})

/** The token of Tron is not among those of the fixture. */
const withTronToken: Script = {
  "/chainflip/backend/api/networkInfo": {
    body: { ...everythingOn, assets: [...everythingOn.assets, switches("TrxUsdt")] },
  },
}

describe("Reading Chainflip's encoding", () => {
  it.effect("gives the payload in the contract's words (decision 13)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(yield* encode(requests.bitcoin, encodings.bitcoin), {
        network: "Bitcoin",
        depositAddress: encodings.bitcoin.deposit_address,
        nulldataPayload: encodings.bitcoin.nulldata_payload,
        amountNative: 150_000_000n,
      })
      assert.deepStrictEqual<unknown>(yield* encode(requests.ether, encodings.ether), {
        network: "Ethereum",
        to: encodings.ether.to,
        calldata: "0xdd687345",
        value: 1_500_000_000_000_000_000n,
      })
      assert.deepStrictEqual<unknown>(yield* encode(requests.token, encodings.token), {
        network: "Arbitrum",
        to: encodings.token.to,
        calldata: "0x04fc7da0",
        value: 0n,
        sourceTokenAddress: encodings.token.source_token_address,
      })
      assert.deepStrictEqual<unknown>(yield* encode(requests.solana, encodings.solana), {
        network: "Solana",
        programId: encodings.solana.program_id,
        accounts: [{ pubkey: solanaAddress, isSigner: true, isWritable: true }],
        data: "0xa3265ce2",
      })
      assert.deepStrictEqual<unknown>(yield* encode(requests.tronToken, encodings.tronToken, withTronToken), {
        network: "Tron",
        to: encodings.tronToken.to,
        calldata: "0xa9059cbb",
        value: 0n,
        note: "0x0001",
        sourceTokenAddress: encodings.tronToken.source_token_address,
      })
    }))

  it.effect("takes a null token, as older networks write it", () =>
    Effect.gen(function* () {
      const payload = yield* encode(requests.ether, { ...encodings.ether, source_token_address: null })
      assert.notProperty(payload, "sourceTokenAddress")
    }))

  const lossy: ReadonlyArray<readonly [string, keyof typeof requests, unknown, RegExp]> = [
    ["another chain's", "bitcoin", encodings.ether, /^result\.chain: expected/],
    [
      "another EVM chain's",
      "ether",
      { ...encodings.ether, chain: "Arbitrum" },
      /^result\.chain: expected Ethereum/,
    ],
    [
      "no address of the chain",
      "bitcoin",
      { ...encodings.bitcoin, deposit_address: "bc1q" },
      /deposit_address/,
    ],
    [
      "no data",
      "bitcoin",
      { ...encodings.bitcoin, nulldata_payload: "0x" },
      /nulldata_payload: expected 1 to 80/,
    ],
    [
      "more data than nodes pass on",
      "bitcoin",
      { ...encodings.bitcoin, nulldata_payload: `0x${"00".repeat(81)}` },
      /got 81/,
    ],
    ["half a byte", "ether", { ...encodings.ether, calldata: "0xabc" }, /^result\.calldata: /],
    ["another value", "ether", { ...encodings.ether, value: "0x1" }, /^result\.value: /],
    ["a value beside the token", "token", { ...encodings.token, value: "0x1" }, /source_token_address/],
    ["no token", "token", Struct.omit(encodings.token, ["source_token_address"]), /source_token_address/],
    [
      "a token that was not asked for",
      "ether",
      { ...encodings.ether, source_token_address: encodings.token.source_token_address },
      /^result\.value: /,
    ],
    ["another sender", "solana", {
      ...encodings.solana,
      accounts: [{ pubkey: encodings.solana.program_id, is_signer: true, is_writable: true }],
    }, /sender among those that sign/],
    ["a sender that does not sign", "solana", {
      ...encodings.solana,
      accounts: [{ pubkey: solanaAddress, is_signer: false, is_writable: true }],
    }, /sender among those that sign/],
    ["an account that is none", "solana", {
      ...encodings.solana,
      accounts: [...encodings.solana.accounts, { pubkey: "me", is_signer: false, is_writable: false }],
    }, /^result\.accounts\[1\]\.pubkey: /],
    ["no accounts", "solana", { ...encodings.solana, accounts: [] }, /^result\.accounts/],
    ["an address in hexadecimal", "tron", { ...encodings.tron, to: "0x41" }, /^result\.to: /],
    ["no note", "tron", Struct.omit(encodings.tron, ["note"]), /^result\.note: /],
    ["nothing", "tron", null, /^result: /],
  ]
  it.effect.each(lossy)(
    "refuses %s, for money that followed it would be lost",
    ([, name, encoding, detail]) =>
      Effect.gen(function* () {
        const { reason } = yield* faultOf(requests[name], result(encoding))
        assert.strictEqual(reason._tag, "MalformedBody")
        if (reason._tag === "MalformedBody") {
          assert.isTrue(reason.reached)
          assert.match(reason.detail, detail)
        }
      }),
  )

  it.effect("hands out addresses of the operator's networks only", () =>
    Effect.gen(function* () {
      const { layer } = fakeUpstream({ ...ordinaryDay, [method]: result(encodings.bitcoin) })
      const provider = yield* Effect.provide(make({ ...options, networks: ["testnet"] }), layer)
      const reason = yield* reasonOf(vaultSwapsOf(provider).encode(requests.bitcoin))
      assert.strictEqual(reason._tag, "MalformedBody")
    }))
})

describe("What is refused before Chainflip is asked for an encoding", () => {
  const switchedOff = (asset: string, off: Readonly<Record<string, boolean>>): Script => ({
    "/chainflip/backend/api/networkInfo": {
      body: {
        ...everythingOn,
        assets: everythingOn.assets.map((one) => one.asset === asset ? { ...one, ...off } : one),
      },
    },
  })

  const bps = (value: number) => ({
    account: requests.bitcoin.affiliates[0]?.account ?? assert.fail(),
    commissionBps: Bps.make(value),
  })

  const rows: ReadonlyArray<
    readonly [string, VaultSwapRequest, Script, tag: string, parameters?: ReadonlyArray<string>]
  > = [
    [
      "vault swaps that are off",
      requests.ether,
      switchedOff("Eth", { vaultSwapDepositsEnabled: false }),
      "AssetDisabled",
    ],
    [
      "payouts that are off",
      requests.ether,
      switchedOff("ArbUsdc", { egressEnabled: false }),
      "AssetDisabled",
    ],
    [
      "less than the minimum",
      { ...requests.bitcoin, amount: NativeAmount.make(1n) },
      {},
      "DepositBelowMinimum",
    ],
    [
      "too long a retry duration",
      { ...requests.ether, retryDurationBlocks: 14_400 },
      {},
      "RequestRefused",
      ["retryDurationInBlocks"],
    ],
    [
      "more commission than fits into a Bitcoin transaction",
      { ...requests.bitcoin, commissionBps: Bps.make(256) },
      {},
      "RequestRefused",
      ["commissionBps"],
    ],
    [
      "three affiliates in a Bitcoin transaction, of which one takes too much",
      { ...requests.bitcoin, affiliates: [bps(1), bps(256), bps(1)] },
      {},
      "RequestRefused",
      ["affiliate2CommissionBps", "affiliate3"],
    ],
    [
      "an affiliate's share that no payload can say",
      { ...requests.ether, affiliates: [bps(256)] },
      {},
      "RequestRefused",
      ["affiliate1CommissionBps"],
    ],
    [
      "more output than can be said",
      { ...requests.bitcoin, minimumPrice: Price.make(BigDecimal.make(1n, -25)) },
      {},
      "RequestRefused",
      ["minimumPrice"],
    ],
  ]
  it.effect.each(rows)("%s", ([, request, script, tag, parameters = []]) =>
    Effect.gen(function* () {
      const { asked, reason } = yield* faultOf(request, result(encodings.ether), script)
      assert.strictEqual(reason._tag, tag)
      assert.strictEqual(asked, 0)
      if (reason._tag === "RequestRefused") assert.sameMembers(Object.keys(reason.errors), [...parameters])
    }))

  it.effect("but not an asset that only channels are off for", () =>
    Effect.gen(function* () {
      const script = switchedOff("Eth", { depositChannelCreationEnabled: false })
      assert.strictEqual((yield* encode(requests.ether, encodings.ether, script)).network, "Ethereum")
    }))

  it.effect("and a network that does not tell vault swaps apart goes by its deposits", () =>
    Effect.gen(function* () {
      const older = (depositChannelDepositsEnabled: boolean): Script => ({
        "/chainflip/backend/api/networkInfo": {
          body: {
            assets: everythingOn.assets.map((one) => ({
              ...Struct.omit(one, ["vaultSwapDepositsEnabled"]),
              depositChannelDepositsEnabled,
            })),
          },
        },
      })
      assert.strictEqual((yield* encode(requests.ether, encodings.ether, older(true))).network, "Ethereum")
      const { reason } = yield* faultOf(requests.ether, result(encodings.ether), older(false))
      assert.strictEqual(reason._tag, "AssetDisabled")
    }))
})

describe("The vault swap of a transaction", () => {
  const transaction = `0x${"ab".repeat(32)}`
  const path = `/chainflip/backend/v2/swaps/${transaction}`
  const record = {
    state: "SWAPPING",
    srcChain: "Ethereum",
    srcAsset: "ETH",
    destChain: "Arbitrum",
    destAsset: "USDC",
    destAddress: requests.ether.destinationAddress,
    brokers: [{ account: options.brokerAccount, commissionBps: 25 }],
    fees: [],
    deposit: { amount: "1500000000000000000", txRef: transaction },
  }
  const look = (script: Script) =>
    withProvider(script, (provider) => toStatus(vaultSwapsOf(provider).status(transaction, Option.none())))

  it.effect("is read like any other record", () =>
    Effect.gen(function* () {
      const status = Option.getOrThrow(yield* look({ [path]: { body: record } }))
      assert.strictEqual(status.state, "swapping")
      assert.notProperty(status, "depositChannel")
      assert.strictEqual(status.deposit?.transactionReference, transaction)
    }))

  it.effect("is nothing where the upstream does not know it", () =>
    Effect.gen(function* () {
      const answer = { status: 404, body: { message: "resource not found" } }
      assert.isTrue(Option.isNone(yield* look({ [path]: answer })))
    }))

  it.effect("is nothing where the transaction was a deposit, or another broker's", () =>
    Effect.gen(function* () {
      const depositChannel = {
        id: "1-Ethereum-2",
        createdAt: 1,
        depositAddress: requests.ether.destinationAddress,
        srcChainExpiryBlock: "3",
        isExpired: false,
        openedThroughBackend: false,
      }
      const brokers = [{ account: affiliate, commissionBps: 25 }]
      for (const other of [{ ...record, depositChannel }, { ...record, brokers }]) {
        assert.isTrue(Option.isNone(yield* look({ [path]: { body: other } })))
      }
      assert.isTrue(Option.isSome(yield* look({ [path]: { body: { ...record, brokers: [] } } })))
    }))

  it.effect("keeps its last known state where the upstream's is a new one, and counts as received before", () =>
    Effect.gen(function* () {
      const answers = { [path]: { body: { ...record, state: "REBALANCING" } } }
      const first = Option.getOrThrow(yield* look(answers))
      assert.strictEqual(first.state, "receiving")
      const later = yield* withProvider(
        answers,
        (provider) =>
          toStatus(vaultSwapsOf(provider).status(transaction, Option.some({ ...first, state: "sending" }))),
      )
      assert.strictEqual(Option.getOrThrow(later).state, "sending")
    }))

  it.effect("cannot be asked for by something that would be another path", () =>
    Effect.gen(function* () {
      const asked = yield* withProvider({}, (provider, asked) =>
        vaultSwapsOf(provider).status("../../api/networkInfo?x=/", Option.none()).pipe(
          Effect.ignore,
          Effect.map(() =>
            asked.map(({ url }) => url.pathname)
          ),
        ))
      assert.deepStrictEqual(asked, ["/chainflip/backend/v2/swaps/..%2F..%2Fapi%2FnetworkInfo%3Fx%3D%2F"])
    }))
})
