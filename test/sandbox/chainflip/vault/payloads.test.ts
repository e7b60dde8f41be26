import { assert, describe, it } from "#test/support/it.ts"
import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { base58, createBase58check } from "@scure/base"
import { Effect, Predicate } from "effect"
import { Decoder, parseAbi } from "micro-eth-signer/abi.js"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { vaultAddress } from "#sandbox/engine/identifiers.ts"
import { brokerAccounts } from "#test/contract/support/addresses.ts"
import { eachInSandbox, inSandbox } from "../../inSandbox.ts"
import { at, startSandbox, textAt } from "../../support.ts"
import { type Changes, encodingOf, hex, solanaSender, sources } from "./requests.ts"

/** What the vault's contracts publish of themselves, and a token of itself. */
const published = parseAbi([
  "function xSwapNative(uint32 dstChain, bytes dstAddress, uint32 dstToken, bytes cfParameters) payable",
  "function xSwapToken(uint32 dstChain, bytes dstAddress, uint32 dstToken, address srcToken, uint256 amount, bytes cfParameters)",
  "function xCallNative(uint32 dstChain, bytes dstAddress, uint32 dstToken, bytes message, uint256 gasAmount, bytes cfParameters) payable",
  "function xCallToken(uint32 dstChain, bytes dstAddress, uint32 dstToken, bytes message, uint256 gasAmount, address srcToken, uint256 amount, bytes cfParameters)",
  "function transfer(address to, uint256 amount)",
])

const anyContract = `0x${"01".repeat(20)}`

/** What another library reads in a call by the published ABI: the function, and its arguments by name. */
const readCall = (calldata: Uint8Array) => {
  const decoder = new Decoder()
  decoder.add(anyContract, published)
  const call = decoder.decode(anyContract, calldata, {})
  return Array.isArray(call) ? call[0] : call
}

const bytesAt = (value: unknown, ...path: ReadonlyArray<string>): Uint8Array =>
  hexToBytes(textAt(value, ...path).slice(2))

/** As others have found them on mainnet. */
const selectors = {
  xSwapNative: "dd687345",
  xSwapToken: "04fc7da0",
  xCallNative: "07933dd2",
  xCallToken: "bbddc2fb",
} as const

const evmAssets = sources.filter((asset) => ["Ethereum", "Arbitrum"].includes(chainOf(asset)))
const message = { message: "0xdeadbeef", gas_budget: 500_000 }
const amount = 10n ** 18n

const destinations: ReadonlyArray<readonly [AssetId, number, number, string]> = [
  ["btc.btc", 3, 5, `0x${"626331717735303864367165"}`],
  ["usdc.arb", 4, 7, "0x2222"],
  ["sol.sol", 5, 9, "0x"],
]

describe("the encoding of a call on an EVM chain", () => {
  eachInSandbox(evmAssets)(
    "of %s decodes with the published ABI, with a message or not",
    function* (client, from) {
      const token = factsOf(from).contractAddress
      for (const withMessage of [false, true]) {
        const to: AssetId = from === "usdc.arb" ? "eth.eth" : "usdc.arb"
        const result = yield* encodingOf(client, {
          from,
          to,
          amount,
          ...(withMessage ? { message } : {}),
        })
        const name = withMessage
          ? token === undefined ? "xCallNative" : "xCallToken"
          : token === undefined
          ? "xSwapNative"
          : "xSwapToken"
        assert.strictEqual(textAt(result, "calldata").slice(2, 10), selectors[name])
        assert.strictEqual(at(result, "value"), token === undefined ? hex(amount) : "0x0")
        assert.strictEqual(at(result, "to"), vaultAddress(chainOf(from)))
        assert.strictEqual(at(result, "source_token_address"), token?.toLowerCase())
        const call = readCall(bytesAt(result, "calldata"))
        assert.strictEqual(call?.name, name)
        const args = call?.value
        assert.deepInclude(args, {
          dstChain: to === "eth.eth" ? 1n : 4n,
          dstAddress: new Uint8Array(20).fill(to === "eth.eth" ? 0x11 : 0x22),
          dstToken: to === "eth.eth" ? 1n : 7n,
          ...(withMessage ? { message: hexToBytes("deadbeef"), gasAmount: 500_000n } : {}),
          ...(token === undefined ? {} : { srcToken: token.toLowerCase(), amount }),
        })
        const parameters = at(args, "cfParameters")
        assert.isTrue(parameters instanceof Uint8Array && parameters.length === 96, "no options: 96 bytes")
      }
    },
  )

  inSandbox("names the destination by the network's own numbers, whatever its chain", function* (client) {
    for (const [to, chain, asset, start] of destinations) {
      const calldata = textAt(yield* encodingOf(client, { to }), "calldata").slice(10)
      const word = (index: number) => calldata.slice(64 * index, 64 * (index + 1))
      assert.strictEqual(Number(`0x${word(0)}`), chain)
      assert.strictEqual(Number(`0x${word(2)}`), asset)
      assert.isTrue(word(5).startsWith(start.slice(2)), `${to}: ${word(5)}`)
    }
  })
})

