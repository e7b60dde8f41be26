import { find, integerAt, isList, isObject, type Json, textAt } from "#test/contract/support/Json.ts"

/** A value that is meant to do harm: as text, and as JSON where it means something else there. */
export interface Hostile {
  readonly what: string
  /** As it stands in a query, a path or a header. */
  readonly text?: string
  /** JSON text, as it stands in a body. */
  readonly json?: string
  /** Already in the form of a URL, with bytes that no text has. */
  readonly encoded?: string
}

/** Longer than anything that is read. */
export const megabyte = "x".repeat(1_000_000)

const texts: ReadonlyArray<readonly [what: string, text: string]> = [
  ["empty", ""],
  ["a space", " "],
  ["a tab", "\t"],
  ["spaces around", " 1 "],
  ["zero", "0"],
  ["minus zero", "-0"],
  ["minus one", "-1"],
  ["one and a half", "1.5"],
  ["an exponent", "1e3"],
  ["a huge exponent", "1e999999999"],
  ["hex", "0x10"],
  ["not a number", "NaN"],
  ["infinity", "Infinity"],
  ["beyond a safe integer", "9007199254740993"],
  ["beyond 64 bits", "18446744073709551616"],
  ["beyond 128 bits", "340282366920938463463374607431768211456"],
  ["400 digits", "9".repeat(400)],
  ["400 decimals", `0.${"0".repeat(399)}1`],
  ["null", "null"],
  ["nothing", "none"],
  ["true", "true"],
  ["a list", "[]"],
  ["an object", "{}"],
  ["a wildcard", "*"],
  ["a comma list", "a,b"],
  ["SQL that ends a text", "' OR '1'='1"],
  ["SQL after a semicolon", "1; DROP TABLE swaps; --"],
  ["SQL that sleeps", "1) UNION SELECT pg_sleep(10)--"],
  ["a parameter of SQL", "$1"],
  ["a wildcard of SQL", "%"],
  ["a backslash", "\\"],
  ["a quote", '"'],
  ["a format", "%s%n%x"],
  ["a template", "${7*7}{{7*7}}"],
  ["a script", "<script>alert(1)</script>"],
  ["a command", "$(reboot)`reboot`|reboot"],
  ["a path upwards", "../../etc/passwd"],
  ["an encoded path upwards", "..%2f..%2fetc%2fpasswd"],
  ["a URL", "http://127.0.0.1:1/"],
  ["an expression that backtracks", `${"a".repeat(2_000)}!`],
  ["NUL", "\u0000"],
  ["NUL inside", "btc\u0000.btc"],
  ["a line of a header", "a\r\nX-Injected: 1\r\n\r\nHTTP/1.1 200 OK"],
  ["a line feed", "1\n"],
  ["right to left", "\u202ebtc.btc\u202c"],
  ["a byte order mark", "\ufeff1"],
  ["a space without width", "1\u200b"],
  ["a combining accent", "e\u0301th.e\u0301th"],
  ["many combining accents", `a${"\u0301".repeat(500)}`],
  ["fullwidth digits", "\uff11\uff12\uff13"],
  ["Arabic digits", "\u0661\u0662\u0663"],
  ["fullwidth letters", "\uff42\uff54\uff43.\uff42\uff54\uff43"],
  ["a letter that grows in lower case", "\u0130"],
  ["a letter that shrinks", "\u212a"],
  ["a pair of surrogates", "\u{1f4a9}"],
  ["the last code point", "\u{10ffff}"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["toString", "toString"],
  ["hasOwnProperty", "hasOwnProperty"],
  ["7,000 characters", "x".repeat(7_000)],
  ["a megabyte", megabyte],
]

const encodings: ReadonlyArray<string> = [
  "%",
  "%zz",
  "%00",
  "%ff%fe",
  "%c0%af",
  "%ed%a0%80",
  "%u0041",
  "%2500",
  "+",
  "1%2b1",
]

const jsons: ReadonlyArray<readonly [what: string, json: string]> = [
  ["JSON null", "null"],
  ["JSON true", "true"],
  ["JSON false", "false"],
  ["a JSON zero", "0"],
  ["a JSON minus zero", "-0"],
  ["a negative JSON number", "-1"],
  ["a JSON fraction", "1.5"],
  ["a JSON number without bound", "1e400"],
  ["a JSON number near nothing", "1e-400"],
  ["a JSON number of 400 digits", "9".repeat(400)],
  ["an unsafe JSON integer", "9007199254740993"],
  ["an empty JSON list", "[]"],
  ["a JSON list", '["btc.btc"]'],
  ["a JSON list of lists", `${"[".repeat(5_000)}${"]".repeat(5_000)}`],
  ["an empty JSON object", "{}"],
  ["a JSON object with a prototype", '{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'],
  ["JSON objects in objects", `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`],
  ["half a pair of surrogates", '"\\ud800"'],
  ["surrogates the wrong way round", '"\\udc00\\ud800"'],
]

const constants: ReadonlyArray<Hostile> = [
  ...texts.map(([what, text]) => ({ what, text, json: JSON.stringify(text) })),
  ...encodings.map((encoded) => ({ what: `the bytes ${encoded}`, encoded })),
  ...jsons.map(([what, json]) => ({ what, json })),
]

const number = (what: string, value: number): Hostile => ({ what, text: `${value}`, json: `${value}` })
const text = (what: string, value: string): Hostile => ({ what, text: value, json: JSON.stringify(value) })

/** What lies on the boundary of a schema, and one beyond. */
const boundaries = (schema: Json): ReadonlyArray<Hostile> => {
  const least = find(schema, "minimum") === undefined ? undefined : integerAt(schema, "minimum")
  const most = find(schema, "maximum") === undefined ? undefined : integerAt(schema, "maximum")
  const longest = find(schema, "maxLength") === undefined ? undefined : integerAt(schema, "maxLength")
  const [first] = literalsOf(schema)
  return [
    ...(least === undefined ? [] : [number("the least", least), number("less than the least", least - 1)]),
    ...(most === undefined ? [] : [number("the most", most), number("more than the most", most + 1)]),
    ...(longest === undefined
      ? []
      : [text("the longest", "x".repeat(longest)), text("too long", "x".repeat(longest + 1))]),
    ...literalsOf(schema).map((literal) => text(`the literal ${literal}`, literal)),
    ...(first === undefined ? [] : [
      text("a literal in capitals", first.toUpperCase()),
      text("a literal and a space", `${first} `),
      text("a literal twice", `${first}${first}`),
    ]),
  ]
}

const literalsOf = (schema: Json): ReadonlyArray<string> => {
  const literals = isObject(schema) ? schema.enum : undefined
  return isList(literals) ? literals.filter((one) => typeof one === "string") : []
}

/** Everything hostile that a parameter with this schema is tried with. */
export const hostileValues = (schema: Json): ReadonlyArray<Hostile> => [...constants, ...boundaries(schema)]

/** JSON text that fits a schema well enough to get past it: its example, its first literal, or of its type. */
export const sampleOf = (schema: Json): string => {
  const example = find(schema, "examples", 0)
  if (example !== undefined && (typeof example === "string" || typeof example === "boolean")) {
    return JSON.stringify(example)
  }
  const [literal] = literalsOf(schema)
  if (literal !== undefined) return JSON.stringify(literal)
  const variant = find(schema, "anyOf", 0)
  if (variant !== undefined) return sampleOf(variant)
  const type = find(schema, "type") === undefined ? "string" : textAt(schema, "type")
  return samples[type] ?? '"1"'
}

const samples: Readonly<Record<string, string>> = {
  boolean: "true",
  number: "1",
  integer: "1",
  array: "[]",
  object: "{}",
}
