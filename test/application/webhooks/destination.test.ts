import type { Mode } from "#infrastructure/config/Setting.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { checkAddresses, PrivateDestination, type Reach, readUrl } from "#application/webhooks/destination.ts"

const faultOf = (text: string, mode: Mode) =>
  Result.getOrUndefined(Result.flip(readUrl(text, { mode, privateDestinations: [] })))

const good = [
  "https://example.com/webhooks",
  "https://example.com:8443/a?b=c",
  "https://example.com",
  "https://1.1.1.1/x",
  "https://[2606:4700:4700::1111]/x",
  "https://bücher.example/x",
]

const bad: ReadonlyArray<readonly [text: string, fault: RegExp]> = [
  ["", /must be a URL/],
  ["example.com", /must be a URL/],
  ["//example.com", /must be a URL/],
  ["ftp://example.com", /https/],
  ["file:///etc/passwd", /https/],
  ["javascript:alert(1)", /https/],
  ["gopher://example.com", /https/],
  ["https://user@example.com/", /user name/],
  ["https://:secret@example.com/", /user name/],
  ["https://example.com/#part", /fragment/],
  ["https://example.com:22/", /port/],
  ["https://example.com:25/", /port/],
  ["https://example.com:80/", /port/],
  ["https://example.com:0/", /port/],
  [`https://example.com/${"a".repeat(2_048)}`, /long/],
]

describe("the URL of a webhook", () => {
  it("is one of https, whatever the mode", () => {
    for (const mode of ["live", "sandbox"] as const) {
      assert.deepStrictEqual(good.map((text) => faultOf(text, mode)), good.map(() => undefined))
      for (const [text, fault] of bad) assert.match(faultOf(text, mode) ?? "fits", fault, text)
    }
  })

  it("may be one of http in the sandbox only", () => {
    assert.match(faultOf("http://127.0.0.1:9000/x", "live") ?? "fits", /https/)
    assert.isUndefined(faultOf("http://127.0.0.1:9000/x", "sandbox"))
    assert.isUndefined(faultOf("http://localhost/x", "sandbox"))
  })
})

describe("where a webhook leads", () => {
  const allowed = (url: string, mode: Mode, ...addresses: ReadonlyArray<string>) =>
    Result.isSuccess(checkAddresses(new URL(url), { mode, privateDestinations: [] }, addresses))

  it("is the internet", () => {
    assert.isTrue(allowed("https://a.example", "live", "8.8.8.8", "2606:4700:4700::1111"))
    assert.isFalse(allowed("https://a.example", "live", "10.0.0.1"))
    assert.isFalse(allowed("https://a.example", "live", "127.0.0.1"))
    assert.isFalse(allowed("https://a.example", "live"))
  })

  it("is nowhere when one of its addresses is elsewhere", () => {
    assert.isFalse(allowed("https://a.example", "live", "8.8.8.8", "169.254.169.254"))
    assert.isFalse(allowed("https://a.example", "sandbox", "8.8.8.8", "10.0.0.1"))
  })

  it("may be the machine itself in the sandbox, and only that without TLS", () => {
    assert.isTrue(allowed("https://a.example", "sandbox", "127.0.0.1"))
    assert.isTrue(allowed("http://a.example", "sandbox", "127.0.0.1", "::1"))
    assert.isFalse(allowed("http://a.example", "sandbox", "8.8.8.8"))
    assert.isFalse(allowed("http://a.example", "sandbox", "127.0.0.1", "8.8.8.8"))
    assert.isFalse(allowed("http://a.example", "sandbox", "192.168.1.1"))
  })
})

describe("destinations that the operator allows", () => {
  const listed = (...privateDestinations: Reach["privateDestinations"]): Reach => ({
    mode: "live",
    privateDestinations,
  })
  const block = Schema.decodeSync(PrivateDestination)("10.0.0.0/8")
  const local = Schema.decodeSync(PrivateDestination)("fd00::/8")
  const goes = (url: string, reach: Reach, ...addresses: ReadonlyArray<string>) =>
    Result.isSuccess(readUrl(url, reach)) && Result.isSuccess(checkAddresses(new URL(url), reach, addresses))

  it("are addresses of its blocks, in the clear only where the URL has the address", () => {
    assert.isTrue(goes("https://10.0.0.5/hook", listed(block), "10.0.0.5"))
    assert.isTrue(goes("http://10.0.0.5:9093/hook", listed(block), "10.0.0.5"))
    assert.isTrue(goes("https://[fd00::1]/hook", listed(local), "fd00::1"))
    assert.isTrue(goes("https://a.example/hook", listed(block), "10.0.0.5"))
    assert.isFalse(goes("http://a.example/hook", listed(block), "10.0.0.5"))
    assert.isFalse(goes("https://192.168.0.5/hook", listed(block), "192.168.0.5"))
    assert.isFalse(goes("https://a.example/hook", listed(block), "10.0.0.5", "127.0.0.1"))
    assert.isFalse(goes("http://8.8.8.8/hook", listed(block), "8.8.8.8"))
  })

  it("are hosts by their names, wherever those lead", () => {
    assert.isTrue(goes("http://alertmanager.lan:9093/x", listed("Alertmanager.lan"), "192.168.0.9"))
    assert.isTrue(goes("https://alertmanager.lan/x", listed("alertmanager.lan"), "127.0.0.1"))
    assert.isFalse(goes("http://sub.alertmanager.lan/x", listed("alertmanager.lan"), "192.168.0.9"))
    assert.isFalse(goes("https://other.lan/x", listed("alertmanager.lan"), "192.168.0.9"))
  })

  it("are written as names, addresses or blocks", () => {
    const isWritten = Schema.is(PrivateDestination)
    for (const text of ["localhost", "a.b-c.lan", "10.0.0.5", "10.0.0.0/8", "fd00::1"]) {
      assert.isTrue(isWritten(text), text)
    }
    for (const text of ["", "http://a", "10.0.0.0/33", "300.1.1.1", "a b", "a/8", "*"]) {
      assert.isFalse(isWritten(text), text)
    }
  })
})
