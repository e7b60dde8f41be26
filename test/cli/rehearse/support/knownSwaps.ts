import { Effect } from "effect"
import { announced } from "#sandbox/announced.ts"
import type { Environment } from "#test/support/process.ts"
import { openOrder } from "#test/sandbox/near-intents/support.ts"
import {
  advance,
  at,
  bitcoinAddress,
  type Client,
  ethereumAddress,
  openChannel,
  textAt,
} from "#test/sandbox/support.ts"

/** A swap that an upstream knows, as an operator names it. */
export interface Known {
  readonly channel?: string
  readonly transaction?: string
}

/** A provider, with a swap and an account of the operator's of which its upstream tells all that it can. */
export interface Case {
  readonly name: string
  readonly provider: string
  /** Settings with the upstreams at this place. */
  readonly env: (url: URL) => Environment
  readonly swap: (client: Client) => Effect.Effect<Known>
}

const amountNative = "25000001"
const hours = 6 * 3_600

const paid = Effect.fnUntraced(function* (client: Client, address: string) {
  const { json } = yield* client.send("POST", "/sandbox/deposits", { address, amountNative })
  yield* advance(client, hours)
  return textAt(json, "transactionHash")
})

const chainflip = Effect.fnUntraced(function* (client: Client) {
  yield* client.call("broker", "broker_register_affiliate", [ethereumAddress])
  yield* client.call("broker", "broker_bind_fee_withdrawal_address", [ethereumAddress])
  const { address, id } = yield* openChannel(client)
  return { channel: id, transaction: yield* paid(client, address) }
})

const nearIntents = Effect.fnUntraced(function* (client: Client) {
  const deadline = new Date(Date.now() + 86_400_000).toISOString()
  const { address } = yield* openOrder(client, { deadline })
  yield* paid(client, address)
  return { channel: address }
})

const relay = Effect.fnUntraced(function* (client: Client) {
  const { json } = yield* client.send("POST", "/relay/quote/v2", {
    user: "34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo",
    recipient: ethereumAddress,
    refundTo: bitcoinAddress,
    originChainId: 8_253_038,
    destinationChainId: 1,
    originCurrency: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8",
    destinationCurrency: "0x0000000000000000000000000000000000000000",
    amount: amountNative,
    tradeType: "EXACT_INPUT",
    useDepositAddress: true,
    strict: true,
    slippageTolerance: "100",
    appFees: [{ recipient: announced(client.url)["RELAY_FEE_RECIPIENT"] ?? "", fee: "25" }],
  })
  yield* paid(client, textAt(json, "steps", 0, "depositAddress"))
  return { channel: textAt(json, "steps", 0, "requestId") }
})

const payment = (path: string) =>
  Effect.fnUntraced(function* (client: Client) {
    const { json: vaults } = yield* client.get(`${path}/inbound_addresses`)
    const vault = Array.isArray(vaults) ? vaults.find((row) => at(row, "chain") === "BTC") : undefined
    const memo = `=:ETH.ETH:${ethereumAddress}:0:sandbox:25`
    const { json } = yield* client.send("POST", "/sandbox/vault-swaps", {
      payload: {
        network: "Bitcoin",
        depositAddress: textAt(vault, "address"),
        nulldataPayload: `0x${new TextEncoder().encode(memo).toHex()}`,
        amountNative,
      },
    })
    yield* advance(client, hours)
    return { transaction: textAt(json, "transactionHash") }
  })

const simulated = (url: URL): Environment => ({ SANDBOX_URL: url.origin })

/** Every simulated provider; Relay says less to who has no key. */
export const cases: ReadonlyArray<Case> = [
  { name: "chainflip", provider: "chainflip", env: simulated, swap: chainflip },
  { name: "near-intents", provider: "near-intents", env: simulated, swap: nearIntents },
  { name: "relay", provider: "relay", env: simulated, swap: relay },
  {
    name: "relay without a key",
    provider: "relay",
    env: ({ origin }) => ({ MODE: "live", RELAY_URL: `${origin}/relay` }),
    swap: relay,
  },
  { name: "thorchain", provider: "thorchain", env: simulated, swap: payment("/thorchain/thorchain") },
  { name: "maya", provider: "maya", env: simulated, swap: payment("/maya/mayachain") },
]
