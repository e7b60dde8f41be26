import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { BrokerAccount } from "#domain/chains/Address.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { balanceOf, freeFlip, holdingsOf } from "#sandbox/engine/operator.ts"
import { openChannel } from "#sandbox/engine/terms.ts"
import { brokerAccount, extrinsicFee, openingFee } from "#sandbox/engine/figures.ts"
import {
  applyControl,
  deposit,
  feeOf,
  makeNetwork,
  native,
  open,
  passUntil,
  refused,
  request,
  turn,
  units,
} from "./support.ts"

const affiliates = [1, 2].map((byte) => BrokerAccount.make(encodeSs58(2112, new Uint8Array(32).fill(byte))))

describe("the operator's FLIP", () => {
  it("is less by the opening fee and a transaction's with each channel, and not with the backend's", () => {
    const network = makeNetwork()
    const before = freeFlip(network)
    open(network)
    open(network, { sourceAsset: "sol.sol" })
    assert.strictEqual(freeFlip(network), before - 2n * (openingFee + extrinsicFee))
    open(network, { openedThroughBackend: true })
    assert.strictEqual(freeFlip(network), before - 2n * (openingFee + extrinsicFee))
  })

  it("opens no channel where it is too little, and stays as it was", () => {
    const network = makeNetwork()
    turn(network, { _tag: "SetFlip", free: native(0n) })
    assert.deepStrictEqual(refused(openChannel(network, request())), { _tag: "CannotPayFees" })
    turn(network, { _tag: "SetFlip", free: native(extrinsicFee + openingFee - 1n) })
    assert.deepInclude(refused(openChannel(network, request())), {
      _tag: "InsufficientLiquidity",
      pallet: "Flip",
    })
    assert.strictEqual(freeFlip(network), extrinsicFee + openingFee - 1n)
    turn(network, { _tag: "SetFlip", free: native(extrinsicFee + openingFee) })
    open(network)
    assert.strictEqual(freeFlip(network), 0n)
  })

  it("pays the price of the chain", () => {
    const network = makeNetwork()
    turn(network, { _tag: "SetOpeningFee", chain: "Solana", fee: native(7n) })
    const before = freeFlip(network)
    assert.strictEqual(open(network, { sourceAsset: "sol.sol" }).openingFee, 7n)
    assert.strictEqual(freeFlip(network), before - 7n - extrinsicFee)
  })
})

describe("commission", () => {
  it("is credited to the broker and each affiliate, and together is the fee of the record", () => {
    const network = makeNetwork()
    const opened = open(network, {
      brokerCommissionBps: 13,
      affiliates: affiliates.map((account, index) => ({ account, commissionBps: 7 + index })),
      dca: { numberOfChunks: 7, chunkIntervalBlocks: 2 },
    })
    deposit(network, opened, units("btc.btc", "0.7"))
    const record = passUntil(network, opened, "completed")
    const earned = [brokerAccount, ...affiliates].map((account) => balanceOf(network, account, "usdc.eth"))
    assert.isTrue(earned.every((amount) => amount > 0n))
    assert.strictEqual(earned.reduce((sum, amount) => sum + amount), feeOf(record.fees, "broker", "usdc.eth"))
    assert.deepStrictEqual(
      holdingsOf(network, brokerAccount),
      [{ asset: "usdc.eth", amount: native(earned[0] ?? 0n) }],
    )
  })

  it("is nothing of a swap that asks for none", () => {
    const network = makeNetwork()
    const opened = open(network)
    deposit(network, opened, units("btc.btc", "0.1"))
    passUntil(network, opened, "completed")
    assert.deepStrictEqual(holdingsOf(network, brokerAccount), [])
  })

  it("can be made to differ from the swaps', but not to be less than nothing", () => {
    const network = makeNetwork()
    turn(network, { _tag: "ShiftEarned", asset: "usdc.eth", difference: 3n })
    turn(network, { _tag: "ShiftEarned", asset: "usdc.eth", difference: -2n })
    assert.strictEqual(balanceOf(network, brokerAccount, "usdc.eth"), 1n)
    const shift = { _tag: "ShiftEarned", asset: "usdc.eth", difference: -2n } as const
    assert.isTrue(Result.isFailure(applyControl(network, shift)))
  })
})
