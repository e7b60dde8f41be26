import { Effect } from "effect"
import { navigation } from "#interfaces/dashboard/navigation.ts"
import { eventually } from "#test/durability/eventually.ts"
import { json } from "#test/outside/support.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { startFile } from "#test/support/process.ts"
import config from "../../../deno.json" with { type: "json" }

const root = new URL("../../../", import.meta.url).pathname
const [, ...task] = config.tasks.dev.command.split(" ")
const apiKey = "test-key-of-the-default-account-0123456789"
const address = "0x2222222222222222222222222222222222222222"
const swap = "/swap?sourceAsset=eth.eth&destinationAsset=usdc.eth&amount=1" +
  `&destinationAddress=${address}&refundAddress=${address}`

/** The source of the checkout in a folder of its own, with its packages. */
const copied = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const args = ["-a", "src", "migrations", "deno.json", "deno.lock", "node_modules", folder]
  const { success } = yield* Effect.promise(() => new Deno.Command("cp", { args, cwd: root }).output())
  assert.isTrue(success)
  return folder
})

describe("the service while its source is changed", () => {
  it.live("shows the change to who is signed in, over the same swaps", function* () {
    const folder = yield* copied
    const environment = { ...Deno.env.toObject(), BOOTSTRAP_API_KEY: apiKey, PORT: "0" }
    const dev = yield* startFile({ file: Deno.execPath(), folder, environment }, task)
    // The program ends with its service, which it would leave behind if it were killed.
    yield* Effect.addFinalizer(() => Effect.andThen(dev.kill("SIGTERM"), dev.ended))
    /** Where the last service listens that was started: each takes any free port. */
    const url = Effect.sync(() =>
      new URL([...dev.output().matchAll(/Listening on (http:[^\s,"]+)/g)].at(-1)?.[1] ?? "")
    )
    const login = yield* Effect.promise(() =>
      fetch(new URL("/dashboard/login", dev.url), {
        method: "POST",
        redirect: "manual",
        headers: { "sec-fetch-site": "same-origin", origin: "null" },
        body: new URLSearchParams({ key: apiKey }),
      })
    )
    const cookie = (login.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    const page = Effect.flatMap(
      url,
      (url) =>
        Effect.promise(() =>
          fetch(new URL("/dashboard/swaps", url), { redirect: "manual", headers: { cookie } })
            .then((response) => response.text(), () => "")
        ),
    )
    const { body: opened } = yield* json(new URL(swap, dev.url), apiKey)
    const { label } = navigation.treasury
    assert.include(yield* page, label)

    const path = `${folder}/src/interfaces/dashboard/navigation.ts`
    const text = yield* Effect.promise(() => Deno.readTextFile(path))
    const changed = "Treasure chest"
    yield* Effect.promise(() => Deno.writeTextFile(path, text.replace(`"${label}"`, `"${changed}"`)))
    const shown = yield* eventually(page, (text) => text.includes(changed))
    assert.include(shown, String(opened.id))
  })
})
