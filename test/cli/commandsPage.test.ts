import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { run } from "#cli/cli.ts"
import { CommandFailed, exitCodeMeanings } from "#cli/failures.ts"
import { OperatorClient } from "#cli/OperatorClient.ts"
import { documents, modules } from "#test/architecture/support/source.ts"
import { section } from "#test/readme/section.ts"
import { captured } from "./running.ts"
import config from "../../deno.json" with { type: "json" }

const page = Deno.readTextFileSync(new URL("../../src/cli/commands.md", import.meta.url))

const lines = section(page, "commands").split("\n").filter((line) => line !== "" && !line.startsWith("```"))

/** Help is given without it. */
const nobody = Layer.effect(
  OperatorClient,
  Effect.fail(new CommandFailed({ kind: "failed", detail: "not needed" })),
)

const helpOf = (words: ReadonlyArray<string>) => captured(run([...words, "--help"], nobody))

/** The words before the first one that stands for something. */
const wordsOf = (line: string): ReadonlyArray<string> =>
  line.split(" ").filter((_, index, all) => all.slice(0, index + 1).every((one) => /^[a-z]+$/.test(one)))

describe("the page about the operator's commands", () => {
  it.effect("has every command, with flags that its help has too", function* () {
    for (const line of lines) {
      const { code, output } = yield* helpOf(wordsOf(line))
      assert.strictEqual(code, 0, line)
      assert.include(output, `cli ${wordsOf(line).join(" ")}`, line)
      for (const [row, words] of output.matchAll(/^ {2}(?:--)?[a-z][a-z-]*(?: [a-z]+)? {2,}(.*)$/gm)) {
        assert.match(words ?? "", /\S/, row)
      }
      for (const [flag] of line.matchAll(/--[a-z-]+/g)) {
        assert.include(output, flag.replace(/^--no-/, "--"), line)
      }
    }
    const { output } = yield* helpOf([])
    const listed = output.split("SUBCOMMANDS\n")[1]?.matchAll(/^ {2}([a-z]+) /gm) ?? []
    assert.deepStrictEqual(
      [...new Set([...listed].map(([, name]) => name))],
      [...new Set(lines.map((line) => line.split(" ")[0]))],
    )
  })

  it.effect("has every command that a page of the dashboard names", function* () {
    const named = modules.filter(({ path }) => path.startsWith("src/interfaces/")).flatMap(({ text }) =>
      [...text.matchAll(/<code>cli ([^<]+)<\/code>/g)].map(([, line = ""]) => line)
    )
    assert.include(named, "backup FILE")
    for (const line of named) {
      const { code, output } = yield* helpOf(wordsOf(line).slice(0, 2))
      assert.strictEqual(code, 0, line)
      assert.include(output, `cli ${wordsOf(line).slice(0, 2).join(" ")}`, line)
    }
  })

  it("has every command and flag that the README and the page about running it name", () => {
    const named = documents.filter(({ path }) => /^(?:README|src\/running)\.md$/.test(path)).flatMap((
      { text },
    ) =>
      [...text.matchAll(
        /(?:`|^|&& |\(|> )(?:[A-Z_]+=\S+ )*(?:deno task (?:--\S+ )*|swap-broker |\/usr\/local\/bin\/swap-broker )?cli ([a-z][^`>\n]*)/gm,
      )]
        .map(([, command = ""]) => command)
    )
    const unknown = named.filter((command) =>
      !lines.some((line) => {
        const words = wordsOf(line)
        return words.every((word, index) => command.split(" ")[index]?.split(/[;)]/)[0] === word) &&
          [...command.matchAll(/--[a-z-]+/g)].every(([flag]) => line.includes(flag))
      })
    )
    assert.isAbove(named.length, 50)
    assert.deepStrictEqual(unknown, [])
  })

  it("has every task that a document names", () => {
    const tasks = Object.keys(config.tasks)
    const unknown = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:deno|deno@[\d.]+) task (?:--\S+ )*([a-z][a-z:]*)/g)]
        .filter(([, task = ""]) => !tasks.includes(task)).map(([command]) => `${path}: ${command}`)
    )
    assert.deepStrictEqual(unknown, [])
  })

  it.effect("says how to complete commands in each shell that there are completions for", function* () {
    for (const shell of ["bash", "zsh", "fish"]) {
      assert.include(page, `cli --completions ${shell}`)
      const { code, output } = yield* captured(run(["--completions", shell], nobody))
      assert.strictEqual(code, 0)
      for (const word of ["withdrawals", "decide", "commission-bps"]) assert.include(output, word, shell)
    }
    assert.strictEqual((yield* captured(run(["--completions", "tcsh"], nobody))).code, 2)
  })

  it("has the exit codes that --help has", () => {
    const rows = exitCodeMeanings.map(([code, meaning]) => `| ${code} | ${meaning} |\n`).join("")
    assert.strictEqual(section(page, "exit codes"), `| exit code | meaning |\n|---|---|\n${rows}`)
  })
})
