import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import {
  contrastWithWhite,
  MerchantColour,
  MerchantLogo,
  MerchantName,
  MerchantReturnUrl,
  MerchantSupport,
  mostLogoBytes,
  pictureOf,
} from "#domain/accounts/Merchant.ts"
import { hostile } from "#test/interfaces/dashboard/support/hostile.ts"

const dataUrl = (type: string, bytes: Uint8Array) =>
  `data:${type};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`

const starting = (length: number, ...bytes: ReadonlyArray<number>) => {
  const all = new Uint8Array(length)
  all.set(bytes)
  return all
}

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const jpeg = [0xff, 0xd8, 0xff, 0xe0]
const webp = [0x52, 0x49, 0x46, 0x46, 1, 2, 3, 4, 0x57, 0x45, 0x42, 0x50]

describe("the logo of a merchant", () => {
  it.each([
    ["image/png", png],
    ["image/jpeg", jpeg],
    ["image/webp", webp],
  ])("is a picture as it says: %s", (type, bytes) => {
    for (const length of [12, 13, 14, mostLogoBytes]) {
      const picture = Option.getOrUndefined(pictureOf(dataUrl(type, starting(length, ...bytes))))
      assert.strictEqual(picture?.type, type)
      assert.strictEqual(picture?.bytes.length, length)
    }
  })

  it.each([
    ["too large", dataUrl("image/png", starting(mostLogoBytes + 1, ...png))],
    ["far too large", dataUrl("image/png", starting(1_000_000, ...png))],
    ["another type than it says", dataUrl("image/png", starting(20, ...jpeg))],
    ["SVG, which could hold a script", "data:image/svg+xml;base64,PHN2Zy8+"],
    [
      "HTML that says it is a picture",
      dataUrl("image/png", new TextEncoder().encode("<script>canary()</script>")),
    ],
    ["a URL elsewhere", "https://example.com/logo.png"],
    ["a data URL that is not in base64", "data:image/png,abc"],
    ["with more types than one", dataUrl("image/png;image/svg+xml", starting(20, ...png))],
    ["empty", ""],
    ["without a picture", "data:image/png;base64,"],
    ["with spaces", ` ${dataUrl("image/png", starting(20, ...png))}`],
    ["with a line more", `${dataUrl("image/png", starting(20, ...png))}\n`],
    ["hostile", hostile],
  ])("is refused where it is %s", (_, text) => {
    assert.isFalse(Schema.is(MerchantLogo)(text))
  })
})

describe("the colour of a merchant", () => {
  it("has the contrast that WCAG tells of well-known colours", () => {
    assert.closeTo(contrastWithWhite("#000000"), 21, 1e-9)
    assert.closeTo(contrastWithWhite("#ffffff"), 1, 1e-9)
    assert.closeTo(contrastWithWhite("#767676"), 4.54, 0.005)
    assert.closeTo(contrastWithWhite("#777777"), 4.48, 0.005)
    assert.closeTo(contrastWithWhite("#0000ff"), 8.59, 0.005)
  })

  it.each(["#0b6b5d", "#2447C6", "#767676"])("can be %s", (colour) => {
    assert.isTrue(Schema.is(MerchantColour)(colour))
  })

  it.each(["#777777", "#ffffff", "#ff0", "red", "#0b6b5d;}", "0b6b5d", "#0b6b5d\n", "", hostile])(
    "cannot be %s",
    (colour) => {
      assert.isFalse(Schema.is(MerchantColour)(colour))
    },
  )
})

describe("the name of a merchant", () => {
  it.each(["Acme Wallet", "Ä & <b>", "株式会社", "x".repeat(60)])("can be %s", (name) => {
    assert.isTrue(Schema.is(MerchantName)(name))
  })

  it.each(["", " Acme", "Acme\n", "Ac\u202Eme", "Ac\u200Bme", "x".repeat(61), "a\u0000b"])(
    "cannot be %j",
    (name) => {
      assert.isFalse(Schema.is(MerchantName)(name))
    },
  )
})

describe("the links of a merchant", () => {
  const url = "https://acme-wallet.example/help?from=pay"
  const mail = "help@acme-wallet.example"

  it("are an https URL, support also a mail address", () => {
    assert.isTrue(Schema.is(MerchantReturnUrl)(url))
    assert.isTrue(Schema.is(MerchantSupport)(url))
    assert.isTrue(Schema.is(MerchantSupport)(mail))
    assert.isFalse(Schema.is(MerchantReturnUrl)(mail))
  })

  it.each([
    "",
    "acme",
    "acme@",
    "a@b@acme.example",
    "help@acme.example?bcc=x@evil.example",
    "mailto:help@acme.example",
    "http://acme.example",
    "javascript:alert(1)",
    "//acme.example",
    "https://user:secret@acme.example",
    "https://acme.example/a b",
    "https://acme.example/\u202E",
    `https://acme.example/${"x".repeat(300)}`,
    hostile,
  ])("cannot be %j", (text) => {
    assert.isFalse(Schema.is(MerchantSupport)(text))
    assert.isFalse(Schema.is(MerchantReturnUrl)(text))
  })
})
