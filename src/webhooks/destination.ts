import type { Mode } from "../config/Setting.ts"
import { Result, Schema } from "effect"
import { isLoopbackAddress, isPublicAddress } from "../platform/IpAddress.ts"

const longestUrl = 2_048

/** Below this port only the scheme's default is allowed: nobody shall reach mail servers and the like through us. */
const firstUnprivilegedPort = 1_024

/** The name or address of a URL's host, without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")

export const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port)

const fault = (url: URL, mode: Mode): string | undefined => {
  if (url.protocol !== "https:" && (mode === "live" || url.protocol !== "http:")) {
    return mode === "live"
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
export const readUrl = (text: string, mode: Mode): Result.Result<URL, string> => {
  const trimmed = text.trim()
  if (trimmed.length > longestUrl) return Result.fail(`must be at most ${longestUrl} characters long`)
  if (!URL.canParse(trimmed)) return Result.fail("must be a URL, such as https://example.com/webhooks")
  const url = new URL(trimmed)
  const wrong = fault(url, mode)
  return wrong === undefined ? Result.succeed(url) : Result.fail(wrong)
}

/** The host leads to an address that no message may go to. */
export class AddressForbidden extends Schema.TaggedError<AddressForbidden>()("AddressForbidden", {}) {}

/** Whether a message to the URL may go to this address. */
/** In the sandbox a webhook may lead to the machine itself, so that anybody can try one. */
const isAllowed = (url: URL, mode: Mode) => (address: string): boolean =>
  (mode === "sandbox" && isLoopbackAddress(address)) ||
  (url.protocol === "https:" && isPublicAddress(address))

/**
 * The addresses that a message may go to. One forbidden address forbids all of them: such a mixture is malice or a
 * mistake.
 */
export const checkAddresses = (
  url: URL,
  mode: Mode,
  addresses: ReadonlyArray<string>,
): Result.Result<ReadonlyArray<string>, AddressForbidden> =>
  addresses.length > 0 && addresses.every(isAllowed(url, mode))
    ? Result.succeed(addresses)
    : Result.fail(new AddressForbidden())
