import { assert, describe, it } from "@effect/vitest"
import { isHost } from "#interfaces/requests/PublicUrl.ts"

describe("a host", () => {
  it.each([
    "a",
    "broker.example",
    "Broker-1.example.:443",
    "swap_broker:8080",
    "127.0.0.1",
    "127.0.0.1:0",
    "a:",
    "a:65535",
    "[::1]",
    "[2001:db8::1]:8080",
  ])("is %s", (text) => assert.isTrue(isHost(text)))

  it.each([
    "",
    ":80",
    "a/",
    "a/metrics?",
    "a?",
    "a#",
    "a@b",
    "a\\b",
    "a b",
    "a\tb",
    "a,b",
    "a%2fb",
    "ä",
    "Ã¤",
    "a:65536",
    "a:-1",
    "a:8o",
    "a:1:2",
    "::1",
    "[::1",
    "[::1]x",
    "[1.2.3.4]",
    "[g::]",
    ".",
    "-a",
    "a".repeat(300),
  ])("is not %j", (text) => assert.isFalse(isHost(text)))
})
