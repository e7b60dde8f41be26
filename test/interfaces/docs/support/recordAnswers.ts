import { answeredAlike } from "#api/document/examples.ts"
import { isList, isObject, type Json, parseJson } from "#test/contract/support/Json.ts"
import { writeJson } from "./pageSamples.ts"
import type { Ran } from "./runSamples.ts"

/** Lists are shown by their first items, what an upstream said and pictures by their beginning. */
const mostItems = 2
const mostCharacters = 600
const mostOfPicture = 300

/** What would work, were it not made up: nothing in the document may look like a key that is in use. */
const secrets: Readonly<Record<string, string>> = {
  key: "sbk_7f3kq2mzr5xwa6hd_shown-once-and-never-again",
  secret: "whsec_c2hvd24gb25jZSBhbmQgbmV2ZXIgYWdhaW4=",
}

const shortened = (json: Json, name = ""): Json => {
  if (isList(json)) return json.slice(0, mostItems).map((one) => shortened(one))
  if (isObject(json)) {
    return Object.fromEntries(Object.entries(json).map(([own, member]) => [own, shortened(member, own)]))
  }
  if (typeof json !== "string") return json
  return secrets[name] ?? (name === "upstreamBody" ? json.slice(0, mostCharacters) : json)
}

/** JSON with the first item of each list, as the document shows answers: the data of an event is text in it. */
const inShort = (json: Json): Json => {
  if (isList(json)) return json.slice(0, 1).map(inShort)
  return isObject(json)
    ? Object.fromEntries(Object.entries(json).map(([name, member]) => [name, inShort(member)]))
    : json
}

/** The first event of a stream, which the document describes. */
const firstEvent = (text: string): Json => {
  const frame = text.split("\n\n").find((one) => /^data: /m.test(one)) ?? ""
  const fields = frame.split("\n").flatMap((line) => {
    const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) return []
    return [[name, name === "data" ? writeJson(inShort(parseJson(value))) : value] as const]
  })
  return Object.fromEntries(fields)
}

const readAnswer: Readonly<Record<string, (text: string) => Json>> = {
  "application/json": (text) => shortened(parseJson(text)),
  "text/event-stream": firstEvent,
  "text/csv": (text) => text.split("\n").slice(0, 2).map((line) => `${line}\n`).join(""),
  "image/svg+xml": (text) => text.length > mostOfPicture ? `${text.slice(0, mostOfPicture)}…` : text,
}

/** What the answers say, the latest of each, by `operationId` and type of content: JSON as such, of a stream one event. */
export const recordAnswers = (ran: ReadonlyArray<Ran>): string => {
  const answers = new Map<string, Record<string, Json>>()
  for (const { contentType, sample: { operationId }, text } of ran) {
    if (text === "" || operationId in answeredAlike) continue
    const read = readAnswer[contentType]
    if (read !== undefined) {
      answers.set(operationId, { ...answers.get(operationId), [contentType]: read(text) })
    }
  }
  const inOrder = [...answers].toSorted(([one], [other]) => one < other ? -1 : 1)
  return `${JSON.stringify(JSON.parse(writeJson(Object.fromEntries(inOrder))), null, 2)}\n`
}
