/** A chain that this build lacks, with its coin, as an operator writes them down. */
export const gnosis = {
  chains: {
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
  },
  assets: {
    "xdai.gno": { chain: "Gnosis", ticker: "XDAI", name: "xDAI", decimals: 18, slip44: 700 },
  },
} as const
