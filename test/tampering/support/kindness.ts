import { Option } from "effect"
import { withChecksum } from "#domain/chains/address/Evm.ts"
import { asVersion3 } from "#sandbox/relay/version3.ts"
import { find, isList, isObject, type Json, parseJson } from "#test/contract/support/Json.ts"
import type { Change, Possible } from "./changes.ts"
import { type Path, writeJson } from "./json.ts"
import { differing } from "./judge.ts"
import { ofNodes, type Operation, operations } from "./operations.ts"
import { patternOf, type Place, placesOf } from "./places.ts"
import { stageIn } from "./payments.ts"
import type { Scene, Script, Seen } from "./Scene.ts"

/** Which recorded answers are of an operation, and the word in them without which two are not alike. */
interface Source {
  readonly folder: string
  readonly files: RegExp
  readonly stateOf?: (answer: Json) => string | undefined
}

const textUnder = (...path: Path) => (answer: Json): string | undefined => {
  const found = find(answer, ...path)
  return typeof found === "string" ? found : undefined
}

const ofNode = (provider: keyof typeof ofNodes, prefix: string) => {
  const { inbound, payment, pools, quote } = ofNodes[provider]
  const folder = "thorchain"
  return [
    [quote, { folder, files: new RegExp(`^${prefix}quote`) }],
    [inbound, { folder, files: new RegExp(`^${prefix}inbound`) }],
    [pools, { folder, files: new RegExp(`^${prefix}pools`) }],
    [payment, { folder, files: new RegExp(`^${prefix}status-(?!bad|unknown)`), stateOf: stageIn }],
  ] as const
}

const sources: ReadonlyMap<Operation, Source> = new Map<Operation, Source>([
  [operations.quote, { folder: "chainflip", files: /^quote/ }],
  [operations.swap, { folder: "chainflip", files: /^swap/, stateOf: textUnder("state") }],
  [operations.bitcoin, { folder: "chainflip", files: /^broker-encode-bitcoin/ }],
  [operations.evm, { folder: "chainflip", files: /^broker-encode-evm/ }],
  [operations.solana, { folder: "chainflip", files: /^broker-encode-solana/ }],
  [operations.tron, { folder: "chainflip", files: /^broker-encode-tron/ }],
  [operations.dryQuote, {
    folder: "near-intents",
    files: /^quote-dry/,
    stateOf: textUnder("quoteRequest", "swapType"),
  }],
  [operations.order, {
    folder: "near-intents",
    files: /^quote-(?!dry)/,
    stateOf: textUnder("quoteRequest", "swapType"),
  }],
  [operations.status, { folder: "near-intents", files: /^status/, stateOf: textUnder("status") }],
  [operations.relayQuote, { folder: "relay", files: /^quote-(?!.*deposit-address)/ }],
  [operations.relayOpening, { folder: "relay", files: /^quote-.*deposit-address/ }],
  [operations.relayStatus, { folder: "relay", files: /^status/, stateOf: textUnder("status") }],
  [operations.relayRequests, {
    folder: "relay",
    files: /^requests/,
    stateOf: textUnder("requests", 0, "status"),
  }],
  ...ofNode("thorchain", ""),
  ...ofNode("maya", "maya-"),
])

/** Of v3 of Relay's quotes nothing is recorded: what is of v2 is written as v3 writes it. */
const asTold = (recorded: Json, told: Json): Json =>
  find(told, "fees", "quoted") === undefined
    ? recorded
    : parseJson(JSON.stringify(asVersion3(JSON.parse(writeJson(recorded)))))

const recordedIn = ({ files, folder }: Source): ReadonlyArray<Json> => {
  const url = new URL(`../../../src/sandbox/${folder}/recorded/`, import.meta.url)
  return [...Deno.readDirSync(url)].map(({ name }) => name).filter((name) => files.test(name)).toSorted()
    .flatMap((name) => find(parseJson(Deno.readTextFileSync(new URL(name, url))), "body") ?? [])
}

/** The recorded answers that are of the same operation and state as one of the simulated networks. */
export const alike = (operation: Operation, told: Json): ReadonlyArray<Json> => {
  const source = sources.get(operation)
  if (source === undefined) return []
  const { stateOf = () => undefined } = source
  return recordedIn(source).filter((answer) => stateOf(answer) === stateOf(told))
    .map((answer) => asTold(answer, told))
}

/** The same in another order: what an answer says does not hang on the order of its members. */
const reordered = (json: Json): Json => {
  if (isList(json)) return json.map(reordered)
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).toReversed().map(([name, member]) => [name, reordered(member)]),
  )
}

/** What nobody has told us of yet. */
const additions: ReadonlyArray<Json> = ["yes", null, { nested: [true] }, [], false]

const addedMember = "memberOfALaterVersion"

const isEvmAddress = /^0x[0-9a-fA-F]{40}$/

const recased = (way: (address: string) => string) => (was: Json): Json =>
  typeof was === "string" ? way(was) : was

/** Other spellings of the same. */
const spellings = (value: Json | undefined): ReadonlyArray<(was: Json) => Json> =>
  typeof value === "string" && isEvmAddress.test(value)
    ? [recased((address) => address.toLowerCase()), recased(withChecksum)]
    : []

const parentOf = (path: Path): Path => path.slice(0, -1)

