import { given } from "../config/given.ts"
import settingsPage from "../config/settings.md" with { type: "text" }
import { askedHost } from "../platform/askedHost.ts"

/*
 * `healthy`: whether the service that listens here by `HOST` and `PORT` lives (`/livez`), for the health check of a
 * container. It loads none of the service's libraries: those take two seconds, every half minute.
 */

const patienceMillis = 4_000

/** A setting, or its default as the page of settings tells it. */
const settingOf = (name: string): string => {
  const [, usual = ""] = new RegExp(`^\\| \`${name}\` \\| \`([^\`]*)\``, "m").exec(settingsPage) ?? []
  const text = given(name, Deno.env.toObject())
  return typeof text === "string" ? text : usual
}

/** Why the service does not live; nothing where it does. */
export const illness = async (): Promise<string | undefined> => {
  const url = `http://${askedHost(settingOf("HOST"))}:${settingOf("PORT")}/livez`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMillis) })
    await answer.body?.cancel()
    return answer.status === 200 ? undefined : `${url} answers with ${answer.status}`
  } catch (cause) {
    return `${url} does not answer: ${cause}`
  }
}
