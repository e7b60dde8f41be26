import { Result } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"
import { type Chain, chainFacts, chains } from "#domain/chains/Chain.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { addressFor, isAddress, makeBytes } from "./support/rules.ts"

/** How many addresses of each chain are made; `deno task addresses` makes 100,000. */
const count = Number(Deno.env.get("ADDRESSES") ?? 60)

const isTaken = (chain: Chain, text: string): boolean =>
  Result.isSuccess(checkAddress(chain, ["mainnet"], text))

const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0OIl:"

/** The text with one letter replaced, and cut at one place. */
const spoiled = (text: string, bytes: (length: number) => Uint8Array): ReadonlyArray<string> => {
  const [at = 0, which = 0] = bytes(2)
  const place = at % text.length
  return [
    `${text.slice(0, place)}${letters[which % letters.length]}${text.slice(place + 1)}`,
    text.slice(0, place),
    text.slice(place + 1),
    `${text}${letters[which % letters.length]}`,
  ]
}

const covered = chains().filter((chain) => addressFor(chain, makeBytes("any")) !== undefined)

describe("addresses by the chains' own rules", () => {
  it("cover every chain but those of Solana's and Substrate's families", () => {
    assert.deepStrictEqual(
      chains().filter((chain) => !covered.includes(chain)).map((chain) => chainFacts(chain).family._tag),
      ["solana", "substrate", "substrate"],
    )
  })

  for (const chain of covered) {
    it(`of ${chain} are taken, and none that a node would refuse`, () => {
      const bytes = makeBytes(chain)
      let wronglyTaken = 0
      let wronglyRefused = 0
      for (let made = 0; made < count; made++) {
        const address = addressFor(chain, bytes) ?? ""
        for (const text of [address, ...spoiled(address, bytes)]) {
          const [is, taken] = [isAddress(chain, text), isTaken(chain, text)]
          if (taken && !is) wronglyTaken++
          if (is && !taken) wronglyRefused++
        }
      }
      if (count > 1_000) {
        console.log(
          `${chain}: ${count} addresses and ${
            4 * count
          } spoiled ones, ${wronglyTaken} wrongly taken, ${wronglyRefused} wrongly refused`,
        )
      }
      assert.deepStrictEqual({ wronglyTaken, wronglyRefused }, { wronglyTaken: 0, wronglyRefused: 0 })
    })

    it(`of ${chain} are of no chain that has other addresses`, () => {
      const bytes = makeBytes(`${chain} elsewhere`)
      const { family } = chainFacts(chain)
      for (let made = 0; made < Math.ceil(count / 10); made++) {
        const address = addressFor(chain, bytes) ?? ""
        for (const other of covered) {
          const isAlike = family._tag === "evm" && chainFacts(other).family._tag === "evm"
          assert.strictEqual(isTaken(other, address), other === chain || isAlike, `${address} on ${other}`)
        }
      }
    })
  }

  it.each<readonly [chain: Chain, text: string, why: RegExp]>([
    ["Litecoin", "3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj", /may as well be an address of Bitcoin.*begins with M/],
    ["Litecoin", "ltcmweb1qqtest", /MWEB/],
    ["Litecoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", /a Litecoin address begins with L, M or ltc1/],
    ["BitcoinCash", "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", /Bitcoin.*bitcoincash:q/],
    ["BitcoinCash", "bitcoincash:zqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqz4cm8kuj", /checksum|tokens/],
    [
      "Zcash",
      "u1l8xunezsvhq8fgzfl7404m450nwnd76zshscn6nfys7vyz2ywyh4cc5daaq0c7q2su5lqfh23sp7fkf3kt27ve5948",
      /unified/,
    ],
    ["Zcash", "zs1z7rejlpsa98s2rrrfkwmaxu53e4ue0ulcrw0h4x5g8jl04tak0d3mm47vdtahatqrlkngh9sly", /shielded/],
    ["Zcash", "tex1s2rt77ggv6q989lr49rkgzmh5slsksa9khdgte", /transparent addresses only/],
    ["Dash", "XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi", /length|kind|checksum/],
    ["XrpLedger", "XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi", /X-address with a tag/],
    ["XrpLedger", "XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb", /X-address; use its classic/],
    ["XrpLedger", "rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH:12345", /a tag beside it/],
    ["XrpLedger", "rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH?dt=12345", /a tag beside it/],
    ["XrpLedger", "rrrrrrrrrrrrrrrrrrrrrhoLvTp", /has no owner/],
    ["Base", "0x0000000000000000000000000000000000000000", /zero address/],
  ])("%s refuses %s with its reason", (chain, text, why) => {
    assert.match(
      Result.match(checkAddress(chain, ["mainnet"], text), {
        onFailure: (fault) => fault,
        onSuccess: () => "taken",
      }),
      why,
    )
  })
})
