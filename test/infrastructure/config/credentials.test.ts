import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option, Redacted } from "effect"
import { temporaryFolder } from "#test/support/folder.ts"
import { issuesOf, readFrom } from "./read.ts"

/** A folder with these files. */
const folderWith = (files: Readonly<Record<string, string>>) =>
  Effect.tap(
    temporaryFolder,
    (folder) =>
      Effect.promise(() =>
        Promise.all(
          Object.entries(files).map(([name, text]) => Deno.writeTextFile(`${folder}/${name}`, text)),
        )
      ),
  )

describe("settings in files", () => {
  it.effect("are read where no variable is set, without the end of the line", function* () {
    const folder = yield* folderWith({
      PORT: "8081\n",
      HOST: "127.0.0.2\r\n",
      REDIS_URL: "redis://cache:6379",
      DRAIN_DELAY: "soon",
      LOG_LEVEL: " \n",
    })
    const settings = yield* readFrom({ CREDENTIALS_DIRECTORY: folder, DRAIN_DELAY: "3 seconds", HOST: " " })
    assert.strictEqual(settings.http.port, 8081)
    assert.strictEqual(settings.http.hostname, "127.0.0.2")
    assert.isTrue(Option.exists(settings.redis.url, (url) => Redacted.value(url) === "redis://cache:6379"))
    assert.isTrue(settings.isSet("REDIS_URL"))
    assert.isFalse(settings.isSet("LOG_LEVEL"))
  })

  it.effect("are all told of that do not fit, without what they say", function* () {
    const folder = yield* folderWith({ PORT: "hunter2", DATABASE_URL: "mysql://user:hunter2@host/db" })
    const issues = yield* issuesOf({ CREDENTIALS_DIRECTORY: folder })
    assert.match(issues.join("\n"), /PORT must be .*\nDATABASE_URL must be /s)
    assert.notInclude(issues.join("\n"), "hunter2")
  })

  it.effect("stop the start where one is there and cannot be read, by name", function* () {
    const folder = yield* temporaryFolder
    yield* Effect.promise(() => Deno.mkdir(`${folder}/BOOTSTRAP_API_KEY`))
    const issues = yield* issuesOf({ CREDENTIALS_DIRECTORY: folder })
    assert.match(issues.join("\n"), /^BOOTSTRAP_API_KEY cannot be read in CREDENTIALS_DIRECTORY: /)
  })

  it.effect("need no folder that is there", function* () {
    const { http } = yield* readFrom({ CREDENTIALS_DIRECTORY: "/nowhere" })
    assert.strictEqual(http.port, 8080)
  })
})
