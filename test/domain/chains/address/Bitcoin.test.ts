import { sha256 } from "@noble/hashes/sha2.js"
import { createBase58check } from "@scure/base"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"
import { Network } from "#domain/chains/Chain.ts"

const faultOf = (text: string, networks: ReadonlyArray<Network> = Network.literals): string =>
  Result.match(checkAddress("Bitcoin", networks, text), {
    onFailure: (fault) => fault,
    onSuccess: () => "none",
  })

/** Bitcoin Core's key_io_valid.json, BIP-173 and BIP-350. */
const valid: Readonly<
  Record<"mainnet" | "testnet" | "testnet or regtest" | "regtest", ReadonlyArray<string>>
> = {
  mainnet: [
    "1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo",
    "36j4NfKv6Akva9amjWrLG6MuSQym1GuEmm",
    "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
    "bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv",
    "bc1qyucykdlhp62tezs0hagqury402qwhk589q80tqs5myh3rxq34nwqhkdhv7",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    "bc1p83n3au0rjylefxq2nc2xh2y4jzz4pm6zxj4mw5pagdjjr2a9f36s6jjnnu",
  ],
  testnet: [
    "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
    "tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy",
    "tb1qcrh3yqn4nlleplcez2yndq2ry8h9ncg3qh7n54",
    "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c",
    "tb1p35n52jy6xkm4wd905tdy8qtagrn73kqdz73xe4zxpvq9t3fp50aqk3s6gz",
  ],
  "testnet or regtest": [
    "mzK2FFDEhxqHcmrJw1ysqFkVyhUULo45hZ",
    "2NC2hEhe28ULKAJkW5MjZ3jtTMJdvXmByvK",
    "n4fajahJrAuKbN7uNsKjLjQkz9Qn5ewJXQ",
    "2MxFajLApXpYk4VodBSZSt7rw8y4ryABkfA",
  ],
  regtest: [
    "bcrt1qdavt4j2sd7dlhqsavtnfxvzppw6k7qy97tmnu9",
    "bcrt1qan8gntac7z7me2ejt4hpru42ad2f759fmy0m3ejvs98656znv7eqga4uhv",
  ],
}

const served: Readonly<Record<keyof typeof valid, ReadonlyArray<Network>>> = {
  mainnet: ["mainnet"],
  testnet: ["testnet"],
  "testnet or regtest": ["testnet", "sandbox"],
  regtest: ["sandbox"],
}

/** The invalid lists of BIP-173 and BIP-350, in their order, without those that only differ in the network. */
const invalid: ReadonlyArray<readonly [text: string, fault: string]> = [
  ["tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty", "begins with"],
  ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "checksum"],
  ["BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2", "checksum"],
  ["bc1rw5uspcuh", "checksum"],
  ["bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90", "checksum"],
  ["BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", "length"],
  ["tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7", "mixes capital and small letters"],
  ["bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du", "checksum"],
  ["tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv", "length"],
  ["bc1gmk9yu", "length"],
  ["tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut", "begins with"],
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "checksum"],
  ["tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf", "checksum"],
  ["BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL", "checksum"],
  ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh", "checksum"],
  ["tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47", "checksum"],
  ["bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4", 'contains "o"'],
  ["BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R", "witness version 17"],
  ["bc1pw5dgrnzv", "length"],
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav", "length"],
  ["tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq", "mixes capital and small letters"],
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf", "length"],
  ["tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j", "length"],
]

/** Valid by BIP-350, yet not an address to which money should go. */
const unspendable: ReadonlyArray<readonly [text: string, fault: string]> = [
  ["bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y", "length"],
  ["BC1SW50QGDZ25J", "witness version 16"],
  ["bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", "witness version 2"],
  ["tb1rgv5m6uvdk3kc7qsuz0c79v88ycr5w4wa", "witness version 3"],
  ["bc1pfeessrawgf", "anyone could spend"],
  ["bc1pve739yap4uxjvfk0jrey69078u0gasm2nwvv483ec6zkzulgw9xqu4w9fd", "taproot key is not valid"],
]

describe("Bitcoin address", () => {
  for (const [kind, addresses] of Object.entries(valid)) {
    it.effect.each(addresses)(
      `accepts a published ${kind} address as it is written: %s`,
      (text) =>
        Effect.sync(() =>
          assert.deepStrictEqual(
            Result.map(checkAddress("Bitcoin", Network.literals, text), String),
            Result.succeed(text),
          )
        ),
    )
  }

  it.effect.each(["mainnet", "testnet", "testnet or regtest", "regtest"] as const)(
    "serves a %s address on its own networks only",
    (kind) =>
      Effect.sync(() => {
        for (const text of valid[kind]) {
          for (const network of Network.literals) {
            const name = network === "sandbox" ? "regtest" : network
            assert.strictEqual(
              faultOf(text, [network]),
              served[kind].includes(network)
                ? "none"
                : `cannot be used on Bitcoin, because it is a ${kind} address, but this broker serves ${name}`,
            )
          }
        }
      }),
  )

  it.effect("names all served networks when an address belongs to none of them", () =>
    Effect.sync(() =>
      assert.strictEqual(
        faultOf("1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo", ["testnet", "sandbox"]),
        "cannot be used on Bitcoin, because it is a mainnet address, but this broker serves testnet and regtest",
      )
    ))

  it.effect.each(invalid)(
    "refuses what BIP-173 and BIP-350 call invalid: %s",
    ([text, fault]) => Effect.sync(() => assert.include(faultOf(text), fault)),
  )

  it.effect.each(unspendable)(
    "refuses what its owner could not spend: %s",
    ([text, fault]) => Effect.sync(() => assert.include(faultOf(text), fault)),
  )

  it.effect.each(
    [
      ["5JuW2AMDYu4xVwRG9DZW18VbzQrGcd5RCgb99sS6ehJsNQXu5b9", "begins with 1, 3 or bc1"],
      ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "begins with 1, 3 or bc1"],
      ["1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mO", 'contains "O"'],
      ["1FsSia9rv4NeEwvJ2GvXrX7LyxYsp", "length"],
      ["1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mp", "checksum"],
      [
        createBase58check(sha256).encode(Uint8Array.of(0x06, ...new Uint8Array(20))),
        "of a kind that Bitcoin does not have",
      ],
    ] as const,
  )(
    "refuses what belongs elsewhere or is damaged: %s",
    ([text, fault]) => Effect.sync(() => assert.include(faultOf(text), fault)),
  )
})
