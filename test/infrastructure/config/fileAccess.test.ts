import { assert, describe, it } from "@effect/vitest"
import config from "../../../deno.json" with { type: "json" }
import { fileAccess } from "#infrastructure/config/fileAccess.ts"

const code = "./node_modules,./src,./migrations"
const none = { read: "/dev/null", write: "/dev/null" }

describe("the files that a program may use", () => {
  it.each([
    ["the embedded database", {}, { read: `${code},./data`, write: "./data" }],
    ["one elsewhere", { DATA_DIR: "/srv/a b,c" }, { read: `${code},/srv/a b,,c`, write: "/srv/a b,,c" }],
    ["an empty setting", { DATA_DIR: "", DATABASE_URL: "" }, { read: `${code},./data`, write: "./data" }],
    ["one in memory", { DATA_DIR: "memory" }, { read: code, write: "/dev/null" }],
    ["Postgres and a sandbox of its own", { DATABASE_URL: "postgres://x" }, {
      read: "./data",
      write: "./data",
    }],
    ["Postgres and a shared sandbox", { DATABASE_URL: "postgres://x", SANDBOX_URL: "http://x" }, none],
    ["Postgres and real networks", { DATABASE_URL: "postgres://x", MODE: "live" }, none],
    [
      "Postgres with certificates",
      { DATABASE_URL: "postgres://x/y?sslrootcert=/srv/ca.pem&sslmode=verify-full", MODE: "live" },
      { read: "/srv/ca.pem", write: "/dev/null" },
    ],
    [
      "Postgres and settings in files",
      { DATABASE_URL: "postgres://x", MODE: "live", CREDENTIALS_DIRECTORY: "/run/secrets" },
      { read: "/run/secrets", write: "/dev/null" },
    ],
    ["real networks", { MODE: "live" }, { read: `${code},./data`, write: "./data" }],
  ])("are no more than the service needs: %s", (_, settings, access) => {
    assert.deepStrictEqual(fileAccess("service", settings), access)
  })

  it("are the log's folder for the sandbox alone", () => {
    assert.deepStrictEqual(fileAccess("sandbox", { DATABASE_URL: "postgres://x", MODE: "live" }), {
      read: "./data",
      write: "./data",
    })
    assert.deepStrictEqual(fileAccess("sandbox", { DATA_DIR: "memory" }), none)
  })
})

describe("the tasks", () => {
  it("have every permission only where they test, measure or write down what tests compare", () => {
    const all = Object.entries(config.tasks).filter(([, { command }]) => / -A /.test(command)).map(([name]) =>
      name
    )
    assert.sameMembers(all, [
      "client:older",
      "limits",
      "test",
      "test:long",
      "test:fast",
      "kit",
      "bench",
      "hostile",
      "replicas",
      "upgrade",
      "outages",
      "binary",
      "pictures",
      "values",
      "examples",
      "contract",
      "image",
      "generators",
      "payments",
      "tampering",
      "rehearsals",
      "pairs",
      "addresses",
      "exact",
      "kills",
      "backups",
      "times",
      "ways",
      "terminal",
      "boosts",
    ])
  })

  it("never wait for somebody to allow what a program may not do", () => {
    const programs = Object.values(config.tasks).flatMap(({ command }) =>
      command.match(/deno run .*? -P=/g) ?? []
    )
    assert.isAbove(programs.length, 7)
    for (const program of programs) assert.include(program, " --no-prompt ")
  })

  it("fetch the packages of programs for programs, and those of tests for tests alone", () => {
    for (const [name, task] of Object.entries(config.tasks)) {
      const ofTests = !/ src\/(?!tools\/release)\S+\.ts/.test(task.command) || / check /.test(task.command)
      const fetched = ofTests ? "packages:all" : "packages"
      const fetches = /^deno (install|fmt|task)|freshClone/.test(task.command)
      assert.deepStrictEqual("dependencies" in task ? task.dependencies : [], fetches ? [] : [fetched], name)
    }
    const [, entries = ""] = /--entrypoint (.*)/.exec(config.tasks.packages.command) ?? []
    const started = Object.values(config.tasks).flatMap(({ command }) => command.match(/src\/\S+\.ts/g) ?? [])
    for (const program of started) {
      // These two import what the binary does, or nothing.
      const isCovered =
        /src\/(infrastructure\/config\/fileAccess|tools\/binary\/compile|tools\/release\/main)\.ts/.test(
          program,
        )
      if (!isCovered) assert.include(entries, program)
    }
  })

  it("run with the versions of the lock file and no others", () => {
    assert.isTrue(config.lock.frozen)
  })

  it("give all files to those only whose arguments or later settings name them", () => {
    const sets = Object.entries(config.permissions).filter(([, set]) => "write" in set).map(([name]) => name)
    assert.deepStrictEqual(sets, ["cli", "binary", "compile", "client", "provider"])
  })
})
