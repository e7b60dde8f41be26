import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { Address, EpochMillis, NativeAmount } from "#exports/domain.ts"
import type { WithdrawalOrder } from "#domain/operations/Treasury.ts"
import type { Treasury } from "#providers/Provider.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { advance, at, type Client, genesis } from "#test/sandbox/support.ts"
import { present } from "#test/sandbox/engine/support.ts"
import { providerOver, reasonOf, result, rpcError, type Script } from "./fakeChainflip.ts"
import { providerOverSandbox } from "./overSandbox.ts"

/** A sandbox, and the provider's treasury over it. */
const overSandbox = Effect.map(providerOverSandbox, ({ client, provider: { treasury } }) => ({
  client,
  treasury: present(treasury),
  withdrawals: present(treasury?.withdrawals),
}))

const earn = (client: Client, amount: string, asset = "usdc.eth") =>
  client.send("PATCH", "/sandbox/network", { change: "shiftEarned", asset, difference: amount })

const order: WithdrawalOrder = {
  asset: "usdc.eth",
  destination: Address.make("0x1111111111111111111111111111111111111111"),
}
const earned = (amount: bigint) => ({ asset: "usdc.eth" as const, amount: NativeAmount.make(amount) })
const fee = 274_000n

const find = (treasury: Treasury, amount: bigint, wanted = order, requestedAt: number = genesis) =>
  present(treasury.withdrawals?.find)(
    wanted,
    { ...earned(amount), asset: wanted.asset },
    EpochMillis.make(requestedAt),
  )

describe("a withdrawal", () => {
  it.effect("takes the whole of what was earned, less the fee, and then there is nothing to withdraw", function* () {
    const { client, treasury, withdrawals } = yield* overSandbox
    yield* earn(client, "5000000")
    const taken = yield* withdrawals.withdraw(order)
    assert.deepInclude(taken, {
      reference: "Ethereum-1",
      amount: NativeAmount.make(5_000_000n - fee),
      fee: NativeAmount.make(fee),
      destination: order.destination,
    })
    assert.match(taken.transaction ?? "", /^0x[0-9a-f]{64}$/)
    assert.deepStrictEqual((yield* treasury.account).earned, [])
    assert.deepInclude(yield* reasonOf(withdrawals.withdraw(order)), { _tag: "RequestRefused" })
    assert.isTrue(Option.isSome(yield* withdrawals.standing(taken)))
  })

  it.effect("is paid through the network's egress queue", function* () {
    const { client, withdrawals } = yield* overSandbox
    yield* earn(client, "5000000")
    yield* withdrawals.withdraw(order)
    const states: Array<unknown> = []
    for (const seconds of [0, 30, 600]) {
      yield* advance(client, seconds)
      states.push(at((yield* client.get("/sandbox")).json, "broker", "withdrawals", 0, "state"))
    }
    assert.deepStrictEqual(states, ["scheduled", "sent", "paid"])
  })

  it.effect("fails to be paid where its broadcast is aborted", function* () {
    const { client, withdrawals } = yield* overSandbox
    yield* earn(client, "5000000")
    yield* client.send("PATCH", "/sandbox/network", {
      change: "nextEgress",
      asset: "usdc.eth",
      outcome: "abort",
    })
    yield* withdrawals.withdraw(order)
    yield* advance(client, 600)
    const { json } = yield* client.get("/sandbox")
    assert.strictEqual(at(json, "broker", "withdrawals", 0, "state"), "failed")
  })

  it.effect.each(
    [
      ["while they are switched off", { change: "setWithdrawals", enabled: false }, "SwappingMaintenance"],
      ["without FLIP for the transaction", { change: "setFlip", free: "0" }, "RequestRefused"],
      [
        "of less than the fee",
        { change: "shiftEarned", asset: "usdc.eth", difference: "-4999999" },
        "EgressBelowMinimum",
      ],
    ] as const,
  )("is refused %s, and nothing is taken", function* ([, change, expected]) {
    const { client, treasury, withdrawals } = yield* overSandbox
    yield* earn(client, "5000000")
    yield* client.send("PATCH", "/sandbox/network", change)
    const before = (yield* treasury.account).earned
    assert.strictEqual((yield* reasonOf(withdrawals.withdraw(order)))._tag, expected)
    assert.deepStrictEqual((yield* treasury.account).earned, before)
  })

  it.effect("goes to no other address on Ethereum than the bound one, and elsewhere freely", function* () {
    const { client, treasury, withdrawals } = yield* overSandbox
    yield* earn(client, "5000000")
    yield* earn(client, "5000000", "btc.btc")
    const bound = Address.make("0x2222222222222222222222222222222222222222")
    yield* client.call("broker", "broker_bind_fee_withdrawal_address", [bound])
    assert.deepInclude((yield* treasury.account).boundAddress, { chain: "Ethereum", address: bound })
    assert.strictEqual((yield* reasonOf(withdrawals.withdraw(order)))._tag, "RequestRefused")
    yield* withdrawals.withdraw({ ...order, destination: bound })
    yield* withdrawals.withdraw({
      asset: "btc.btc",
      destination: Address.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
    })
  })
})

