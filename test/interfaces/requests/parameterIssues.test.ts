import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Option, Schema } from "effect"
import { HistoryParameters } from "#api/History.ts"
import { SwapQuery } from "#api/Swap.ts"
import { readerOf } from "#interfaces/requests/parameterIssues.ts"

const { part: read, whole } = readerOf(SwapQuery)
const { part: readHistory } = readerOf(HistoryParameters)

const pair = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: "0x2222222222222222222222222222222222222222",
}

const issuesOf = (name: string, value: unknown) => read({ ...pair, [name]: value }).issues[name]

const basisPoints = (maximum: number) => `must be a whole number of basis points from 0 to ${maximum}`
const chunks = "must be a whole number of chunks, 1 or more"
const decimal = "must be a plain decimal number, such as 32.5, without sign, exponent or spaces"
const amount = "must be a plain decimal number above zero, such as 0.25, without sign, exponent or spaces"
const native =
  "must be a whole number of native units above zero and below 2^128, as digits without leading zeros"

/** For each parameter with bounds: what is just inside, what is one step beyond, and the answer to that. */
const bounds: ReadonlyArray<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>, string]> = [
  [
    "boostFee",
    ["0", "100"],
    ["-1", "101", "1.5", "1e1", "0x1", " 1", "01", "", "+1", "ten"],
    basisPoints(100),
  ],
  ["commissionBps", ["0", "995"], ["-1", "996", "0.1", "NaN", "١"], basisPoints(995)],
  ["affiliate1CommissionBps", ["0", "1000"], ["-1", "1001", "2.0"], basisPoints(1_000)],
  [
    "retryDurationInBlocks",
    ["0", "14400"],
    ["-1", "14401", "150.5"],
    "must be a whole number of blocks from 0 to 14400 (24 hours)",
  ],
  ["numberOfChunks", ["1", "4294967295"], ["0", "4294967296", "2.5", "99999999999999999999"], chunks],
  ["chunkIntervalBlocks", ["2", "4294967295"], ["1", "0"], "must be a whole number of blocks, 2 or more"],
  [
    "minimumPrice",
    ["0", "0.0", "32.5", "0032.50", `${"9".repeat(200)}`],
    ["-1", "+1", "1e3", ".5", "5.", "1,5", "1 000", "Infinity", "NaN", "0x10", "", `${"9".repeat(201)}`],
    decimal,
  ],
  ["amount", ["0.25", "0.00000001", "12345678901234567890.123456789012345678"], ["0", "0.00", "-1"], amount],
  [
    "amountNative",
    ["1", `${2n ** 128n - 1n}`],
    ["0", "01", "-1", "1.0", `${2n ** 128n}`, "1".repeat(40), "1e3", "0x1"],
    native,
  ],
  [
    "platform",
    ["chainflip", "x".repeat(256)],
    ["", "x".repeat(257)],
    "must be the name of an enabled provider",
  ],
]

