import { Data } from "effect"
import type { Account, Caller } from "./Account.ts"

/** Who looks at the dashboard. Every page gets it, and shows what this viewer may see. */
export type Viewer = Data.TaggedEnum<{
  /** Somebody with a key that may operate the service: sees everything, and acts by the scopes of the key. */
  Operator: { readonly caller: Caller }
  /** Somebody who came by a link of the operator's: sees this account and nothing else, and changes nothing. */
  Integrator: { readonly account: Account }
}>
export const Viewer = Data.taggedEnum<Viewer>()

export type Operator = Data.TaggedEnum.Value<Viewer, "Operator">
export type Integrator = Data.TaggedEnum.Value<Viewer, "Integrator">
