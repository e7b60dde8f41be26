import { Result, SchemaAST } from "effect"
import { assetIds, Chain, chainFacts, chains, checkAddress, factsOf, SwapState } from "#exports/domain.ts"
import { addresses, brokerAccounts } from "#test/contract/support/addresses.ts"
import { isList, type Json, JsonNumber } from "#test/contract/support/Json.ts"
import { formsOf, type Place } from "./places.ts"

/** Somebody else's address on each chain. */
const ownForeignAddresses: ReadonlyMap<Chain, string> = new Map<Chain, string>([
  ["Bitcoin", "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3"],
  ["Ethereum", "0x9999999999999999999999999999999999999999"],
  ["Arbitrum", "0x8888888888888888888888888888888888888888"],
  ["Bsc", "0x7777777777777777777777777777777777777777"],
  ["Solana", "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"],
  ["Assethub", "14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3"],
  ["Polkadot", "14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3"],
  ["Tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
])

export const foreignAddresses = (chain: Chain): string =>
  ownForeignAddresses.get(chain) ?? chainFacts(chain).nobody

/** A broker that nobody of the test knows. */
export const foreignAccount = brokerAccounts[3]

const chainsOf = (text: string): ReadonlyArray<Chain> =>
  chains().filter((chain) => Result.isSuccess(checkAddress(chain, ["mainnet"], text)))

/** Whether somebody's name in public: an address on any chain, or an account of the state chain. */
export const isName = (text: string): boolean => text.startsWith("cF") || chainsOf(text).length > 0

const tickers: ReadonlyArray<string> = assetIds().map((asset) => factsOf(asset).ticker)
const states: ReadonlyArray<string> = [
  ...SwapState.literals.map((state) => state.toUpperCase()),
  "PENDING_DEPOSIT",
  "KNOWN_DEPOSIT_TX",
  "INCOMPLETE_DEPOSIT",
  "PROCESSING",
  "SUCCESS",
  "REFUNDED",
]

/** Words of which one can stand for another, in the spelling of the wire. */
const vocabularies: ReadonlyArray<ReadonlyArray<string>> = [
  tickers,
  chains(),
  states,
  states.map((state) => state.toLowerCase()),
  ["ORIGIN_CHAIN", "INTENTS", "DESTINATION_CHAIN"],
  ["EXACT_INPUT", "EXACT_OUTPUT", "FLEX_INPUT", "ANY_INPUT"],
]

const yearMillis = 31_536_000_000
const notNegative = (amounts: ReadonlyArray<bigint>): ReadonlyArray<bigint> =>
  amounts.filter((amount) => amount >= 0n)
const around = (amount: bigint): ReadonlyArray<bigint> =>
  notNegative([amount + 1n, amount - 1n, amount * 2n, amount / 2n, 0n])

const otherDigit = (text: string, index: number): string => {
  const digit = text[index] === "7" ? "8" : "7"
  return `${text.slice(0, index)}${digit}${text.slice(index + 1)}`
}

/** The same bytes but for one, at the beginning, in the middle and at the end; and bytes more or less. */
const otherBytes = (hex: string): ReadonlyArray<string> => [
  ...[2, 9, 40, 76, 110, 150, 210, 300, 420, hex.length - 1].filter((index) => index < hex.length)
    .map((index) => otherDigit(hex, index)),
  hex.slice(0, -2),
  `${hex}00`,
]

const otherTimes = (text: string): ReadonlyArray<string> =>
  [-yearMillis, yearMillis, -3_600_000, 1_000].map((by) => new Date(Date.parse(text) + by).toISOString())

const otherTexts = (text: string): ReadonlyArray<string> => {
  const words = vocabularies.filter((words) => words.includes(text)).flat()
  if (words.length > 0) return words
  if (text.startsWith("cF")) return [foreignAccount]
  const homes = chainsOf(text)
  if (homes.length > 0) {
    return [...new Set([...homes.map((chain) => foreignAddresses(chain)), ...Object.values(addresses)])]
  }
  if (/^[0-9]+$/.test(text)) return around(BigInt(text)).map(String)
  if (/^0x[0-9a-f]{1,64}$/.test(text)) return around(BigInt(text)).map((amount) => `0x${amount.toString(16)}`)
  if (/^0x[0-9a-f]+$/i.test(text)) return otherBytes(text)
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return otherTimes(text)
  if (/^\d+\.\d+$/.test(text)) return [`${Number(text) * 2}`, `${Number(text) / 2}`, "0"]
  const indexed = /^(\d+)-(.+)$/.exec(text)
  if (indexed !== null) return [`${Number(indexed[1]) + 1}-${indexed[2]}`, otherDigit(text, text.length - 1)]
  return [`${text}1`, text.toUpperCase(), text.slice(1), otherDigit(text, text.length - 1)]
}

const otherNumbers = (text: string): ReadonlyArray<number> => {
  const number = Number(text)
  return number > 1e12
    ? [number - yearMillis, number + yearMillis, number + 1]
    : [number + 1, number - 1, number * 2, 0]
}

const asNumber = (value: number): Json => new JsonNumber(`${value}`)

/** An object with every member that it must have. */
const wholeOf = (form: SchemaAST.Objects): Json =>
  Object.fromEntries(
    form.propertySignatures.filter(({ type }) => !SchemaAST.isOptional(type)).flatMap(({ name, type }) => {
      const [first] = formsOf(type).flatMap(samples)
      return first === undefined ? [] : [[String(name), first]]
    }),
  )

/** What a member that an answer leaves out could be, by the wire schema alone. */
const samples = (form: SchemaAST.AST): ReadonlyArray<Json> => {
  if (SchemaAST.isObjects(form)) return [wholeOf(form)]
  if (SchemaAST.isArrays(form)) return [[]]
  if (SchemaAST.isBoolean(form)) return [true, false]
  if (SchemaAST.isNumber(form)) return [asNumber(1)]
  if (SchemaAST.isString(form)) return ["1", foreignAddresses("Ethereum"), foreignAddresses("Bitcoin")]
  return ["1", asNumber(1), "2037-01-01T00:00:00.000Z"]
}

/** Values like the one that is there. */
export const neighbours = ({ forms, value }: Place): ReadonlyArray<Json> => {
  if (value === undefined || value === null) return forms.flatMap(samples)
  if (typeof value === "string") return otherTexts(value)
  if (typeof value === "boolean") return [!value]
  if (value instanceof JsonNumber) return otherNumbers(value.text).map(asNumber)
  return isList(value) ? [[], [...value, ...value], value.slice(1), value.toReversed()] : []
}

const nested = (depth: number): Json => depth === 0 ? [] : [nested(depth - 1)]

/** What no honest upstream says. */
export const hostileValues: ReadonlyArray<Json> = [
  null,
  asNumber(-1),
  new JsonNumber("1e999"),
  "",
  "\u0000",
  "\ud800",
  `<img src=x onerror="alert(1)">`,
  nested(500),
  "9".repeat(1_000_000),
  true,
  asNumber(0),
  "-1",
  `0x${"f".repeat(64)}`,
  asNumber(1.5),
  {},
  [],
  { toString: "x", length: asNumber(3) },
  new JsonNumber("99999999999999999999999999999999999999"),
  "x".repeat(1_000_000),
  "1e999",
]