describe("readerOf", () => {
  for (const [name, inside, outside, sentence] of bounds) {
    it.each(inside)(`takes ${name} %s`, (value) => assert.isUndefined(issuesOf(name, value)))

    it.each(outside)(`refuses ${name} '%s' in words`, (value) => {
      const plain = { "1e1": "10", "1e3": "1000" }[value]
      const added = plain === undefined ? "" : `. In plain digits ${value} is ${plain}`
      assert.deepStrictEqual(issuesOf(name, value), [`${name} ${sentence}${added}`])
    })
  }

  it("reads decimals digit by digit and never through a double", () => {
    const { values } = read({
      ...pair,
      amount: "12345678901234567890.123456789012345678",
      minimumPrice: "0.1",
    })
    assert.deepStrictEqual(values.amount, BigDecimal.make(12345678901234567890123456789012345678n, 18))
    assert.deepStrictEqual(values.minimumPrice, BigDecimal.make(1n, 1))
  })

  it("names every required parameter that is missing", () => {
    assert.deepStrictEqual(read({}).issues, {
      sourceAsset: ["sourceAsset is required"],
      destinationAsset: ["destinationAsset is required"],
      destinationAddress: ["destinationAddress is required"],
    })
  })

  it("points to the list of assets when one is unknown", () => {
    const [sentence] = read({ ...pair, sourceAsset: "shib.eth" }).issues.sourceAsset ?? []
    assert.match(
      sentence ?? "",
      /^sourceAsset must be an asset listed in \/assets/,
    )
  })

  it("finds all issues at once and still reads the rest", () => {
    const { issues, values } = read({ ...pair, sourceAsset: "x", boostFee: "101", numberOfChunks: "3" })
    assert.deepStrictEqual(Object.keys(issues).sort(), ["boostFee", "sourceAsset"])
    assert.deepStrictEqual<unknown>(values, {
      destinationAsset: "eth.eth",
      destinationAddress: pair.destinationAddress,
      numberOfChunks: 3,
    })
  })

  it("refuses a parameter that is given twice, even with the same value", () => {
    assert.deepStrictEqual(issuesOf("boostFee", ["1", "1"]), ["boostFee may be given only once"])
    assert.deepStrictEqual(issuesOf("sourceAsset", ["btc.btc", "eth.eth"]), [
      "sourceAsset may be given only once",
    ])
  })

  it("lets only status repeat, and takes no comma list", () => {
    assert.deepStrictEqual(readHistory({ status: "sent" }).values, { status: ["sent"] })
    assert.deepStrictEqual(readHistory({ status: ["sent", "failed"] }).values, { status: ["sent", "failed"] })
    const sentence =
      "status must be one of waiting, receiving, swapping, sending, sent, completed, failed; " +
      "repeat the parameter for several"
    assert.deepStrictEqual(readHistory({ status: "sent,failed" }).issues, {
      status: [`${sentence}; did you mean sent?`],
    })
    assert.deepStrictEqual(readHistory({ status: ["sent", "gone"] }).issues, { status: [sentence] })
    assert.deepStrictEqual(readHistory({ limit: ["1", "2"] }).issues, {
      limit: ["limit may be given only once"],
    })
  })

  it.each([["limit", "1"], ["limit", "500"], ["offset", "0"], ["offset", "9007199254740991"]])(
    "takes %s %s of the history",
    (name, value) => assert.deepStrictEqual(readHistory({ [name]: value }).issues, {}),
  )

  it.each([
    ["limit", "0", "must be a whole number from 1 to 500"],
    ["limit", "501", "must be a whole number from 1 to 500"],
    ["offset", "-1", "must be a whole number as this service gave it"],
    ["offset", "9007199254740992", "must be a whole number as this service gave it"],
    ["sort", "desc", "must be ascending or descending; did you mean descending?"],
  ])("refuses %s %s of the history in words", (name, value, sentence) => {
    assert.deepStrictEqual(readHistory({ [name]: value }).issues, { [name]: [`${name} ${sentence}`] })
  })

  it("ignores parameters that it does not know, however they are called", () => {
    const { issues, values } = readHistory(JSON.parse('{"__proto__": "x", "constructor": ["a"], "utm": "1"}'))
    assert.deepStrictEqual(issues, {})
    assert.deepStrictEqual<unknown>(values, {})
  })

  const value = Schema.Union([
    Schema.String,
    Schema.Array(Schema.String),
    Schema.Number,
    Schema.Boolean,
    Schema.Null,
    Schema.Struct({ gasBudget: Schema.String }),
  ])
  const name = Schema.Literals([...Object.keys(SwapQuery.fields), "unknown", "__proto__", "toString"])

  it.prop(
    "reads every parameter or says what is wrong with it, whatever comes; it never throws",
    [Schema.Array(Schema.Tuple([name, value]))],
    ([entries]) => {
      const raw = Object.fromEntries(entries)
      const { issues, values } = read(raw)
      for (const known of Object.keys(SwapQuery.fields)) {
        if (!Object.hasOwn(raw, known)) continue
        assert.notStrictEqual(Object.hasOwn(values, known), Object.hasOwn(issues, known), known)
      }
      for (const sentences of Object.values(issues)) {
        for (const sentence of sentences) assert.match(sentence, /^\w+ (?:must|may|is) /)
      }
      const isFine = Object.keys(issues).length === 0
      assert.deepStrictEqual<unknown>(whole(raw), isFine ? Option.some(values) : Option.none())
    },
  )
})
