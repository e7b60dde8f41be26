import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { AddressBlock, isWithin, networkOf, parseAddress } from "#infrastructure/platform/IpAddress.ts"

describe("an IP address", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.7:4711", "203.0.113.7"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::", "::"],
    ["::1", "::1"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["0:0:0:0:0:ffff:0:1", "0.0.0.1"],
  ])("%s is %s", (written, address) => assert.strictEqual(parseAddress(written), address))

  it.each([
    "",
    "unknown",
    "_hidden",
    "203.0.113",
    "203.0.113.256",
    "0x7f.1",
    "1.2.3.4, 5.6.7.8",
    "[::1",
    "2001:db8::1::",
    "2001:db8::1:443:x",
    "host.example",
    "[host]:1",
  ])('"%s" is none', (text) => assert.isUndefined(parseAddress(text)))
})

describe("what one party has at the least", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
    ["2001:db8::3:4:5:6", "2001:db8:0:0::/64"],
    ["2001:db8::6", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::", "fe80:0:0:0::/64"],
  ])("of %s is %s", (address, network) => assert.strictEqual(networkOf(address), network))
})

describe("a block of addresses", () => {
  const blocks = Schema.decodeUnknownSync(Schema.Array(AddressBlock))

  it.each([
    [["10.0.0.0/8"], ["10.0.0.0", "10.255.255.255"], ["11.0.0.0", "::1", "::a00:1"]],
    [["192.0.2.1"], ["192.0.2.1"], ["192.0.2.2"]],
    [["fd00::/8", "::1"], ["fd12:3456::1", "::1"], ["fe00::1", "::2", "127.0.0.1"]],
    [["0.0.0.0/0"], ["255.1.2.3"], []],
    [[], [], ["127.0.0.1", "::1"]],
  ])("%s has %s and not %s", (texts, inside, outside) => {
    const has = isWithin(blocks(texts))
    for (const address of inside) assert.isTrue(has(address), address)
    for (const address of outside) assert.isFalse(has(address), address)
  })

  it.each(["10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0/8", "proxy.internal", "/8", ""])(
    'is not written "%s"',
    (text) => assert.throws(() => blocks([text])),
  )
})