describe("the encoding of a Bitcoin transaction", () => {
  const fullest: ReadonlyArray<readonly [string, Changes]> = [
    ["as little as there can be", { commission: 0 }],
    ["all that there can be", {
      to: "sol.sol",
      commission: 255,
      minimum: 2n ** 128n - 1n,
      boost: 100,
      affiliates: [{ account: brokerAccounts[0], bps: 255 }, { account: brokerAccounts[1], bps: 1 }],
      dca: { number_of_chunks: 1_000, chunk_interval: 14 },
      extra: { retry_duration: 600, max_oracle_price_slippage: 254 },
    }],
  ]
  eachInSandbox(fullest)("fits into 80 bytes with %s", function* (client, [, changes]) {
    const result = yield* encodingOf(client, { from: "btc.btc", ...changes })
    const payload = bytesAt(result, "nulldata_payload")
    assert.isAtMost(payload.length, 80)
    assert.strictEqual(payload[0], 1, "version")
    assert.match(textAt(result, "deposit_address"), /^bcrt1qtfxm/)
  })

  inSandbox("writes each parameter where the network reads it", function* (client) {
    const result = yield* encodingOf(client, {
      from: "btc.btc",
      commission: 10,
      minimum: 0x0102n,
      boost: 5,
      affiliates: [{ account: brokerAccounts[0], bps: 7 }, { account: brokerAccounts[1], bps: 9 }],
      dca: { number_of_chunks: 515, chunk_interval: 4 },
      extra: { retry_duration: 260 },
    })
    const expected = [
      "01", // version
      "01", // eth.eth
      "11".repeat(20),
      "0401", // retry duration
      `0201${"00".repeat(14)}`, // minimum output
      "ff", // no oracle limit
      "0302", // chunks
      "0400", // interval
      "05", // boost
      "0a", // commission
      "0800070109", // two affiliates
    ]
    assert.strictEqual(textAt(result, "nulldata_payload"), `0x${expected.join("")}`)
  })
})

describe("the encoding of a Solana instruction", () => {
  it.effect.each(["sol.sol", "usdc.sol", "usdt.sol"] as const)(
    "of %s names valid accounts",
    function* (from) {
      const client = yield* startSandbox()
      const result = yield* encodingOf(client, { from })
      const accounts = at(result, "accounts")
      const keys = (Array.isArray(accounts) ? accounts : []).map((account) => textAt(account, "pubkey"))
      for (const key of [...keys, textAt(result, "program_id")]) {
        assert.strictEqual(base58.decode(key).length, 32, key)
      }
      assert.strictEqual(new Set(keys).size, keys.length)
      const signers = (Array.isArray(accounts) ? accounts : []).filter((account) => at(account, "is_signer"))
      assert.deepStrictEqual(signers.map((account) => textAt(account, "pubkey")), [solanaSender])
      const mint = factsOf(from).contractAddress
      if (mint !== undefined) assert.include(keys, mint)
      const discriminator = mint === undefined ? "a3265ce2f3698dc4" : "4532fc63e55377eb"
      assert.isTrue(textAt(result, "data").startsWith(`0x${discriminator}`))
    },
  )

  inSandbox(
    "derives an event account of its own for each seed, which nobody can sign for",
    function* (client) {
      const eventOf = (seed: string) =>
        Effect.map(
          encodingOf(client, { from: "sol.sol", extra: { seed } }),
          (result) => textAt(result, "accounts", "3", "pubkey"),
        )
      const one = yield* eventOf(`0x${"01".repeat(32)}`)
      const other = yield* eventOf(`0x${"02".repeat(32)}`)
      assert.notStrictEqual(one, other)
      assert.strictEqual(yield* eventOf(`0x${"01".repeat(32)}`), one)
      assert.throws(() => ed25519.Point.fromBytes(base58.decode(one)))
    },
  )

  inSandbox(
    "takes the tokens from the account that is named, else from the sender's own",
    function* (client) {
      const named = yield* encodingOf(client, {
        from: "usdc.sol",
        extra: { from_token_account: vaultAddress("Solana", "somebody's tokens") },
      })
      assert.strictEqual(
        at(named, "accounts", 3, "pubkey"),
        vaultAddress("Solana", "somebody's tokens"),
      )
      // The account that wallets derive for this owner and this mint.
      const own = yield* encodingOf(client, { from: "usdc.sol" })
      assert.throws(() => ed25519.Point.fromBytes(base58.decode(textAt(own, "accounts", "3", "pubkey"))))
    },
  )
})

describe("the encoding of a Tron transaction", () => {
  const base58check = createBase58check(sha256)

  inSandbox(
    "is a transfer of TRX with a note, or a standard transfer of the token with one",
    function* (client) {
      const coin = yield* encodingOf(client, { from: "trx.tron", amount: 30_000_000n })
      const account = base58check.decode(textAt(coin, "to"))
      assert.strictEqual(account.length, 21)
      assert.strictEqual(account[0], 0x41)
      assert.deepInclude(coin, { chain: "Tron", calldata: "0x", value: hex(30_000_000n) })
      assert.isFalse(Predicate.hasProperty(coin, "source_token_address"))
      assert.isAbove(bytesAt(coin, "note").length, 96)

      const token = yield* encodingOf(client, { from: "usdt.tron", amount: 30_000_000n })
      assert.deepInclude(token, { to: textAt(coin, "to"), value: "0x0" })
      assert.strictEqual(base58check.decode(textAt(token, "source_token_address")).length, 21)
      const call = readCall(bytesAt(token, "calldata"))
      assert.strictEqual(call?.name, "transfer")
      assert.deepStrictEqual(call?.value, { to: `0x${bytesToHex(account.slice(1))}`, amount: 30_000_000n })
    },
  )
})
