import { Schema } from "effect"
import { timesOf, timesPlace } from "./times.ts"

/**
 * `deno task times`: runs both gates and writes into test/times.md how many tests each folder has in each, and how
 * long its files take. On a machine that has nothing else to do.
 */

const Report = Schema.fromJsonString(Schema.Struct({
  testResults: Schema.Array(Schema.Struct({
    name: Schema.String,
    startTime: Schema.Number,
    endTime: Schema.Number,
    assertionResults: Schema.Array(Schema.Unknown),
  })),
}))

const gate = async (config: string) => {
  const file = await Deno.makeTempFile({ suffix: ".json" })
  const vitest = ["npm:vitest", "run", "--config", config, "--reporter=default", "--reporter=json"]
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...vitest, `--outputFile=${file}`],
  }).spawn().status
  const { testResults } = Schema.decodeSync(Report)(await Deno.readTextFile(file))
  await Deno.remove(file)
  if (code !== 0) Deno.exit(code)
  return testResults.map(({ assertionResults, endTime, name, startTime }) => ({
    path: name.slice(name.lastIndexOf("/test/") + "/test/".length),
    tests: assertionResults.length,
    seconds: (endTime - startTime) / 1_000,
  }))
}

const document = timesOf(await gate("test/vitest.config.ts"), await gate("test/long.config.ts"))
await Deno.writeTextFile(timesPlace, document)
