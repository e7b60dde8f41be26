import { Data, Option } from "effect"
import { encodeMethod, openMethod } from "#api/Rpc.ts"
import type { Scope } from "#domain/accounts/Key.ts"
import { NodeMethod } from "#domain/operations/NodeCall.ts"

/** The methods by purpose. */
export type Method = Data.TaggedEnum<{
  /** Opens a deposit channel. */
  Open: object
  /** Encodes the transaction of a vault swap. */
  Encode: object
  /** Is passed on to the upstream's node as it came. */
  Node: { readonly method: NodeMethod }
}>
export const Method = Data.taggedEnum<Method>()

/** The methods that are served, by name. A broker's own methods have a second name each (chainflip/wire.md 2.1). */
const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  [openMethod, Method.Open()],
  ["broker_requestSwapDepositAddress", Method.Open()],
  [encodeMethod, Method.Encode()],
  ["broker_requestSwapParameterEncoding", Method.Encode()],
  ...NodeMethod.literals.map((method) => [method, Method.Node({ method })] as const),
])

/** The method of this name, if it is served. */
export const findMethod = (name: string): Option.Option<Method> => Option.fromUndefinedOr(methods.get(name))

const scopes: Readonly<Record<Method["_tag"], Scope>> = { Open: "swap", Encode: "swap", Node: "quote" }

/** The scope that a key needs for a method. */
export const scopeOf = ({ _tag }: Method): Scope => scopes[_tag]
