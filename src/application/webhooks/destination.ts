import type { Mode } from "#infrastructure/config/Setting.ts"
import { Option, Result, Schema } from "effect"
import {
  AddressBlock,
  isLoopbackAddress,
  isPublicAddress,
  isWithin,
  parseAddress,
} from "#infrastructure/platform/IpAddress.ts"

const HostName = Schema.String.check(
  Schema.isPattern(/^(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*$/i),
  Schema.isMaxLength(253),
)

/** A host by its name, or addresses, that the operator allows although they are not on the internet. */
export const PrivateDestination = Schema.Union([AddressBlock, HostName])
export type PrivateDestination = AddressBlock | typeof HostName.Type

/** Where messages may go: to the internet, in the sandbox to this machine, and to what the operator allows. */
export interface Reach {
  readonly mode: Mode
  readonly privateDestinations: ReadonlyArray<PrivateDestination>
}

const isBlock = Schema.is(AddressBlock)

const longestUrl = 2_048

/** Below this port only the scheme's default is allowed: nobody shall reach mail servers and the like through us. */
const firstUnprivilegedPort = 1_024

/** The name or address of a URL's host, without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")

export const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port)

/** Whether an IP address is in a block that the operator allows. Names are in none. */
const isAllowedBlock = ({ privateDestinations }: Reach): (host: string) => boolean => {
  const isInside = isWithin(privateDestinations.filter(isBlock))
  return (host) => Option.exists(Option.fromUndefinedOr(parseAddress(host)), isInside)
}

const isNamed = (url: URL, { privateDestinations }: Reach): boolean =>
  privateDestinations.some((allowed) => !isBlock(allowed) && allowed.toLowerCase() === hostOf(url))

/** Whether the operator allows exactly this host, so that a message may go there in the clear, too. */
const isListed = (url: URL, reach: Reach): boolean =>
  isNamed(url, reach) || isAllowedBlock(reach)(hostOf(url))

const fault = (url: URL, reach: Reach): string | undefined => {
  const mayBePlain = reach.mode === "sandbox" || isListed(url, reach)
  if (url.protocol !== "https:" && !(mayBePlain && url.protocol === "http:")) {
    return reach.mode === "live"
      ? "must begin with https://"
      : "must begin with https://, or http:// to this machine"
  }
  if (url.username !== "" || url.password !== "") return "must not have a user name or password in it"
  if (url.hash !== "") return "must not have a fragment"
  if (hostOf(url) === "") return "must have a host"
  const isUsual = url.port === ""
  return isUsual || portOf(url) >= firstUnprivilegedPort
    ? undefined
    : "must have port 443, or one of 1024 or above"
}

/** A URL that has the form of an endpoint, or what is wrong with it. Where it leads is checked separately. */
export const readUrl = (text: string, reach: Reach): Result.Result<URL, string> => {
  const trimmed = text.trim()
  if (trimmed.length > longestUrl) return Result.fail(`must be at most ${longestUrl} characters long`)
  if (!URL.canParse(trimmed)) return Result.fail("must be a URL, such as https://example.com/webhooks")
  const url = new URL(trimmed)
  const wrong = fault(url, reach)
  return wrong === undefined ? Result.succeed(url) : Result.fail(wrong)
}

/** The host leads to an address that no message may go to. */
export class AddressForbidden extends Schema.TaggedError<AddressForbidden>()("AddressForbidden", {}) {}

/** Whether a message to the URL may go to this address. A host that the operator names may have any address. */
const isAllowed = (url: URL, reach: Reach) => {
  const isOfBlocks = isAllowedBlock(reach)
  return (address: string): boolean =>
    (reach.mode === "sandbox" && isLoopbackAddress(address)) ||
    isNamed(url, reach) ||
    ((url.protocol === "https:" || isListed(url, reach)) && isOfBlocks(address)) ||
    (url.protocol === "https:" && isPublicAddress(address))
}

/** The addresses that a message may go to. One forbidden address forbids all of them. */
export const checkAddresses = (
  url: URL,
  reach: Reach,
  addresses: ReadonlyArray<string>,
): Result.Result<ReadonlyArray<string>, AddressForbidden> =>
  addresses.length > 0 && addresses.every(isAllowed(url, reach))
    ? Result.succeed(addresses)
    : Result.fail(new AddressForbidden())
