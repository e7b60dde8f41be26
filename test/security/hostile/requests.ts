import type { Json } from "#test/contract/support/Json.ts"
import { type Members, type Operation, operations, type Slot, target } from "./operations.ts"
import { type Hostile, hostileValues, megabyte } from "./values.ts"

/** A request that is meant to do harm. */
export interface HostileRequest {
  /** For whoever reads of a failure. */
  readonly what: string
  readonly method: string
  readonly template: string
  readonly target: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: string
  /** No HTTP, or of a size that the runtime does not read: it answers by itself then, with nothing but 400. */
  readonly isHttp: boolean
}

const headerNames = [
  "x-api-key",
  "authorization",
  "accept",
  "content-type",
  "origin",
  "if-none-match",
  "idempotency-key",
  "traceparent",
  "b3",
  "purpose",
  "x-forwarded-for",
  "access-control-request-method",
]

/** One operation of each kind: what stands in a header is read by the same code for all. */
const withHeaders = [
  "GET /quotes",
  "POST /swap",
  "GET /swaps",
  "GET /assets",
  "GET /operator/accounts",
  "PUT /sandbox/faults",
]

const pathValues: Readonly<Record<string, string>> = { name: target, id: "aaaaaaaaaaaaaaaa" }

const pathOf = (template: string, changed?: { readonly name: string; readonly value: string }): string =>
  template.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => name === changed?.name ? changed.value : pathValues[name] ?? "nothing",
  )

/** A member as text, as it stands in a query. */
const plain = (json: string): string => {
  const value: unknown = JSON.parse(json)
  return typeof value === "string" ? value : json
}

const queryOf = (members: Members): ReadonlyArray<readonly [string, string]> =>
  Object.entries(members).map(([name, json]) => [encodeURIComponent(name), encodeURIComponent(plain(json))])

const written = (pairs: ReadonlyArray<readonly [string, string]>): string =>
  pairs.length === 0 ? "" : `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}`

const bodyOf = (members: Members): string =>
  `{${Object.entries(members).map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`

const json = ["content-type", "application/json"] as const

/** The request of an operation that is fine, to be changed in one place. */
const base = ({ body, method, query, template }: Operation): HostileRequest => ({
  what: `${method} ${template}`,
  method,
  template,
  target: `${pathOf(template)}${written(queryOf(query))}`,
  headers: body === undefined ? [] : [json],
  ...(body === undefined ? {} : { body: bodyOf(body) }),
  isHttp: true,
})

const encodings = new Map<string, string>()

/** Kept, as each text stands in hundreds of places, and a long one takes its time. */
const encodingOf = (text: string): string => {
  const known = encodings.get(text)
  if (known !== undefined) return known
  const encoding = encodeURIComponent(text)
  encodings.set(text, encoding)
  return encoding
}

const encodedForm = ({ encoded, text }: Hostile): string | undefined =>
  encoded ?? (text === undefined ? undefined : encodingOf(text))

type Change = Partial<Pick<HostileRequest, "target" | "body" | "headers" | "isHttp">>

/** With nothing as its last part a path is the one above, which lists, and not a hostile one. */
const isListAbove = ({ method, template }: Operation, { name }: Slot, encoded: string): boolean =>
  encoded === "" && method === "GET" && template.endsWith(`/{${name}}`)

/** A request with a hostile value in a slot; none where the value has no form for such a place. */
const changeOf = (operation: Operation, slot: Slot, value: Hostile): Change | undefined => {
  const encoded = encodedForm(value)
  const isHttp = value.text !== megabyte
  switch (slot.place) {
    case "query": {
      if (encoded === undefined) return undefined
      const others = queryOf(operation.query).filter(([name]) => name !== slot.name)
      return { target: `${pathOf(operation.template)}${written([...others, [slot.name, encoded]])}`, isHttp }
    }
    case "path":
      if (encoded === undefined || isListAbove(operation, slot, encoded)) return undefined
      return {
        target: `${pathOf(operation.template, { name: slot.name, value: encoded })}${
          written(queryOf(operation.query))
        }`,
        isHttp,
      }
    case "header":
      return headerChange(slot.name, value)
    case "body": {
      if (value.json === undefined || operation.body === undefined) return undefined
      const { within } = slot
      const inner = within === undefined ? value.json : bodyOf({ ...within.members, [slot.name]: value.json })
      return { body: bodyOf({ ...operation.body, [within?.name ?? slot.name]: inner }) }
    }
  }
}

const controlCharacter = /[^\P{Cc}\t]/u

const headerChange = (name: string, { text }: Hostile): Change | undefined =>
  text === undefined
    ? undefined
    : { headers: [[name, text]], isHttp: text !== megabyte && !controlCharacter.test(text) }

