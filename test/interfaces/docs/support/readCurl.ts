/** A request as a shell would make it of a command with curl. */
export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

type Variables = Readonly<Record<string, string>>

/** A part of a word: in single quotes as it stands, in double quotes with variables, or bare. */
const part = /'([^']*)'|"([^"]*)"|\\([^\n])|([^\s'"\\]+)/gy
const blank = /(?:\s|\\\n)+/y

const words = (command: string, variables: Variables): ReadonlyArray<string> => {
  const found: Array<string> = []
  let at = 0
  while (at < command.length) {
    blank.lastIndex = at
    if (blank.test(command)) at = blank.lastIndex
    let word = ""
    for (part.lastIndex = at; at < command.length; at = part.lastIndex) {
      const match = part.exec(command)
      if (match === null) break
      const [, single, double, escaped, bare] = match
      word += single ?? escaped ?? bare ??
        (double ?? "").replaceAll(/\$(\w+)/g, (_, name) => variables[name] ?? "")
    }
    found.push(word)
  }
  return found
}

/** Reads a command as a shell and curl do; throws at an option that it does not know. */
export const readCurl = (command: string, variables: Variables): Request => {
  const [name, ...given] = words(command.trim(), variables)
  if (name !== "curl") throw new Error(`Not curl: ${command}`)
  const isQuery = given.some((word) => word === "--get" || word === "-G")
  const [url = "", ...options] = given.filter((word) => !["--get", "-G", "-N"].includes(word))
  let method: string | undefined
  const data: Array<string> = []
  const headers: Record<string, string> = {}
  for (let index = 0; index < options.length; index += 2) {
    const [option = "", value = ""] = options.slice(index)
    if (["--request", "-X"].includes(option)) method = value
    else if (["--data", "-d", "--json"].includes(option)) {
      data.push(value)
      if (option === "--json") headers["content-type"] = "application/json"
    } else if (["--header", "-H"].includes(option)) {
      headers[value.replace(/:.*$/s, "").toLowerCase()] = value.replace(/^[^:]*:\s*/, "")
    } else throw new Error(`Not an option that is known: ${option}`)
  }
  const [query, body] = isQuery ? [`?${data.join("&")}`, undefined] : ["", data[0]]
  return { method: method ?? (body === undefined ? "GET" : "POST"), url: url + query, headers, body }
}
