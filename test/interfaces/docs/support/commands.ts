import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { testKey } from "#test/support/broker.ts"

/** The members that a sample has and a response has not, at any depth. */
export const absentIn = (response: unknown, sample: unknown, path = ""): ReadonlyArray<string> =>
  typeof sample !== "object" || sample === null ? [] : Object.entries(sample).flatMap(([name, inner]) => {
    const own: unknown = Object(response)[name]
    return own === undefined ? [`${path}.${name}`] : absentIn(own, inner, `${path}.${name}`)
  })

/** Sends a command of a guide with its headers, the key of tests in the place of `$KEY`. */
export const runCommand = (origin: string, command: string) =>
  Effect.promise(async (): Promise<unknown> => {
    const [, url = "", headers = "", body] =
      /^curl "\$URL([^"]+)"((?: -H "[^"]+")*)(?: --json '([^']+)')?\n$/.exec(command) ?? assert.fail(command)
    const named = [...headers.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = "", value = ""]) => [
      name,
      value.replace("$KEY", testKey).replace("$(uuidgen)", crypto.randomUUID()),
    ])
    const response = await fetch(origin + url, {
      headers: { "content-type": "application/json", ...Object.fromEntries(named) },
      ...(body === undefined ? {} : { method: "POST", body }),
    })
    const json = await response.json()
    assert.isBelow(response.status, 300, `${command}${JSON.stringify(json)}`)
    return json
  })
