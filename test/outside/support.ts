import { Effect } from "effect"
import { temporaryFolder } from "#test/support/folder.ts"

/** The files of a folder beside this in a folder of their own, as somebody else's repository. */
export const folderOf = Effect.fnUntraced(function* (name: string) {
  const folder = yield* temporaryFolder
  const from = new URL(`./${name}/`, import.meta.url)
  for (const { name } of Deno.readDirSync(from)) {
    yield* Effect.promise(() => Deno.copyFile(new URL(name, from), `${folder}/${name}`))
  }
  return folder
})

/** What is sent beside the key; a body makes it a POST. */
interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const json = (url: URL, apiKey: string, { body, headers }: Sent = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      headers: { "x-api-key": apiKey, accept: "application/json, text/event-stream", ...headers },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  })