describe("an order whose answer was lost", () => {
  it.effect("is found by its event with all its figures, whatever was earned since", function* () {
    const { client, treasury, withdrawals } = yield* overSandbox
    yield* earn(client, "5000000")
    const taken = yield* withdrawals.withdraw(order)
    yield* advance(client, 60)
    const { transaction: _, ...found } = taken
    assert.deepStrictEqual(yield* find(treasury, 5_000_000n), { _tag: "Taken", taken: found })
    yield* advance(client, 900)
    yield* earn(client, "9000000")
    assert.deepStrictEqual(yield* find(treasury, 5_000_000n), { _tag: "Taken", taken: found })
  })

  it.effect("was never ordered once its transaction can have no effect any more, and not before", function* () {
    const { client, treasury } = yield* overSandbox
    yield* earn(client, "5000000")
    for (
      const [seconds, expected] of [[0, "NotKnown"], [840, "NotKnown"], [6, "NothingOrdered"]] as const
    ) {
      yield* advance(client, seconds)
      assert.strictEqual((yield* find(treasury, 5_000_000n))._tag, expected)
    }
    const unreadable = { ...order, destination: Address.make("nowhere") }
    assert.strictEqual((yield* find(treasury, 5_000_000n, unreadable))._tag, "NotKnown")
  })

  it.effect("is not taken for another's: of another asset, to another address, or of less", function* () {
    const { client, treasury, withdrawals } = yield* overSandbox
    yield* earn(client, "5000000")
    yield* earn(client, "4000000", "usdt.eth")
    yield* withdrawals.withdraw({ ...order, asset: "usdt.eth" })
    yield* withdrawals.withdraw({
      ...order,
      destination: Address.make("0x2222222222222222222222222222222222222222"),
    })
    assert.strictEqual((yield* find(treasury, 5_000_000n))._tag, "NotKnown")
    assert.strictEqual((yield* find(treasury, 4_000_001n, { ...order, asset: "usdt.eth" }))._tag, "NotKnown")
    assert.strictEqual((yield* find(treasury, 4_000_000n, { ...order, asset: "usdt.eth" }))._tag, "Taken")
  })

  it.effect("is found on every chain", function* () {
    const { client, treasury, withdrawals } = yield* overSandbox
    for (
      const [asset, destination] of [
        ["btc.btc", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
        ["sol.sol", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
        ["trx.tron", "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej"],
        ["usdc.arb", "0x2222222222222222222222222222222222222222"],
      ] as const
    ) {
      yield* earn(client, "50000000000", asset)
      const wanted = { asset, destination: Address.make(destination) }
      const { transaction: _, ...taken } = yield* withdrawals.withdraw(wanted)
      assert.deepStrictEqual(yield* find(treasury, 50_000_000_000n, wanted), { _tag: "Taken", taken })
    }
  })
})

describe("a light node, which keeps 128 blocks,", () => {
  const head = 1_000_000
  const time = genesis + 860_000
  const littleEndian = (value: number) =>
    `0x${
      [...Array(8).keys()].map((byte) =>
        (BigInt(value) >> BigInt(8 * byte) & 255n).toString(16).padStart(2, "0")
      ).join("")
    }`
  /** The node, with this much on the account; every block that it keeps has no event. */
  const nodeWith = (balance: string): Script => ({
    cf_free_balances: result({ Ethereum: { USDC: balance } }),
    chain_getHeader: result({ number: `0x${head.toString(16)}` }),
    chain_getBlockHash: (asked) => result(`0x${asked.call?.params[0]}`)(asked),
    state_getStorage: (asked) => {
      const [, hash] = asked.call?.params ?? []
      if (hash === undefined) return result(littleEndian(time))(asked)
      return Number(`${hash}`.slice(2)) > head - 128
        ? result("0x00")(asked)
        : rpcError(4003, "Client error: Api called for an unknown Block: State already discarded")(asked)
    },
  })

  it.effect.each(
    [
      ["what is there is not less", "0x4c4b40", "NothingOrdered"],
      ["less is there, as who took it is told by no block", "0x0", "NotKnown"],
    ] as const,
  )("cannot prove more than the balance: %s", function* ([, balance, expected]) {
    const [{ treasury }] = yield* providerOver(nodeWith(balance))
    const ours = { ...order, affiliate: brokerAccount }
    assert.strictEqual((yield* find(present(treasury), 5_000_000n, ours))._tag, expected)
  })
})

describe("affiliates", () => {
  const address = Address.make("0x3333333333333333333333333333333333333333")

  it.effect("are registered under the next free number, earn, and are paid to their address", function* () {
    const { client, treasury, withdrawals } = yield* overSandbox
    const { asset, register } = present(treasury.affiliates)
    const first = yield* register(address)
    const second = yield* register(address)
    assert.deepInclude(first, { shortId: 0, withdrawalAddress: address, earned: [] })
    assert.strictEqual(second.shortId, 1)
    assert.notStrictEqual(first.account, second.account)
    assert.deepStrictEqual((yield* treasury.account).affiliates, [first, second])
    const refused = yield* reasonOf(
      withdrawals.withdraw({ asset, destination: address, affiliate: first.account }),
    )
    assert.strictEqual(refused._tag, "RequestRefused")
    assert.strictEqual(
      (yield* reasonOf(withdrawals.withdraw({ asset, destination: address, affiliate: brokerAccount })))
        ._tag,
      "RequestRefused",
    )
    const removed = yield* client.call("broker", "broker_deregister_affiliate", [first.account])
    assert.deepStrictEqual(at(removed, "result"), { account_id: first.account, short_id: 0 })
    assert.strictEqual((yield* register(address)).shortId, 0)
  })
})

describe("an answer of the broker", () => {
  const answer = {
    tx_hash: `0x${"f0".repeat(32)}`,
    egress_id: ["Ethereum", 103],
    egress_amount: "0x1e240",
    egress_fee: 234_567,
    destination_address: "1111111111111111111111111111111111111111",
  }
  const withdrawOver = (script: Script) =>
    Effect.flatMap(providerOver(script), ([{ treasury }]) => present(treasury?.withdrawals).withdraw(order))

  it.effect("is read in every spelling", function* () {
    const taken: unknown = yield* withdrawOver({ broker_withdraw_fees: result(answer) })
    assert.deepStrictEqual(taken, {
      reference: "Ethereum-103",
      transaction: answer.tx_hash,
      amount: 123_456n,
      fee: 234_567n,
      destination: order.destination,
    })
  })

  it.effect.each(["5000000000000000000000", '"5000000000000000000000"'])(
    "keeps every digit of %s, as older brokers write amounts",
    function* (written) {
      const taken = yield* withdrawOver({
        broker_withdraw_fees: ({ call }) => ({
          body: JSON.stringify({ jsonrpc: "2.0", id: call?.id, result: answer })
            .replace('"0x1e240"', written),
        }),
      })
      assert.strictEqual<bigint>(taken.amount, 5_000_000_000_000_000_000_000n)
      assert.strictEqual<bigint | undefined>(taken.fee, 234_567n)
    },
  )

  it.effect("tells of another destination as it is", function* () {
    const elsewhere = `0x${"22".repeat(20)}`
    const taken = yield* withdrawOver({
      broker_withdraw_fees: result({ ...answer, destination_address: elsewhere }),
    })
    assert.strictEqual(taken.destination, elsewhere)
  })

  it.effect.each(
    [
      ["without a transaction", { tx_hash: undefined }],
      ["with a payment on another chain", { egress_id: ["Bitcoin", 103] }],
      ["with half a payment's number", { egress_id: ["Ethereum"] }],
      ["with an amount that is none", { egress_amount: "-1" }],
      ["to nowhere", { destination_address: "" }],
    ] as const,
  )("may have ordered it %s", function* ([, change]) {
    const reason = yield* reasonOf(withdrawOver({ broker_withdraw_fees: result({ ...answer, ...change }) }))
    assert.deepInclude(reason, { _tag: "MalformedBody", reached: true })
  })

  for (
    const [message, code, expected] of [
      [
        'KnownModuleError { pallet: "Swapping", name: "WithdrawalsDisabled", error: "…" }',
        -32024,
        "SwappingMaintenance",
      ],
      [
        "The transaction failed: Module error ‘NoFundsAvailable‘ from pallet ‘Swapping‘: ‘…‘",
        -32020,
        "RequestRefused",
      ],
      ["The transaction is invalid: Inability to pay some fees", -32020, "RequestRefused"],
      ["Invalid params", -32602, "RequestRefused"],
      ["Internal error while processing request.", -32603, "UpstreamFailed"],
      ["Unexpected end of stream", -32024, "UpstreamFailed"],
      ["DynamicEventError", -32025, "UpstreamFailed"],
    ] as const
  ) {
    it.effect(`means ${expected} in "${message}"`, function* () {
      const reason = yield* reasonOf(withdrawOver({ broker_withdraw_fees: rpcError(code, message) }))
      assert.strictEqual(reason._tag, expected)
    })
  }
})
