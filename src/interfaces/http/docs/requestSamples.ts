import type { Sample } from "./code.tsx"

const constants: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" }

/** A value as it is written in JavaScript, within so many blanks. */
const inJavaScript = (value: unknown, indent = ""): string =>
  JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([a-z_]\w*)":/gim, "$1$2:").replaceAll(
    "\n",
    `\n${indent}`,
  )

/** A value as it is written in Python, as an argument of a call. */
const inPython = (value: unknown): string =>
  JSON.stringify(value, null, 4).replaceAll("\n", "\n    ").replaceAll(
    /(?<=^\s*(?:"[^"]*": )?)(?:true|false|null)(?=,?$)/gm,
    (word) => constants[word] ?? word,
  )

/** How a response of a type is printed. */
const printing: Readonly<Record<string, readonly [javascript: string, python: string]>> = {
  "application/json": ["console.log(await response.json())", "print(response.json())"],
  "text/event-stream": [
    "for await (const part of response.body.pipeThrough(new TextDecoderStream())) console.log(part)",
    "for line in response.iter_lines(decode_unicode=True):\n    print(line)",
  ],
  "": ["console.log(response.status)", "print(response.status_code)"],
}
const printingText = ["console.log(await response.text())", "print(response.text)"] as const

/** Members of an object: in one line where that is short, else one a line. */
const membersIn = (members: ReadonlyArray<string>, indent: string): string => {
  const line = members.join(", ")
  return line.length < 50
    ? `{ ${line} }`
    : `{\n${members.map((one) => `${indent}  ${one},\n`).join("")}${indent}}`
}

/**
 * A request in each language, made of the command of the document, which has it for a shell alone. `type` is that of its
 * response.
 */
export const requestSamples = (curl: string, type: string): ReadonlyArray<Sample> => {
  const [, path = ""] = /^curl (?:--get )?"\$URL([^"]*)"/.exec(curl) ?? []
  const query = [...curl.matchAll(/--data ([^'\s]+)/g)].map(([, pair = ""]) => pair).join("&")
  const [, data] = /--data '([\s\S]*)'$/.exec(curl) ?? []
  const body: unknown = data === undefined ? undefined : JSON.parse(data.replaceAll("'\\''", "'"))
  const [, method = data === undefined ? "GET" : "POST"] = /--request (\w+)/.exec(curl) ?? []
  const parameters = query === "" ? undefined : Object.fromEntries(new URLSearchParams(query))
  const hasKey = curl.includes("X-API-Key")
  const isRepeatable = curl.includes("Idempotency-Key")
  const [printJavaScript, printPython] = printing[type] ?? printingText

  const headers = [
    hasKey && '"X-API-Key": key',
    isRepeatable && '"Idempotency-Key": crypto.randomUUID()',
    body !== undefined && '"Content-Type": "application/json"',
  ].filter((header) => header !== false)
  const pythonHeaders = [hasKey && '"X-API-Key": KEY', isRepeatable && '"Idempotency-Key": str(uuid.uuid4())']
    .filter((header) => header !== false)
  const options = [
    method !== "GET" && `method: "${method}"`,
    headers.length > 0 && `headers: ${membersIn(headers, "  ")}`,
    body !== undefined && `body: JSON.stringify(${inJavaScript(body, "  ")})`,
  ].filter((option) => option !== false)
  const target = `\`\${url}${path.replace("$KEY", "${key}")}${parameters === undefined ? "" : "?"}\`` +
    (parameters === undefined ? "" : ` + new URLSearchParams(${inJavaScript(parameters)})`)
  const rest = options.length === 0 ? "" : `, {\n${options.map((option) => `  ${option},\n`).join("")}}`

  const given = [
    `f"{URL}${path.replace("$KEY", "{KEY}")}"`,
    parameters !== undefined && `params=${inPython(parameters)}`,
    pythonHeaders.length > 0 && `headers=${membersIn(pythonHeaders, "    ")}`,
    body !== undefined && `json=${inPython(body)}`,
    type === "text/event-stream" && "stream=True",
  ].filter((argument) => argument !== false)
  const call = `requests.${method.toLowerCase()}(\n${given.map((argument) => `    ${argument},\n`).join("")})`

  return [
    { language: "sh", source: curl },
    { language: "js", source: `const response = await fetch(${target}${rest})\n${printJavaScript}` },
    {
      language: "python",
      source: `import requests${isRepeatable ? ", uuid" : ""}\n\nresponse = ${call}\n${printPython}`,
    },
  ]
}