/** A parameter that is left out, given twice, or written in another way. */
const forms = (
  { body, query, template }: Operation,
  { name, place, within }: Slot,
): ReadonlyArray<Change & { readonly what: string }> => {
  if (place === "query") {
    const all = queryOf(query)
    const others = all.filter(([one]) => one !== name)
    const value = all.find(([one]) => one === name)?.[1] ?? "1"
    const target = (pairs: ReadonlyArray<readonly [string, string]>) => `${pathOf(template)}${written(pairs)}`
    return [
      { what: "left out", target: target(others) },
      { what: "twice", target: target([...others, [name, value], [name, value]]) },
      { what: "twice, differently", target: target([...others, [name, value], [name, "2"]]) },
      { what: "a hundred times", target: target([...others, ...Array(100).fill([name, value])]) },
      { what: "as a list", target: target([...others, [`${name}[]`, value]]) },
      { what: "as a member", target: target([...others, [`${name}[__proto__]`, value]]) },
      { what: "in capitals", target: target([...others, [name.toUpperCase(), value]]) },
      { what: "without a value", target: `${target(others)}${others.length === 0 ? "?" : "&"}${name}` },
      { what: "as a prototype", target: target([...all, ["__proto__", value], ["constructor", value]]) },
    ]
  }
  if (place === "body" && body !== undefined && within === undefined) {
    const others = Object.fromEntries(Object.entries(body).filter(([one]) => one !== name))
    const whole = bodyOf(body)
    return [
      { what: "left out", body: bodyOf(others) },
      { what: "twice", body: `{${JSON.stringify(name)}:"1",${whole.slice(1)}` },
      {
        what: "as a prototype",
        body: `{"__proto__":{${JSON.stringify(name)}:"1"},${bodyOf(others).slice(1)}`,
      },
      { what: "in the query as well", target: `${pathOf(template)}?${name}=other`, body: whole },
    ]
  }
  return []
}

/** Bodies that are no body of the operation at all. */
const brokenBodies: ReadonlyArray<string> = [
  "",
  " ",
  "{",
  "}",
  "null",
  "1",
  '"text"',
  "[]",
  "[1,2",
  "{}{}",
  "{'a':1}",
  '{"a":1,}',
  '{"a":NaN}',
  "\ufeff{}",
  "\u0000",
  "<a/>",
  "a=1&b=2",
  '{"__proto__":null}',
  "[".repeat(60_000),
  '{"a":'.repeat(10_000),
  megabyte,
]

const named = (operation: Operation, slot: Slot, what: string): string =>
  `${operation.method} ${operation.template} ${slot.place} ${slot.within?.name ?? ""}.${slot.name}: ${what}`

const withValues = (
  operation: Operation,
  slot: Slot,
  values: ReadonlyArray<Hostile>,
): ReadonlyArray<HostileRequest> => {
  const unchanged = base(operation)
  return values.flatMap((value) => {
    const change = changeOf(operation, slot, value)
    return change === undefined ? [] : [{ ...unchanged, ...change, what: named(operation, slot, value.what) }]
  })
}

const ofSlot = (operation: Operation, slot: Slot): ReadonlyArray<HostileRequest> => [
  ...withValues(operation, slot, hostileValues(slot.schema)),
  ...forms(operation, slot).map((form) => ({
    ...base(operation),
    ...form,
    what: named(operation, slot, form.what),
  })),
]

const headerSlots = ({ method, template }: Operation): ReadonlyArray<Slot> =>
  withHeaders.includes(`${method} ${template}`)
    ? headerNames.map((name) => ({ place: "header", name, schema: {} }))
    : []

const ofBody = (operation: Operation): ReadonlyArray<HostileRequest> =>
  operation.method === "GET" ? [] : brokenBodies.map((body) => ({
    ...base(operation),
    headers: [json],
    body,
    what: `${operation.method} ${operation.template} with the body ${body.slice(0, 20)}`,
  }))

/** What may change how the simulated networks behave comes last, so that nothing else is answered by it. */
const order = ({ template }: Operation): number =>
  template.startsWith("/sandbox") ? 2 : template.startsWith("/operator") ? 1 : 0

const ordered = (document: Json): ReadonlyArray<Operation> =>
  operations(document).toSorted((one, other) => order(one) - order(other))

const slotsOf = (operation: Operation): ReadonlyArray<Slot> => [...operation.slots, ...headerSlots(operation)]

/** Every hostile request that the document gives rise to, always the same ones in the same order. */
export const hostileRequests = (document: Json): ReadonlyArray<HostileRequest> =>
  ordered(document).flatMap((operation) => [
    base(operation),
    ...slotsOf(operation).flatMap((slot) => ofSlot(operation, slot)),
    ...ofBody(operation),
  ])

/** Every operation as it should be, and with each of these values in each place where one can stand. */
export const requestsWith = (document: Json, values: ReadonlyArray<Hostile>): ReadonlyArray<HostileRequest> =>
  ordered(document).flatMap((operation) => [
    base(operation),
    ...slotsOf(operation).flatMap((slot) => withValues(operation, slot, values)),
  ])
