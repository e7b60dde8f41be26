import { assert, describe, it, toStatus } from "../support.ts"
import { BigDecimal, Effect, Match, Option, Struct } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { anyPrice, Price } from "#domain/money/Price.ts"
import { Seed, type VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { vaultSwapsOf } from "#test/conformance/verbs/kit.ts"
import {
  type Answer,
  fakeChainflip,
  options,
  ordinaryDay,
  providerOver,
  reasonOf,
  result,
  type Script,
} from "./fakeChainflip.ts"
import { everythingOn, switches } from "./fixtures/environment.ts"
import { affiliate } from "./fixtures/swaps.ts"
import {
  bitcoinEncoding,
  encodings,
  evmEncoding,
  requests,
  seed,
  solanaAddress,
  solanaEncoding,
  tronAddress,
  tronEncoding,
} from "./vaultRequests.ts"
import { make } from "#providers/chainflip/provider.ts"

const method = "broker_request_swap_parameter_encoding"

const encode = (request: VaultSwapRequest, encoding: unknown, script: Script = {}) =>
  Effect.flatMap(
    providerOver({ [method]: result(encoding), ...script }),
    ([provider]) => Effect.map(vaultSwapsOf(provider).encode(request), ({ payload }) => payload),
  )

const faultOf = (request: VaultSwapRequest, answer: Answer, script: Script = {}) =>
  Effect.flatMap(
    providerOver({ [method]: answer, ...script }),
    ([provider, asked]) =>
      Effect.map(reasonOf(vaultSwapsOf(provider).encode(request)), (reason) => ({
        reason,
        asked: asked.filter(({ call }) => call?.method === method).length,
      })),
  )

/** What the broker is asked; whether its answer is then taken does not matter. */
const parametersOf = (name: keyof typeof requests, changes: Partial<VaultSwapRequest> = {}) =>
  Effect.flatMap(
    providerOver({ [method]: result(encodings[name]) }),
    ([provider, asked]) =>
      Effect.ignore(vaultSwapsOf(provider).encode({ ...requests[name], ...changes })).pipe(
        Effect.map(() => asked.find(({ call }) => call?.method === method)?.call?.params ?? []),
      ),
  )

const price = (scaled: bigint) => `0x${scaled.toString(16)}`
const refund = {
  retry_duration: 150,
  refund_address: solanaAddress,
  min_price: price(325n * 2n ** 128n * 10n ** 8n),
  refund_ccm_metadata: null,
  max_oracle_price_slippage: null,
}

describe("Asking Chainflip for an encoding", () => {
  it.effect("limits the whole output of a Bitcoin transaction", function* () {
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
  })

  it.effect("limits the price of any other, and tells its amount", function* () {
    assert.deepStrictEqual((yield* parametersOf("tron"))[4], {
      chain: "Tron",
      input_amount: "0x8f0d180",
      refund_parameters: {
        ...refund,
        refund_address: tronAddress,
        min_price: price(325n * 2n ** 128n * 10n ** 11n),
      },
    })
    const evm = (yield* parametersOf("ether", { minimumPrice: anyPrice }))[4]
    assert.deepStrictEqual(evm, {
      chain: "Ethereum",
      input_amount: "0x14d1120d7b160000",
      refund_parameters: { ...refund, refund_address: requests.ether.refundAddress, min_price: "0x0" },
    })
  })

  it.effect("names the sender on Solana, and the account only where one was given", function* () {
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
  })

  it.effect("sends message, boost and chunks", function* () {
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
  })
})

/** What the broker answers to a request of any chain. */
const encodingOf = (request: VaultSwapRequest) =>
  Match.value(request.sender).pipe(
    Match.tagsExhaustive({
      bitcoin: (): object => bitcoinEncoding(request),
      evm: () => evmEncoding(request),
      solana: () => solanaEncoding(request),
      tron: () => tronEncoding(request),
      xrpl: () => assert.fail("Chainflip takes nothing from the XRP Ledger"),
    }),
  )

/** An address for each form of destination. */
const destinations = [
  ["flip.eth", "0x3333333333333333333333333333333333333333"],
  ["usdt.arb", "0x3333333333333333333333333333333333333333"],
  ["usdt.sol", solanaAddress],
  ["dot.hub", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"],
] as const

/** Assets that are not among those of the fixture. */
const withAssets = (...assets: ReadonlyArray<string>): Script => ({
  "/chainflip/backend/api/networkInfo": {
    body: { ...everythingOn, assets: [...everythingOn.assets, ...assets.map((asset) => switches(asset))] },
  },
})

/** The token of Tron is not among those of the fixture. */
const withTronToken: Script = withAssets("TrxUsdt")
const withMore = withAssets("TrxUsdt", "ArbUsdt", "SolUsdc", "SolUsdt")

describe("Reading Chainflip's encoding", () => {
  it.effect("gives the payload in the contract's words (decision 13)", function* () {
    assert.deepStrictEqual<unknown>(yield* encode(requests.bitcoin, encodings.bitcoin), {
      _tag: "bitcoin",
      network: "Bitcoin",
      depositAddress: encodings.bitcoin.deposit_address,
      nulldataPayload: encodings.bitcoin.nulldata_payload,
      amountNative: 150_000_000n,
    })
    assert.deepStrictEqual<unknown>(yield* encode(requests.ether, encodings.ether), {
      _tag: "evm",
      network: "Ethereum",
      to: encodings.ether.to,
      calldata: encodings.ether.calldata,
      value: 1_500_000_000_000_000_000n,
    })
    assert.deepStrictEqual<unknown>(yield* encode(requests.token, encodings.token), {
      _tag: "evm",
      network: "Arbitrum",
      to: encodings.token.to,
      calldata: encodings.token.calldata,
      value: 0n,
      sourceTokenAddress: encodings.token.source_token_address,
    })
    assert.deepStrictEqual<unknown>(yield* encode(requests.solana, encodings.solana), {
      _tag: "solana",
      network: "Solana",
      instructions: [{
        programId: encodings.solana.program_id,
        accounts: encodings.solana.accounts.map(({ is_signer, is_writable, pubkey }) => ({
          pubkey,
          isSigner: is_signer,
          isWritable: is_writable,
        })),
        data: encodings.solana.data,
      }],
    })
    assert.deepStrictEqual<unknown>(yield* encode(requests.tronToken, encodings.tronToken, withTronToken), {
      _tag: "tron",
      network: "Tron",
      to: encodings.tronToken.to,
      calldata: encodings.tronToken.calldata,
      value: 0n,
      note: encodings.tronToken.note,
      sourceTokenAddress: encodings.tronToken.source_token_address,
    })
  })

  it.effect("takes a null token, as older networks write it", function* () {
    const payload = yield* encode(requests.ether, { ...encodings.ether, source_token_address: null })
    assert.notProperty(payload, "sourceTokenAddress")
  })

  it.effect.each<readonly [string, keyof typeof requests, unknown, RegExp]>([
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
    ["one unit too little", "ether", { ...encodings.ether, value: "0x14d1120d7b15ffff" }, /^result\.value: /],
    ["one unit too much", "ether", { ...encodings.ether, value: "0x14d1120d7b160001" }, /^result\.value: /],
    ["twice as much", "ether", { ...encodings.ether, value: "0x29a2241af62c0000" }, /^result\.value: /],
    ["one unit of TRX too little", "tron", { ...encodings.tron, value: 149_999_999 }, /^result\.value: /],
    ["one unit of TRX too much", "tron", { ...encodings.tron, value: 150_000_001 }, /^result\.value: /],
    ["twice as much TRX", "tron", { ...encodings.tron, value: 300_000_000 }, /^result\.value: /],
    ["another token", "token", {
      ...encodings.token,
      source_token_address: encodings.ether.to,
    }, /source_token_address/],
    ["calldata without a selector", "ether", { ...encodings.ether, calldata: "0x" }, /the function that/],
    ["another selector", "ether", {
      ...encodings.ether,
      calldata: `0xdeadbeef${encodings.ether.calldata.slice(10)}`,
    }, /the function that/],
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
    }, /sender as the only signer/],
    ["a sender that does not sign", "solana", {
      ...encodings.solana,
      accounts: [{ pubkey: solanaAddress, is_signer: false, is_writable: true }],
    }, /sender as the only signer/],
    ["an account that is none", "solana", {
      ...encodings.solana,
      accounts: [...encodings.solana.accounts, { pubkey: "me", is_signer: false, is_writable: false }],
    }, /^result\.accounts\[6\]\.pubkey /],
    ["somebody else who signs", "solana", {
      ...encodings.solana,
      accounts: encodings.solana.accounts.map((account) => ({ ...account, is_signer: true })),
    }, /the only signer/],
    ["no account of the token", "solanaToken", {
      ...encodings.solanaToken,
      accounts: encodings.solana.accounts,
    }, /expected the token that is swapped/],
    ["no accounts", "solana", { ...encodings.solana, accounts: [] }, /^result\.accounts/],
    ["an address in hexadecimal", "tron", { ...encodings.tron, to: "0x41" }, /^result\.to /],
    ["no note", "tron", Struct.omit(encodings.tron, ["note"]), /^result\.note: /],
    ["nothing", "tron", null, /^result: /],
  ])(
    "refuses %s, for money that followed it would be lost",
    function* ([, name, encoding, detail]) {
      const { reason } = yield* faultOf(requests[name], result(encoding), withMore)
      assert.strictEqual(reason._tag, "MalformedBody")
      if (reason._tag === "MalformedBody") {
        assert.isTrue(reason.reached)
        assert.match(reason.detail, detail)
      }
    },
  )

  const messageOf = (message: string) => ({ gasBudget: NativeAmount.make(7n), message })
  const other: Partial<VaultSwapRequest> = {
    destinationAddress: Address.make("0x3333333333333333333333333333333333333333"),
  }
  const refunded = (refundAddress: string): Partial<VaultSwapRequest> => ({
    refundAddress: Address.make(refundAddress),
  })
  const fewer = { amount: NativeAmount.make(requests.token.amount - 1n) }
  const anyLimit = { minimumPrice: anyPrice }
  const anotherSolana = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

  /** What the broker encodes in place of what was asked for, by what is another in it. */
  const contents: ReadonlyArray<
    readonly [what: string, name: keyof typeof requests, changes: Partial<VaultSwapRequest>]
  > = [
    ...([
      ["destination address", other],
      ["destination asset", { destinationAsset: "flip.eth" }],
      ["least output", anyLimit],
      ["commission", { commissionBps: Bps.make(26) }],
      ["shares of affiliates", { affiliates: [] }],
      ["retry duration", { retryDurationBlocks: 151 }],
      ["number of chunks", { dca: { numberOfChunks: 2, chunkIntervalBlocks: 2 } }],
      ["boost fee", { maximumBoostFeeBps: Bps.make(1) }],
    ] as const).map(([what, changes]) => [what, "bitcoin", changes] as const),
    ["destination address", "ether", other],
    ["destination chain", "ether", { destinationAsset: "usdc.eth" }],
    ["destination asset", "ether", { destinationAsset: "usdt.arb" }],
    ["refund address", "ether", refunded("0x3333333333333333333333333333333333333333")],
    ["price limit", "ether", anyLimit],
    ["function", "ether", { ccm: messageOf("0xdeadbeef") }],
    ["destination address", "token", other],
    ["token", "token", { sourceAsset: "usdt.arb" }],
    ["amount", "token", fewer],
    ["destination address", "solana", other],
    ["destination asset", "solana", { destinationAsset: "flip.eth" }],
    ["destination chain", "solana", { destinationAsset: "eth.arb" }],
    ["refund address", "solana", refunded(anotherSolana)],
    ["price limit", "solana", anyLimit],
    ["amount", "solana", { amount: NativeAmount.make(requests.solana.amount + 1n) }],
    ["message", "solana", { ccm: messageOf("0xdeadbeef") }],
    ["destination address", "tron", other],
    ["destination asset", "tron", { destinationAsset: "flip.eth" }],
    ["refund address", "tron", refunded("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t")],
    ["price limit", "tron", anyLimit],
    ["message", "tron", { ccm: messageOf("0xdeadbeef") }],
    ["amount", "tronToken", { amount: NativeAmount.make(requests.tronToken.amount + 1n) }],
  ]
  it.effect.each(contents)(
    "refuses another %s than was asked for, in a payload for %s",
    function* ([what, name, changes]) {
      const asked = requests[name]
      const encoding = encodingOf({ ...asked, ...changes })
      // What the upstream tells beside the bytes is as it was asked for.
      const told = "source_token_address" in encodings[name]
        ? { ...encoding, source_token_address: encodings[name].source_token_address }
        : encoding
      const { reason } = yield* faultOf(asked, result(told), withTronToken)
      assert.strictEqual(reason._tag, "MalformedBody")
      if (reason._tag === "MalformedBody") {
        assert.match(
          reason.detail,
          new RegExp(`^result\\.[a-z_]+: expected the ${what} that was asked for$`),
        )
      }
    },
  )

  it.effect("refuses another message, token amount or recipient, and data of another seed", function* () {
    const ccm = messageOf("0xdeadbeef")
    const detailOf = (request: VaultSwapRequest, encoding: unknown) =>
      Effect.map(
        faultOf(request, result(encoding), withTronToken),
        ({ reason }) => reason._tag === "MalformedBody" ? reason.detail : reason._tag,
      )
    for (
      const [name, member] of [["ether", "calldata"], ["token", "calldata"], ["tron", "note"]] as const
    ) {
      const asked = { ...requests[name], ccm }
      const another = encodingOf({ ...asked, ccm: messageOf("0xdeadbeee") })
      assert.strictEqual(
        yield* detailOf(asked, another),
        `result.${member}: expected the message that was asked for`,
      )
      assert.strictEqual(
        (yield* encode(asked, encodingOf(asked), withTronToken)).network,
        chainOf(asked.sourceAsset),
      )
    }
    const moved = { ...encodings.tronToken, to: tronAddress }
    assert.match(yield* detailOf(requests.tronToken, moved), /calldata: expected the recipient/)
    const called = { ...encodings.tron, calldata: encodings.tronToken.calldata }
    assert.match(yield* detailOf(requests.tron, called), /calldata: expected the empty call/)
    const seeded = { ...requests.solana.sender, seed: Seed.make(`0x${"0e".repeat(32)}`) }
    assert.match(
      yield* detailOf({ ...requests.solana, sender: seeded }, encodings.solana),
      /data: expected the seed/,
    )
  })

  it.effect("takes every pair of source and destination that it encodes itself", function* () {
    for (
      const name of ["bitcoin", "ether", "token", "solana", "solanaToken", "tron", "tronToken"] as const
    ) {
      for (const [destinationAsset, destinationAddress] of destinations) {
        const asked = {
          ...requests[name],
          destinationAsset,
          destinationAddress: Address.make(destinationAddress),
          dca: { numberOfChunks: 3, chunkIntervalBlocks: 4 },
        }
        const payload = yield* encode(asked, encodingOf(asked), withMore)
        assert.strictEqual(payload.network, chainOf(asked.sourceAsset))
      }
    }
  })

  it.effect("hands out addresses of the operator's networks only", function* () {
    const { layer } = fakeChainflip({ ...ordinaryDay, [method]: result(encodings.bitcoin) })
    const provider = yield* Effect.provide(make({ ...options, networks: ["testnet"] }), layer)
    const reason = yield* reasonOf(vaultSwapsOf(provider).encode(requests.bitcoin))
    assert.strictEqual(reason._tag, "MalformedBody")
  })
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
  it.effect.each(rows)("%s", function* ([, request, script, tag, parameters = []]) {
    const { asked, reason } = yield* faultOf(request, result(encodings.ether), script)
    assert.strictEqual(reason._tag, tag)
    assert.strictEqual(asked, 0)
    if (reason._tag === "RequestRefused") assert.sameMembers(Object.keys(reason.errors), [...parameters])
  })

  it.effect("but not an asset that only channels are off for", function* () {
    const script = switchedOff("Eth", { depositChannelCreationEnabled: false })
    assert.strictEqual((yield* encode(requests.ether, encodings.ether, script)).network, "Ethereum")
  })

  it.effect("and a network that does not tell vault swaps apart goes by its deposits", function* () {
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
  })
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
    Effect.flatMap(
      providerOver(script),
      ([provider]) => toStatus(vaultSwapsOf(provider).status({ transaction, marks: [] }, Option.none())),
    )

  it.effect("is read like any other record", function* () {
    const status = Option.getOrThrow(yield* look({ [path]: { body: record } }))
    assert.strictEqual(status.state, "swapping")
    assert.notProperty(status, "depositChannel")
    assert.strictEqual(status.deposit?.transactionReference, transaction)
  })

  it.effect("is nothing where the upstream does not know it", function* () {
    const answer = { status: 404, body: { message: "resource not found" } }
    assert.isTrue(Option.isNone(yield* look({ [path]: answer })))
  })

  it.effect("is nothing where the transaction was a deposit, or another broker's", function* () {
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
  })

  it.effect("is found as what it is: a deposit to anybody's channel, or a vault swap of ours", function* () {
    const depositChannel = {
      id: "1-Ethereum-2",
      createdAt: 1,
      depositAddress: requests.ether.destinationAddress,
      srcChainExpiryBlock: "3",
      isExpired: false,
      openedThroughBackend: false,
    }
    const foreign = [{ account: affiliate, commissionBps: 25 }]
    const find = (answer: Script[string]) =>
      Effect.flatMap(providerOver({ [path]: answer }), ([{ channels }, asked]) =>
        Effect.map(
          channels?.findTransaction?.(transaction) ?? Effect.die("It finds no transactions"),
          (found) => ({ found: Option.getOrUndefined(found), calls: asked.length }),
        ))
    const ofVaultSwap = yield* find({ body: record })
    assert(ofVaultSwap.found?._tag === "VaultSwap")
    assert.strictEqual(ofVaultSwap.calls, 1)
    const ofChannel = yield* find({ body: { ...record, brokers: foreign, depositChannel } })
    assert(ofChannel.found?._tag === "Deposit")
    assert.deepStrictEqual(ofChannel.found.channel, { issuedBlock: 1, network: "Ethereum", channelId: 2 })
    assert.strictEqual(ofChannel.found.said?.status.swapId, ofVaultSwap.found.said.status.swapId)
    assert.strictEqual(ofChannel.calls, 1)
    assert.isUndefined((yield* find({ body: { ...record, brokers: foreign } })).found)
    const unknown = yield* find({ status: 404, body: { message: "resource not found" } })
    assert.deepStrictEqual(unknown, { found: undefined, calls: 1 })
  })

  it.effect("keeps its last known state where the upstream's is a new one, and counts as received before", function* () {
    const answers = { [path]: { body: { ...record, state: "REBALANCING" } } }
    const first = Option.getOrThrow(yield* look(answers))
    assert.strictEqual(first.state, "receiving")
    const [provider] = yield* providerOver(answers)
    const later = yield* toStatus(
      vaultSwapsOf(provider).status({ transaction, marks: [] }, Option.some({ ...first, state: "sending" })),
    )
    assert.strictEqual(Option.getOrThrow(later).state, "sending")
  })

  it.effect("cannot be asked for by something that would be another path", function* () {
    const [provider, asked] = yield* providerOver({})
    const transaction = "../../api/networkInfo?x=/"
    yield* Effect.ignore(vaultSwapsOf(provider).status({ transaction, marks: [] }, Option.none()))
    const paths = asked.map(({ url }) => url.pathname)
    assert.deepStrictEqual(paths, ["/chainflip/backend/v2/swaps/..%2F..%2Fapi%2FnetworkInfo%3Fx%3D%2F"])
  })
})
