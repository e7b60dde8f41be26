import { Schema } from "effect"
import { timesOf, timesPlace } from "./times.ts"

/**
 * `deno task times`: runs both gates as CI does, and writes into test/times.md how many tests each folder has in each,
 * and how long its files take. On a machine that has nothing else to do.
 */

const Report = Schema.fromJsonString(Schema.Struct({
  testResults: Schema.Array(Schema.Struct({
    name: Schema.String,
    startTime: Schema.Number,
    endTime: Schema.Number,
    assertionResults: Schema.Array(Schema.Unknown),
  })),
}))

const file = await Deno.makeTempFile({ suffix: ".json" })
const { code } = await new Deno.Command(Deno.execPath(), {
  args: [
    ...["run", "-A", "npm:vitest", "run", "--config", "test/both.config.ts"],
    ...["--reporter=default", "--reporter=json", `--outputFile=${file}`],
  ],
}).spawn().status
const { testResults } = Schema.decodeSync(Report)(await Deno.readTextFile(file))
await Deno.remove(file)
if (code !== 0) Deno.exit(code)

const files = testResults.map(({ assertionResults, endTime, name, startTime }) => ({
  path: name.slice(name.lastIndexOf("/test/") + "/test/".length),
  tests: assertionResults.length,
  seconds: (endTime - startTime) / 1_000,
}))
const isLong = ({ path }: { readonly path: string }): boolean => path.endsWith(".long.test.ts")
const document = timesOf(files.filter((file) => !isLong(file)), files.filter(isLong))
await Deno.writeTextFile(timesPlace, document)
