import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { AddressBlock } from "#infrastructure/platform/IpAddress.ts"
import { clientAddress } from "#interfaces/http/server/Server.ts"

const blocks = Schema.decodeUnknownSync(Schema.Array(AddressBlock))

const direct = clientAddress([])
const behindProxies = clientAddress(blocks(["10.0.0.0/8", "fd00::/8"]))

describe("where a request comes from", () => {
  it("is who connected, whatever the header says, where no proxy is trusted", () => {
    assert.strictEqual(direct("127.0.0.1", null), "127.0.0.1")
    assert.strictEqual(direct("127.0.0.1", "203.0.113.7"), "127.0.0.1")
    assert.strictEqual(direct("::ffff:127.0.0.1", "203.0.113.7"), "127.0.0.1")
  })

  it("is the same for a whole /64", () => {
    assert.strictEqual(direct("2001:db8:1:2::1", null), direct("2001:db8:1:2:ffff::9", null))
    assert.notStrictEqual(direct("2001:db8:1:2::1", null), direct("2001:db8:1:3::1", null))
  })

  it.each([
    ["10.0.0.1", null, "10.0.0.1"],
    ["10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["10.0.0.1", "203.0.113.7:4711", "203.0.113.7"],
    ["10.0.0.1", "[2001:db8::9]:4711", "2001:db8:0:0::/64"],
    ["fd00::1", "198.51.100.1, 203.0.113.7, 10.2.3.4", "203.0.113.7"],
    ["10.0.0.1", "10.0.0.2,10.0.0.3", "10.0.0.2"],
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["10.0.0.1", "203.0.113.7, unknown, 10.0.0.2", "10.0.0.2"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["10.0.0.1", ",,,", "10.0.0.1"],
  ])(
    "is, for %s which forwards for %s, %s",
    (peer, forwardedFor, address) => assert.strictEqual(behindProxies(peer, forwardedFor), address),
  )
})
