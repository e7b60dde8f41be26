/**
 * Whether the kit sees what a provider does not compare: copies of the example, each without one of its comparisons, are
 * asked by the kit, and each has to be red by the name of the member. Prints a table.
 */
import { Schema } from "effect"

interface Mutant {
  /** The check that has to fail. */
  readonly check: string
  readonly file: "orders.ts" | "provider.ts" | "example.test.ts"
  readonly from: string
  readonly to: string
  /** What the module imports besides. */
  readonly needs?: string
}

const example = new URL("example/", import.meta.url)
const kit = new URL("../kit.config.ts", import.meta.url).pathname

/** A mutant that leaves a term out of a comparison. */
const without =
  (stage: string, file: Mutant["file"], terms: string, answer: string) =>
  ([check, term]: readonly [string, string]): Mutant => ({
    check: `${stage}: ${check}`,
    file,
    from: `checkRepeated(${terms}, ${answer})`,
    to: `checkRepeated({ ...${terms}, ${term}: ${answer}.${term} }, ${answer})`,
  })

const ofQuotes = [
  ["sourceAsset", "from"],
  ["destinationAsset", "to"],
  ["amount", "amount"],
  ["commissionBps", "commissionBps"],
] as const
const ofOrders = [
  ...ofQuotes,
  ["destinationAddress", "recipient"],
  ["refundAddress", "refundTo"],
  ["minimumPrice", "minimumOut"],
] as const

const mutants: ReadonlyArray<Mutant> = [
  ...ofQuotes.map(without("quote", "provider.ts", "terms", "quote")),
  ...ofOrders.map(without("open", "orders.ts", "toOrderTerms(request, amount)", "order")),
  {
    check: "open: depositAddress",
    file: "orders.ts",
    from: `yield* addressAt("depositAddress", chain, order.depositAddress)`,
    to: "order.depositAddress",
  },
  {
    check: "open: expiry",
    file: "orders.ts",
    from: "expiry: order.expiresAt",
    to: "expiry: order.createdAt + 3_600_000",
  },
  {
    check: "says that a channel has expired once its time is over",
    file: "orders.ts",
    from: "isExpired: now >= order.expiresAt",
    to: "isExpired: false",
  },
  // The refusal of an answer then says that nothing was opened.
  {
    check: "open: destinationAddress",
    file: "orders.ts",
    from: `failAs("open")`,
    to: `beforeOpening, failAs("open")`,
    needs: `import { beforeOpening } from "@swap-broker/core/provider"\n`,
  },
  // Fixtures that leave comparisons out by a reason.
  {
    check: "has no answers to change: none can be changed",
    file: "example.test.ts",
    from: "overExchange, world, fixtures)",
    to: `overExchange, world, { ...fixtures, lies: notPossible("none can be changed") })`,
  },
  {
    check: "the destinationAddress in an answer to open or to status",
    file: "example.test.ts",
    from: "open: {}, status: {} }",
    to: "open: { destinationAddress: never }, status: { destinationAddress: never } }",
  },
  ...[...ofOrders, ["reference", "number"] as const, ["depositAddress", "depositAddress"] as const].map(
    without("status", "orders.ts", "recordedTerms(known)", "order"),
  ),
]

const folder = await Deno.makeTempDir({ prefix: "mutants-" })
for (const [index, { file, from, needs = "", to }] of mutants.entries()) {
  await Deno.mkdir(`${folder}/${index}`)
  for (const { name } of Deno.readDirSync(example)) {
    const text = await Deno.readTextFile(new URL(name, example))
    if (name === file && !text.includes(from)) throw new Error(`${file} has no ${from}`)
    await Deno.writeTextFile(
      `${folder}/${index}/${name}`,
      name === file ? needs + text.replace(from, to) : text,
    )
  }
}

const Report = Schema.fromJsonString(Schema.Struct({
  testResults: Schema.Array(Schema.Struct({
    name: Schema.String,
    assertionResults: Schema.Array(Schema.Struct({ title: Schema.String, status: Schema.String })),
  })),
}))

const outputFile = `${folder}/report.json`
await new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "npm:vitest", "run", "--config", kit, "--reporter=json", `--outputFile=${outputFile}`],
  cwd: new URL("../..", import.meta.url).pathname,
  env: { KIT_FOLDER: folder },
}).output()
const { testResults } = Schema.decodeUnknownSync(Report)(await Deno.readTextFile(outputFile))
await Deno.remove(folder, { recursive: true })

let green = 0
for (const [index, { check, from, to }] of mutants.entries()) {
  const checks = testResults.find(({ name }) => name.includes(`/${index}/`))?.assertionResults ?? []
  const red = checks.filter(({ status }) => status === "failed").map(({ title }) => title)
  if (!red.includes(check)) green++
  console.log(`${red.includes(check) ? "red" : "GREEN"} | ${check} | ${from} > ${to} | ${red.join(", ")}`)
}
console.log(`${mutants.length - green} of ${mutants.length} are red by the name of the member`)
if (green > 0) Deno.exit(1)
