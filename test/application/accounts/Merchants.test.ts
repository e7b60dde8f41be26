import { assert } from "#test/support/it.ts"
import { Effect } from "effect"
import { accountsLayer } from "#application/accounts/mod.ts"
import { Merchants } from "#application/accounts/Merchants.ts"
import type { Merchant } from "#domain/accounts/Merchant.ts"
import { operator } from "#test/support/account.ts"
import { onStores } from "#test/support/store.ts"
import { accountWithKey, latestChanges, newName } from "./support.ts"

const acme: Merchant = {
  displayName: "Acme Wallet",
  colour: "#0b6b5d",
  support: "help@acme-wallet.example",
  returnUrl: "https://acme-wallet.example",
}
const logo = "data:image/png;base64,iVBORw0KGgo="

onStores(accountsLayer)("Merchants", (it) => {
  it.effect("are nobody at first, then what was set as a whole, and logged without the picture", function* () {
    const merchants = yield* Merchants
    const { name: account } = yield* accountWithKey()
    assert.deepStrictEqual(yield* merchants.ofAccount(account), {})
    yield* merchants.set(account, acme, operator)
    assert.deepStrictEqual(yield* merchants.ofAccount(account), acme)
    yield* merchants.set(account, { logo }, operator)
    assert.deepStrictEqual(yield* merchants.ofAccount(account), { logo })
    const [later, earlier] = yield* latestChanges(2)
    assert.deepStrictEqual(earlier, { action: "merchant.set", account, before: {}, after: acme })
    assert.notInclude(JSON.stringify(later), "iVBOR")
    assert.match(JSON.stringify(later), /"after":\{"logoSha256":"[0-9a-f]{64}"\}/)
  })

  it.effect("log nothing where nothing changes", function* () {
    const merchants = yield* Merchants
    const { name } = yield* accountWithKey()
    yield* merchants.set(name, acme, operator)
    const before = yield* latestChanges(1)
    yield* merchants.set(name, acme, operator)
    assert.deepStrictEqual(yield* latestChanges(1), before)
  })

  it.effect("are of one account each, and of none that there is not", function* () {
    const merchants = yield* Merchants
    const [one, other] = [yield* accountWithKey(), yield* accountWithKey()]
    yield* merchants.set(one.name, acme, operator)
    assert.deepStrictEqual(yield* merchants.ofAccount(other.name), {})
    assert.strictEqual((yield* Effect.flip(merchants.set(newName(), acme, operator)))._tag, "AccountUnknown")
    assert.strictEqual((yield* Effect.flip(merchants.ofAccount(newName())))._tag, "AccountUnknown")
  })
})
