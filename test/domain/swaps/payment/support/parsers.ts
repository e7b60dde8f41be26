/*
 * Readers of payment links, written from the standards alone: BIP 321, ERC-681, Solana Pay, and the habit of Tron
 * wallets. Each takes the part after the scheme and refuses what its standard refuses. They share no code with what
 * writes the links.
 */

/** What a wallet would pay. */
export interface Order {
  readonly chain:
    | "bitcoin"
    | "bitcoincash"
    | "dash"
    | "dogecoin"
    | "litecoin"
    | "solana"
    | "tron"
    | "zcash"
    | `evm:${string}`
  readonly payee: string
  /** The token's contract; absent for the chain's own coin. */
  readonly token?: string
  /** In the smallest unit of the chain's coin, or of the token. */
  readonly amount?: bigint
}

const refuse = (why: string): never => {
  throw new Error(why)
}

/** The members of a query, in which none may stand twice. */
const membersOf = (query: string, allowed: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const members = new Map<string, string>()
  if (query === "") return members
  for (const member of query.split("&")) {
    const parts = member.split("=")
    const [key = "", value = ""] = parts
    if (parts.length !== 2 || value === "") refuse(`no value: ${member}`)
    if (!allowed.includes(key)) refuse(`unknown member: ${key}`)
    if (members.has(key)) refuse(`twice: ${key}`)
    members.set(key, value)
  }
  return members
}

const halves = (text: string): readonly [path: string, query: string] => {
  const at = text.indexOf("?")
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)]
}

/** A decimal with at most so many places, in the smallest unit; a point needs digits on both of its sides. */
const smallest = (text: string | undefined, places: number): { amount?: bigint } => {
  if (text === undefined) return {}
  if (!/^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text)) refuse(`no decimal: ${text}`)
  const [whole = "", fraction = ""] = text.split(".")
  if (fraction.length > places) refuse(`too many decimals: ${text}`)
  return { amount: BigInt(whole) * 10n ** BigInt(places) + BigInt(fraction.padEnd(places, "0")) }
}

const bip321 = (rest: string): Order => {
  const [path, query] = halves(rest)
  // Base58, or bech32 in small letters or in capitals but not in both.
  const base58 = /^[123mn][1-9A-HJ-NP-Za-km-z]{25,34}$/
  const bech32 = /^(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{11,87}$/
  const lower = path.toLowerCase()
  const isBech32 = bech32.test(lower) && (path === lower || path === path.toUpperCase())
  if (!base58.test(path) && !isBech32) refuse(`no address: ${path}`)
  const named = query.split("&").map((member) => member.replace(/^[^=]*/, (key) => key.toLowerCase())).join(
    "&",
  )
  return {
    chain: "bitcoin",
    payee: isBech32 ? lower : path,
    ...smallest(membersOf(named, ["amount", "label", "message"]).get("amount"), 8),
  }
}

/** BIP 21 with the word of another chain; CashAddr has the word as its prefix already. */
const bip21 =
  (chain: Order["chain"], address: RegExp, payeeOf = (path: string) => path) => (rest: string): Order => {
    const [path, query] = halves(rest)
    if (!address.test(path)) refuse(`no address: ${path}`)
    return { chain, payee: payeeOf(path), ...smallest(membersOf(query, ["amount"]).get("amount"), 8) }
  }

const base58 = /^[1-9A-HJ-NP-Za-km-z]{25,36}$/

const evmAddress = /^0x[0-9a-fA-F]{40}$/
const wholeNumber = /^[0-9]+$/

const erc681 = (rest: string): Order => {
  const [path, query] = halves(rest)
  const { target = "", chainId = "", call } =
    /^(?<target>[^@/]+)@(?<chainId>[0-9]+)(?:\/(?<call>\w+))?$/.exec(path)
      ?.groups ?? refuse(`no target with a chain: ${path}`)
  if (!evmAddress.test(target)) refuse(`no address: ${target}`)
  const chain = `evm:${chainId}` as const
  const whole = (text: string | undefined) => {
    if (text !== undefined && !wholeNumber.test(text)) refuse(`no whole number: ${text}`)
    return text === undefined ? {} : { amount: BigInt(text) }
  }
  if (call === undefined) return { chain, payee: target, ...whole(membersOf(query, ["value"]).get("value")) }
  if (call !== "transfer") refuse(`another function: ${call}`)
  const members = membersOf(query, ["address", "uint256"])
  // The names of the parameters are their types: in this order they are transfer(address,uint256).
  if ([...members.keys()].join() !== "address,uint256") {
    refuse(`no call of transfer(address,uint256): ${query}`)
  }
  const payee = members.get("address") ?? ""
  if (!evmAddress.test(payee)) refuse(`no address: ${payee}`)
  return { chain, payee, token: target, ...whole(members.get("uint256")) }
}

const solanaPay = (rest: string): Order => {
  const [path, query] = halves(rest)
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(path)) refuse(`no public key: ${path}`)
  return { chain: "solana", payee: path, ...smallest(membersOf(query, ["amount"]).get("amount"), 9) }
}

const tron = (rest: string): Order => {
  const [path, query] = halves(rest)
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(path)) refuse(`no address: ${path}`)
  return { chain: "tron", payee: path, ...smallest(membersOf(query, ["amount"]).get("amount"), 6) }
}

const readers: Readonly<Record<string, (rest: string) => Order>> = {
  bitcoin: bip321,
  litecoin: bip21("litecoin", /^(?:[1-9A-HJ-NP-Za-km-z]{25,34}|(?:ltc|tltc|rltc)1[02-9ac-hj-np-z]{11,87})$/),
  dogecoin: bip21("dogecoin", base58),
  bitcoincash: bip21("bitcoincash", /^[qp][02-9ac-hj-np-z]{41}$/, (path) => `bitcoincash:${path}`),
  bchtest: bip21("bitcoincash", /^[qp][02-9ac-hj-np-z]{41}$/, (path) => `bchtest:${path}`),
  bchreg: bip21("bitcoincash", /^[qp][02-9ac-hj-np-z]{41}$/, (path) => `bchreg:${path}`),
  zcash: bip21("zcash", base58),
  dash: bip21("dash", base58),
  ethereum: erc681,
  solana: solanaPay,
  tron,
}

/** What a wallet that opens this link would pay. */
export const readLink = (uri: string): Order => {
  const colon = uri.indexOf(":")
  const reader = readers[uri.slice(0, colon).toLowerCase()] ?? refuse(`no scheme: ${uri}`)
  return reader(uri.slice(colon + 1))
}
