import { Duration, Effect, Option, Result, Schema, SchemaGetter, SchemaIssue } from "effect"
import { Address, BrokerAccount, checkAddress, checkBrokerAccount } from "./domain/Address.ts"
import { Chain, Network } from "./domain/Chain.ts"
import { AddressBlock } from "./domain/IpAddress.ts"
import { ProviderName } from "./domain/ProviderName.ts"
import { EpochMillis } from "./domain/Time.ts"
import type { VaultAddress } from "./domain/VaultAddress.ts"
import { brokerAccountPrefix } from "./providers/chainflip/account.ts"

/** The kinds of values that settings have, and how a wrong one is told what was expected. */

const plainNumber = /^-?[0-9]{1,15}(?:\.[0-9]{1,15})?$/

export const numberFrom = <A extends number>(target: Schema.Codec<A, number>) =>
  Schema.String.check(Schema.isPattern(plainNumber)).pipe(
    Schema.decodeTo(Schema.FiniteFromString),
    Schema.decodeTo(target),
  )

export const integer = (minimum: number, maximum: number) =>
  numberFrom(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

export const HttpUrl = Schema.URLFromString.check(
  Schema.makeFilter((url) => url.protocol === "http:" || url.protocol === "https:"),
)
export const anHttpUrl = "a URL that begins with http:// or https://"

/** One that can be read: the driver would print another, with the password in it. */
export const PostgresUrl = Schema.NonEmptyString.check(
  Schema.isPattern(/^postgres(?:ql)?:\/\//),
  Schema.makeFilter((text) => URL.canParse(text)),
)

/** The path of a Redis URL is the number of a database. */
const redisPath = /^\/?[0-9]*$/

export const RedisUrl = Schema.NonEmptyString.check(
  Schema.isPattern(/^rediss?:\/\/[^\s]+$/),
  Schema.makeFilter((text) => URL.canParse(text) && redisPath.test(new URL(text).pathname)),
)

export const ChainflipAccount = BrokerAccount.check(
  Schema.makeFilter((account) => Result.isSuccess(checkBrokerAccount(brokerAccountPrefix, account))),
)

const longestDuration = Duration.hours(1)

/** Nothing is nothing in whichever unit, so that 0 needs none. */
const DurationText = Schema.String.pipe(
  Schema.decodeTo(Schema.DurationFromString, {
    decode: SchemaGetter.transform((text) => text.trim() === "0" ? "0 millis" : text),
    encode: SchemaGetter.transform((text) => text),
  }),
)

export const between = (shortest: Duration.Duration, longest: Duration.Duration = longestDuration) =>
  DurationText.check(
    Schema.makeFilter((duration) =>
      Duration.isGreaterThanOrEqualTo(duration, shortest) &&
      Duration.isLessThanOrEqualTo(duration, longest)
    ),
  )

export const PositiveDuration = between(Duration.millis(1))
export const aDuration = 'a duration from 1 millis to 1 hour, such as "5 seconds"'

const placeholder = /\{(?:issuedBlock|network|channelId|depositAddress)\}/g

export const ExplorerUrl = Schema.NonEmptyString.check(
  Schema.makeFilter((template) => {
    const url = template.replaceAll(placeholder, "1")
    return URL.canParse(url) && /^https?:/.test(url) && !/[{}]/.test(url)
  }),
)

export const LogoUrl = Schema.NonEmptyString.check(
  Schema.makeFilter((template) => {
    const url = template.replaceAll("{id}", "btc.btc")
    return template.includes("{id}") && URL.canParse(url) && /^https?:/.test(url) && !/[{}\s]/.test(url)
  }),
)

const vaultAddressParts = /^([a-z0-9-]+):([A-Za-z]+):([A-Za-z0-9]+)$/

/** One contract or program; nothing where it is none of its chain. */
const vaultAddressOf = (item: string): Option.Option<VaultAddress> => {
  const [, platform = "", name = "", address = ""] = vaultAddressParts.exec(item.trim()) ?? []
  return Option.all({
    platform: ProviderName.makeOption(platform),
    chain: Schema.decodeUnknownOption(Chain)(name),
    address: Address.makeOption(address),
  }).pipe(
    Option.filter(({ address, chain }) => Result.isSuccess(checkAddress(chain, Network.literals, address))),
  )
}

/** Several, with commas between them. */
const listOf = <A extends string>(one: Schema.Codec<A, string>) =>
  Schema.String.pipe(
    Schema.decodeTo(Schema.NonEmptyArray(one), {
      decode: SchemaGetter.transform((list) => {
        const [first = "", ...rest] = list.split(",").map((item) => item.trim())
        return [first, ...rest] as const
      }),
      encode: SchemaGetter.transform((items) => items.join(",")),
    }),
  )

/** `chainflip:Ethereum:0x…`, several with commas between them; none where it is empty. */
export const VaultAddresses = Schema.String.pipe(
  Schema.decodeTo(Schema.Array(Schema.Struct({ platform: ProviderName, chain: Chain, address: Address })), {
    decode: SchemaGetter.transformEffect((list, options) =>
      Option.match(Option.all(list.split(",").filter((item) => item.trim() !== "").map(vaultAddressOf)), {
        onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message: "is no vault" }, "", options)),
        onSome: (addresses) => Effect.succeed(addresses),
      })
    ),
    encode: SchemaGetter.transform((addresses) =>
      addresses.map(({ platform, chain, address }) => `${platform}:${chain}:${address}`).join(",")
    ),
  }),
)

export const ProviderNames = listOf(ProviderName)

export const AddressBlocks = listOf(AddressBlock)

export const Genesis = Schema.DateFromString.pipe(
  Schema.decodeTo(EpochMillis, {
    decode: SchemaGetter.transform((date) => date.getTime()),
    encode: SchemaGetter.transform((millis) => new Date(millis)),
  }),
)

const headerPair = /^([!#$%&'*+.^_`|~0-9a-z-]+)=(.*)$/i

/** Nothing where a value is not encoded as it should be. */
const decoded = (value: string): string | undefined => {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** One header of those that OpenTelemetry writes in one setting. */
const headerOf = (pair: string): Option.Option<readonly [string, string]> => {
  const [, name, value = ""] = headerPair.exec(pair.trim()) ?? []
  const text = decoded(value.trim())
  return name === undefined || text === undefined ? Option.none() : Option.some([name, text])
}

const Header = Schema.Tuple([Schema.NonEmptyString, Schema.String])

/** Headers as OpenTelemetry's settings write them: `name=value,other=value`, the values encoded as in a URL. */
export const ExportHeaders = Schema.String.pipe(
  Schema.decodeTo(Schema.Array(Header), {
    decode: SchemaGetter.transformEffect((list, options) =>
      Option.match(Option.all(list.split(",").filter((pair) => pair.trim() !== "").map(headerOf)), {
        onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message: "is no header" }, "", options)),
        onSome: (headers) => Effect.succeed(headers),
      })
    ),
    encode: SchemaGetter.transform((headers) =>
      headers.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join(",")
    ),
  }),
)
