import { assert, describe, it } from "@effect/vitest"
import { hasTerminals, onTerminal } from "./terminal.ts"

const cwd = new URL("../..", import.meta.url).pathname

/** Patience alone: a command that asks waits for ever. */
const patience = 180

const env = {
  MODE: "sandbox",
  PORT: "0",
  DATA_DIR: "memory",
  DRAIN_DELAY: "0 millis",
  SANDBOX_PORT: "0",
  BOOTSTRAP_API_KEY: "key-of-the-tests-of-terminals-0123456789",
  PATH: `${Deno.execPath().replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH") ?? ""}`,
}

const run = async (task: string, until?: string, more: Record<string, string> = {}) => {
  const shown = await onTerminal(`deno task ${task}`, {
    cwd,
    env: { ...env, ...more },
    patience,
    ...(until === undefined ? {} : { until }),
  })
  assert.notInclude(shown.text, "Allow?")
  assert.notMatch(shown.text, /\bWARN\b|Uncaught|at file:/)
  return shown
}

if (!hasTerminals()) {
  console.log("Not tested, as there is no `script` of util-linux: the tasks on a terminal.")
}

describe.skipIf(!hasTerminals())("a task on a terminal on which nobody answers", () => {
  it("performs the demo to its end", async () => {
    const { code, text } = await run("demo")
    assert.strictEqual(code, 0, text)
    assert.include(text, "Everything went as it should.")
  })

  it("serves with a log for people, and ends with 0 on Ctrl-C", async () => {
    const { code, text } = await run("start", "Listening on")
    assert.strictEqual(code, 0, text)
    assert.match(text, /INFO .*Listening on/)
    assert.match(text, /Stopping: .*\(SIGINT\)[^]*Stopped \(SIGINT\)\s*$/)
  })

  it("serves with JSON alone where JSON is asked for, from the first line to the last", async () => {
    const { code, text } = await run("--quiet start", "Listening on", { LOG_FORMAT: "json" })
    assert.strictEqual(code, 0, text)
    const lines = text.replace("^C", "").split("\n").filter((line) => line !== "").map((line) =>
      JSON.parse(line)
    )
    assert.strictEqual(lines.at(-1).message, "Stopped (SIGINT)")
  })

  it("says in JSON why a start failed", async () => {
    const { code, text } = await run("--quiet start", undefined, { LOG_FORMAT: "json", MODE: "live" })
    assert.strictEqual(code, 1)
    assert.match(JSON.parse(text).message, /No provider is set: set any of /)
  })

  it("simulates the networks alone, and ends with 0 on Ctrl-C", async () => {
    const { code, text } = await run("sandbox", "SANDBOX_URL=")
    assert.strictEqual(code, 0, text)
    assert.match(text, /Stopped \(SIGINT\)\s*$/)
  })

  it("lists the operator's commands", async () => {
    const { code, text } = await run("cli --help")
    assert.strictEqual(code, 0, text)
    assert.include(text, "doctor")
  })

  it("writes the first files of a provider", async () => {
    const folder = await Deno.makeTempDir()
    const { code, text } = await run(`provider mine ${folder}/mine`)
    await Deno.remove(folder, { recursive: true })
    assert.strictEqual(code, 0, text)
    assert.include(text, "MINE_URL=")
  })

  it("makes the clients", async () => {
    const folder = await Deno.makeTempDir()
    const { code, text } = await run(`client ${folder}`)
    await Deno.remove(folder, { recursive: true })
    assert.strictEqual(code, 0, text)
    assert.include(text, "a package for npm")
  })
})
