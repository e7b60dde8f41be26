import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option, Redacted } from "effect"
import { fileAccess } from "#infrastructure/config/fileAccess.ts"
import { everySetting } from "#settings.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { issuesOf, readFrom } from "./read.ts"

const key = "A".repeat(43) + "="

/** A file with this content. */
const fileOf = (content: string | Uint8Array) =>
  Effect.tap(
    Effect.map(temporaryFolder, (folder) => `${folder}/value`),
    (path) =>
      Effect.promise(() =>
        Deno.writeFile(path, typeof content === "string" ? new TextEncoder().encode(content) : content)
      ),
  )

describe("a setting whose value stands in a file", () => {
  it.effect("is read without one end of its last line", function* () {
    for (const content of [key, `${key}\n`, `${key}\r\n`]) {
      const { isSet, webhooks } = yield* readFrom({ WEBHOOK_ENCRYPTION_KEY_FILE: yield* fileOf(content) })
      assert.isTrue(Option.exists(webhooks.encryptionKey, (found) => Redacted.value(found) === key))
      assert.isTrue(isSet("WEBHOOK_ENCRYPTION_KEY"))
    }
    assert.match(
      (yield* issuesOf({ WEBHOOK_ENCRYPTION_KEY_FILE: yield* fileOf(`${key}\n\n`) })).join("\n"),
      /^WEBHOOK_ENCRYPTION_KEY must be 32 random bytes/,
    )
  })

  it.effect("decides before the folder of credentials, which has the others", function* () {
    const folder = yield* temporaryFolder
    yield* Effect.promise(() => Deno.writeTextFile(`${folder}/PORT`, "8081"))
    yield* Effect.promise(() => Deno.writeTextFile(`${folder}/HOST`, "127.0.0.2"))
    const { http } = yield* readFrom({ CREDENTIALS_DIRECTORY: folder, PORT_FILE: yield* fileOf("8082\n") })
    assert.strictEqual(http.port, 8082)
    assert.strictEqual(http.hostname, "127.0.0.2")
  })

  it.effect("names all faults at once, and neither a path nor a value", function* () {
    const secret = "hunter2-hunter2-hunter2"
    const issues = yield* issuesOf({
      RELAY_KEY: "a-key-of-relay",
      RELAY_KEY_FILE: yield* fileOf("another"),
      BOOTSTRAP_API_KEY_FILE: `/nowhere/${secret}`,
      QUOTE_ID_KEY_FILE: yield* temporaryFolder,
      NEAR_INTENTS_TOKEN_FILE: yield* fileOf(" \n"),
      OPERATOR_WEBHOOK_URL_FILE: yield* fileOf(new Uint8Array(70_000).fill(65)),
      REDIS_URL_FILE: yield* fileOf(new Uint8Array([0xff, 0xfe])),
      CATALOGUE_FILE_FILE: yield* fileOf("x"),
      PORT_FILE: yield* fileOf(secret),
    })
    const text = issues.join("\n")
    for (
      const sentence of [
        "RELAY_KEY and RELAY_KEY_FILE are both set: unset one of them",
        "BOOTSTRAP_API_KEY_FILE must be the path of a file with the value: it is not there",
        "QUOTE_ID_KEY_FILE must be the path of a file with the value: it is a folder",
        "NEAR_INTENTS_TOKEN_FILE must be the path of a file with the value: it is empty",
        "OPERATOR_WEBHOOK_URL_FILE must be the path of a file with the value: it is larger than 64 KiB",
        "REDIS_URL_FILE must be the path of a file with the value: it is not text in UTF-8",
        "PORT must be a port from 0 to 65535",
        "CATALOGUE_FILE_FILE is no setting, as CATALOGUE_FILE is a path itself: unset it",
      ]
    ) assert.include(issues, sentence)
    assert.notInclude(text, secret)
    assert.notInclude(text, "/nowhere")
  })

  it.effect("is none where the setting is a path itself", function* () {
    const issues = yield* issuesOf({ CREDENTIALS_DIRECTORY_FILE: yield* fileOf("/run/secrets") })
    assert.deepStrictEqual(issues, [
      "CREDENTIALS_DIRECTORY_FILE is no setting, as CREDENTIALS_DIRECTORY is a path itself: unset it",
    ])
  })

  it("has a variable that is no other setting", () => {
    const names = everySetting.variables.map(({ name }) => name)
    assert.deepStrictEqual(names.filter((name) => names.includes(`${name}_FILE`)), [])
  })

  it.effect("may be read by the service, and nothing beside it", function* () {
    const path = yield* fileOf("postgres://x/y?sslrootcert=/srv/ca.pem")
    assert.deepStrictEqual(
      fileAccess("service", { DATABASE_URL_FILE: path, MODE: "live", POSTGRES_PASSWORD_FILE: "/srv/other" }),
      { read: `/srv/ca.pem,${path}`, write: "/dev/null" },
    )
    const folder = yield* fileOf("/srv/data\n")
    assert.strictEqual(fileAccess("service", { DATA_DIR_FILE: folder }).write, "/srv/data")
  })

  it("may be read for every setting that is no path", () => {
    const unreadable = everySetting.variables.map(({ name }) => name)
      .filter((name) => !/_(?:FILE|DIRECTORY)$/.test(name))
      .filter((name) =>
        !fileAccess("service", { [`${name}_FILE`]: "/srv/value" }).read.includes("/srv/value")
      )
    assert.deepStrictEqual(unreadable, [])
  })
})
