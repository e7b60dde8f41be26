/** Addresses that a client may have, on mainnet; for each chain one of its own and one of somebody else. */
export const addresses = {
  btc: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  eth: "0x1111111111111111111111111111111111111111",
  arb: "0x2222222222222222222222222222222222222222",
  bsc: "0x3333333333333333333333333333333333333333",
  sol: "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU",
  hub: "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5",
  dot: "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5",
  tron: "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej",
  base: "0x5555555555555555555555555555555555555555",
  pol: "0x6666666666666666666666666666666666666666",
  avax: "0x7777777777777777777777777777777777777777",
  op: "0x8888888888888888888888888888888888888888",
  ltc: "ltc1qzut3w9chzut3w9chzut3w9chzut3w9chjm4fr0",
  doge: "D7FBk1GiY8ncSxStLWpUcteQkxrnnEuwsu",
  bch: "bitcoincash:qqt3w9chzut3w9chzut3w9chzut3w9chzu3c480s9k",
  zec: "t1KyhD5kDD3fvWbKBYMe3Cwaj8VKa9mrk5d",
  dash: "Xcnw2zyyCS6v4trsTp98vfAbiAiBQFAfSd",
  xrp: "rsfaUkLnN5tKuxGHbvFvn37o1q3VSbec5E",
} as const

const isSuffix = (text: string): text is keyof typeof addresses => Object.hasOwn(addresses, text)

/** An address on the chain of an asset. */
export const addressFor = (asset: string): string => {
  const suffix = asset.split(".")[1] ?? ""
  if (!isSuffix(suffix)) throw new Error(`There is no address for ${asset}`)
  return addresses[suffix]
}

/** Broker accounts of the network: ss58 with its prefix. */
export const brokerAccounts = [
  "cFJFriHLc7J1Rau7T1qAEHDsrWWH7QBbJt4D2Q38YkrtfwqoV",
  "cFJeEbYmu8nCYGAogQfcqAx2cgjkjLXdk6PK2uUySBrLAuJ1J",
  "cFK2cUpDCAGPewSVuoW5S4gBNryEMGsgBJiR3QvpKcqmfrUR2",
  "cFKQzN5eVBkamciC9CLY2xQL93ChyDDicX3X3vNfD3qDAoW4q",
] as const
