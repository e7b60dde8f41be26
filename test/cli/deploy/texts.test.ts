import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { everySetting } from "#settings.ts"
import { cliWith, done } from "../running.ts"
import { type Environment, live, readFrom } from "#test/infrastructure/config/read.ts"
import { temporaryFolder } from "#test/support/folder.ts"

const kinds = ["docker", "systemd", "compose", "env"]

const textOf = (kind: string, env: Environment = {}) => done(cliWith(env, "deploy", kind))

/** A repository file or folder that a text copies. */
const isThere = (path: string): Promise<boolean> => Deno.stat(path).then(() => true, () => false)

/** The assignments of a file of settings, with the commented ones where `all`. */
const assignmentsOf = (text: string, all: boolean): Environment =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, comment = "", name = "", value = ""] = /^(#?)([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
      return name === "" || (comment !== "" && !all) ? [] : [[name, value]]
    }),
  )

/** Whether a program is installed. */
const installed = (program: string): boolean => {
  try {
    return new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" }).outputSync()
      .success
  } catch {
    return false
  }
}

const analyse = (...args: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const { code, stdout, stderr } = await new Deno.Command("systemd-analyze", { args: [...args] }).output()
    return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) }
  })

describe("the texts to run it with", () => {
  it.effect("are the same each time, with nothing left to fill in", function* () {
    for (const kind of kinds) {
      const text = yield* textOf(kind)
      assert.strictEqual(text, yield* textOf(kind), kind)
      if (kind !== "env") assert.notMatch(text, /\{\w+\}/, kind)
    }
  })

  it.effect("wait for the drain, by the settings that are set", function* () {
    const slow = { DRAIN_DELAY: "1 minute", PORT: "8443" }
    assert.include(yield* textOf("systemd"), "TimeoutStopSec=82\n")
    assert.include(yield* textOf("systemd", slow), "TimeoutStopSec=140\n")
    assert.include(yield* textOf("compose", slow), "stop_grace_period: 140s\n")
    const recipe = yield* textOf("docker", slow)
    assert.include(recipe, "--stop-timeout 140 ")
    assert.include(recipe, "EXPOSE 8443\n")
  })

  it.effect("refuse settings that do not fit, by name", function* () {
    const { code, errors } = yield* cliWith({ DRAIN_DELAY: "soon" }, "deploy", "systemd")
    assert.strictEqual(code, 2)
    assert.include(errors, "DRAIN_DELAY must be")
  })

  it.effect("hold no secret of the settings that are set", function* () {
    const secrets = Object.fromEntries(
      everySetting.variables.filter(({ isSecret }) => isSecret).map((
        { name },
      ) => [name, `canary-of-${name}`]),
    )
    for (const kind of kinds) assert.notInclude(yield* textOf(kind, secrets), "canary-of", kind)
  })
})

describe("the file of settings", () => {
  it.effect("has every setting once", function* () {
    const names = [...(yield* textOf("env")).matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name)
    assert.lengthOf(new Set(names), names.length)
    assert.sameMembers(names, [...new Set(everySetting.variables.map(({ name }) => name))])
  })

  it.effect("changes nothing as it is", function* () {
    const { isSet: _isSet, isSimulated: _isSimulated, providersAt: _providersAt, ...settings } =
      yield* readFrom(
        assignmentsOf(yield* textOf("env"), false),
      )
    const { isSet: _sameIsSet, isSimulated: _sameIsSimulated, providersAt: _sameProvidersAt, ...same } =
      yield* readFrom({})
    assert.deepStrictEqual(settings, same)
  })

  it.effect("can be used with every line of it", function* () {
    const lines = assignmentsOf(yield* textOf("env"), true)
    const { http } = yield* readFrom({ ...lines, PORT: "8081" })
    assert.strictEqual(http.port, 8081)
    const { mode } = yield* readFrom({ ...lines, ...live })
    assert.strictEqual(mode, "live")
  })

  it.effect("leaves secrets empty, and says how those are made that nobody hands out", function* () {
    const text = yield* textOf("env")
    const secrets = everySetting.variables.filter(({ isSecret }) => isSecret).map(({ name }) => name)
    assert.includeMembers(secrets, [
      "DATABASE_URL",
      "REDIS_URL",
      "BOOTSTRAP_API_KEY",
      "WEBHOOK_ENCRYPTION_KEY",
      "NEAR_INTENTS_TOKEN",
      "RELAY_KEY",
      "CHAINFLIP_BROKER_URL",
    ])
    for (const name of secrets) assert.match(text, new RegExp(`^# Secret.*\n${name}=$`, "m"))
    assert.match(text, /^# Secret\. Make one: openssl rand -base64 32\nWEBHOOK_ENCRYPTION_KEY=$/m)
    assert.match(text, /^# Default: none, required for this provider; sandbox: .*\nCHAINFLIP_NODE_URL=$/m)
  })
})

describe("the recipe of the container", () => {
  it.effect("copies what is there, and runs as nobody without a secret", function* () {
    const text = yield* textOf("docker")
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
      paths.split(" ")
    )
    assert.includeMembers(copied, ["deno.json", "deno.lock", "src", "migrations"])
    for (const path of copied) assert.isTrue(yield* Effect.promise(() => isThere(path)), path)
    const [last = ""] = text.split("FROM ").slice(-1)
    for (const line of [/^USER 65532:65532$/m, /^STOPSIGNAL SIGTERM$/m, /^HEALTHCHECK .*"healthy"\]$/m]) {
      assert.match(last, line)
    }
    assert.notMatch(last, /KEY|TOKEN|PASSWORD|SECRET/)
    for (const [, image = ""] of text.matchAll(/^FROM (\S+)/gm)) assert.match(image, /:[a-z0-9.-]+$/)
  })
})

describe("a key", () => {
  it.effect("is a line of that file which the setting takes, another each time", function* () {
    for (const name of ["CASE_FILE_KEYS", "QUOTE_ID_KEY", "WEBHOOK_ENCRYPTION_KEY"]) {
      const line = yield* done(cliWith({}, "deploy", "key", name))
      assert.notStrictEqual(yield* done(cliWith({}, "deploy", "key", name)), line)
      const [setting, value = ""] = [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]
      assert.strictEqual(setting, name)
      yield* readFrom({ [name]: value })
    }
    assert.strictEqual((yield* cliWith({}, "deploy", "key", "PORT")).code, 2)
  })
})

describe("the unit of systemd", () => {
  if (!installed("systemd-analyze")) return

  it.live("is one that systemd takes, and calls safe", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const place = `${folder}/swap-broker.service`
      const unit = yield* done(cliWith({}, "deploy", "systemd", "--binary", "/bin/true"))
      yield* Effect.promise(() => Deno.writeTextFile(place, `${unit}\n`))
      const { code, text } = yield* analyse("verify", place)
      assert.strictEqual(code, 0, text)
      assert.notMatch(text, /swap-broker\.service:\d+/)
      const { text: report } = yield* analyse("security", "--offline=true", "--threshold=20", place)
      const level = Option.fromNullishOr(/exposure level for \S+: ([0-9.]+)/.exec(report)?.[1])
      assert.isTrue(Option.exists(level, (figure) => Number(figure) < 2), report)
    }).pipe(Effect.scoped))
})
