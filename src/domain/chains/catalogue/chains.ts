import type { BitcoinFamily, BitcoinForms, ChainRow, Family, Network } from "./ChainRow.ts"

const nobodyOnEvm = "0x000000000000000000000000000000000000dEaD"

const evm = (chainId: number): Family => ({ _tag: "evm", chainId })

interface Base58Chain {
  readonly begins: string
  readonly scheme: string
  readonly forms: Readonly<Record<Network, BitcoinForms>>
  readonly refused?: Readonly<Record<string, string>>
}

const bitcoinLike = ({ refused = {}, ...rest }: Base58Chain): BitcoinFamily => ({
  _tag: "bitcoin",
  refused,
  ...rest,
})

/** The pages of an explorer that has them at the usual places, or at others of these names. */
const pages = (home: string, transactions = "tx", addresses = "address") => ({
  explorer: `${home}/${transactions}/`,
  addressExplorer: `${home}/${addresses}/`,
})

const evmTestnet = (chainId: number, home: string) => ({ caip2: `eip155:${chainId}`, ...pages(home) })

/** The version bytes of Bitcoin's test networks, which Litecoin has taken over for public keys. */
const testKeyHash = 0x6f

const cashAddr = (prefix: string): BitcoinForms => ({ cashAddr: prefix })

/** Litecoin's own form of a script hash came after Bitcoin's, which both chains had. */
const sameAsBitcoin = "it may as well be an address of Bitcoin; use its newer form"

/**
 * The chains of this build. The first eight, with their block times, are those of chainflip/wire.md 1.2. Address rules:
 * the chains' own parameters (`chainparams.cpp` of each; XRP Ledger: xrpl.org, base58 encodings).
 */
