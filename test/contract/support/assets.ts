import { assert } from "@effect/vitest"
import { networkAssets } from "#domain/chains/payload/contractNumbers.ts"
import { type Json, numberAt, textAt } from "./Json.ts"

/** What a client has to know of an asset: its decimals, and an amount that is worth swapping. */
interface AssetFacts {
  readonly decimals: number
  /** Native units, of the value of some thousand dollars, with no round digits. */
  readonly amount: string
}

/** Every known asset (decision 10), from the table of chainflip/wire.md 1.2. */
export const assets: Readonly<Record<string, AssetFacts>> = {
  "btc.btc": { decimals: 8, amount: "5000001" },
  "eth.eth": { decimals: 18, amount: "1234567890123456789" },
  "flip.eth": { decimals: 18, amount: "2345678901234567890123" },
  "usdc.eth": { decimals: 6, amount: "2345678901" },
  "usdt.eth": { decimals: 6, amount: "2345678901" },
  "wbtc.eth": { decimals: 8, amount: "5000001" },
  "cbbtc.eth": { decimals: 8, amount: "5000001" },
  "eth.arb": { decimals: 18, amount: "1234567890123456789" },
  "usdc.arb": { decimals: 6, amount: "2345678901" },
  "usdt.arb": { decimals: 6, amount: "2345678901" },
  "sol.sol": { decimals: 9, amount: "23456789012" },
  "usdc.sol": { decimals: 6, amount: "2345678901" },
  "usdt.sol": { decimals: 6, amount: "2345678901" },
  "dot.hub": { decimals: 10, amount: "5678901234567" },
  "usdc.hub": { decimals: 6, amount: "2345678901" },
  "usdt.hub": { decimals: 6, amount: "2345678901" },
  "trx.tron": { decimals: 6, amount: "8765432109" },
  "usdt.tron": { decimals: 6, amount: "2345678901" },
  "dot.dot": { decimals: 10, amount: "5678901234567" },
  "bnb.bsc": { decimals: 18, amount: "3456789012345678901" },
  "usdt.bsc": { decimals: 18, amount: "2345678901234567890123" },
  "eth.base": { decimals: 18, amount: "1234567890123456789" },
  "usdc.base": { decimals: 6, amount: "2345678901" },
  "cbbtc.base": { decimals: 8, amount: "5000001" },
  "pol.pol": { decimals: 18, amount: "12345678901234567890123" },
  "usdc.pol": { decimals: 6, amount: "2345678901" },
  "usdt.pol": { decimals: 6, amount: "2345678901" },
  "avax.avax": { decimals: 18, amount: "123456789012345678901" },
  "usdc.avax": { decimals: 6, amount: "2345678901" },
  "usdt.avax": { decimals: 6, amount: "2345678901" },
  "eth.op": { decimals: 18, amount: "1234567890123456789" },
  "usdc.op": { decimals: 6, amount: "2345678901" },
  "usdt.op": { decimals: 6, amount: "2345678901" },
  "ltc.ltc": { decimals: 8, amount: "2345678901" },
  "doge.doge": { decimals: 8, amount: "1234567890123" },
  "bch.bch": { decimals: 8, amount: "567890123" },
  "zec.zec": { decimals: 8, amount: "1234567891" },
  "dash.dash": { decimals: 8, amount: "4567890123" },
  "xrp.xrp": { decimals: 6, amount: "1234567890" },
}

/** The assets of the provider that most tests of the contract run over. */
export const chainflipAssets: Readonly<Record<string, AssetFacts>> = Object.fromEntries(
  networkAssets.flatMap((asset) => {
    const facts = assets[asset]
    return facts === undefined ? [] : [[asset, facts]]
  }),
)

const factsOf = (asset: string): AssetFacts => {
  const facts = assets[asset]
  if (facts === undefined) throw new Error(`There is no asset ${asset}`)
  return facts
}

/** The human form of native units, exactly. */
export const human = (asset: string, native: string): string => {
  const { decimals } = factsOf(asset)
  const digits = native.padStart(decimals + 1, "0")
  const fraction = digits.slice(-decimals).replace(/0+$/, "")
  return digits.slice(0, -decimals) + (fraction === "" ? "" : `.${fraction}`)
}

/** An amount of an asset that is worth swapping, in native units. */
export const typicalAmount = (asset: string): string => factsOf(asset).amount

/** Native units of a member such as `egressAmountNative`. */
export const nativeAt = (json: Json, ...path: ReadonlyArray<string | number>): bigint =>
  BigInt(textAt(json, ...path))

/** That a member and its `…Native` twin are the same amount of an asset, to the last digit. */
export const assertTwin = (json: Json, name: string, asset: string): void =>
  assert.strictEqual(numberAt(json, name), human(asset, textAt(json, `${name}Native`)), name)

/** The same of several members. */
export const assertTwins = (json: Json, twins: Readonly<Record<string, string>>): void =>
  Object.entries(twins).forEach(([name, asset]) => assertTwin(json, name, asset))

/** That every fee of a list has its members, its amounts exact twins. */
export const assertFees = (fees: ReadonlyArray<Json>): void =>
  fees.forEach((fee) => {
    assert.include(
      ["broker", "ingress", "network", "egress", "liquidity", "boost", "refund"],
      textAt(fee, "type"),
    )
    assertTwin(fee, "amount", textAt(fee, "asset"))
  })
