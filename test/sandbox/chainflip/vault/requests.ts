import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import { at, type Client } from "../../support.ts"
import { networkAssets } from "#domain/chains/payload/contractNumbers.ts"

const encode = "broker_request_swap_parameter_encoding"

export const solanaSender = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
export const seed = `0x${"ab".repeat(32)}`

/** Every asset that a vault swap can start from by the paths of the contract. */
export const sources = networkAssets.filter((asset) =>
  ["Bitcoin", "Ethereum", "Arbitrum", "Solana", "Tron"].includes(chainOf(asset))
)

/** What a test changes in a request for an encoding. */
export interface Changes {
  readonly from?: AssetId
  readonly to?: AssetId
  readonly destination?: string
  readonly commission?: number
  readonly amount?: bigint
  readonly minimum?: bigint
  readonly refund?: Readonly<Record<string, unknown>>
  readonly extra?: Readonly<Record<string, unknown>>
  readonly message?: unknown
  readonly boost?: number
  readonly affiliates?: ReadonlyArray<{ readonly account: string; readonly bps: number }>
  readonly dca?: unknown
}

export const hex = (value: bigint): string => `0x${value.toString(16)}`

export const wireAsset = (asset: AssetId) => ({ chain: factsOf(asset).chain, asset: factsOf(asset).ticker })

const extraOf = (from: AssetId, { amount = 10n ** 8n, minimum = 0n, refund, extra }: Changes) => {
  const chain = chainOf(from)
  if (chain === "Bitcoin") {
    return {
      chain,
      min_output_amount: hex(minimum),
      retry_duration: 150,
      max_oracle_price_slippage: null,
      ...extra,
    }
  }
  return {
    chain,
    input_amount: hex(amount),
    refund_parameters: {
      retry_duration: 150,
      refund_address: addressFor(from),
      min_price: hex(minimum),
      refund_ccm_metadata: null,
      max_oracle_price_slippage: null,
      ...refund,
    },
    ...(chain === "Solana" ? { from: solanaSender, seed } : {}),
    ...extra,
  }
}

/** The positional parameters of a request for an encoding; from eth.eth to btc.btc unless changed. */
export const encoding = (changes: Changes = {}) => {
  const { from = "eth.eth", to = from === "btc.btc" ? "eth.eth" : "btc.btc" } = changes
  return [
    wireAsset(from),
    wireAsset(to),
    changes.destination ?? addressFor(to),
    changes.commission ?? 25,
    extraOf(from, changes),
    changes.message ?? null,
    changes.boost ?? null,
    changes.affiliates ?? null,
    changes.dca ?? null,
  ]
}

/** The reply to a request for an encoding. */
export const replyTo = (client: Client, changes: Changes = {}) =>
  client.call("broker", encode, encoding(changes))

/** The encoding itself, in the broker's form. */
export const encodingOf = (client: Client, changes: Changes = {}) =>
  Effect.map(replyTo(client, changes), (reply) => {
    const result = at(reply, "result")
    assert.isObject(result, JSON.stringify(reply))
    return result
  })

/** The same as the service answers it (decision 13). */
export const payloadOf = (result: unknown, amount: bigint) => {
  const chain = at(result, "chain")
  const token = at(result, "source_token_address")
  const common = { network: chain, ...(token === undefined ? {} : { sourceTokenAddress: token }) }
  if (chain === "Bitcoin") {
    return {
      network: chain,
      depositAddress: at(result, "deposit_address"),
      nulldataPayload: at(result, "nulldata_payload"),
      amountNative: `${amount}`,
    }
  }
  if (chain === "Solana") {
    const accounts = at(result, "accounts")
    return {
      network: chain,
      programId: at(result, "program_id"),
      accounts: (Array.isArray(accounts) ? accounts : []).map((account) => ({
        pubkey: at(account, "pubkey"),
        isSigner: at(account, "is_signer"),
        isWritable: at(account, "is_writable"),
      })),
      data: at(result, "data"),
    }
  }
  const note = at(result, "note")
  return {
    ...common,
    to: at(result, "to"),
    calldata: at(result, "calldata"),
    value: `${BigInt(`${at(result, "value")}`)}`,
    ...(note === undefined ? {} : { note }),
  }
}
