import { addresses } from "#test/contract/support/addresses.ts"
import { find, isList, isObject, type Json, listAt, objectAt, textAt } from "#test/contract/support/Json.ts"
import { resolve } from "#test/contract/support/JsonSchema.ts"
import { sampleOf } from "./values.ts"

/** JSON texts by the names of members, or of parameters. */
export type Members = Readonly<Record<string, string>>

/** One place of a request where a value stands. */
export interface Slot {
  readonly place: "query" | "path" | "header" | "body"
  readonly name: string
  /** Of a member of a body: the object that it is a member of, and what else that one has. */
  readonly within?: { readonly name: string; readonly members: Members }
  readonly schema: Json
}

/** One operation of the document, with a request that is fine but for what is put into a slot. */
export interface Operation {
  readonly method: string
  /** As in the document, such as `/operator/accounts/{name}`. */
  readonly template: string
  readonly slots: ReadonlyArray<Slot>
  readonly query: Members
  readonly body: Members | undefined
}

/** The account that hostile requests of the operator are about. */
export const target = "hostile-target"

const json = (members: Readonly<Record<string, unknown>>): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]))

const pair = { sourceAsset: "eth.eth", destinationAsset: "usdc.arb" }
const swap = json({ ...pair, destinationAddress: addresses.arb })
const payload = (sourceAsset: string, refundAddress: string): Members =>
  json({
    sourceAsset,
    destinationAsset: "usdc.arb",
    destinationAddress: addresses.arb,
    refundAddress,
    amount: "2",
  })

/** What requests have that are fine; for those of the operator, so that they leave the service as it is. */
const fine: Readonly<Record<string, Members>> = {
  "/quotes": json({ ...pair, amount: "1" }),
  "/quote": json({ ...pair, amount: "1" }),
  "/quotes-native": json({ ...pair, amount: "1000000000000000000" }),
  "/quote-native": json({ ...pair, amount: "1000000000000000000" }),
  "/swap": swap,
  "/tx-payload/bitcoin": payload("btc.btc", addresses.btc),
  "/tx-payload/evm": payload("eth.eth", addresses.eth),
  "/tx-payload/solana": {
    ...payload("sol.sol", addresses.sol),
    sourceAddress: JSON.stringify(addresses.sol),
  },
  "/tx-payload/tron": payload("trx.tron", addresses.tron),
  "/tx-payload/xrpl": payload("xrp.xrp", addresses.xrp),
  "/status-by-id": json({ swapId: "1" }),
  "/status-by-deposit-channel": json({ issuedBlock: "1", network: "Bitcoin", channelId: "1" }),
  "/status-by-transaction-hash": json({ transactionHash: "0x12" }),
  "/operator/accounts/{name}/routes": json({ ...pair, allowed: true }),
  "/providers/{name}/switch": json({ operation: "encode", asset: "usdt.bsc", enabled: true, reason: "test" }),
  "/sandbox/faults": json({
    provider: "near-intents",
    operation: "status",
    kind: "latency",
    latencyMs: 0,
    count: 1,
  }),
  "/sandbox/time": json({ advanceSeconds: 1 }),
}

const dereferenced = (document: Json, schema: Json): Json => {
  const reference = find(schema, "$ref")
  return typeof reference === "string" ? dereferenced(document, resolve(document, reference)) : schema
}

/** The objects that a schema allows. */
const variants = (document: Json, schema: Json): ReadonlyArray<Json> => {
  const whole = dereferenced(document, schema)
  const several = find(whole, "anyOf")
  if (isList(several)) return several.flatMap((one) => variants(document, one))
  return find(whole, "properties") === undefined ? [] : [whole]
}

const requiredOf = (schema: Json): Members => {
  const names = find(schema, "required")
  const properties = objectAt(schema, "properties")
  if (!isList(names)) return {}
  return Object.fromEntries(
    names.flatMap((name) => typeof name === "string" ? [[name, sampleOf(properties[name] ?? {})]] : []),
  )
}

/** A member of a body, and those of the objects in it. */
const memberSlots = (document: Json, name: string, schema: Json): ReadonlyArray<Slot> => [
  { place: "body", name, schema: dereferenced(document, schema) },
  ...variants(document, schema).flatMap((variant) =>
    Object.entries(objectAt(variant, "properties")).map(([inner, schema]): Slot => ({
      place: "body",
      name: inner,
      within: { name, members: requiredOf(variant) },
      schema: dereferenced(document, schema),
    }))
  ),
]

const isPlace = (text: string): text is "query" | "path" | "header" => text !== "body" && text !== "cookie"

const parameterSlots = (operation: Json): ReadonlyArray<Slot> => {
  if (find(operation, "parameters") === undefined) return []
  return listAt(operation, "parameters").map((parameter): Slot => {
    const place = textAt(parameter, "in")
    if (!isPlace(place)) throw new Error(`The suite does not know parameters in ${place}`)
    return { place, name: textAt(parameter, "name"), schema: find(parameter, "schema") ?? {} }
  })
}

/** One operation for its parameters, and one for each form that its body can have. */
const operationsOf = (
  document: Json,
  template: string,
  method: string,
  operation: Json,
): ReadonlyArray<Operation> => {
  const known = fine[template]
  const parameters = parameterSlots(operation)
  const names = parameters.filter(({ place }) => place === "query").map(({ name }) => name)
  const inQuery = Object.fromEntries(Object.entries(known ?? {}).filter(([name]) => names.includes(name)))
  const plain = { method: method.toUpperCase(), template, slots: parameters, query: inQuery, body: undefined }
  const schema = find(operation, "requestBody", "content", "application/json", "schema")
  if (schema === undefined) return [plain]
  const bodies = variants(document, schema).map((variant): Operation => ({
    ...plain,
    slots: Object.entries(objectAt(variant, "properties")).flatMap(([name, member]) =>
      memberSlots(document, name, member)
    ),
    query: {},
    body: known ?? requiredOf(variant),
  }))
  const [first] = bodies
  return [{ ...plain, body: names.length > 0 ? undefined : first?.body }, ...bodies]
}

/** Every operation of the served document. */
export const operations = (document: Json): ReadonlyArray<Operation> =>
  Object.entries(objectAt(document, "paths")).flatMap(([template, methods]) =>
    isObject(methods)
      ? Object.entries(methods).flatMap(([method, operation]) =>
        operationsOf(document, template, method, operation)
      )
      : []
  )
