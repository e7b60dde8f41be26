import { Predicate } from "effect"
import type { RawParameters } from "./parameterIssues.ts"

/*
 * Names of a tag, memo, message, extra id or payment id of the recipient or the refund. No provider pays with one, and a
 * payment without it is lost at an exchange that needs it: so where a swap begins such a name is refused, never ignored
 * (decision 51). The names are described by the words that they are made of.
 */

/** What a word adds to the meaning of a name, as bits. */
const aSide = 1
const perhapsTag = 2
const surelyTag = 4

/** Words for whose tag it is: of a side of the swap, of an account there, of a chain whose accounts have tags. */
const sides =
  ("to dest destination dst payout withdraw withdrawal refund refunds return returns rollback recipient " +
    "recipients receiver receive receiving beneficiary payee target output out egress deposit address addresses addr " +
    "wallet account acct chain network blockchain coin token asset currency crypto extra additional xrp xrpl ripple xlm " +
    "stellar ton cosmos atom eos hbar hedera algo algorand stx stacks").split(" ")

/** Words that mean such a text alone or with a side. With any other word (`trackingTag`) they mean something else. */
const perhaps = "tag dt message messages msg paymentid paymentids tagid".split(" ")

/** Words that mean such a text beside any other word. */
const surely = "memo memos memoid extraid extraids".split(" ")

/** Words that may follow. */
const endings = "text type value hash data hex number num no field string code info details".split(" ")

interface Word {
  readonly text: string
  readonly adds: number
  readonly isEnding: boolean
}

const wordsOf = (texts: ReadonlyArray<string>, adds: number, isEnding = false): ReadonlyArray<Word> =>
  texts.map((text) => ({ text, adds, isEnding }))

/** All words by their first letter. */
const byLetter = Map.groupBy(
  [
    ...wordsOf(sides, aSide),
    ...wordsOf(perhaps, perhapsTag),
    ...wordsOf(surely, surelyTag),
    ...wordsOf(endings, 0, true),
  ],
  ({ text }) => text.charAt(0),
)

const isTag = (meaning: number): boolean => (meaning & (perhapsTag | surelyTag)) !== 0

/** Whether a tag is meant whatever stands beside it. */
const isSure = (meaning: number): boolean =>
  (meaning & surelyTag) !== 0 || (meaning & (perhapsTag | aSide)) === (perhapsTag | aSide)

/** The meanings with which the words make up a text from its first letter to its last. Linear in the text. */
const meaningsOf = (text: string): ReadonlySet<number> => {
  const upTo: ReadonlyArray<Set<number>> = Array.from({ length: text.length + 1 }, () => new Set())
  upTo[0]?.add(0)
  upTo.forEach((meanings, at) => {
    if (meanings.size === 0) return
    for (const { adds, isEnding, text: word } of byLetter.get(text.charAt(at)) ?? []) {
      if (!text.startsWith(word, at)) continue
      for (const meaning of meanings) {
        if (!isEnding || isTag(meaning)) upTo[at + word.length]?.add(meaning | adds)
      }
    }
  })
  return upTo.at(-1) ?? new Set()
}

const holds = (text: string, is: (meaning: number) => boolean): boolean => [...meaningsOf(text)].some(is)

/** The longest name that is read: the words of an honest one come to much less. */
const longestRead = 64

/** A quick look: what every such name has in it, once all but letters is left out. */
const hasTag = /tag|dt|memo|message|msg|extraid|paymentid/

/** The words of a name, by its capitals and by what is no letter. */
const split = (name: string): ReadonlyArray<string> =>
  name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2").toLowerCase().split(
    /[^a-z]+/,
  )

/** The most words of a name that are one word of ours together, such as `destination payment id`. */
const mostTogether = 3

/**
 * Whether a name means a tag, memo, message, extra id or payment id of the recipient or the refund: in any case, with or
 * without separators (`destination_tag`, `refundExtraId`, `TOEXTRAID`, `recipient[memo]`).
 */
export const meansTag = (name: string): boolean => {
  if (name.length > longestRead) return false
  const letters = name.toLowerCase().replace(/[^a-z]+/g, "")
  if (!hasTag.test(letters)) return false
  if (holds(letters, isTag)) return true
  const words = split(name)
  return words.some((_, from) =>
    words.slice(from, from + mostTogether).some((_, more) =>
      holds(words.slice(from, from + more + 1).join(""), isSure)
    )
  )
}

/** Why such a name is refused, as the rest of a sentence that begins with the name. */
export const tagRefusal = (name: string): string =>
  "cannot be used: no provider can pay with a tag, memo, message or payment id. Use an address that needs none" +
  (/message|msg/i.test(name) ? "; a message for a contract is ccmPayload in the body of a POST" : "")

/** Whether a value says nothing, so that nothing is lost where it is ignored. */
const isEmpty = (value: unknown): boolean => {
  if (Predicate.isString(value)) return value.trim() === ""
  if (Array.isArray(value)) return value.every(isEmpty)
  if (Predicate.isObject(value)) return Object.values(value).every(isEmpty)
  return value === undefined || value === null || value === false
}

/** The most names that are told. */
const mostTold = 20

/** The members of `ccmPayload`, which is ours: its message is one for a contract. */
const ofMessage = ["gasBudget", "gas_budget", "message"]

/** The members of an object or a list, by their paths. */
const membersIn = (
  path: string,
  value: unknown,
): ReadonlyArray<readonly [path: string, name: string, value: unknown]> =>
  Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, "", item])
    : Predicate.isObject(value)
    ? Object.entries(value).map(([name, member]) => [`${path}.${name}`, name, member])
    : []

/** The names in a request that mean a tag and say something, by their paths; those of `known` are the endpoint's. */
export const tagsIn = (raw: RawParameters, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  const look = (path: string, name: string, within: string, value: unknown): void => {
    if (found.length >= mostTold || isEmpty(value)) return
    if (meansTag(name) || (within !== "" && name !== "" && meansTag(`${within}.${name}`))) found.push(path)
    else {for (const [to, member, inside] of membersIn(path, value)) {
        look(to, member, name === "" ? within : name, inside)
      }}
  }
  for (const [name, value] of Object.entries(raw)) {
    if (!known.includes(name)) look(name, name, "", value)
    else if (name === "ccmPayload") {
      for (const [path, member, inside] of membersIn(name, value)) {
        if (!ofMessage.includes(member)) look(path, member, "", inside)
      }
    }
  }
  return found
}
