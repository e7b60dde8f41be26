import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { testKey } from "#test/support/broker.ts"
import { partsOf } from "./programOf.ts"
import { readCurl } from "./readCurl.ts"

/** The commands with curl of a guide, without the comments between them. */
export const commandsOf = (name: string): ReadonlyArray<string> =>
  partsOf(name, "sh").flatMap((part) => part.split(/^(?=curl |#)/m)).filter((part) =>
    part.startsWith("curl ")
  )

/** The members that a sample has and a response has not, at any depth. */
export const absentIn = (response: unknown, sample: unknown, path = ""): ReadonlyArray<string> =>
  typeof sample !== "object" || sample === null ? [] : Object.entries(sample).flatMap(([name, inner]) => {
    const own: unknown = Object(response)[name]
    return own === undefined ? [`${path}.${name}`] : absentIn(own, inner, `${path}.${name}`)
  })

/** Sends a command of a guide with its headers, the key of tests in the place of `$KEY`. */
export const runCommand = (origin: string, command: string) =>
  Effect.promise(async (): Promise<unknown> => {
    const filled = command.replace("$(uuidgen)", crypto.randomUUID())
    const { body, headers, method, url } = readCurl(filled, { URL: origin, KEY: testKey })
    const response = await fetch(url, { headers, method, ...(body === undefined ? {} : { body }) })
    const json = await response.json()
    assert.isBelow(response.status, 300, `${command}${JSON.stringify(json)}`)
    return json
  })
