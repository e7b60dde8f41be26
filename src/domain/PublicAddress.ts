import { isIPv4 } from "node:net"
import { AddressBlock, isWithin, parseAddress } from "./IpAddress.ts"

const blocks = (...texts: ReadonlyArray<string>) => isWithin(texts.map((text) => AddressBlock.make(text)))

/** IPv4 addresses that no host of the internet has, or that lead back into a cloud (RFC 6890 and its registry). */
const isSpecialIpv4 = blocks(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // What clouds tell their machines about themselves, secrets too, is at 169.254.169.254.
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Azure's, although it looks like any other.
  "168.63.129.16/32",
)

/** Where hosts of the internet are. Everything else is local, or IPv4 in disguise (NAT64, mapped, compatible). */
const isGlobalIpv6 = blocks("2000::/3")

/** What is not such a host there: Teredo and other protocols', documentation, 6to4. */
const isSpecialIpv6 = blocks("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

const isLoopbackBlock = blocks("127.0.0.0/8", "::1/128")

/** Whether an IP address, however it is written, is one that a host of the internet may have. */
export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text)
  if (address === undefined) return false
  return isIPv4(address) ? !isSpecialIpv4(address) : isGlobalIpv6(address) && !isSpecialIpv6(address)
}

/** Whether an IP address, however it is written, leads back to the machine itself. */
export const isLoopbackAddress = (text: string): boolean => {
  const address = parseAddress(text)
  return address !== undefined && isLoopbackBlock(address)
}
