/** Names of parameters, made by a seeded generator: of a tag of the recipient or the refund, and harmless ones. */

/** A small generator of numbers, the same in every run (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Words = ReadonlyArray<string>

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** The ways in which a name of several words is written. */
export const spellings: Readonly<Record<string, (words: Words) => string>> = {
  camel: ([first = "", ...others]) => [first, ...others.map(capital)].join(""),
  pascal: (words) => words.map(capital).join(""),
  snake: (words) => words.join("_"),
  kebab: (words) => words.join("-"),
  dotted: (words) => words.join("."),
  spaced: (words) => words.join(" "),
  together: (words) => words.join(""),
  capitals: (words) => words.join("_").toUpperCase(),
}

const prefixes: ReadonlyArray<Words> = [
  [],
  ...[
    "destination",
    "dest",
    "payout",
    "withdrawal",
    "refund",
    "return",
    "to",
    "recipient",
    "receiver",
    "beneficiary",
  ]
    .map((word) => [word]),
  ...["deposit", "address", "egress", "output", "wallet", "account", "extra", "xrp"].map((word) => [word]),
  ["destination", "address"],
  ["refund", "address"],
  ["recipient", "wallet"],
  ["payout", "account"],
]
const cores: ReadonlyArray<Words> = [["tag"], ["memo"], ["message"], ["extra", "id"], ["payment", "id"], [
  "dt",
]]
const suffixes: ReadonlyArray<Words> = [[], [], ["text"], ["type"], ["value"], ["number"]]

const pick = <A>(random: (below: number) => number, of: ReadonlyArray<A>): A => {
  const [one] = of.slice(random(of.length))
  if (one === undefined) throw new Error("Nothing to pick from")
  return one
}

/** So many different names, each of which is made of these words in one of the ways to write it. */
const namesOf = (
  count: number,
  seed: number,
  words: (random: (below: number) => number) => Words,
): ReadonlyArray<string> => {
  const random = randomOf(seed)
  const ways = Object.values(spellings)
  const names = new Map<string, string>()
  while (names.size < count) {
    const name = pick(random, ways)(words(random))
    names.set(name, name)
  }
  return [...names.values()]
}

/** Names of a tag of the recipient or the refund. */
export const tagNames = (count: number, seed = 44): ReadonlyArray<string> =>
  namesOf(
    count,
    seed,
    (random) => [...pick(random, prefixes), ...pick(random, cores), ...pick(random, suffixes)],
  )

/** The words of such names, each of which every spelling has. */
export const tagWords: ReadonlyArray<Words> = prefixes.flatMap((prefix) =>
  cores.map((core) => [...prefix, ...core])
)

/** Words that only look like those of a tag, and usual words of clients. */
const harmless =
  ("stage percentage advantage voltage memory memorandum storage hashtag etag tags tagline heritage vintage " +
    "postage memoir width utm campaign referrer session trace client version locale theme color layout cohort experiment " +
    "variant bucket shard region widget screen button scroll viewport").split(" ")

/** Names that mean nothing here. */
export const harmlessNames = (count: number, seed = 44): ReadonlyArray<string> =>
  namesOf(
    count,
    seed,
    (random) => ["x", pick(random, harmless), pick(random, harmless), pick(random, harmless)],
  )
