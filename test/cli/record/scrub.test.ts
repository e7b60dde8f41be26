import { Predicate, Result } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"
import { isOfProgram } from "#domain/chains/address/ownerless.ts"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { type Chain, chainFacts, chains } from "#domain/chains/Chain.ts"
import { scrub } from "#cli/record/record.ts"
import { addressFor, makeBytes } from "#test/domain/chains/address/support/rules.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { base58 } from "@scure/base"

const scrubbed = (value: unknown, names: ReadonlyArray<string> = []): string =>
  Result.getOrThrow(scrub(value, names))

const read = (value: unknown, names: ReadonlyArray<string> = []): unknown =>
  JSON.parse(scrubbed(value, names))

const at = (value: unknown, ...path: ReadonlyArray<string | number>): string =>
  `${path.reduce((part, name) => Predicate.hasProperty(part, name) ? part[name] : undefined, value)}`

const isTaken = (chain: Chain, text: string): boolean =>
  Result.isSuccess(checkAddress(chain, ["mainnet"], text))

const randomAddress = (chain: Chain, bytes: (length: number) => Uint8Array): string =>
  addressFor(chain, bytes) ??
    (chainFacts(chain).family._tag === "solana" ? base58.encode(bytes(32)) : encodeSs58(0, bytes(32)))

