/** Two chains that the checkout's own catalogue lacks, with their coins and a token: one of each big family. */
export const chains = {
  Gnosis: {
    suffix: "gno",
    title: "Gnosis Chain",
    family: { _tag: "evm", chainId: 100 },
    coin: "xdai.gno",
    blockMillis: 5_000,
    leastBlockMillis: 5_000,
    confirmations: 12,
    explorer: "https://gnosisscan.io/tx/",
    caip2: "eip155:100",
    mostCost: 20_000,
    nobody: "0x000000000000000000000000000000000000dEaD",
  },
  Vertcoin: {
    suffix: "vtc",
    title: "Vertcoin",
    family: {
      _tag: "bitcoin",
      begins: "V or vtc1",
      scheme: "vertcoin",
      forms: {
        mainnet: { keyHash: 0x47, bech32: "vtc" },
        testnet: { keyHash: 0x4a, bech32: "tvtc" },
        sandbox: { keyHash: 0x4a, bech32: "tvtc" },
      },
      refused: { "3": "it may as well be an address of Bitcoin; use one that begins with vtc1" },
    },
    coin: "vtc.vtc",
    blockMillis: 150_000,
    leastBlockMillis: 0,
    confirmations: 6,
    explorer: "https://insight.vertcoin.org/tx/",
    caip2: "bip122:4d96a915f49d40b1e5c2844d1ee2dccb",
    mostCost: 20_000,
    nobody: "VZzpuiATQouD4mu9jnedRuKrgpHyY2Me1w",
  },
} as const

export const assets = {
  "xdai.gno": { chain: "Gnosis", ticker: "XDAI", name: "xDAI", decimals: 18, slip44: 700 },
  "usdc.gno": {
    chain: "Gnosis",
    ticker: "USDC",
    name: "USD Coin",
    decimals: 6,
    contractAddress: "0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83",
  },
  "vtc.vtc": { chain: "Vertcoin", ticker: "VTC", name: "Vertcoin", decimals: 8, slip44: 28 },
} as const
