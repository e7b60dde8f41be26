import { assert } from "@effect/vitest"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { base58, createBase58check } from "@scure/base"
import { Effect, Struct } from "effect"
import { Decoder, parseAbi } from "micro-eth-signer/abi.js"
import { addresses } from "./support/addresses.ts"
import { call, get, withOwnBroker } from "./support/call.ts"
import { find, type Json, JsonNumber, listAt, objectAt, textAt } from "./support/Json.ts"
import { assertMembers, boolean, equal, list, number } from "./support/members.ts"
import { pathOf, payload, payloadKinds, payloadParameters, payloadWays } from "./support/payloads.ts"
import { assertFailure } from "./support/problem.ts"

/** What the vault's contracts publish of themselves, and a token of itself. */
const published = parseAbi([
  "function xSwapNative(uint32 dstChain, bytes dstAddress, uint32 dstToken, bytes cfParameters) payable",
  "function xSwapToken(uint32 dstChain, bytes dstAddress, uint32 dstToken, address srcToken, uint256 amount, bytes cfParameters)",
  "function xCallNative(uint32 dstChain, bytes dstAddress, uint32 dstToken, bytes message, uint256 gasAmount, bytes cfParameters) payable",
  "function xCallToken(uint32 dstChain, bytes dstAddress, uint32 dstToken, bytes message, uint256 gasAmount, address srcToken, uint256 amount, bytes cfParameters)",
  "function transfer(address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
])
const anyContract = `0x${"01".repeat(20)}`

/** What a library of others reads in a call: the function and its arguments, as text. */
const readCall = (calldata: string): string => {
  const decoder = new Decoder()
  decoder.add(anyContract, published)
  const decoded = decoder.decode(anyContract, hexToBytes(calldata.slice(2)), {})
  const one = Array.isArray(decoded) ? decoded[0] : decoded
  const plain = (_: string, value: unknown) =>
    typeof value === "bigint" ? `${value}` : value instanceof Uint8Array ? bytesToHex(value) : value
  return JSON.stringify([one?.name, one?.value], plain)
}

const base58check = createBase58check(sha256)
const hex = (value: Json): boolean => typeof value === "string" && /^0x(?:[0-9a-f]{2})*$/.test(value)
const evmAddress = (value: Json): boolean => typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value)
const solanaKey = (value: Json): boolean => typeof value === "string" && base58.decode(value).length === 32
const tronAddress = (value: Json): boolean => {
  const bytes = base58check.decode(typeof value === "string" ? value : "")
  return bytes.length === 21 && bytes[0] === 0x41
}

const usdc = {
  eth: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  arb: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
}
const message = { gasBudget: "1234", message: "0xdeadbeef" }

/** What every payload comes with, with the least deposit of its source asset. */
const terms = (minimumDeposit: string, minimumDepositNative: string, refundsTo = "address") => ({
  refundsTo: equal(refundsTo),
  ...(refundsTo === "address" ? { refundAddress: (value: Json) => typeof value === "string" } : {}),
  platform: equal("chainflip"),
  // An hour from now, give or take the time that the request took.
  expiresAt: (value: Json) =>
    value instanceof JsonNumber && Math.abs(Number(value.text) - Date.now() - 3_600_000) < 60_000,
  minimumDeposit: (value: Json) => value instanceof JsonNumber && value.text === minimumDeposit,
  minimumDepositNative: equal(minimumDepositNative),
  estimatedDurationSeconds: number,
})

/** Each payload is good for as long as any other, but not from the same moment on. */
const withoutExpiry = (json: Json) => Struct.omit(objectAt(json), ["expiresAt"])

/** The whole answer has these members and no others. */
const assertOnly = (json: Json, rules: Parameters<typeof assertMembers>[1]): void => {
  assertMembers(json, rules)
  assert.sameMembers(Object.keys(json ?? {}), Object.keys(rules))
}

