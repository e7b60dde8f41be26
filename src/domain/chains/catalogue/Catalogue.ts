import { type Brand, Equal, Result, Schema } from "effect"
import { checkFamily } from "../address/checkFamily.ts"
import { AssetRow } from "./AssetRow.ts"
import { builtInAssets } from "./assets.ts"
import { ChainRow, type FamilyName } from "./ChainRow.ts"
import { builtInChains } from "./chains.ts"

/** A chain of this build. */
export type BuiltInChain = keyof typeof builtInChains

/** A chain, by the name that answers have as `network`: one of this build, or one that a row has added. */
export type Chain = BuiltInChain | (string & Brand.Brand<"Chain">)

/** An asset, by its identifier `<asset>.<chain>` (decision 32): one of this build, or one that a row has added. */
export type AssetId = keyof typeof builtInAssets | (string & Brand.Brand<"AssetId">)

export interface ChainFacts extends Omit<ChainRow, "coin"> {
  readonly name: Chain
  /** The chain's own coin. */
  readonly coin: AssetId
}

export interface AssetFacts extends Omit<AssetRow, "chain"> {
  readonly id: AssetId
  readonly chain: Chain
}

/** Chains by name and assets by identifier, as a provider's definition or the operator's file adds them. */
export const CatalogueRows = Schema.Struct({
  chains: Schema.optionalKey(Schema.Record(Schema.String, ChainRow)),
  assets: Schema.optionalKey(Schema.Record(Schema.String, AssetRow)),
})
export type CatalogueRows = typeof CatalogueRows.Type

/** Coordinates of channels and settings have a chain's name between digits and colons. */
const chainName = /^[A-Z][A-Za-z]{1,19}$/

const ChainName = Schema.String.pipe(Schema.brand("Chain"))

const AssetName = Schema.String.pipe(Schema.brand("AssetId"))

/** The catalogue at one moment, with the order of its rows. */
interface Catalogue {
  readonly chains: ReadonlyMap<string, ChainFacts>
  readonly assets: ReadonlyMap<string, AssetFacts>
  readonly chainNames: ReadonlyArray<Chain>
  readonly assetIds: ReadonlyArray<AssetId>
}

const catalogueOf = (
  chains: Iterable<readonly [string, ChainFacts]>,
  assets: Iterable<readonly [string, AssetFacts]>,
): Catalogue => {
  const byName = { chains: new Map(chains), assets: new Map(assets) }
  return {
    ...byName,
    chainNames: [...byName.chains.values()].map(({ name }) => name),
    assetIds: [...byName.assets.values()].map(({ id }) => id),
  }
}

/** One text for each spelling of a contract: EVM chains ignore the case of hexadecimal digits. */
const contractKey = (chain: ChainFacts, contract: string): string =>
  `${chain.name}/${chain.family._tag === "evm" ? contract.toLowerCase() : contract}`

/** Whose a row is, for messages: this build's, unless it was added. */
type Whose = (row: string) => string

/** The facts by which chains are told apart, of which no two chains have the same. */
const identities: Readonly<Record<string, (chain: ChainFacts) => string | number | undefined>> = {
  name: ({ name }) => name.toLowerCase(),
  title: ({ title }) => title.toLowerCase(),
  suffix: ({ suffix }) => suffix,
  "CAIP-2 name": ({ caip2 }) => caip2,
  chainId: ({ family }) => family._tag === "evm" ? family.chainId : undefined,
}

