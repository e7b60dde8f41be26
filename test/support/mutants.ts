import { parseArgs } from "node:util"
import { Schema } from "effect"

/**
 * `deno run -A test/support/mutants.ts --seed N --count 40 [--gates] [PATH …]`: changes one operator or one condition of
 * the code at a time, in a copy of the checkout, and says which tests notice. Each change meets the tests beside its
 * file first, then those of its wing; with `--gates`, what survives there meets both gates.
 */
const { positionals, values: options } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "40" },
    gates: { type: "boolean", default: false },
  },
})
const usual = [
  "src/application/swapping",
  "src/application/quoting",
  "src/providers",
  "src/interfaces/requests",
]
const paths = positionals.length === 0 ? usual : positionals

/** Longer than the tests of any wing take: a change that makes code wait for ever is noticed, too. */
const patienceMillis = 20 * 60_000

const root = new URL("../../", import.meta.url).pathname

/** Comments, texts, templates and patterns: nothing in them is changed. */
const inert =
  /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/g

/** As the formatter writes them; types have none of these between blanks. */
const operators: Readonly<Record<string, string>> = {
  " === ": " !== ",
  " !== ": " === ",
  " < ": " <= ",
  " <= ": " < ",
  " > ": " >= ",
  " >= ": " > ",
  " && ": " || ",
  " || ": " && ",
  " + ": " - ",
  " - ": " + ",
}
const changeable = / (?:===|!==|<=?|>=?|&&|\|\||[+-]) |\bif \(/g

interface Mutant {
  readonly path: string
  readonly line: number
  readonly what: string
  readonly text: string
}

/** Where the bracket closes that was opened just before. */
const closing = (code: string, from: number): number => {
  let depth = 1
  let at = from
  for (; depth > 0 && at < code.length; at++) depth += code[at] === "(" ? 1 : code[at] === ")" ? -1 : 0
  return at - 1
}

const mutantsOf = (path: string): ReadonlyArray<Mutant> => {
  const text = Deno.readTextFileSync(root + path)
  const code = text.replaceAll(inert, (part) => part.replaceAll(/[^\n]/g, " "))
  return [...code.matchAll(changeable)].map(({ 0: found, index }) => {
    const after = index + found.length
    const end = found === "if (" ? closing(code, after) : after
    const put = operators[found] ?? `if (!(${text.slice(after, end)})`
    return {
      path,
      line: text.slice(0, after).split("\n").length,
      what: `${found.trim()} → ${operators[found]?.trim() ?? "if (!(…))"}`,
      text: text.slice(0, index) + put + text.slice(end),
    }
  })
}

const filesIn = (path: string): ReadonlyArray<string> =>
  /\.tsx?$/.test(path) ? [path] : [...Deno.readDirSync(root + path)]
    .toSorted((one, other) => one.name < other.name ? -1 : 1)
    .flatMap(({ isDirectory, name }) => isDirectory || /\.tsx?$/.test(name) ? filesIn(`${path}/${name}`) : [])

/** Some of a list, always the same ones for a seed (mulberry32). */
const chosen = <A>(list: ReadonlyArray<A>, count: number, seed: number): ReadonlyArray<A> => {
  let state = seed
  const random = () => {
    state = state + 0x6d2b79f5 | 0
    let mixed = Math.imul(state ^ state >>> 15, 1 | state)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32
  }
  return list.map((one) => ({ one, place: random() })).toSorted((one, other) => one.place - other.place)
    .slice(0, count).map(({ one }) => one)
}

const exists = (path: string): boolean => {
  try {
    return Deno.statSync(path).isDirectory
  } catch {
    return false
  }
}

/** What a change meets, one after the other: a gate's configuration, and the folders of tests that are run with it. */
const stagesOf = (path: string): ReadonlyArray<readonly [config: string, folders: ReadonlyArray<string>]> => {
  const parts = path.replace(/^src/, "test").split("/").slice(0, -1)
  const beside = parts.map((_, index) => parts.slice(0, parts.length - index).join("/"))
    .find((folder) => exists(root + folder)) ?? "test"
  const wing = parts.slice(0, 2).join("/")
  const folders = wing === "test/providers" ? [wing, "test/conformance"] : [wing]
  const first = beside === wing ? [] : [["vitest", [beside]] as const]
  return [...first, ["vitest", folders], ...options.gates ? [["both", []] as const] : []]
}

const Report = Schema.fromJsonString(Schema.Struct({
  testResults: Schema.Array(Schema.Struct({
    name: Schema.String,
    status: Schema.String,
    assertionResults: Schema.Array(Schema.Struct({ fullName: Schema.String, status: Schema.String })),
  })),
}))

const copy = await Deno.makeTempDir({ prefix: "mutants-" })
const entries = [...Deno.readDirSync(root)].map(({ name }) => name)
const copied = entries.filter((name) => ![".git", "node_modules", "data"].includes(name)).map((name) =>
  root + name
)
await new Deno.Command("cp", { args: ["-r", ...copied, copy] }).output()
await Deno.symlink(await Deno.realPath(`${root}node_modules`), `${copy}/node_modules`)

/** The first test that fails; nothing where all pass. */
const failing = async (config: string, folders: ReadonlyArray<string>): Promise<string | undefined> => {
  const file = `${copy}/report.json`
  await Deno.writeTextFile(file, '{"testResults":[]}')
  const vitest = ["npm:vitest", "run", "--config", `test/${config}.config.ts`, "--bail=1", "--reporter=json"]
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...vitest, `--outputFile=${file}`, ...folders],
    cwd: copy,
    stdout: "null",
    stderr: "null",
  }).spawn()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill("SIGTERM")
  }, patienceMillis)
  const { code } = await child.status
  clearTimeout(timer)
  if (code === 0) return undefined
  if (isLate) return `no end within ${patienceMillis / 60_000} minutes`
  const { testResults } = Schema.decodeSync(Report)(await Deno.readTextFile(file))
  const failed = testResults.find(({ status }) => status === "failed")
  const test = failed?.assertionResults.find(({ status }) => status === "failed")
  return `${failed?.name.slice(copy.length + 1) ?? "the run"}: ${test?.fullName ?? "cannot begin"}`
}

const fate = async ({ path, text }: Mutant): Promise<string | undefined> => {
  const before = await Deno.readTextFile(root + path)
  await Deno.writeTextFile(`${copy}/${path}`, text)
  try {
    for (const [config, folders] of stagesOf(path)) {
      const found = await failing(config, folders)
      if (found !== undefined) return found
    }
    return undefined
  } finally {
    await Deno.writeTextFile(`${copy}/${path}`, before)
  }
}

try {
  const all = paths.flatMap(filesIn).flatMap(mutantsOf)
  const some = chosen(all, Number(options.count), Number(options.seed))
  let dead = 0
  for (const mutant of some) {
    const by = await fate(mutant)
    if (by !== undefined) dead += 1
    console.log(
      `${by === undefined ? "survives" : "dead"}  ${mutant.path}:${mutant.line}  ${mutant.what}  ${by ?? ""}`,
    )
  }
  console.log(`${dead} of ${some.length} are dead (seed ${options.seed}, of ${all.length} possible)`)
} finally {
  await Deno.remove(copy, { recursive: true })
}
