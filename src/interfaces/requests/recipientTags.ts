import { Predicate } from "effect"
import type { RawParameters } from "./parameterIssues.ts"

/*
 * Names of a tag, memo, message, extra id or payment id of the recipient or the refund. No provider pays with one, so where
 * a swap begins such a name is refused, never ignored (decision 51). No word below is made of others, so that a text is
 * read in one way only.
 */

/** Words for whose tag it is: of a side of the swap, of an account there, of a chain whose accounts have tags. */
const side =
  "(?:to|dest|destination|dst|payout|withdraw|withdrawal|refunds?|returns?|rollback|recipients?|receiver|" +
  "receive|receiving|beneficiary|payee|target|output|out|egress|deposit|address|addresses|addr|wallet|account|acct|chain|" +
  "network|blockchain|coin|token|asset|currency|crypto|extra|additional|xrpl?|ripple|xlm|stellar|ton|cosmos|atom|eos|hbar|" +
  "hedera|algo|algorand|stx|stacks)"

/** Words that mean such a text alone or with a side; with any other word (`trackingTag`) they mean something else. */
const perhaps = "(?:tag|tagid|dt|messages?|msg|paymentids?)"

/** Words that mean such a text beside any other word. */
const surely = "(?:memos?|memoid|extraids?)"

const after =
  `(?:${side}|${perhaps}|${surely}|text|type|value|hash|data|hex|number|num|no|field|string|code|info|details)*`

/** The letters of a name that has no other words. */
const whole = new RegExp(`^${side}*(?:${perhaps}|${surely})${after}$`)

/** The letters of some words of a name that may have others, too. */
const part = new RegExp(`^(?:${side}*${surely}|${side}+(?:${perhaps}|comments?))${after}$`)

/** A quick look: what the letters of every such name have. */
const hasOne = /tag|dt|message|msg|paymentid|memo|extraid|comment/

/** The longest name that is read, and the most words that are one of ours together, such as `destination payment id`. */
const longestRead = 64
const mostTogether = 3

/** The words of a name, by its capitals and by what is no letter. */
const split = (name: string): ReadonlyArray<string> =>
  name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2").toLowerCase().split(
    /[^a-z]+/,
  )

/** Whether a name means such a text: in any case, with or without separators (`destination_tag`, `TOEXTRAID`). */
export const meansTag = (name: string): boolean => {
  if (name.length > longestRead) return false
  // Full-width letters read as ordinary ones.
  const letters = name.normalize("NFKC").toLowerCase().replace(/[^a-z]+/g, "")
  if (!hasOne.test(letters)) return false
  if (whole.test(letters)) return true
  const words = split(name.normalize("NFKC"))
  return words.some((_, from) =>
    words.slice(from, from + mostTogether).some((_, more) =>
      part.test(words.slice(from, from + more + 1).join(""))
    )
  )
}

/** Why such a name is refused, as the rest of a sentence that begins with the name. */
export const tagRefusal = (name: string): string =>
  "cannot be used: no provider can pay with a tag, memo, message or payment id. Use an address that needs none" +
  (/message|msg/i.test(name) ? "; a message for a contract is ccmPayload in the body of a POST" : "")

/** Whether a value says nothing, so that nothing is lost where it is ignored. */
const isEmpty = (value: unknown): boolean =>
  Predicate.isString(value)
    ? value.trim() === ""
    : Predicate.isObjectOrArray(value)
    ? Object.values(value).every(isEmpty)
    : value === undefined || value === null || value === false

/** The most names that are told. */
const mostTold = 20

/** The members of `ccmPayload`, whose message is one for a contract. */
const ofMessage = ["gasBudget", "gas_budget", "message"]

/** The names in a request that mean a tag and say something, by their paths; those of `known` are the endpoint's. */
export const tagsIn = (raw: RawParameters, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  const look = (within: string, path: string, value: object): void => {
    for (const [name, member] of Object.entries(value)) {
      if (found.length >= mostTold) return
      const isOurs = path === "" ? known.includes(name) : path === "ccmPayload" && ofMessage.includes(name)
      if (isOurs && name !== "ccmPayload") continue
      const to = path === "" ? name : Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
      // Within an object a word such as `tag` or `message` counts with the object's name: telemetry has such members, too.
      const isTag = !isOurs && !Array.isArray(value) && meansTag(within === "" ? name : `${within}.${name}`)
      if (isTag && !isEmpty(member)) found.push(to)
      else if (Predicate.isObjectOrArray(member)) look(Array.isArray(value) ? within : name, to, member)
    }
  }
  look("", "", raw)
  return found
}
