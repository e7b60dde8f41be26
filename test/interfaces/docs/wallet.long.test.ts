import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { absentIn, commandsOf, runCommand } from "./support/commands.ts"
import { partsOf, programOf } from "./support/programOf.ts"

const name = "Build a wallet"

/** What a program prints, a line each; a failure with what it wrote where it ends with another code than 0. */
const printed = async (program: string): Promise<ReadonlyArray<string>> => {
  const file = await Deno.makeTempFile({ suffix: ".ts" })
  await Deno.writeTextFile(file, program)
  const args = ["run", "--check", "--no-config", "--allow-net=127.0.0.1", file]
  const output = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } }).output()
  await Deno.remove(file)
  const [said = "", wrong = ""] = [output.stdout, output.stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  )
  assert.strictEqual(output.code, 0, wrong)
  return said.trim().split("\n")
}

/** What the program of the guide prints, step by step. */
const expected: ReadonlyArray<RegExp> = [
  /^Bitcoin \d+(\.\d+)? eip155:1$/,
  /^true$/,
  /^\d+\.\d+ ETH \(\$\d+\.\d\d\) in \d+ minutes$/,
  /link: "bitcoin:bcrt1/,
  /^This is a simulation/,
  /^completed Abgeschlossen/,
  /^Received \d+\.\d+ ETH 0x[0-9a-f]{64}$/,
  /^\d+ completed completed$/,
  /^400 0\.\d+ Amount below minimum/,
]

layer(broker(), { excludeTestServices: true })("the guide to build a wallet", (it) => {
  it.effect("takes a swap from its assets to its history in TypeScript, as it stands but for the URL and the key", function* () {
    const { origin } = yield* brokerUrl
    const program = programOf(name, "ts").replace("http://127.0.0.1:8080", origin).replace(
      "your-api-key",
      testKey,
    )
    const lines = yield* Effect.promise(() => printed(program))
    const said = lines.join("\n")
    const after = expected.reduce((at, pattern) => {
      const found = lines.findIndex((line, index) => index >= at && pattern.test(line))
      assert.isAtLeast(found, at, `${pattern} in ${said}`)
      return found + 1
    }, 0)
    assert.strictEqual(after, lines.length, said)
  })

  it.effect("takes it by its commands, too, whose responses have what it shows of them", function* () {
    const { origin } = yield* brokerUrl
    const commands = commandsOf(name)
    const shown = partsOf(name, "json").map((text): unknown => JSON.parse(text))
    const found = { quoteId: "", address: "", id: 0 }
    const said = new Map<string, unknown>()
    for (const command of commands) {
      const filled = command.replace("QUOTE_ID", found.quoteId).replace('"ADDRESS"', `"${found.address}"`)
        .replace("SWAP_ID", `${found.id}`)
      const json = yield* runCommand(origin, filled)
      const [, path = ""] = /\$URL(\/[a-z-]+)/.exec(command) ?? []
      said.set(path, json)
      if (path === "/quotes" || path === "/swap") Object.assign(found, Array.isArray(json) ? json[0] : json)
    }
    const [networks, quotes] = shown
    assert.deepStrictEqual(absentIn(said.get("/quotes"), quotes), [])
    const all: ReadonlyArray<{ readonly id: string }> = Object(said.get("/networks")).networks
    assert.deepStrictEqual(absentIn({ networks: all.filter(({ id }) => id === "eth") }, networks), [])
    const { guidance, status } = Object(said.get("/status-by-id"))
    assert.deepStrictEqual([status.state, status.result], ["completed", "completed"])
    assert.match(guidance.text, /^Abgeschlossen/)
    assert.deepInclude(Object(said.get("/swaps"))[0], { id: found.id })
  })
})
