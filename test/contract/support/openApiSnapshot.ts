import { Predicate } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../../../src/api/Api.ts"
import { SandboxApi } from "../../../src/http/Sandbox.ts"

/** Where the document of the service with its sandbox is kept, so that a reader sees a change of the contract. */
export const snapshotPlace = new URL("../openapi.snapshot.json", import.meta.url)

const lineWidth = 110

/** Pretty JSON: members by name, as their order says nothing, and what fits into a line in one. */
const pretty = (json: unknown, indent: string): string => {
  const isList = Array.isArray(json)
  if (!isList && !Predicate.isObject(json)) return JSON.stringify(json)
  const inner = `${indent}  `
  const parts = isList
    ? json.map((item) => pretty(item, inner))
    : Object.entries(json).toSorted(([one], [other]) => one < other ? -1 : 1)
      .map(([name, member]) => `${JSON.stringify(name)}: ${pretty(member, inner)}`)
  const [open, close] = isList ? "[]" : "{}"
  const line = `${open}${parts.join(", ")}${close}`
  return line.length + indent.length < lineWidth && !line.includes("\n")
    ? line
    : `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`
}

/** The OpenAPI document of the code as it is, sandbox included. */
export const openApiSnapshot = (): string =>
  `${pretty(JSON.parse(JSON.stringify(OpenApi.fromApi(Api.addHttpApi(SandboxApi)))), "")}\n`