/** What recorded answers have at a member, where they have the object around it. */
const saidElsewhere = (recorded: ReadonlyArray<ReadonlyArray<Place>>, place: Place) => {
  const [pattern, parent] = [patternOf(place.path), patternOf(parentOf(place.path))]
  return recorded.flatMap((places) => {
    const around = places.filter(({ path, value }) => patternOf(path) === parent && isObject(value))
    const at = places.filter(({ path, value }) => patternOf(path) === pattern && value !== undefined)
    return parent === "" || around.length > 0 ? [Option.fromUndefinedOr(at[0]?.value)] : []
  })
}

const kind = (path: Path, value: Json | undefined): Change => ({ path, kind: "kind", value })

const edited = (path: Path, edit: (was: Json) => Json): Change => ({
  path,
  kind: "kind",
  value: undefined,
  edit,
})

interface Needed {
  readonly of: ReadonlyArray<Operation>
  readonly members: ReadonlyArray<string>
  readonly why: string
}

const { maya, thorchain } = ofNodes

/** Members that recorded answers may be without, as nothing hung on them there. */
const needed: ReadonlyArray<Needed> = [
  {
    of: [operations.relayQuote, operations.relayOpening],
    members: ["fees.app", "fees.quoted.app"],
    why: "a commission was asked for, and would be lost",
  },
  {
    of: [thorchain.quote, maya.quote],
    members: ["max_streaming_quantity"],
    why: "only it says that there is an offer in chunks",
  },
  {
    of: [thorchain.quote, maya.quote],
    members: ["inbound_address", "router"],
    why: "the vault has to be the one that the list of vaults names, too",
  },
  {
    of: [operations.evm, operations.tron],
    members: ["source_token_address"],
    why: "a token is paid, and its contract has to be the one that was asked for",
  },
  {
    of: [operations.swap],
    members: ["deposit", "swapEgress", "refundEgress"],
    why: "an end is told by what was paid in and out",
  },
  {
    of: [operations.relayRequests],
    members: ["requests.*.protocol", "requests.*.data.route"],
    why: "only the first says how much was paid in, of a swap on one chain only the second",
  },
]

const isNeeded = (operation: Operation, { path }: Place): boolean =>
  needed.some(({ members, of }) => of.includes(operation) && members.includes(patternOf(path)))

/**
 * The ways in which an honest upstream may say the same: with more members, in another order, in another spelling,
 * without the members that recorded answers are without, with nothing where they have nothing, and with the members
 * that they have and no reader asks for.
 */
export const kindnesses = ({ operation }: Scene, told: Json): ReadonlyArray<Possible> => {
  const { at, schema } = operation
  const root = find(told, ...at)
  if (root === undefined) return []
  const places = placesOf(schema.ast, root)
  const recorded = alike(operation, told).map((answer) => placesOf(schema.ast, find(answer, ...at) ?? null))
  const objects = [{ path: [], forms: [], value: root }, ...places].filter(({ value }) => isObject(value))
  const more = objects.map(({ path }, turn) =>
    kind([...at, ...path, addedMember], additions[turn % additions.length] ?? null)
  )
  const spelled = places.flatMap(({ path, value }) =>
    spellings(value).map((spelling) => edited([...at, ...path], spelling))
  )
  const turned = places.filter(({ value }) => isList(value) && value.length > 1 && value.every(isObject))
    .map(({ path }) => edited([...at, ...path], (was) => isList(was) ? was.toReversed() : was))
  const isMember = ({ path }: Place) => typeof path.at(-1) === "string"
  const less = places.filter((place) => isMember(place) && !isNeeded(operation, place)).flatMap((place) => {
    const said = saidElsewhere(recorded, place)
    const path = [...at, ...place.path]
    const isThere = place.value !== undefined && place.value !== null
    return [
      ...(isThere && said.some(Option.isNone) ? [kind(path, undefined)] : []),
      ...(place.value !== null && said.some((value) => Option.contains(value, null))
        ? [kind(path, null)]
        : []),
    ]
  })
  const patterns = new Set(places.map(({ path }) => patternOf(path)))
  const strange = recorded.flat().filter((place) =>
    isMember(place) && place.forms.length === 0 && !patterns.has(patternOf(place.path)) &&
    isObject(find(root, ...parentOf(place.path)))
  )
  const added = [...Map.groupBy(strange, ({ path }) => patternOf(path)).values()].flatMap(([place]) =>
    place?.value === undefined ? [] : [kind([...at, ...place.path], place.value)]
  )
  return [edited(at, reordered), ...turned, ...more, ...spelled, ...less, ...added].map((change) => () =>
    change
  )
}

/** What must not change with the way in which it is said. */
const essence: ReadonlyArray<Path> = [
  ["status", "state"],
  ["status", "deposit", "amountNative"],
  ["status", "swapEgress", "amountNative"],
  ["status", "refundEgress", "amountNative"],
  [0, "egressAmountNative"],
  [0, "estimatedPrice"],
  [1, "egressAmountNative"],
  ["calldata"],
]

const compare = (untouched: Seen, now: Seen): ReadonlyArray<string> => [
  ...untouched.answers.flatMap(({ body, status }, index) => {
    const answer = now.answers[index]
    if (answer === undefined) return ["no answer"]
    return answer.status === status
      ? differing(body, answer.body, essence)
      : [`${answer.status} ${answer.text}`]
  }),
]

/** Every answer said otherwise, as an honest upstream may: nothing of it is refused or read as something else. */
export const kindly: Script = { changes: kindnesses, compare }
