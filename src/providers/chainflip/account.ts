/** ss58 prefix of the network's accounts: their text begins with `cF` (chainflip/wire.md 1.1). */
export const brokerAccountPrefix = 2112
