import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { btc, eth, feeRecipient, providerOver, reasonOf, type Script } from "./fakeRelay.ts"

const usdc = {
  chainId: 1,
  address: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  symbol: "USDC",
  decimals: 6,
}
const balance = (currency: unknown, amount: unknown) => ({ currency, amount, amountFormatted: "1.0" })

const accountOver = (balances: unknown, script: Script = {}) =>
  Effect.flatMap(
    providerOver({ appFees: { body: { balances, totalBalanceUsd: 1 } }, ...script }),
    ([{ treasury }]) => {
      if (treasury === undefined) throw new Error("The provider has no treasury")
      return treasury.account
    },
  )

describe("the operator's account at Relay", () => {
  it.effect("is what the wallet has earned, without unknown currencies and those of which there is nothing", function* () {
    const told: unknown = yield* accountOver([
      balance(usdc, "5"),
      balance(usdc, "7"),
      balance({ chainId: 8453, address: usdc.address }, "9"),
      balance(btc, "0"),
      balance(eth, "340282366920938463463374607431768211455"),
    ])
    assert.deepStrictEqual(told, {
      account: feeRecipient,
      earned: [
        { asset: "usdc.eth", amount: 12n },
        { asset: "eth.eth", amount: 340282366920938463463374607431768211455n },
      ],
      affiliates: [],
    })
  })

  it.effect("asks for the wallet that commission is paid to", function* () {
    const [{ treasury }, asked] = yield* providerOver({ appFees: { body: { balances: [] } } })
    yield* treasury?.account ?? Effect.die("there is none")
    assert.include(asked.map(({ url }) => url.pathname), `/app-fees/${feeRecipient}/balances`)
  })

  it.effect("is not there without such a wallet, and cannot be withdrawn from or compared", function* () {
    const [nobodys] = yield* providerOver({}, { feeRecipient: Option.none() })
    assert.isUndefined(nobodys.treasury)
    const [{ treasury }] = yield* providerOver({})
    assert.isUndefined(treasury?.withdrawals)
    assert.isUndefined(treasury?.affiliates)
    assert.strictEqual(treasury?.comparison._tag, "Untold")
  })

  it.effect.each(
    [
      ["that are no list", "none"],
      ["without a currency", [{ amount: "1" }]],
      ["of an amount that is none", [balance(usdc, "-1")]],
      ["of more than there can be", [balance(usdc, `${2n ** 128n - 1n}`), balance(usdc, "1")]],
    ] as const,
  )("is refused with balances %s", function* ([, balances]) {
    assert.strictEqual((yield* reasonOf(accountOver(balances)))._tag, "MalformedBody")
  })

  it.effect("fails with the upstream's own refusal", function* () {
    const reason = yield* reasonOf(
      accountOver([], { appFees: { status: 400, body: { message: "Invalid wallet" } } }),
    )
    assert.deepInclude(reason, { _tag: "UpstreamFailed" })
  })
})