export const builtInChains = {
  Bitcoin: {
    suffix: "btc",
    title: "Bitcoin",
    family: bitcoinLike({
      begins: "1, 3 or bc1 (with m, n, 2, tb1 or bcrt1 on test networks)",
      scheme: "bitcoin",
      forms: {
        mainnet: { keyHash: 0x00, scriptHash: 0x05, bech32: "bc" },
        testnet: { keyHash: testKeyHash, scriptHash: 0xc4, bech32: "tb" },
        sandbox: { keyHash: testKeyHash, scriptHash: 0xc4, bech32: "bcrt" },
      },
    }),
    coin: "btc.btc",
    blockMillis: 600_000,
    leastBlockMillis: 0,
    confirmations: 2,
    ...pages("https://mempool.space"),
    caip2: "bip122:000000000019d6689c085ae165831e93",
    mostCost: 60_000,
    nobody: "1BitcoinEaterAddressDontSendf59kuE",
  },
  Ethereum: {
    suffix: "eth",
    title: "Ethereum",
    family: evm(1),
    coin: "eth.eth",
    blockMillis: 12_000,
    leastBlockMillis: 12_000,
    confirmations: 12,
    ...pages("https://etherscan.io"),
    caip2: "eip155:1",
    testnet: evmTestnet(11_155_111, "https://sepolia.etherscan.io"),
    mostCost: 100_000,
    nobody: nobodyOnEvm,
  },
  Arbitrum: {
    suffix: "arb",
    title: "Arbitrum",
    family: evm(42_161),
    coin: "eth.arb",
    blockMillis: 260,
    leastBlockMillis: 200,
    confirmations: 40,
    ...pages("https://arbiscan.io"),
    caip2: "eip155:42161",
    testnet: evmTestnet(421_614, "https://sepolia.arbiscan.io"),
    mostCost: 20_000,
    nobody: nobodyOnEvm,
  },
  Solana: {
    suffix: "sol",
    title: "Solana",
    family: { _tag: "solana" },
    coin: "sol.sol",
    blockMillis: 800,
    leastBlockMillis: 350,
    confirmations: 32,
    ...pages("https://solscan.io", "tx", "account"),
    caip2: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    testnet: { caip2: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1" },
    mostCost: 20_000,
    nobody: "CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr",
  },
  Assethub: {
    suffix: "hub",
    title: "Asset Hub",
    family: { _tag: "substrate" },
    coin: "dot.hub",
    blockMillis: 3_000,
    leastBlockMillis: 2_000,
    confirmations: 2,
    ...pages("https://assethub-polkadot.subscan.io", "extrinsic", "account"),
    caip2: "polkadot:68d56f15f85d3136970ec16946040bc1",
    mostCost: 20_000,
    nobody: "111111111111111111111111111111111HC1",
  },
  Tron: {
    suffix: "tron",
    title: "Tron",
    family: { _tag: "tron" },
    coin: "trx.tron",
    blockMillis: 3_000,
    leastBlockMillis: 3_000,
    confirmations: 19,
    ...pages("https://tronscan.org/#", "transaction"),
    caip2: "tron:0x2b6653dc",
    mostCost: 40_000,
    nobody: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb",
  },
  Polkadot: {
    suffix: "dot",
    title: "Polkadot",
    family: { _tag: "substrate" },
    coin: "dot.dot",
    blockMillis: 6_000,
    leastBlockMillis: 6_000,
    confirmations: 2,
    ...pages("https://polkadot.subscan.io", "extrinsic", "account"),
    caip2: "polkadot:91b171bb158e2d3848fa23a9f1c25182",
    mostCost: 20_000,
    nobody: "111111111111111111111111111111111HC1",
  },
  Bsc: {
    suffix: "bsc",
    title: "BNB Smart Chain",
    family: evm(56),
    coin: "bnb.bsc",
    blockMillis: 450,
    leastBlockMillis: 250,
    confirmations: 15,
    ...pages("https://bscscan.com"),
    caip2: "eip155:56",
    testnet: evmTestnet(97, "https://testnet.bscscan.com"),
    mostCost: 20_000,
    nobody: nobodyOnEvm,
  },
  Base: {
    suffix: "base",
    title: "Base",
    family: evm(8_453),
    coin: "eth.base",
    blockMillis: 2_000,
    leastBlockMillis: 2_000,
    confirmations: 12,
    ...pages("https://basescan.org"),
    caip2: "eip155:8453",
    testnet: evmTestnet(84_532, "https://sepolia.basescan.org"),
    mostCost: 20_000,
    nobody: nobodyOnEvm,
  },
  Polygon: {
    suffix: "pol",
    title: "Polygon",
    family: evm(137),
    coin: "pol.pol",
    blockMillis: 2_000,
    leastBlockMillis: 1_000,
    confirmations: 32,
    ...pages("https://polygonscan.com"),
    caip2: "eip155:137",
    testnet: evmTestnet(80_002, "https://amoy.polygonscan.com"),
    mostCost: 20_000,
    nobody: nobodyOnEvm,
  },
  Avalanche: {
    suffix: "avax",
    title: "Avalanche",
    family: evm(43_114),
    coin: "avax.avax",
    blockMillis: 2_000,
    leastBlockMillis: 500,
    confirmations: 3,
    ...pages("https://snowtrace.io"),
    caip2: "eip155:43114",
    testnet: evmTestnet(43_113, "https://testnet.snowtrace.io"),
    mostCost: 20_000,
    nobody: nobodyOnEvm,
  },
  Optimism: {
    suffix: "op",
    title: "Optimism",
    family: evm(10),
    coin: "eth.op",
    blockMillis: 2_000,
    leastBlockMillis: 2_000,
    confirmations: 12,
    ...pages("https://optimistic.etherscan.io"),
    caip2: "eip155:10",
    testnet: evmTestnet(11_155_420, "https://sepolia-optimism.etherscan.io"),
    mostCost: 20_000,
    nobody: nobodyOnEvm,
  },
  Litecoin: {
    suffix: "ltc",
    title: "Litecoin",
    family: bitcoinLike({
      begins: "L, M or ltc1",
      scheme: "litecoin",
      forms: {
        mainnet: { keyHash: 0x30, scriptHash: 0x32, bech32: "ltc" },
        testnet: { keyHash: testKeyHash, scriptHash: 0x3a, bech32: "tltc" },
        sandbox: { keyHash: testKeyHash, scriptHash: 0x3a, bech32: "rltc" },
      },
      refused: {
        "3": `${sameAsBitcoin}, which begins with M`,
        ltcmweb1: "it is a confidential address (MWEB), which no provider pays",
      },
    }),
    coin: "ltc.ltc",
    blockMillis: 150_000,
    leastBlockMillis: 0,
    confirmations: 6,
    ...pages("https://litecoinspace.org"),
    caip2: "bip122:12a765e31ffd4059bada1e25190f6e98",
    mostCost: 20_000,
    nobody: "LKDxGDJq5fF4FohAB8zJH24mDDNHDNtqsE",
  },
  Dogecoin: {
    suffix: "doge",
    title: "Dogecoin",
    family: bitcoinLike({
      begins: "D, A or 9",
      scheme: "dogecoin",
      forms: {
        mainnet: { keyHash: 0x1e, scriptHash: 0x16 },
        testnet: { keyHash: 0x71, scriptHash: 0xc4 },
        sandbox: { keyHash: testKeyHash, scriptHash: 0xc4 },
      },
    }),
    coin: "doge.doge",
    blockMillis: 60_000,
    leastBlockMillis: 0,
    confirmations: 20,
    ...pages("https://dogechain.info"),
    caip2: "bip122:1a91e3dace36e2be3bf030a65679fe82",
    mostCost: 20_000,
    nobody: "D596YFweJQuHY1BbjazZYmAbt8jJPbKehC",
  },
  BitcoinCash: {
    suffix: "bch",
    title: "Bitcoin Cash",
    family: bitcoinLike({
      begins: "bitcoincash:q or bitcoincash:p",
      scheme: "bitcoincash",
      forms: { mainnet: cashAddr("bitcoincash"), testnet: cashAddr("bchtest"), sandbox: cashAddr("bchreg") },
      refused: {
        "1": `${sameAsBitcoin}, which begins with bitcoincash:q`,
        "3": `${sameAsBitcoin}, which begins with bitcoincash:p`,
      },
    }),
    coin: "bch.bch",
    blockMillis: 600_000,
    leastBlockMillis: 0,
    confirmations: 6,
    ...pages("https://blockchair.com/bitcoin-cash", "transaction"),
    caip2: "bip122:000000000000000000651ef99cb9fcbe",
    mostCost: 20_000,
    nobody: "bitcoincash:qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqfnhks603",
  },
  Zcash: {
    suffix: "zec",
    title: "Zcash",
    family: bitcoinLike({
      begins: "t1 or t3",
      scheme: "zcash",
      forms: {
        mainnet: { keyHash: 0x1cb8, scriptHash: 0x1cbd },
        testnet: { keyHash: 0x1d25, scriptHash: 0x1cba },
        sandbox: { keyHash: 0x1d25, scriptHash: 0x1cba },
      },
      refused: {
        u1:
          "it is a unified address, whose receivers cannot all be checked; use a transparent one, which begins with t1",
        zs: "it is a shielded address, which no provider pays; use a transparent one, which begins with t1",
        zc: "it is a shielded address of an old kind; use a transparent one, which begins with t1",
        tex1: "it takes money from transparent addresses only; use one that begins with t1",
      },
    }),
    coin: "zec.zec",
    blockMillis: 75_000,
    leastBlockMillis: 0,
    confirmations: 10,
    ...pages("https://blockchair.com/zcash", "transaction"),
    caip2: "bip122:00040fe8ec8471911baa1db1266ea15d",
    mostCost: 20_000,
    nobody: "t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs",
  },
  Dash: {
    suffix: "dash",
    title: "Dash",
    family: bitcoinLike({
      begins: "X or 7",
      scheme: "dash",
      forms: {
        mainnet: { keyHash: 0x4c, scriptHash: 0x10 },
        testnet: { keyHash: 0x8c, scriptHash: 0x13 },
        sandbox: { keyHash: 0x8c, scriptHash: 0x13 },
      },
    }),
    coin: "dash.dash",
    blockMillis: 157_500,
    leastBlockMillis: 0,
    confirmations: 6,
    ...pages("https://blockchair.com/dash", "transaction"),
    caip2: "bip122:00000ffd590b1485b3caadc19b22e637",
    mostCost: 20_000,
    nobody: "XagqqFetxiDb9wbartKDrXgnqLah6SqX2S",
  },
  XrpLedger: {
    suffix: "xrp",
    title: "XRP Ledger",
    family: { _tag: "xrpl" },
    coin: "xrp.xrp",
    blockMillis: 4_000,
    leastBlockMillis: 2_000,
    confirmations: 1,
    ...pages("https://livenet.xrpl.org", "transactions", "accounts"),
    caip2: "xrpl:0",
    testnet: { caip2: "xrpl:1", ...pages("https://testnet.xrpl.org", "transactions", "accounts") },
    mostCost: 20_000,
    nobody: "rrrrrrrrrrrrrrrrrrrrBZbvji",
  },
} as const satisfies Readonly<Record<string, ChainRow>>
