import { Schema } from "effect"

/** The network of a chain that an address belongs to; the sandbox has its own. */
export const Network = Schema.Literals(["mainnet", "testnet", "sandbox"])
export type Network = typeof Network.Type

/** The bytes that begin an address in base58check: one, or two as on Zcash. */
const Version = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff }))

/** The kinds of addresses that a chain of Bitcoin's family has on one of its networks. */
export const BitcoinForms = Schema.Struct({
  /** Pay to public key hash. Absent, with `scriptHash`: base58check is not taken. */
  keyHash: Schema.optionalKey(Version),
  /** Pay to script hash. */
  scriptHash: Schema.optionalKey(Version),
  /** The prefix of segwit addresses (BIP 173, BIP 350). */
  bech32: Schema.optionalKey(Schema.NonEmptyString),
  /** The prefix of CashAddr. */
  cashAddr: Schema.optionalKey(Schema.NonEmptyString),
})
export type BitcoinForms = typeof BitcoinForms.Type

/** A family of chains: the code for addresses, transactions, links and payloads. Its parameters are of one chain. */
export const Family = Schema.Union([
  Schema.TaggedStruct("bitcoin", {
    forms: Schema.Record(Network, BitcoinForms),
    /** How addresses of the main network begin, as completes "begins with". */
    begins: Schema.NonEmptyString,
    /** The scheme of payment links (BIP 321 on Bitcoin; each other chain has its own word). */
    scheme: Schema.NonEmptyString,
    /** Beginnings of addresses that the chain has and that are not taken, each with the reason. */
    refused: Schema.Record(Schema.String, Schema.NonEmptyString),
  }),
  Schema.TaggedStruct("evm", {
    /** The chain's number on its main network (EIP-155). */
    chainId: Schema.Int.check(Schema.isGreaterThan(0)),
  }),
  Schema.TaggedStruct("solana", {}),
  Schema.TaggedStruct("tron", {}),
  Schema.TaggedStruct("substrate", {}),
  Schema.TaggedStruct("xrpl", {}),
])
export type Family = typeof Family.Type
/** A chain of Bitcoin's family with its parameters. */
export type BitcoinFamily = Extract<Family, { readonly _tag: "bitcoin" }>
export type FamilyName = Family["_tag"]

/** A time in milliseconds. */
const Millis = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** What stands before a transaction or an address in the URL of its page in a public explorer. */
const Explorer = Schema.String.check(
  Schema.isPattern(/^https:\/\/[^\s@]+$/, { expected: "a URL that begins with https:// and has no @" }),
)

/** The name and the explorer of a chain on one of its networks. */
const publicFields = {
  caip2: Schema.String.check(Schema.isPattern(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/, {
    expected: "a name as in CAIP-2, such as eip155:1",
  })),
  explorer: Schema.optionalKey(Explorer),
  addressExplorer: Schema.optionalKey(Explorer),
}

/** All facts of a chain that do not depend on an upstream. */
export const ChainRow = Schema.Struct({
  /** The part of an asset identifier after the dot. */
  suffix: Schema.String.check(
    Schema.isPattern(/^[a-z0-9]{2,10}$/, { expected: "2 to 10 small letters and digits" }),
  ),
  /** The chain's name in sentences. */
  title: Schema.NonEmptyString,
  family: Family,
  /** The chain's own coin, by its identifier. */
  coin: Schema.NonEmptyString,
  /** Average time between blocks. */
  blockMillis: Millis.check(Schema.isGreaterThan(0)),
  /** The least time that is certain to pass between blocks; 0 where chance decides. */
  leastBlockMillis: Millis,
  /** Blocks until a deposit is usually taken for final, where an upstream publishes no figure. */
  confirmations: Schema.Int.check(Schema.isGreaterThan(0)),
  ...publicFields,
  explorer: Explorer,
  /** The same of the chain's test network, as far as it is known. */
  testnet: Schema.optionalKey(Schema.Struct(publicFields)),
  /** The most that sending on the chain, or taking a deposit there, may cost; in thousandths of a US dollar. */
  mostCost: Schema.Int.check(Schema.isGreaterThan(0)),
  /** An address of the main network that is known for having no owner, or a very well known one. */
  nobody: Schema.NonEmptyString,
})
export type ChainRow = typeof ChainRow.Type
