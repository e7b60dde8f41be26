import { onTerminal } from "./terminal.ts"

/*
 * `deno task terminal`: the README's commands on a terminal, each in a fresh clone with an empty cache of Deno, by a
 * program that answers nothing. Needs git, npm and its registry. Prints times, sizes and the first lines.
 */

const root = new URL("../..", import.meta.url).pathname
const shownLines = 8

const commands: ReadonlyArray<readonly [task: string, until?: string]> = [
  ["demo"],
  ["start", "Listening on"],
  ["sandbox", "SANDBOX_URL="],
  ["cli --help"],
  ["client ../clients"],
  ["provider mine ../mine"],
]

const output = (command: string, ...args: ReadonlyArray<string>): string =>
  new TextDecoder().decode(new Deno.Command(command, { args: [...args] }).outputSync().stdout).trim()

let failed = 0
for (const [task, until] of commands) {
  const folder = await Deno.makeTempDir({ prefix: "swap-broker-clone-" })
  output("git", "clone", "--quiet", root, `${folder}/clone`)
  const { code, seconds, text } = await onTerminal(`npx --yes deno@${Deno.version.deno} task ${task}`, {
    cwd: `${folder}/clone`,
    env: {
      DENO_DIR: `${folder}/cache`,
      PORT: "0",
      SANDBOX_PORT: "0",
      BOOTSTRAP_API_KEY: "key-of-the-fresh-clone-0123456789",
    },
    patience: 300,
    ...(until === undefined ? {} : { until }),
  })
  const fetched = output("du", "-sm", `${folder}/cache/npm`).split("\t")[0]
  const packages = [...Deno.readDirSync(`${folder}/clone/node_modules`)].map(({ name }) => name)
  const ofTests = packages.filter((name) => ["vitest", "playwright-core", "axe-core"].includes(name))
  // npx itself ends with the signal that a person sends.
  const isWell = (code === 0 || (until !== undefined && code === 130)) && ofTests.length === 0 &&
    !text.includes("Allow?")
  if (!isWell) failed++
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  console.log(
    `\n${isWell ? "✓" : "✗"} ${task}: code ${code}, ${seconds.toFixed(1)} s, ${fetched} MB of packages, ` +
      `${lines.length} lines, packages of tests: ${ofTests.join(", ") || "none"}`,
  )
  for (const line of lines.slice(0, shownLines)) console.log(`    ${line.slice(0, 160)}`)
  await Deno.remove(folder, { recursive: true })
}
Deno.exit(failed === 0 ? 0 : 1)
