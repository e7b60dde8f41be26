import { blake2b } from "@noble/hashes/blake2.js"
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { checkAddress, checkBrokerAccount } from "#domain/chains/Address.ts"
import { decodeSs58, encodeSs58 } from "#domain/chains/address/Ss58.ts"

const alice = "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"

/** The Substrate development account Alice, as published for these networks. */
const published = [
  [0, alice, "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"],
  [2, alice, "HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F"],
  [42, alice, "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"],
  [64, alice, "cEaNSpz4PxFcZ7nT1VEKrKewH67rfx6MfcM6yKojyyPz7qaqp"],
  [252, alice, "xw8P6urbSAronL3zZFB7dg8p7LLSgKCUFDUgjohnf1iP434ic"],
  [255, alice, "yGHXkYLYqxijLKKfd9Q2CB9shRVu8rPNBS53wvwGTutYg4zTg"],
  [2112, alice, "cFNfitvPd2acNNFgijVN3Ls4gG112PZPq7sY2FGtPgEk25wV9"],
] as const

const polkadotFault = (text: string): string =>
  Result.match(checkAddress("Polkadot", ["mainnet"], text), {
    onFailure: (fault) => fault,
    onSuccess: () => "none",
  })

const accountFault = (text: string): string =>
  Result.match(checkBrokerAccount(2112, text), { onFailure: (fault) => fault, onSuccess: () => "none" })

describe("ss58", () => {
  it.effect.each(published)(
    "writes and reads the published address of prefix %s",
    ([prefix, publicKey, text]) =>
      Effect.sync(() => {
        assert.strictEqual(encodeSs58(prefix, hexToBytes(publicKey)), text)
        assert.deepStrictEqual(
          Result.map(decodeSs58(text), (said) => ({ ...said, publicKey: bytesToHex(said.publicKey) })),
          Result.succeed({ prefix, publicKey }),
        )
      }),
  )

  it.effect.prop(
    "reads back every prefix",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 16_383 }))],
    ([prefix]) =>
      Effect.sync(() =>
        assert.deepStrictEqual(
          Result.map(decodeSs58(encodeSs58(prefix, hexToBytes(alice))), (said) => said.prefix),
          Result.succeed(prefix),
        )
      ),
  )

  it.effect("refuses a prefix below 64 that is spread over two bytes", () =>
    Effect.sync(() => {
      const body = Uint8Array.of(0x40 | (42 >> 2), (42 & 0x03) << 6, ...hexToBytes(alice))
      const checksum = blake2b(Uint8Array.of(...utf8ToBytes("SS58PRE"), ...body)).slice(0, 2)
      assert.isTrue(Result.isFailure(decodeSs58(base58.encode(Uint8Array.of(...body, ...checksum)))))
    }))

  it.effect("throws for a prefix or a key that no address can carry", () =>
    Effect.sync(() => {
      for (const prefix of [-1, 16_384, 0.5, Number.NaN]) {
        assert.throws(() => encodeSs58(prefix, hexToBytes(alice)), RangeError, "An ss58 prefix is")
      }
      assert.throws(
        () => encodeSs58(0, new Uint8Array(20)),
        RangeError,
        "An ss58 public key has 32 bytes, not 20",
      )
    }))
})

describe("Polkadot and Asset Hub address", () => {
  it.effect("accepts every prefix, and the public key in hexadecimal, on both chains and all networks", () =>
    Effect.sync(() => {
      for (const text of [...published.map(([, , text]) => text), `0x${alice}`, `0x${alice.toUpperCase()}`]) {
        for (const chain of ["Polkadot", "Assethub"] as const) {
          for (const network of ["mainnet", "testnet", "sandbox"] as const) {
            assert.isTrue(Result.isSuccess(checkAddress(chain, [network], text)))
          }
        }
      }
    }))

  it.effect.each(
    [
      ["5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQZ", "checksum"],
      ["5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQ0", 'contains "0"'],
      ["5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHG", "length"],
      ["1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo", "length"],
      ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x followed by 64 hexadecimal digits"],
      [`0x${alice}0`, "0x followed by 64 hexadecimal digits"],
      // A first byte of 0x80 is reserved.
      [base58.encode(Uint8Array.of(0x80, ...new Uint8Array(34))), "does not begin with an ss58 prefix"],
    ] as const,
  )("refuses %s", ([text, fault]) => Effect.sync(() => assert.include(polkadotFault(text), fault)))
})

describe("broker account", () => {
  it.effect.each([
    "cFNfitvPd2acNNFgijVN3Ls4gG112PZPq7sY2FGtPgEk25wV9",
    "cFLdopvNB7LaiBbJoNdNC26e9Gc1FNJKFtvNZjAmXAAVnzCk4",
    "cFLdocJo3bjT7JbT7R46cA89QfvoitrKr9P3TsMcdkVWeeVLa",
    "cFHsUq1uK5opJudRDczt7w4baiRDHR6Kdezw77u2JnRnCGKcs",
  ])(
    "accepts the published Chainflip account %s",
    (text) =>
      Effect.sync(() =>
        assert.deepStrictEqual(Result.map(checkBrokerAccount(2112, text), String), Result.succeed(text))
      ),
  )

  it.effect("refuses an account of another network, naming both prefixes", () =>
    Effect.sync(() =>
      assert.strictEqual(
        accountFault("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"),
        "cannot be used as a broker account, because its ss58 prefix is 42, but accounts of this network have 2112",
      )
    ))

  it.effect.each(
    [
      ["cFNfitvPd2acNNFgijVN3Ls4gG112PZPq7sY2FGtPgEk25wV8", "checksum"],
      ["cFNfitvPd2acNNFgijVN3Ls4gG112PZPq7sY2FGtPgEk25wV", "length"],
      [`0x${alice}`, 'contains "0"'],
      ["", "it is empty"],
      [" cFNfitvPd2acNNFgijVN3Ls4gG112PZPq7sY2FGtPgEk25wV9", "spaces around it"],
      ["1".repeat(91), "longer than any address"],
    ] as const,
  )("refuses '%s'", ([text, fault]) => Effect.sync(() => assert.include(accountFault(text), fault)))
})
