import { Schema } from "effect"
import { type Chain as CatalogueChain, chains } from "./catalogue/Catalogue.ts"

export { type BuiltInChain, type ChainFacts, chainFacts, chains, findChain } from "./catalogue/Catalogue.ts"
export { Network } from "./catalogue/ChainRow.ts"
export type { FamilyName } from "./catalogue/ChainRow.ts"

/** The known chains, by the names that answers have as `network` (chainflip/wire.md 1.2). */
export const Chain: Schema.Codec<Chain> = Schema.suspend(() => Schema.Literals(chains()))
export type Chain = CatalogueChain

/** One block of the state chain, the unit of every block count of the contract (decision 32). */
export const stateChainBlockMillis = 6_000