const faultsOfChain = (
  chain: ChainFacts,
  { assets, chains }: Catalogue,
  whose: Whose,
): ReadonlyArray<string> => {
  const at = `chain ${chain.name}`
  const coin = assets.get(chain.coin)
  const { caip2, family } = chain
  const shared = [...chains.values()].filter(({ name }) => name !== chain.name).flatMap((other) =>
    Object.entries(identities).flatMap(([fact, of]) =>
      of(chain) !== undefined && of(other) === of(chain)
        ? [`${at}: ${other.name} of ${whose(`chain ${other.name}`)} has the same ${fact}, ${of(chain)}`]
        : []
    )
  )
  return [
    ...(chainName.test(chain.name) ? [] : [`${at}: a name is a capital letter and up to 19 letters`]),
    ...shared,
    ...(family._tag === "evm" && caip2 !== `eip155:${family.chainId}`
      ? [`${at}: caip2 of chainId ${family.chainId} is eip155:${family.chainId}, and ${caip2} is another's`]
      : []),
    ...(coin !== undefined && coin.chain === chain.name && coin.contractAddress === undefined
      ? []
      : [`${at}: coin must be an asset of the chain without a contract, and ${chain.coin} is none`]),
    ...Result.match(checkFamily(family, chain.title, ["mainnet"], chain.nobody), {
      onFailure: (fault) => [`${at}: invalid nobody: ${fault}`],
      onSuccess: () => [],
    }),
  ]
}

/** The families whose contracts are written as addresses are; others number or name their tokens. */
const withAddresses: ReadonlyArray<FamilyName> = ["evm", "solana", "tron"]

const faultsOfAsset = (
  asset: AssetFacts,
  { assets, chains }: Catalogue,
  whose: Whose,
): ReadonlyArray<string> => {
  const at = `asset ${asset.id}`
  const chain = chains.get(asset.chain)
  if (chain === undefined) return [`${at}: there is no chain ${asset.chain}`]
  const { contractAddress, id, slip44, ticker } = asset
  const expected = `${ticker.toLowerCase()}.${chain.suffix}`
  const same = [...assets.values()].filter((other) =>
    other.id !== id && other.chain === asset.chain &&
    (contractAddress === undefined
      ? other.contractAddress === undefined
      : other.contractAddress !== undefined &&
        contractKey(chain, other.contractAddress) === contractKey(chain, contractAddress))
  )
  return [
    ...(id === expected ? [] : [`${at}: of this ticker and chain the identifier must be ${expected}`]),
    ...same.map((other) =>
      `${at}: ${other.id} of ${whose(`asset ${other.id}`)} is the same ${
        contractAddress === undefined ? "coin" : `contract, ${other.contractAddress},`
      } already`
    ),
    ...(contractAddress === undefined && slip44 === undefined
      ? [`${at}: a chain's own coin needs slip44, its number in SLIP-44; a token needs contractAddress`]
      : []),
    ...(contractAddress !== undefined && withAddresses.includes(chain.family._tag)
      ? Result.match(checkFamily(chain.family, chain.title, ["mainnet"], contractAddress), {
        onFailure: (fault) => [`${at}: contractAddress is no address: ${fault}`],
        onSuccess: () => [],
      })
      : []),
  ]
}

const chainsOf = (rows: Readonly<Record<string, ChainRow>>): ReadonlyArray<readonly [string, ChainFacts]> =>
  Object.entries(rows).map(([name, row]) => [
    name,
    { ...row, name: ChainName.make(name), coin: AssetName.make(row.coin) },
  ])

const assetsOf = (rows: Readonly<Record<string, AssetRow>>): ReadonlyArray<readonly [string, AssetFacts]> =>
  Object.entries(rows).map(([id, row]) => [
    id,
    { ...row, id: AssetName.make(id), chain: ChainName.make(row.chain) },
  ])

/** This process's catalogue. Reading the whole list closes it, so that all see the same rows. */
const state: { catalogue: Catalogue; isClosed: boolean; origins: ReadonlyMap<string, string> } = {
  catalogue: catalogueOf(chainsOf(builtInChains), assetsOf(builtInAssets)),
  isClosed: false,
  origins: new Map(),
}

const closed = (): Catalogue => {
  state.isClosed = true
  return state.catalogue
}

const differences = (known: object, row: object): string => {
  const [there, here] = [new Map(Object.entries(known)), new Map(Object.entries(row))]
  return [...new Set([...there.keys(), ...here.keys()])]
    .filter((fact) => !Equal.equals(there.get(fact), here.get(fact)))
    .map((fact) =>
      `${fact} is ${JSON.stringify(there.get(fact))} there and ${JSON.stringify(here.get(fact))} here`
    )
    .join("; ")
}

