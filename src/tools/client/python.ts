import { type JsonSchema, nameIn } from "#api/document/Contract.ts"
import type { ClientOperation, Field, Plan } from "./operations.ts"
import { decimalName, isNative, makeShapes } from "./shapes.ts"
import { codesOf } from "./typescript.ts"
import type { Shape } from "./typescript/json.ts"

const keywords: ReadonlySet<string> = new Set("from import in is class def global pass with".split(" "))

/** A name as Python takes it: a keyword gets a line after it. */
const argument = (name: string): string => keywords.has(name) ? `${name}_` : name

const snake = (id: string): string => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A value of JSON as Python writes it. */
const literal = (value: Shape | string | boolean | undefined | ReadonlyArray<string>): string =>
  value === undefined
    ? "None"
    : typeof value === "boolean"
    ? (value ? "True" : "False")
    : JSON.stringify(value)

const plainTypes: Readonly<Record<string, string>> = {
  string: "str",
  number: "Union[int, Decimal]",
  integer: "int",
  boolean: "bool",
  null: "None",
}

/** The type of what a schema describes, as the reader makes it; texts of a list are text, as there will be more. */
const typeOf = (schema: JsonSchema, name = ""): string => {
  if (schema.$ref !== undefined) {
    const target = nameIn(schema.$ref)
    return target === decimalName ? "Decimal" : target
  }
  if (isNative(name, schema)) return "int"
  if (schema.anyOf !== undefined) {
    const types = [...new Set(schema.anyOf.map((one) => typeOf(one)))]
    return types.length === 1 ? types.join("") : `Union[${types.join(", ")}]`
  }
  if (schema.type === "array") return `List[${typeOf(schema.items ?? {})}]`
  if (schema.type === "object") return "Dict[str, Any]"
  return plainTypes[schema.type ?? ""] ?? "Any"
}

const inOneLine = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll("\\", "\\\\").replaceAll('"""', "'''")

const docstring = (text: string | undefined, indent: string): string =>
  text === undefined || text === "" ? "" : `${indent}"""${inOneLine(text).replace(/"$/, '" ')}"""\n`

const dictionary = (name: string, base: string, schema: JsonSchema, isTotal: boolean): string => {
  const members = Object.entries(schema.properties ?? {})
    .filter(([member]) => (schema.required ?? []).includes(member) === isTotal)
    .map(([member, part]) => ({ member, type: typeOf(part, member) }))
  // The syntax of classes has no member whose name is a keyword.
  if (members.some(({ member }) => keywords.has(member))) {
    const pairs = members.map(({ member, type }) => `"${member}": "${type}"`)
    return `${name} = TypedDict("${name}", {${pairs.join(", ")}}${isTotal ? "" : ", total=False"})\n`
  }
  const lines = members.map(({ member, type }) => `    ${member}: ${type}\n`)
  return `class ${name}(${base}${isTotal ? "" : ", total=False"}):\n${docstring(schema.description, "    ")}${
    lines.join("")
  }` +
    (lines.length === 0 && schema.description === undefined ? "    pass\n" : "")
}

const declaration = (name: string, schema: JsonSchema): string => {
  if (schema.properties === undefined) return `${name} = ${typeOf(schema)}\n`
  const required = schema.required ?? []
  const names = Object.keys(schema.properties)
  if (names.every((member) => required.includes(member))) return dictionary(name, "TypedDict", schema, true)
  if (required.length === 0) return dictionary(name, "TypedDict", schema, false)
  const { description: _, ...bare } = schema
  return `${dictionary(`_${name}`, "TypedDict", bare, true)}\n\n${
    dictionary(name, `_${name}`, schema, false)
  }`
}

const inputType = ({ name, schema }: Field): string => {
  const type = schema.type === "number" ? "Decimal" : typeOf(schema, name)
  return type.replace("Decimal", "Union[Decimal, str, int]")
}

