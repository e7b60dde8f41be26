import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { base32 } from "@scure/base"
import {
  formOf,
  hashKey,
  issuedId,
  KeyForm,
  newKey,
  newKeyId,
  newKeyWithoutMac,
  sameHash,
} from "#application/accounts/ApiKey.ts"
import { keySecret } from "#test/support/keySecret.ts"

const textOf = (key: Redacted.Redacted<string>) => Redacted.value(key)
const form = (text: string) => formOf(Redacted.make(text))._tag

describe("a key of ours", () => {
  it("is its prefix, its public id, 120 random bits, a MAC of 80 bits and a checksum", () => {
    const id = newKeyId()
    const key = newKey(id, keySecret())
    assert.match(textOf(key), /^sbk_[a-z2-7]{16}_[a-z2-7]{48}$/)
    assert.deepStrictEqual(formOf(key), KeyForm.Ours({ id }))
    // 40 characters of base32, of five bits each, are what nobody can guess who has no secret.
    const secrets = Array.from({ length: 500 }, () => textOf(newKey(id, keySecret())).slice(21, 61))
    assert.strictEqual(new Set(secrets).size, 500)
    for (let place = 0; place < 40; place++) {
      assert.isAbove(new Set(secrets.map((secret) => secret[place])).size, 16, `place ${place}`)
    }
  })

  it("is recognised as mistyped with any one character wrong, missing, swapped or too many", () => {
    const key = textOf(newKey(newKeyId(), keySecret()))
    for (let place = 4; place < key.length; place++) {
      const other = key[place] === "a" ? "b" : "a"
      assert.strictEqual(form(key.slice(0, place) + other + key.slice(place + 1)), "Impossible", `${place}`)
      assert.strictEqual(form(key.slice(0, place) + key.slice(place + 1)), "Impossible", `${place}`)
    }
    for (let place = 5; place < key.length; place++) {
      const swapped = `${key.slice(0, place - 1)}${key[place]}${key[place - 1]}${key.slice(place + 1)}`
      if (swapped !== key) assert.strictEqual(form(swapped), "Impossible", `${place}`)
    }
    for (
      const text of [`${key}a`, `${key} `, key.toUpperCase().replace("SBK_", "sbk_"), "sbk_", `${key}${key}`]
    ) {
      assert.strictEqual(form(text), "Impossible", text)
    }
  })

  it("does not take its checksum from another key", () => {
    const [one, other] = [textOf(newKey(newKeyId(), keySecret())), textOf(newKey(newKeyId(), keySecret()))]
    assert.strictEqual(form(one.slice(0, 61) + other.slice(61)), "Impossible")
    assert.strictEqual(form(one.slice(0, 20) + other.slice(20)), "Impossible")
  })
})

describe("the MAC of a key", () => {
  it("tells one that was issued here from every other", () => {
    const id = newKeyId()
    const key = newKey(id, keySecret())
    assert.strictEqual(issuedId(key, keySecret()), id)
    assert.isUndefined(issuedId(key, keySecret(2)))
    assert.isUndefined(issuedId(newKeyWithoutMac(id), keySecret()))
    assert.isUndefined(issuedId(Redacted.make("a-key-that-the-operator-chose"), keySecret()))
    assert.isUndefined(issuedId(Redacted.make(""), keySecret()))
  })

  it("is of the whole key: its id and its random part", () => {
    const [one, other] = [textOf(newKey(newKeyId(), keySecret())), textOf(newKey(newKeyId(), keySecret()))]
    const withChecksum = (text: string) => {
      const sum = base32.encode(hashKey(Redacted.make(text)).subarray(0, 5)).toLowerCase()
      return Redacted.make(`${text}${sum}`)
    }
    assert.isDefined(issuedId(withChecksum(one.slice(0, 61)), keySecret()))
    for (const place of [21, 45]) {
      const mixed = withChecksum(one.slice(0, place) + other.slice(place, 61))
      assert.strictEqual(formOf(mixed)._tag, "Ours")
      assert.isUndefined(issuedId(mixed, keySecret()), `${place}`)
    }
  })
})

describe("a key of another form", () => {
  it("is foreign from 24 characters on: 32 hexadecimal digits, a GUID, anything", () => {
    for (
      const text of [
        "0123456789abcdef0123456789abcdef",
        "9b2f7c1e-8d14-4b8e-9a5e-2f6f0a7f1c11",
        "anything of 24 characters",
        "SBK_and-then-what-anybody-likes",
      ]
    ) assert.strictEqual(form(text), "Foreign", text)
  })

  it("is no key at all with fewer", () => {
    assert.strictEqual(form("x".repeat(23)), "Impossible")
    assert.strictEqual(form(""), "Impossible")
  })
})

describe("the hash of a key", () => {
  it("is its SHA-256, and the same only for the same key", () => {
    const abc = hashKey(Redacted.make("abc"))
    assert.strictEqual(abc.toHex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    assert.isTrue(sameHash(abc, hashKey(Redacted.make("abc"))))
    assert.isFalse(sameHash(abc, hashKey(Redacted.make("abd"))))
    assert.isFalse(sameHash(abc, new Uint8Array(0)))
  })
})
