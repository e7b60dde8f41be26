import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { checkAddress, checkRecipient } from "#domain/chains/Address.ts"
import { isOfProgram, ownerlessFault } from "#domain/chains/address/ownerless.ts"
import { assetIds, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts, chains } from "#domain/chains/Chain.ts"
import { addRows } from "#domain/chains/catalogue/Catalogue.ts"
import { addressFor } from "#test/contract/support/addresses.ts"

const isTaken = (chain: Chain, text: string): boolean =>
  Result.isSuccess(checkRecipient(chain, ["mainnet"], text))

const evmChains = chains().filter((chain) => chainFacts(chain).family._tag === "evm")

const precompiles = [...Array.from({ length: 0x11 }, (_, at) => at + 1), 0x100]
  .map((number) => `0x${number.toString(16).padStart(40, "0")}`)

const ofEvm = [
  ...precompiles,
  "0x000000000000000000000000000000000000dEaD",
  "0x000000000000000000000000000000000000dead",
  "0x000000000000000000000000000000000000DEAD",
  "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE",
  "0xdead000000000000000042069420694206942069",
]

const ofSubstrate = [
  "111111111111111111111111111111111HC1",
  `0x${"00".repeat(32)}`,
  "0x6d6f646c70792f74727372790000000000000000000000000000000000000000",
]

/** Each chain's own, in several spellings where it has them. */
const others: Array<[chain: Chain, ...addresses: Array<string>]> = [
  [
    "Bitcoin",
    "1111111111111111111114oLvT2",
    "1BitcoinEaterAddressDontSendf59kuE",
    "1CounterpartyXXXXXXXXXXXXXXXUWLpVr",
    "1HT7xU2Ngenf7D4yocz2SAcnNLW7rK8d4E",
    "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq9e75rs",
    "BC1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ9E75RS",
  ],
  ["Litecoin", "LKDxGDJq5fF4FohAB8zJH24mDDNHDNtqsE"],
  ["Dogecoin", "D596YFweJQuHY1BbjazZYmAbt8jJPbKehC", "DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr"],
  [
    "BitcoinCash",
    "bitcoincash:qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqfnhks603",
    "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqfnhks603",
  ],
  ["Zcash", "t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs"],
  ["Dash", "XagqqFetxiDb9wbartKDrXgnqLah6SqX2S"],
  [
    "XrpLedger",
    "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
    "rrrrrrrrrrrrrrrrrrrrBZbvji",
    "rrrrrrrrrrrrrrrrrNAMEtxvNvQ",
    "rrrrrrrrrrrrrrrrrrrn5RM1rHd",
    "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
  ],
  ["Tron", "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"],
  [
    "Solana",
    "11111111111111111111111111111111",
    "1nc1nerator11111111111111111111111111111111",
    "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
    "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
    "SysvarC1ock11111111111111111111111111111111",
    "So11111111111111111111111111111111111111112",
  ],
  ["Polkadot", ...ofSubstrate],
  ["Assethub", ...ofSubstrate],
  ["Optimism", "0x4200000000000000000000000000000000000006"],
  ["Base", "0x4200000000000000000000000000000000000010"],
  ["Avalanche", "0x0100000000000000000000000000000000000000"],
  ["Ethereum", "0x00000000219ab540356cBB839Cbe05303d7705Fa"],
]

describe("addresses that nobody can spend from", () => {
  it.each(evmChains)("precompiles and burn addresses are no recipients on %s, in any spelling", (chain) => {
    for (const address of ofEvm) assert.isFalse(isTaken(chain, address), address)
  })

  it.each(others)("those of %s are no recipients, and are said what they are", (...row) => {
    const [chain, ...addresses] = row
    for (const address of addresses) {
      const said = Result.match(checkRecipient(chain, ["mainnet"], address), {
        onFailure: (fault) => fault,
        onSuccess: () => "taken",
      })
      assert.match(said, /^cannot be used on [^,]+, because it (?:is|has) /, address)
    }
  })

  it("every chain of the catalogue has some, and an address that is taken", () => {
    const covered = new Set([...evmChains, ...others.map(([chain]) => chain)])
    for (const chain of chains()) {
      assert.isTrue(covered.has(chain), chain)
      const own = addressFor(chainFacts(chain).coin)
      assert.isUndefined(ownerlessFault(chain, own), own)
    }
  })

  it("a token's own contract is no recipient on its chain, in any spelling, and is one elsewhere", () => {
    for (const asset of assetIds()) {
      const { contractAddress } = factsOf(asset)
      const chain = chainOf(asset)
      if (
        contractAddress === undefined || Result.isFailure(checkAddress(chain, ["mainnet"], contractAddress))
      ) {
        continue
      }
      const isEvm = evmChains.includes(chain)
      for (const text of isEvm ? [contractAddress, contractAddress.toLowerCase()] : [contractAddress]) {
        assert.isFalse(isTaken(chain, text), `${asset} ${text}`)
      }
    }
    assert.isTrue(isTaken("Arbitrum", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"))
    assert.isTrue(isTaken("Ethereum", "0xBA12222222228d8Ba445958a75a0704d566BF2C8"), "an ordinary contract")
  })

  it("tells a program's address of Solana from a wallet's, and warns of neither elsewhere", () => {
    assert.isFalse(isOfProgram("Solana", "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"))
    // The token account of that wallet for USDC is derived with a byte that leads off the curve.
    assert.isTrue(isOfProgram("Solana", "1nc1nerator11111111111111111111111111111111"))
    assert.isFalse(isOfProgram("Ethereum", "0xBA12222222228d8Ba445958a75a0704d566BF2C8"))
  })

  it("contracts of rows from outside count as well", () => {
    const contractAddress = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
    const rows = {
      assets: { "dai.eth": { chain: "Ethereum", ticker: "DAI", name: "Dai", decimals: 18, contractAddress } },
    }
    const faults = addRows(rows)
    if (faults.length > 0) assert.include(faults.join(), "rows are added at the start")
    else assert.isFalse(isTaken("Ethereum", contractAddress.toLowerCase()))
  })
})
