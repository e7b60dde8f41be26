import { assert, describe, it } from "@effect/vitest"
import { isLoopbackAddress, isPublicAddress } from "#infrastructure/platform/IpAddress.ts"

const open = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2001:4860:4860::8888",
  "2606:4700:4700::1111",
  "2a00:1450::1",
  "::ffff:8.8.8.8",
]

const closed: Readonly<Record<string, ReadonlyArray<string>>> = {
  "unspecified": ["0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"],
  "loopback": ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
  "private": [
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "fc00::1",
    "fd12::1",
  ],
  "link-local": ["169.254.1.1", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1"],
  "shared by a carrier's customers": ["100.64.0.1", "100.127.255.255"],
  "multicast": ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
  "reserved or broadcast": ["240.0.0.1", "255.255.255.255", "192.0.0.1", "198.18.0.1", "198.19.255.255"],
  "for documentation": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  "a cloud's own": [
    "169.254.169.254",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd00:ec2::254",
  ],
  "IPv4 in disguise": [
    "64:ff9b::127.0.0.1",
    "64:ff9b::8.8.8.8",
    "64:ff9b:1::a00:1",
    "::10.0.0.1",
    "2002:7f00:1::1",
    "2002:a00:1::",
    "2001:0:4136:e378::1",
    "192.88.99.1",
  ],
  "none": ["", "localhost", "1.2.3", "0x7f000001", "2130706433", "1.2.3.4.5", "12345::", "http://8.8.8.8"],
}

describe("an address of the internet", () => {
  it("is one that a host there may have", () => {
    assert.deepStrictEqual(open.filter((address) => !isPublicAddress(address)), [])
  })

  for (const [kind, addresses] of Object.entries(closed)) {
    it(`is none that is ${kind}`, () => {
      assert.deepStrictEqual(addresses.filter(isPublicAddress), [])
    })
  }
})

describe("an address of the machine itself", () => {
  it("is one of its loopback", () => {
    const own = ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"]
    assert.deepStrictEqual([...own, ...open, "0.0.0.0", "10.0.0.1", "::", "x"].filter(isLoopbackAddress), own)
  })
})
