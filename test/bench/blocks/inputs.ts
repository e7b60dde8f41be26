/** Inputs of 64 kB and less, of every kind that a client can send. */

/** A body, and what kind it is. */
export interface Input {
  readonly what: string
  readonly text: string
}

const most = 65_000

const filled = (part: string, length = most): string => part.repeat(Math.floor(length / part.length))
const numbered = (make: (index: number) => string, length = most): string => {
  let text = ""
  for (let index = 0; text.length < length - 40; index++) text += make(index)
  return text.replace(/,$/, "")
}

const quote = '"'

/** JSON, and what is nearly JSON. `name` is a member that the endpoint has. */
export const bodies = (name: string): ReadonlyArray<Input> => [
  { what: "escaped quotes without an end", text: `${quote}${filled(`\\${quote}`)}` },
  { what: "a text of escaped quotes", text: `{"${name}":"${filled(`\\${quote}`)}"}` },
  { what: "quotes", text: filled(quote) },
  { what: "lists in lists", text: `${filled("[", 30_000)}${filled("]", 30_000)}` },
  { what: "objects in objects", text: `${filled('{"a":', 40_000)}1${filled("}", 8_000)}` },
  { what: "a number of 60,000 digits", text: `{"${name}":${filled("9", 60_000)}}` },
  { what: "a text of 60,000 digits", text: `{"${name}":"${filled("9", 60_000)}"}` },
  { what: "1e999999", text: `{"${name}":1e999999,"amount":1e999999,"boostFee":1e-999999}` },
  { what: "a decimal of 60,000 places", text: `{"${name}":"0.${filled("0", 60_000)}1"}` },
  { what: "many members", text: `{${numbered((index) => `"m${index}":1,`)}}` },
  {
    what: "many names that are nearly ours",
    text: `{${numbered((index) => `"minimumPric${index % 1_000}":1,`)}}`,
  },
  {
    what: "names of 20 letters",
    text: `{${numbered((index) => `"destinationAddr${`${index}`.padStart(5, "x")}":1,`)}}`,
  },
  { what: "one member again and again", text: `{${numbered(() => `"${name}":1,`)}}` },
  { what: "numbers", text: `{"${name}":[${numbered((index) => `${index},`)}]}` },
  { what: "objects in a list", text: `{"${name}":[${numbered(() => '{"a":1,"a":2},')}]}` },
  { what: "a long name", text: `{"${filled("n")}":1}` },
  { what: "a long text", text: `{"${name}":"${filled("a")}"}` },
  { what: "NULs", text: `{"${name}":"${filled("\\u0000")}"}` },
  { what: "halves of pairs", text: `{"${name}":"${filled("\\ud800")}"}` },
  { what: "spaces", text: `{${filled(" ")}}` },
  { what: "a batch", text: `[${numbered((index) => `{"jsonrpc":"2.0","id":${index},"method":"x"},`)}]` },
]

const call = (tool: string, given: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${given}}}`

/** Messages to the agents' endpoint: the same as arguments of tools. */
export const messages: ReadonlyArray<Input> = ["get_quotes", "find_swap", "prepare_swap"].flatMap((tool) =>
  bodies("sourceAsset").map(({ text, what }) => ({ what: `${tool}: ${what}`, text: call(tool, text) }))
)

/** Fields of a form. */
export const forms: ReadonlyArray<Input> = [
  { what: "many fields", text: numbered((index) => `f${index}=1&`) },
  { what: "one field again and again", text: filled("name=a&") },
  { what: "a long field", text: `name=${filled("a")}&key=${filled("b", 100)}` },
  { what: "escapes", text: `name=${filled("%00")}` },
  { what: "plus signs", text: `key=${filled("+")}` },
]

/** Values of headers, long but within what is read. */
export const values: ReadonlyArray<Input> = [
  { what: "commas", text: filled(",", 50_000) },
  { what: "parts with weights", text: filled("a/b;q=0.5,", 50_000) },
  { what: "quotes", text: filled('"a",', 50_000) },
  { what: "letters", text: filled("a", 50_000) },
  { what: "semicolons and spaces", text: `a${filled("; ", 50_000)}a` },
  { what: "addresses", text: filled("127.0.0.1,", 50_000) },
]

/** Queries. Those of 60 kB are refused by their length. */
export const queries = (name: string): ReadonlyArray<Input> => [
  { what: "a long value", text: `${name}=${filled("a", 7_900)}` },
  { what: "digits", text: `${name}=${filled("9", 7_900)}` },
  { what: "escapes", text: `${name}=${filled("%22", 7_900)}` },
  { what: "many names", text: numbered((index) => `n${index}=1&`, 7_900) },
  { what: "one name again and again", text: filled(`${name}=1&`, 7_900) },
  { what: "keys", text: numbered((index) => `${index % 2 === 0 ? "apiKey" : "APIKEY"}=${index}&`, 7_900) },
  { what: "60 kB", text: `${name}=${filled("a", 60_000)}` },
  {
    what: "60 kB of keys",
    text: numbered((index) => {
      const bits = (place: number) => (index >> place & 1) === 1
      return `${
        [..."apikey"].map((letter, place) => bits(place) ? letter.toUpperCase() : letter).join("")
      }=%61&`
    }, 60_000),
  },
]