const contradicted = <A extends object>(
  kind: string,
  known: ReadonlyMap<string, A>,
  found: ReadonlyArray<readonly [string, A]>,
  whose: Whose,
) =>
  found.flatMap(([name, row]) => {
    const other = known.get(name)
    const at = `${kind} ${name}`
    return other === undefined || Equal.equals(other, row)
      ? []
      : [`${at}: there already with other facts, those of ${whose(at)}: ${differences(other, row)}`]
  })

/**
 * Adds rows, all of them or none: the faults that keep them out, each a clause that names its row, the facts and whose the
 * other row is. A row that is there already, letter for letter, changes nothing. `origin` is whose the rows are.
 */
export const addRows = (
  { assets = {}, chains = {} }: CatalogueRows,
  origin = "these rows",
): ReadonlyArray<string> => {
  const { catalogue, isClosed, origins } = state
  const [givenChains, givenAssets] = [chainsOf(chains), assetsOf(assets)]
  const newChains = givenChains.filter(([name]) => !catalogue.chains.has(name))
  const newAssets = givenAssets.filter(([id]) => !catalogue.assets.has(id))
  const next = catalogueOf([...catalogue.chains, ...newChains], [...catalogue.assets, ...newAssets])
  const added = new Map([
    ...origins,
    ...newChains.map(([name]): readonly [string, string] => [`chain ${name}`, origin]),
    ...newAssets.map(([id]): readonly [string, string] => [`asset ${id}`, origin]),
  ])
  const whose: Whose = (row) => added.get(row) ?? "this build"
  const faults = [
    ...contradicted("chain", catalogue.chains, givenChains, whose),
    ...contradicted("asset", catalogue.assets, givenAssets, whose),
    ...newChains.flatMap(([, chain]) => faultsOfChain(chain, next, whose)),
    ...newAssets.flatMap(([, asset]) => faultsOfAsset(asset, next, whose)),
  ]
  if (faults.length > 0 || newChains.length + newAssets.length === 0) return faults
  if (isClosed) return ["the catalogue has been read: rows are added at the start of a program alone"]
  state.catalogue = next
  state.origins = added
  return []
}

const known = <A>(found: A | undefined, name: string): A => {
  // Only names that the catalogue has given out have the type of one.
  if (found === undefined) throw new RangeError(`The catalogue has no ${name}`)
  return found
}

export const chainFacts = (chain: Chain): ChainFacts => known(state.catalogue.chains.get(chain), chain)

export const factsOf = (asset: AssetId): AssetFacts => known(state.catalogue.assets.get(asset), asset)

/** The chain of this name, if it is known. */
export const findChain = (name: string): Chain | undefined => state.catalogue.chains.get(name)?.name

/** The asset of this identifier, if it is known. */
export const findAssetId = (id: string): AssetId | undefined => state.catalogue.assets.get(id)?.id

/** Every known chain, in the order of the table. */
export const chains = (): ReadonlyArray<Chain> => closed().chainNames

/** Every known asset, in the order of the table. */
export const assetIds = (): ReadonlyArray<AssetId> => closed().assetIds

/** The assets of a chain that are known by now. */
export const assetsOn = (chain: Chain): ReadonlyArray<AssetFacts> =>
  [...state.catalogue.assets.values()].filter((asset) => asset.chain === chain)

/** How CAIP-19 calls tokens of a family. */
const tokenNamespaces: Readonly<Record<FamilyName, string>> = {
  bitcoin: "token",
  evm: "erc20",
  solana: "token",
  tron: "trc20",
  substrate: "assets",
  xrpl: "token",
}

/** The name of an asset in CAIP-19, such as `eip155:8453/slip44:60`. */
export const caip19Of = (asset: AssetId): string => {
  const { chain, contractAddress, slip44 } = factsOf(asset)
  const { caip2, family } = chainFacts(chain)
  return contractAddress === undefined
    ? `${caip2}/slip44:${slip44}`
    : `${caip2}/${tokenNamespaces[family._tag]}:${contractAddress}`
}