const readsOf = ({ answer }: ClientOperation, shapeOf: ReturnType<typeof makeShapes>["shapeOf"]) => {
  if (answer === "text") return { reads: "text", shape: undefined }
  if ("json" in answer) return { reads: "json", shape: shapeOf(answer.json) }
  const shapes = answer.events.flatMap(({ data, name }) => {
    const shape = shapeOf(data)
    return shape === undefined ? [] : [[name, shape] as const]
  })
  return { reads: "events", shape: Object.fromEntries(shapes) }
}

const methodOf = (operation: ClientOperation, shapeOf: ReturnType<typeof makeShapes>["shapeOf"]): string => {
  const { answer, fields, hasBody, id, isPublic, isSigned, method, path, sending, summary } = operation
  const { reads, shape } = readsOf(operation, shapeOf)
  const isStream = reads === "events"
  const needed = fields.filter(({ required }) => required).map((field) =>
    `${argument(field.name)}: ${inputType(field)}`
  )
  const free = fields.filter(({ required }) => !required)
    .map((field) => `${argument(field.name)}: Optional[${inputType(field)}] = None`)
  const [options, given] = isStream
    ? [["last_event_id: Optional[str] = None"], ["last_event_id"]]
    : sending === "keyed"
    ? [["idempotency_key: Optional[str] = None", onAnswer], ["idempotency_key", "on_answer"]]
    : [[onAnswer], ["on_answer=on_answer"]]
  const result = typeof answer === "object" && "json" in answer
    ? typeOf(answer.json)
    : isStream
    ? "Iterator[Event]"
    : "str"
  const values = fields.map(({ name }) => `"${name}": ${argument(name)}`)
  const facts = [id, method, path, sending, reads, shape, hasBody, isPublic, isSigned].map(literal).join(", ")
  const own = options.filter((option) => !fields.some(({ name }) => option.startsWith(`${name}:`)))
  return `    def ${snake(id)}(self, *, ${
    [...needed, ...free, ...own, "**more: Any"].join(", ")
  }) -> ${result}:\n` +
    docstring(`${summary}: ${method} ${path}.`, "        ") +
    `        return self._${isStream ? "follow" : "call"}(_Operation(${facts}),\n` +
    `            {${[...values, "**more"].join(", ")}}, ${given.join(", ")})\n`
}

const onAnswer = "on_answer: Optional[Callable[[Answer], None]] = None"

const head = (version: string): string =>
  `"""Client of Swap Broker ${version}, made of its contract by \`deno task client\`. Licence: MIT."""
from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import random
import re
import secrets as secrets_module
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal
from typing import (Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple, TypedDict,
                    Union)

#: The version of the service whose contract this is.
__version__ = "${version}"
`

/** The client in Python as one file; \`texts\` are the written parts. */
export const pythonClient = (plan: Plan, texts: ReadonlyArray<string>): string => {
  const { shapeOf, table } = makeShapes(plan)
  // Other types are made of these when the module is read: the ones that are no dictionaries come last.
  const schemas = [...plan.schemas].filter(([name]) => name !== decimalName)
  const [dictionaries, others] = [true, false].map((has) =>
    schemas.filter(([, schema]) => (schema.properties !== undefined) === has)
      .map(([name, schema]) => declaration(name, schema))
  )
  const messages = plan.messages.map(({ schema }) => typeOf(schema)).join(", ")
  return [
    head(plan.version),
    ...texts.map((text) => text.trimEnd() + "\n"),
    `PROBLEM_CODES = frozenset(${literal(codesOf(plan).map(([code]) => code))})\n`,
    `_SHAPES: Dict[str, Any] = ${literal(table)}\n`,
    ...others ?? [],
    ...dictionaries ?? [],
    `WebhookMessage = Union[${messages}]\n`,
    `class SwapBroker(_Connection):
    """
    A client of one service with one key, for its whole contract. A method raises a ProblemError where the service
    refuses or fails, a NoAnswer where there is no answer, a SignatureRejected where one was changed on the way.
    """

${plan.operations.map((operation) => methodOf(operation, shapeOf)).join("\n")}`,
  ].join("\n\n")
}
