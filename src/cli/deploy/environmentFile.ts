import type { Variable } from "#infrastructure/config/Setting.ts"
import { unsetText } from "#infrastructure/config/pageOrder.ts"
import { version } from "#infrastructure/platform/version.ts"
import type { Facts } from "./facts.ts"

const plain = (text: string): string => text.replaceAll(/`|\*\*/g, "")

const secretLines = ({ isSecret, madeWith }: Variable): ReadonlyArray<string> => {
  if (madeWith !== undefined) return [`Secret. Make one: ${madeWith}`]
  return isSecret ? ["Secret"] : []
}

/** What a value is to be written for stands as an empty one, which counts as unset; a default is commented out. */
const assignment = ({ defaults, isRequired, isSecret, name }: Variable): string => {
  if (isRequired || isSecret) return `${name}=`
  return `#${name}=${defaults?.live ?? ""}`
}

const entry = (variable: Variable): string =>
  [
    ...[
      plain(variable.meaning),
      `Value: ${plain(variable.expected)}`,
      `Default: ${plain(unsetText(variable))}`,
      ...secretLines(variable),
    ].map((line) => `# ${line}`),
    assignment(variable),
  ].join("\n")

/** All settings, as `EnvironmentFile` of systemd and `env_file` of compose read them: no quotes. It changes none. */
export const environmentFile = ({ settings }: Facts): string =>
  `# The settings of Swap Broker ${version}. An empty value counts as unset. Values stand without quotes.
# The value of NAME can stand in a file instead, whose path NAME_FILE has: RELAY_KEY_FILE=/run/secrets/relay-key
# It holds secrets: chown root: FILE && chmod 600 FILE

${settings.map(entry).join("\n\n")}
`