withOwnBroker()("the answers of /tx-payload/* (decision 13)", (it) => {
  for (const kind of payloadKinds) {
    it.effect(`${kind}: are the same, however the parameters come`, function* () {
      const more = kind === "solana" ? { seed: `0x${"12".repeat(32)}` } : {}
      const parameters = payloadParameters(kind, { commissionBps: "20", numberOfChunks: "3", ...more })
      const ways = yield* Effect.forEach(Object.values(payloadWays), (send) => send(kind, parameters))
      const [first] = ways
      assert.strictEqual(first?.status, 200, first?.text)
      for (const { body } of ways) {
        assert.deepStrictEqual(withoutExpiry(body), withoutExpiry(first?.body ?? null))
      }
      const query = Struct.pick(parameters, ["sourceAsset", "destinationAsset"])
      const body = Struct.omit(parameters, ["sourceAsset", "destinationAsset"])
      const mixed = yield* call("POST", pathOf(kind), { query, body })
      assert.deepStrictEqual(withoutExpiry(mixed.body), withoutExpiry(first?.body ?? null))
    })

    it.effect(`${kind}: open no channel, and list no swap`, function* () {
      const before = find(yield* get("/sandbox"), "openChannelCount")
      yield* payload(kind)
      assert.deepStrictEqual(find(yield* get("/sandbox"), "openChannelCount"), before)
      const states = ["waiting", "receiving", "swapping"].map((state) => ["status", state] as const)
      assert.deepStrictEqual(yield* get("/swaps", states), [])
    })
  }

  it.effect("bitcoin: an address, null data of 80 bytes at most, and the amount, human or native", function* () {
    const pattern = textAt(yield* get("/sandbox"), "addressPatterns", "Bitcoin")
    const plain = yield* payload("bitcoin", { amount: "0.10000001" })
    assertOnly(plain, {
      network: equal("Bitcoin"),
      depositAddress: (value) => typeof value === "string" && new RegExp(pattern).test(value),
      nulldataPayload: hex,
      amountNative: equal("10000001"),
      ...terms("0.0004", "40000", "change"),
    })
    const fullest = yield* payload("bitcoin", {
      destinationAsset: "sol.sol",
      amountNative: "10000001",
      boostFee: "100",
      commissionBps: "255",
      minimumPrice: "1234.56789",
      numberOfChunks: "100",
      chunkIntervalBlocks: "100",
      retryDurationInBlocks: "600",
    })
    for (const one of [plain, fullest]) {
      const bytes = (textAt(one, "nulldataPayload").length - 2) / 2
      assert.isTrue(bytes > 0 && bytes <= 80, `${bytes}`)
    }
    assert.notStrictEqual(textAt(fullest, "nulldataPayload"), textAt(plain, "nulldataPayload"))
  })

  const evmRows = [
    ["eth.eth", "Ethereum", undefined, terms("0.01", "10000000000000000")],
    ["eth.arb", "Arbitrum", undefined, terms("0.0039", "3900000000000000")],
    ["usdc.eth", "Ethereum", usdc.eth, terms("20", "20000000")],
    ["usdc.arb", "Arbitrum", usdc.arb, terms("10", "10000000")],
  ] as const
  for (const [sourceAsset, network, token, evmTerms] of evmRows) {
    it.effect(`evm: from ${sourceAsset} a call of the vault that others can read`, function* () {
      const [amount, native] = token === undefined
        ? ["1.000000000000000001", "1000000000000000001"]
        : ["1000.000001", "1000000001"]
      const pair = { sourceAsset, destinationAsset: "eth.eth" === sourceAsset ? "eth.arb" : "eth.eth" }
      const parameters = payloadParameters("evm", { ...pair, amount })
      const plain = yield* get(pathOf("evm"), parameters)
      assertOnly(plain, {
        network: equal(network),
        to: evmAddress,
        calldata: hex,
        value: equal(token === undefined ? native : "0"),
        ...(token === undefined ? {} : { sourceTokenAddress: evmAddress, spender: evmAddress }),
        steps: list,
        ...evmTerms,
      })
      const steps = listAt(plain, "steps")
      for (const member of ["to", "calldata", "value"]) {
        assert.strictEqual(textAt(steps.at(-1) ?? null, member), textAt(plain, member))
      }
      assert.deepStrictEqual(
        steps.map((step) => textAt(step, "kind")),
        token === undefined ? ["call"] : ["approve", "call"],
      )
      if (token !== undefined) {
        const [approval = null] = steps
        assert.strictEqual(textAt(approval, "to"), textAt(plain, "sourceTokenAddress"))
        assert.strictEqual(textAt(approval, "value"), "0")
        const spender = textAt(plain, "spender").toLowerCase()
        assert.strictEqual(
          readCall(textAt(approval, "calldata")),
          `["approve",{"spender":"${spender}","amount":"${native}"}]`,
        )
      }
      const swapped = readCall(textAt(plain, "calldata"))
      assert.match(swapped, token === undefined ? /^\["xSwapNative"/ : /^\["xSwapToken"/)
      assert.include(swapped, (parameters.destinationAddress ?? "?").slice(2))
      if (token !== undefined) {
        assert.strictEqual(textAt(plain, "sourceTokenAddress").toLowerCase(), token.toLowerCase())
        assert.include(swapped, `"srcToken":"${token.toLowerCase()}","amount":"${native}"`)
      }
      const body = { ...parameters, ccmPayload: message }
      const called = yield* call("POST", pathOf("evm"), { body })
      const withMessage = readCall(textAt(called.body, "calldata"))
      assert.match(withMessage, token === undefined ? /^\["xCallNative"/ : /^\["xCallToken"/)
      assert.include(withMessage, `"message":"deadbeef","gasAmount":"1234"`)
    })
  }

  for (
    const [sourceAsset, solanaTerms] of [
      ["sol.sol", terms("0.068", "68000000")],
      ["usdc.sol", terms("10", "10000000")],
      ["usdt.sol", terms("10", "10000000")],
    ] as const
  ) {
    it.effect(`solana: from ${sourceAsset} an instruction with valid accounts, that the sender signs`, function* () {
      const plain = yield* payload("solana", { sourceAsset })
      assertOnly(plain, {
        network: equal("Solana"),
        programId: solanaKey,
        accounts: list,
        data: hex,
        instructions: list,
        ...solanaTerms,
      })
      const [only = null, ...others] = listAt(plain, "instructions")
      assert.isEmpty(others)
      for (const member of ["programId", "accounts", "data"]) {
        assert.deepStrictEqual(find(only, member), find(plain, member))
      }
      const accounts = listAt(plain, "accounts")
      assert.isNotEmpty(accounts)
      for (const account of accounts) {
        assertOnly(account, { pubkey: solanaKey, isSigner: boolean, isWritable: boolean })
      }
      const signers = accounts.filter((account) => find(account, "isSigner") === true)
      assert.deepStrictEqual(signers.map((account) => textAt(account, "pubkey")), [addresses.sol])
    })
  }

  it.effect("solana: seed makes the event's account, by default one that nobody else has", function* () {
    const seed = `0x${"34".repeat(32)}`
    const seeded = yield* payload("solana", { seed })
    assert.deepStrictEqual(withoutExpiry(yield* payload("solana", { seed })), withoutExpiry(seeded))
    const [one, other] = [yield* payload("solana"), yield* payload("solana")]
    assert.notDeepEqual(one, other)
    assert.notDeepEqual(one, seeded)
  })

  it.effect("solana: sourceTokenAccount is where the tokens are taken from", function* () {
    const sourceTokenAccount = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
    const keysOf = (sent: Json) => listAt(sent, "accounts").map((account) => textAt(account, "pubkey"))
    const named = yield* payload("solana", { sourceAsset: "usdc.sol", sourceTokenAccount })
    assert.include(keysOf(named), sourceTokenAccount)
    assert.notInclude(keysOf(yield* payload("solana", { sourceAsset: "usdc.sol" })), sourceTokenAccount)
  })

  it.effect("tron: a transfer of TRX with a note, or of a token with one", function* () {
    const coin = yield* payload("tron", { amount: "1000.000001" })
    assertOnly(coin, {
      network: equal("Tron"),
      to: tronAddress,
      calldata: equal("0x"),
      value: equal("1000000001"),
      note: hex,
      ...terms("30", "30000000"),
    })
    assert.isAbove(textAt(coin, "note").length, 2)
    const token = yield* payload("tron", { sourceAsset: "usdt.tron", amountNative: "1000000001" })
    assertOnly(token, {
      network: equal("Tron"),
      to: tronAddress,
      calldata: hex,
      value: equal("0"),
      note: hex,
      sourceTokenAddress: equal("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
      ...terms("10", "10000000"),
    })
    const vault = bytesToHex(base58check.decode(textAt(token, "to")).slice(1))
    const transfer = readCall(textAt(token, "calldata"))
    assert.strictEqual(transfer, `["transfer",{"to":"0x${vault}","amount":"1000000001"}]`)
  })

  it.effect("are given again to the letter under an Idempotency-Key, a random seed and all", function* () {
    for (const method of ["GET", "POST"]) {
      const headers = { "idempotency-key": crypto.randomUUID() }
      const sent = (kind: (typeof payloadKinds)[number], changes = {}) =>
        call(method, pathOf(kind), { query: payloadParameters(kind, changes), headers })
      const first = yield* sent("solana")
      assert.strictEqual(first.status, 200, first.text)
      assert.isNull(first.headers.get("idempotent-replayed"))
      const again = yield* sent("solana")
      assert.deepStrictEqual([again.status, again.text], [200, first.text])
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assertFailure(yield* sent("solana", { commissionBps: "9" }), 422)
      assertFailure(yield* sent("tron"), 422)
    }
  })
})
