import { given, SettingFault } from "#infrastructure/config/given.ts"
import settingsPage from "#infrastructure/config/settings.md" with { type: "text" }
import { connectHost } from "#infrastructure/platform/connectHost.ts"

/*
 * `healthy`: whether the service that listens here by `HOST` and `PORT` lives (`/livez`), for the health check of a
 * container. It loads none of the service's libraries: those take two seconds, every half minute.
 */

const patienceMillis = 4_000

/** A setting, or its default as the page of settings tells it; why it cannot be read where it cannot. */
const settingOf = (name: string): string | SettingFault => {
  const [, usual = ""] = new RegExp(`^\\| \`${name}\` \\| \`([^\`]*)\``, "m").exec(settingsPage) ?? []
  return given(name, Deno.env.toObject()) ?? usual
}

/** Why the service does not live; nothing where it does. */
export const illness = async (): Promise<string | undefined> => {
  const [host, port] = [settingOf("HOST"), settingOf("PORT")]
  if (host instanceof SettingFault) return host.sentence
  if (port instanceof SettingFault) return port.sentence
  const url = `http://${connectHost(host)}:${port}/livez`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(patienceMillis) })
    await answer.body?.cancel()
    return answer.status === 200 ? undefined : `${url} answers with ${answer.status}`
  } catch (cause) {
    return `${url} does not answer: ${cause}`
  }
}
