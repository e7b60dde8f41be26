import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Predicate } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "#api/Api.ts"
import { SandboxApi } from "#interfaces/http/Sandbox.ts"

/** Where the document of the service with its sandbox is kept, so that a reader sees a change of the contract. */
export const snapshotPlace = new URL("../openapi.snapshot.tsv", import.meta.url)

/** A part of the document: the names of the members that lead to it, and its value. */
type Part = readonly [path: ReadonlyArray<string>, value: unknown]

/** How many names lead to an endpoint, a schema or a tag. */
const holderDepth = (section: string): number => /^(?:components|paths|webhooks)$/.test(section) ? 3 : 2

/** The lists of an endpoint or a schema whose members others have, too, such as a property or a failure. */
const lists: ReadonlySet<string> = new Set(["parameters", "properties", "responses"])

/** Whether a value has members: a list of plain values is told whole. */
const isParent = (value: unknown): value is object =>
  Array.isArray(value) ? value.some(isParent) : Predicate.isObject(value) && Object.keys(value).length > 0

/** The parts that a value has at most so many names down. */
const partsOf = (value: unknown, depth: number, path: ReadonlyArray<string> = []): ReadonlyArray<Part> =>
  depth === 0 || !isParent(value)
    ? [[path, value]]
    : Object.entries(value).flatMap(([name, member]) => partsOf(member, depth - 1, [...path, name]))

/** The members of the lists of an endpoint or a schema, each by itself, and before them all the rest of it. */
const membersOf = (holder: unknown): ReadonlyArray<Part> => {
  if (!isParent(holder)) return [[[], holder]]
  const { listed = [], plain = [] } = Object.groupBy(
    Object.entries(holder),
    ([name, value]) => lists.has(name) && isParent(value) ? "listed" : "plain",
  )
  return [[[], Object.fromEntries(plain)], ...listed.flatMap(([name, list]) => partsOf(list, 1, [name]))]
}

/** The same value with members by name, as their order says nothing. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).toSorted(([one], [other]) => one < other ? -1 : 1)
      .map(([name, member]) => [name, inOrder(member)]),
  )
}

const lineOf = ([path, value]: Part): string => `${path.join(" ")}\t${JSON.stringify(value)}`

/** The OpenAPI document of the code as it is, sandbox included. */
export const openApiDocument = (): unknown =>
  inOrder(JSON.parse(JSON.stringify(OpenApi.fromApi(Api.addHttpApi(SandboxApi)))))

/**
 * A document as it is kept: a line for each endpoint and schema, and for each member of its lists. A line says
 * whose, which and what, and then who else has just the same.
 */
export const folded = (document: unknown): string => {
  const sections = Predicate.isObject(document) ? Object.entries(document) : []
  const holders = sections.flatMap(([name, section]) => partsOf(section, holderDepth(name) - 1, [name]))
  const lines = holders.flatMap(([holder, value]) =>
    membersOf(value).map((member) => ({ told: lineOf(member), holder: holder.join(" ") }))
  )
  return [...Map.groupBy(lines, ({ told }) => told)].map(([told, [first, ...others]]) =>
    `${[first?.holder, told, ...others.map(({ holder }) => holder)].join("\t")}\n`
  ).join("")
}

/** Every single value of a kept document, with where it stands. */
const valuesOf = (kept: string): ReadonlySet<string> =>
  new Set(
    kept.split("\n").filter((line) => line !== "").flatMap((line) => {
      const [first = "", member = "", json = "", ...others] = line.split("\t")
      const path = member === "" ? [] : [member]
      return [first, ...others].flatMap((holder) =>
        partsOf(JSON.parse(json), Infinity, [holder, ...path]).map(lineOf)
      )
    }),
  )

/** Every single value in which two kept documents differ: gone first, then new. */
export const changesOf = (before: string, now: string): ReadonlyArray<string> => {
  const [old, current] = [valuesOf(before), valuesOf(now)]
  return [
    ...[...old].filter((line) => !current.has(line)).map((line) => `- ${line}`),
    ...[...current].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ]
}

/** One name for the contract as it is kept, for the changelog. */
export const contractHash = (): string =>
  createHash("sha256").update(readFileSync(snapshotPlace)).digest("hex").slice(0, 16)
