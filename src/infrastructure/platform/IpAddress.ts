import { Schema } from "effect"
import { BlockList, isIPv4, isIPv6 } from "node:net"

/** An address with a port, as some proxies write it. */
const withPort = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/
const zone = /%.*$/s
const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/

/** IPv6 in its short form, or IPv4 where the address is a mapped one, as on a socket that takes both. */
const shorten = (ipv6: string): string => {
  const short = new URL(`http://[${ipv6}]`).hostname.slice(1, -1)
  const [, high, low] = mapped.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  return [high, low].map((hex) => parseInt(hex, 16)).flatMap((part) => [part >> 8, part & 255]).join(".")
}

/** The canonical text of an IP address in any of its spellings, with or without a port; undefined for anything else. */
export const parseAddress = (text: string): string | undefined => {
  const [, inBrackets, beforePort] = withPort.exec(text) ?? []
  const bare = (inBrackets ?? beforePort ?? text).replace(zone, "")
  return isIPv4(bare) ? bare : isIPv6(bare) ? shorten(bare) : undefined
}

const hextetsOfNetwork = 4

/** The smallest network of one party: an IPv4 address or the /64 of an IPv6 one, from canonical form. */
export const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address
  const [head = "", tail = ""] = address.split("::")
  const [before = [], after = []] = [head, tail].map((part) => part === "" ? [] : part.split(":"))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0")
  return `${[...before, ...zeros, ...after].slice(0, hextetsOfNetwork).join(":")}::/64`
}

const block = /^([^/]+)(?:\/(\d{1,3}))?$/

const partsOf = (text: string) => {
  const [, written = "", bits] = block.exec(text) ?? []
  const address = parseAddress(written)
  if (address === undefined) return undefined
  const family: "ipv4" | "ipv6" = isIPv4(address) ? "ipv4" : "ipv6"
  const mostBits = family === "ipv4" ? 32 : 128
  const prefix = bits === undefined ? mostBits : Number(bits)
  return prefix > mostBits ? undefined : { address, prefix, family }
}

/** An address, or a block of addresses such as `10.0.0.0/8`. */
export const AddressBlock = Schema.String
  .check(Schema.makeFilter((text) => partsOf(text) !== undefined))
  .pipe(Schema.brand("AddressBlock"))
export type AddressBlock = typeof AddressBlock.Type

/** Whether an address in canonical form is in one of the blocks. */
export const isWithin = (blocks: ReadonlyArray<AddressBlock>): (address: string) => boolean => {
  const list = new BlockList()
  for (const text of blocks) {
    const parts = partsOf(text)
    if (parts !== undefined) list.addSubnet(parts.address, parts.prefix, parts.family)
  }
  return (address) => list.check(address, isIPv4(address) ? "ipv4" : "ipv6")
}

const blocks = (...texts: ReadonlyArray<string>) => isWithin(texts.map((text) => AddressBlock.make(text)))

/** IPv4 addresses that no host of the internet has, or that lead back into a cloud (RFC 6890 and its registry). */
const isSpecialIpv4 = blocks(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // 169.254.169.254 serves a cloud machine its metadata, with secrets.
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
  // Azure's own address, although it looks like any other.
  "168.63.129.16/32",
)

/** The block of the internet's hosts. All others are local, or IPv4 in disguise (NAT64, mapped, compatible). */
const isGlobalIpv6 = blocks("2000::/3")

/** Blocks in it without such hosts: Teredo and other protocols', documentation, 6to4. */
const isSpecialIpv6 = blocks("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

const isLoopbackBlock = blocks("127.0.0.0/8", "::1/128")

/** Whether an IP address, in any spelling, is one that a host of the internet may have. */
export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text)
  if (address === undefined) return false
  return isIPv4(address) ? !isSpecialIpv4(address) : isGlobalIpv6(address) && !isSpecialIpv6(address)
}

/** Whether an IP address, in any spelling, leads back to the machine itself. */
export const isLoopbackAddress = (text: string): boolean => {
  const address = parseAddress(text)
  return address !== undefined && isLoopbackBlock(address)
}