describe("what is recorded of a swap", () => {
  it.each(chains().map((chain) => [chain] as const))(
    "has other addresses of %s in place of its own",
    (chain) => {
      const bytes = makeBytes(`stand-ins of ${chain}`)
      for (let made = 0; made < 40; made++) {
        const [mine, other] = [randomAddress(chain, bytes), randomAddress(chain, bytes)]
        const bare = mine.slice(mine.indexOf(":") + 1)
        const isHex = mine.startsWith("0x")
        const text = scrubbed({
          address: mine,
          other,
          [mine]: 1,
          words: `sent to ${mine}, then to ${other}`,
          memo: `=:A.A:${bare}:1/2/3:t:50`,
          ...(isHex ? { small: mine.toLowerCase(), capitals: `0X${mine.slice(2).toUpperCase()}` } : {}),
        })
        const result: unknown = JSON.parse(text)
        const [mineNow, otherNow] = [at(result, "address"), at(result, "other")]
        for (const [before, now] of [[mine, mineNow], [other, otherNow]] as const) {
          assert.isTrue(isTaken(chain, now), `${chain}: ${before} became ${now}`)
          assert.strictEqual(isOfProgram(chain, now), isOfProgram(chain, before))
          for (const one of chains()) {
            assert.strictEqual(
              isTaken(one, now),
              isTaken(one, before),
              `${one} ${now}`,
            )
          }
          assert.notInclude(
            text.toLowerCase(),
            before.slice(before.indexOf(":") + 1).toLowerCase().replace("0x", ""),
          )
        }
        assert.notStrictEqual(mineNow, otherNow)
        assert.strictEqual(at(result, mineNow), "1")
        assert.strictEqual(at(result, "words"), `sent to ${mineNow}, then to ${otherNow}`)
        assert.strictEqual(at(result, "memo"), `=:A.A:${mineNow.slice(mineNow.indexOf(":") + 1)}:1/2/3:t:50`)
        if (isHex) {
          assert.strictEqual(at(result, "small"), mineNow.toLowerCase())
          assert.strictEqual(at(result, "capitals"), `0X${mineNow.slice(2).toUpperCase()}`)
        }
      }
    },
  )

  it("has the same stand-in for a hash, an ID and a signature however they are spelled", () => {
    const hash = "ab12".repeat(16)
    const uuid = "92820c1f-f3cb-4c4c-91d9-d8428a3fc124"
    const signature =
      "4hT7wJUSrkvuhbHAUdFC7HmtrPoCPzgUzqvZT5iwgLZWnKDWEucjKi1pvamzHVLA4q3ZFEGav6WYpiGeHEjGZ4Pt"
    const token = `eyJ${"hbGciOi9".repeat(5)}.${"Ab3_-".repeat(12)}.${"x9Yz".repeat(12)}`
    const result = read({
      hash,
      upper: hash.toUpperCase(),
      prefixed: `0x${hash}`,
      memo: `OUT:${hash.toUpperCase()}`,
      inBase58: base58.encode(Uint8Array.fromHex(hash)),
      uuid,
      again: `order-${uuid}`,
      signature: `ed25519:${signature}`,
      token,
    })
    const stand = at(result, "hash")
    assert.match(stand, /^[0-9a-f]{64}$/)
    assert.notStrictEqual(stand, hash)
    assert.strictEqual(at(result, "upper"), stand.toUpperCase())
    assert.strictEqual(at(result, "prefixed"), `0x${stand}`)
    assert.strictEqual(at(result, "memo"), `OUT:${stand.toUpperCase()}`)
    assert.strictEqual(at(result, "inBase58"), base58.encode(Uint8Array.fromHex(stand)))
    assert.match(at(result, "uuid"), /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.strictEqual(at(result, "again"), `order-${at(result, "uuid")}`)
    assert.notStrictEqual(at(result, "uuid"), uuid)
    assert.match(at(result, "signature"), /^ed25519:[1-9A-HJ-NP-Za-km-z]{86,88}$/)
    assert.notInclude(at(result, "signature"), signature)
    assert.strictEqual(at(result, "token").length, token.length)
    for (const part of token.split(".")) assert.notInclude(at(result, "token"), part)
  })

  it("replaces calldata as a whole, of the same length", () => {
    const address = "0b4dd0c3da001fa146eed3f80b01860bef6b8a14"
    const text = new TextEncoder().encode(`=:b:0x${address}:0:broker:5`).toHex()
    const data = `0xe8017952${address.padStart(64, "0")}${text}`
    const result = read({ data, again: data, from: `0x${address}` }, ["broker"])
    assert.match(at(result, "data"), /^0x[0-9a-f]+$/)
    assert.strictEqual(at(result, "data").length, data.length)
    assert.strictEqual(at(result, "again"), at(result, "data"))
    for (const original of [address, text, new TextEncoder().encode("broker").toHex()]) {
      assert.notInclude(at(result, "data"), original)
    }
  })

  it("replaces numbers and names only where they are IDs of the swap or of people", () => {
    const sent = {
      swapId: "948784",
      id: "9182-Ethereum-7731",
      chainId: 42161,
      requestId: JSON.rawJSON("948784"),
      amount: "1948784",
      witnessedBlockIndex: "10177616-1310",
      updatedAt: "2026-10-02T18:29:40.097Z",
      status: "PENDING_DEPOSIT",
      appFees: [{ recipient: "operator.near", fee: 20 }],
      referral: "mywallet",
      originAsset: "nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near",
      memo: "=:ETH.ETH:0x0B4Dd0C3dA001Fa146EEd3f80B01860BEF6B8a14:1:eth:5",
    }
    const result = read(sent, ["eth"])
    for (
      const same of [
        "chainId",
        "amount",
        "witnessedBlockIndex",
        "updatedAt",
        "status",
        "originAsset",
      ] as const
    ) {
      assert.strictEqual(at(result, same), `${sent[same]}`)
    }
    assert.match(at(result, "swapId"), /^[1-9][0-9]{5}$/)
    assert.notStrictEqual(at(result, "swapId"), sent.swapId)
    assert.strictEqual(at(result, "requestId"), at(result, "swapId"))
    assert.match(at(result, "id"), /^[1-9][0-9]{3}-Ethereum-[1-9][0-9]{3}$/)
    assert.notStrictEqual(at(result, "id"), sent.id)
    assert.match(at(result, "appFees", 0, "recipient"), /^[a-z]{8}\.near$/)
    assert.notInclude(scrubbed(sent, ["eth"]), "operator")
    assert.notStrictEqual(at(result, "referral"), sent.referral)
    assert.match(at(result, "memo"), /^=:ETH\.ETH:0x[0-9a-fA-F]{40}:1:[a-z]{3}:5$/)
    assert.notInclude(at(result, "memo"), ":eth:")
  })

  it("keeps an amount that is equal to an ID, and replaces the ID wherever else it is", () => {
    const id = "948784"
    const sent = {
      url: `https://explorer.invalid/swaps/${id}?at=1${id}`,
      order: JSON.rawJSON(id),
      [id]: `swap ${id}, of ${id}.5`,
      amountNative: id,
      amountIn: JSON.rawJSON(id),
      fees: [id],
      swapId: id,
    }
    const result = read(sent)
    const stand = at(result, "swapId")
    assert.match(stand, /^[1-9][0-9]{5}$/)
    assert.notStrictEqual(stand, id)
    assert.strictEqual(at(result, "url"), `https://explorer.invalid/swaps/${stand}?at=1${id}`)
    assert.strictEqual(at(result, "order"), stand)
    assert.strictEqual(at(result, stand), `swap ${stand}, of ${id}.5`)
    assert.deepStrictEqual([at(result, "amountNative"), at(result, "amountIn"), at(result, "fees", 0)], [
      id,
      id,
      id,
    ])
  })

  it("is the same for the same swap, and tells nothing of the originals", () => {
    const [one, other] = ["11", "22"].map((digits) => `0x${digits.repeat(10)}ab${digits.repeat(9)}`)
    assert.strictEqual(scrubbed({ address: one }), scrubbed({ address: other }))
  })

  it("is refused where an original is left in any spelling", () => {
    const left = scrub({ note: "paid by SOMEBROKER" }, ["somebroker"])
    assert.deepStrictEqual(left, Result.fail("somebr"))
  })
})
