import { Result, Schema } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"
import { assetIds, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { builtInAssets } from "#domain/chains/catalogue/assets.ts"
import { addRows, caip19Of, CatalogueRows } from "#domain/chains/catalogue/Catalogue.ts"
import { builtInChains } from "#domain/chains/catalogue/chains.ts"
import { chainFacts, chains } from "#domain/chains/Chain.ts"
import { gnosis as rows } from "#test/support/gnosis.ts"
import { assert, describe, it } from "#test/support/it.ts"

const gnosis = rows.chains.Gnosis
const xdai = rows.assets["xdai.gno"]
const usdcOnGnosis = {
  chain: "Gnosis",
  ticker: "USDC",
  name: "USD Coin",
  decimals: 6,
  contractAddress: "0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83",
} as const
const whole: CatalogueRows = rows

/** The catalogue of this process has been read by the time of this call: rows can only be refused, or be there already. */
const faultsOf = (rows: CatalogueRows): ReadonlyArray<string> => {
  assert.isAbove(assetIds().length, 0)
  return addRows(rows)
}

describe("the catalogue", () => {
  it("has the assets of the first contract first, in their order", () => {
    assert.deepStrictEqual<ReadonlyArray<string>>(assetIds().slice(0, 21), [
      "btc.btc",
      "eth.eth",
      "flip.eth",
      "usdc.eth",
      "usdt.eth",
      "wbtc.eth",
      "cbbtc.eth",
      "eth.arb",
      "usdc.arb",
      "usdt.arb",
      "sol.sol",
      "usdc.sol",
      "usdt.sol",
      "dot.hub",
      "usdc.hub",
      "usdt.hub",
      "trx.tron",
      "usdt.tron",
      "dot.dot",
      "bnb.bsc",
      "usdt.bsc",
    ])
    assert.deepStrictEqual<ReadonlyArray<string>>(chains().slice(0, 8), [
      "Bitcoin",
      "Ethereum",
      "Arbitrum",
      "Solana",
      "Assethub",
      "Tron",
      "Polkadot",
      "Bsc",
    ])
  })

  it("consists of rows that keep its own rules", () => {
    assert.deepStrictEqual(faultsOf({ chains: builtInChains, assets: builtInAssets }), [])
    for (const asset of assetIds()) {
      const { ticker } = factsOf(asset)
      assert.strictEqual<string>(asset, `${ticker.toLowerCase()}.${chainFacts(chainOf(asset)).suffix}`)
    }
    for (const chain of chains()) {
      const { coin, nobody } = chainFacts(chain)
      assert.strictEqual(chainOf(coin), chain)
      assert.isTrue(Result.isSuccess(checkAddress(chain, ["mainnet"], nobody)), `${chain} ${nobody}`)
    }
    assert.strictEqual(new Set(chains().map((chain) => chainFacts(chain).caip2)).size, chains().length)
    assert.strictEqual(new Set(assetIds().map(caip19Of)).size, assetIds().length)
  })

  it("names assets as CAIP-19 does", () => {
    assert.strictEqual(caip19Of("eth.base"), "eip155:8453/slip44:60")
    assert.strictEqual(
      caip19Of("usdc.base"),
      "eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    )
    assert.strictEqual(caip19Of("xrp.xrp"), "xrpl:0/slip44:144")
    assert.strictEqual(caip19Of("doge.doge"), "bip122:1a91e3dace36e2be3bf030a65679fe82/slip44:3")
  })

  it("takes rows only before it has been read", () => {
    assert.deepStrictEqual(faultsOf(whole), [
      "the catalogue has been read: rows are added at the start of a program alone",
    ])
  })

  it.each<readonly [fault: RegExp, rows: CatalogueRows]>([
    [/asset btc\.btc: there already with other facts/, {
      assets: { "btc.btc": { ...xdai, chain: "Bitcoin" } },
    }],
    [/chain Base: there already with other facts/, { chains: { Base: gnosis } }],
    [/chain Gnosis: Ethereum of this build has the same suffix, eth/, {
      chains: { Gnosis: { ...gnosis, suffix: "eth" } },
      assets: { "xdai.eth": xdai },
    }],
    [/chain Gnosis: Base of this build has the same CAIP-2 name, eip155:8453/, {
      ...whole,
      chains: { Gnosis: { ...gnosis, caip2: "eip155:8453" } },
    }],
    [/chain Gnosis: Ethereum of this build has the same chainId, 1$/m, {
      ...whole,
      chains: { Gnosis: { ...gnosis, family: { _tag: "evm", chainId: 1 } } },
    }],
    [/chain Gnosis: caip2 of chainId 100 is eip155:100, and eip155:101 is another's/, {
      ...whole,
      chains: { Gnosis: { ...gnosis, caip2: "eip155:101" } },
    }],
    [/chain Gnosis: Ethereum of this build has the same title, ethereum/, {
      ...whole,
      chains: { Gnosis: { ...gnosis, title: "ETHEREUM" } },
    }],
    [/chain ETHEREUM: Ethereum of this build has the same name, ethereum/, {
      chains: { ETHEREUM: gnosis },
      assets: { "xdai.gno": { ...xdai, chain: "ETHEREUM" } },
    }],
    [/chain Other: Gnosis of these rows has the same chainId, 100/, {
      chains: { Gnosis: gnosis, Other: { ...gnosis, suffix: "oth", title: "Other", coin: "oth.oth" } },
      assets: { ...whole.assets, "oth.oth": { ...xdai, chain: "Other", ticker: "OTH" } },
    }],
    [
      /asset usdt\.sol: there already with other facts, those of this build: contractAddress is "Es9v\w+" there/,
      {
        assets: { "usdt.sol": { chain: "Solana", ticker: "USDT", name: "Tether USD", decimals: 6 } },
      },
    ],
    // A token that calls itself like the chain's own coin gets the coin's identifier, and is not taken for it.
    [/asset bnb\.bsc: there already with other facts, those of this build: .*contractAddress/, {
      assets: {
        "bnb.bsc": {
          chain: "Bsc",
          ticker: "BNB",
          name: "BNB",
          decimals: 18,
          contractAddress: "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c",
        },
      },
    }],
    [/asset pyusd\.sol: contractAddress is no address/, {
      assets: {
        "pyusd.sol": {
          chain: "Solana",
          ticker: "PYUSD",
          name: "PYUSD",
          decimals: 6,
          contractAddress: "0x12",
        },
      },
    }],
    [/asset usd\.tron: usdt\.tron of this build is the same contract/, {
      assets: {
        "usd.tron": {
          chain: "Tron",
          ticker: "USD",
          name: "USD",
          decimals: 6,
          contractAddress: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        },
      },
    }],
    [/chain Gnosis: coin must be an asset of the chain/, { chains: { Gnosis: gnosis } }],
    [/chain gnosis: a name is a capital letter/, {
      chains: { gnosis },
      assets: { "xdai.gno": { ...xdai, chain: "gnosis" } },
    }],
    [/chain Gnosis: invalid nobody/, { ...whole, chains: { Gnosis: { ...gnosis, nobody: "0x1" } } }],
    [/asset xdai\.gno: there is no chain Gnosis/, { assets: { "xdai.gno": xdai } }],
    [/the identifier must be usdc\.gno/, { ...whole, assets: { "xdai.gno": xdai, "usd.gno": usdcOnGnosis } }],
    [/asset dai\.gno: xdai\.gno of these rows is the same coin/, {
      ...whole,
      assets: { "xdai.gno": xdai, "dai.gno": { ...xdai, ticker: "DAI" } },
    }],
    [/asset usd\.base: usdc\.base of this build is the same contract, 0x8335/, {
      assets: {
        "usd.base": {
          ...usdcOnGnosis,
          ticker: "USD",
          chain: "Base",
          contractAddress: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
        },
      },
    }],
    [/contractAddress is no address/, {
      ...whole,
      assets: { "xdai.gno": xdai, "usdc.gno": { ...usdcOnGnosis, contractAddress: "0x12" } },
    }],
    [/own coin needs slip44/, {
      ...whole,
      assets: { "xdai.gno": { chain: "Gnosis", ticker: "XDAI", name: "xDAI", decimals: 18 } },
    }],
  ])("refuses a row that contradicts another or itself: %s", (fault, rows) => {
    assert.match(faultsOf(rows).join("\n"), fault)
  })

  it("names the faults of all rows at once, contradictions and others", () => {
    const faults = faultsOf({
      chains: { Base: gnosis, Gnosis: { ...gnosis, caip2: "eip155:101", nobody: "0x1" } },
      assets: { ...whole.assets, "btc.btc": { ...xdai, chain: "Bitcoin" } },
    }).join("\n")
    for (const row of [/chain Base: there/, /asset btc\.btc: there/, /eip155:101/, /invalid nobody/]) {
      assert.match(faults, row)
    }
  })

  it("reads rows from JSON, with every fault of their form", () => {
    const read = Schema.decodeUnknownResult(Schema.fromJsonString(CatalogueRows), { errors: "all" })
    assert.isTrue(Result.isSuccess(read(JSON.stringify(whole))))
    const faulty = { assets: { "xdai.gno": { ...xdai, decimals: 40, ticker: "x" } } }
    const faults = Result.match(read(JSON.stringify(faulty)), { onFailure: String, onSuccess: () => "" })
    assert.match(faults, /decimals/)
    assert.match(faults, /ticker/)
  })
})
