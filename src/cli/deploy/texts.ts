import type { Variable } from "#infrastructure/config/Setting.ts"
import compose from "./compose.txt" with { type: "text" }
import container from "./container.txt" with { type: "text" }
import type { Facts } from "./facts.ts"
import systemd from "./systemd.txt" with { type: "text" }

/** The program on a machine, unless its operator names another place, and in the container. */
export const program = "/usr/local/bin/swap-broker"

/** A text with its `{names}` filled in. A variable of the text's own reader, such as `${PASSWORD:?…}`, is no name. */
const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => `${values[name] ?? whole}`)

/**
 * The recipe of an image, for a checkout of the project: it compiles the binary and takes it alone along. No setting
 * stands in it but those that a container needs: it listens for other containers, too. Its user is the base image's:
 * nobody's, without a shell; so the program probes itself.
 */
export const containerfile = ({ graceSeconds, port }: Facts): string =>
  filled(container, { graceSeconds, port, deno: Deno.version.deno })

/** A compose file with a Postgres server and, in profile `replicas`, Redis. The database's password is never in it. */
export const composeFile = ({ graceSeconds, port }: Facts): string => filled(compose, { graceSeconds, port })

/** A line for each secret: a file in which systemd may also keep it encrypted (`LoadCredentialEncrypted`). */
const credentialsOf = (settings: ReadonlyArray<Variable>): string =>
  settings.filter(({ isSecret }) => isSecret)
    .map(({ name }) => `#LoadCredential=${name}:/etc/swap-broker/credentials/${name}`).join("\n")

/**
 * A unit for a machine with systemd. The process runs as a user that exists only with it, sees a system that it cannot
 * write to, and keeps its records in its own folder. Memory that is written and run, which V8 needs for compiled code,
 * is the one thing of its kind that stays allowed.
 */
export const systemdUnit = ({ graceSeconds, settings }: Facts, program: string): string =>
  filled(systemd, { graceSeconds, program, credentials: credentialsOf(settings) })
