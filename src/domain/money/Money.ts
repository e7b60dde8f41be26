import { formatUnits } from "./Amount.ts"
import { type AssetId, factsOf } from "../chains/Asset.ts"

/** An amount with its asset, for whoever shows it. */
export interface Money {
  readonly asset: AssetId
  /** In native units. */
  readonly native: bigint
}

/** `1.5 BTC`: exact, with the ticker. */
export const moneyText = ({ asset, native }: Money): string =>
  `${formatUnits(asset, native)} ${factsOf(asset).ticker}`

/** The names that a sentence has in braces, in small letters. */
export type NamesIn<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Uncapitalize<Name> | NamesIn<Rest>
  : never
