import { Effect } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { issueAbout } from "#domain/Issues.ts"
import { ProviderError, RequestRefused } from "#domain/ProviderError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { vaultAddress } from "#sandbox/engine/identifiers.ts"
import { variants } from "../memory/variants.ts"
import { vaultSwapsOf } from "../verbs/kit.ts"
import { encoding, type Fault, notHex, onBitcoin, onEthereum, onSolana } from "./mutations.ts"

const { coarse, feeInValue, payloadsAlone } = variants

const makesBitcoin = "makes a payload for btc.btc to eth.eth"
const makesEther = "makes a payload for eth.eth to btc.btc"
const makesToken = "makes a payload for usdc.eth to btc.btc"
const makesSolana = "makes a payload for sol.sol to eth.eth"

/** Payloads that nobody should sign. */
export const payloadFaults: ReadonlyArray<Fault> = [
  {
    what: "hands out a payload to a vault that is retired already",
    variant: payloadsAlone,
    mutate: encoding((encoded) => ({ ...encoded, expiresAt: EpochMillis.make(0) })),
    fails: [makesBitcoin, makesEther],
  },
  {
    what: "says that a payload is good for a year",
    variant: payloadsAlone,
    mutate: encoding((encoded) => ({ ...encoded, expiresAt: EpochMillis.make(365 * 86_400_000) })),
    fails: [makesBitcoin],
  },
  {
    what: "has the refund address paid",
    variant: payloadsAlone,
    mutate: onBitcoin((payload, { refundAddress }) => ({ ...payload, depositAddress: refundAddress })),
    fails: [makesBitcoin],
  },
  {
    what: "makes a PSBT that pays another address than its payload says",
    variant: payloadsAlone,
    mutate: onBitcoin((payload) => ({ ...payload, depositAddress: vaultAddress("Bitcoin", "another") })),
    fails: [makesBitcoin],
  },
  {
    what: "makes a PSBT with other null data than its payload says",
    variant: payloadsAlone,
    mutate: onBitcoin((payload) => ({ ...payload, nulldataPayload: "0xabcd" })),
    fails: [makesBitcoin],
  },
  {
    what: "makes null data that no node passes on",
    variant: payloadsAlone,
    mutate: onBitcoin(({ psbt: _, ...payload }) => ({ ...payload, nulldataPayload: `0x${"ab".repeat(81)}` })),
    fails: [makesBitcoin],
  },
  {
    what: "moves a unit more than was asked for",
    variant: payloadsAlone,
    mutate: onEthereum((payload) => ({ ...payload, value: NativeAmount.make(payload.value + 1n) })),
    fails: [makesEther, makesToken],
  },
  {
    what: "moves a unit less than was asked for",
    variant: payloadsAlone,
    mutate: onEthereum((payload) => ({
      ...payload,
      value: NativeAmount.make(payload.value === 0n ? 0n : payload.value - 1n),
    })),
    fails: [makesEther],
  },
  {
    what: "moves more, as a coarse network has no room for the last digits",
    variant: coarse,
    mutate: onEthereum((payload) => ({ ...payload, value: NativeAmount.make(payload.value + 1n) })),
    fails: [makesEther],
  },
  {
    what: "does not name the fee that a transaction pays",
    variant: feeInValue,
    mutate: encoding((encoded) => ({ ...encoded, fees: [] })),
    fails: [makesEther, makesToken],
  },
  {
    what: "names another fee than a transaction pays",
    variant: feeInValue,
    mutate: encoding(({ fees, ...encoded }) => ({
      ...encoded,
      fees: fees.map((fee) => ({ ...fee, amount: NativeAmount.make(fee.amount + 1n) })),
    })),
    fails: [makesEther, makesToken],
  },
  {
    what: "names the fee in another coin",
    variant: feeInValue,
    mutate: encoding(({ fees, ...encoded }) => ({
      ...encoded,
      fees: fees.map((fee) => ({ ...fee, asset: "flip.eth" })),
    })),
    fails: [makesEther],
  },
  {
    what: "has a fee paid that its fixtures do not explain",
    variant: { ...payloadsAlone, traits: { ...payloadsAlone.traits, vault: feeInValue.traits.vault } },
    mutate: (provider) => provider,
    fails: [makesEther],
  },
  {
    what: "has another token approved",
    variant: payloadsAlone,
    mutate: onEthereum(({ sourceTokenAddress, ...payload }) => ({
      ...payload,
      ...(sourceTokenAddress === undefined ? {} : { sourceTokenAddress: payload.to }),
    })),
    fails: [makesToken],
  },
  {
    what: "has a token approved for what is no address",
    variant: payloadsAlone,
    mutate: onEthereum((payload) =>
      payload.spender === undefined ? payload : { ...payload, spender: notHex }
    ),
    fails: [makesToken],
  },
  {
    what: "has a token approved for another contract each time",
    variant: payloadsAlone,
    mutate: (provider) => {
      let calls = 0
      return onEthereum((payload) =>
        payload.sourceTokenAddress === undefined
          ? payload
          : { ...payload, spender: Address.make(`0x${`${++calls}`.padStart(40, "a")}`) }
      )(provider)
    },
    fails: ["has usdc.eth approved for the same contract"],
  },
  {
    what: "has a coin approved",
    variant: payloadsAlone,
    mutate: onEthereum((payload) => ({ ...payload, spender: payload.to })),
    fails: [makesEther],
  },
  {
    what: "has nobody sign on Solana",
    variant: payloadsAlone,
    mutate: onSolana(({ instructions: [first, ...others], ...payload }) => {
      const unsigned = (one: typeof first) => ({
        ...one,
        accounts: one.accounts.map((account) => ({ ...account, isSigner: false })),
      })
      return { ...payload, instructions: [unsigned(first), ...others.map(unsigned)] }
    }),
    fails: [makesSolana],
  },
  {
    what: "calls what is no program in a further instruction on Solana",
    variant: payloadsAlone,
    mutate: onSolana(({ instructions: [first, ...others], ...payload }) => ({
      ...payload,
      instructions: [first, ...others.map((other) => ({ ...other, programId: notHex }))],
    })),
    fails: [makesSolana],
  },
  {
    what: "says a minimum that it does not keep to",
    variant: payloadsAlone,
    mutate: encoding((encoded) => ({
      ...encoded,
      minimumDeposit: NativeAmount.make(encoded.minimumDeposit * 2n),
    })),
    fails: ["makes no payload for less than the minimum of btc.btc to eth.eth"],
  },
  {
    what: "says that it makes payloads on one more chain",
    variant: payloadsAlone,
    mutate: (provider) => {
      const vaultSwaps = vaultSwapsOf(provider)
      return { ...provider, vaultSwaps: { ...vaultSwaps, chains: [...vaultSwaps.chains, "Arbitrum"] } }
    },
    fails: ["is asked for a payload on every chain"],
  },
  {
    what: "makes payloads for a known sender only, and does not say so",
    variant: payloadsAlone,
    mutate: (provider) => {
      const vaultSwaps = vaultSwapsOf(provider)
      const reason = new RequestRefused({ errors: issueAbout("senderAddress", "is missing") })
      const refusal = new ProviderError({ provider: provider.name, operation: "encode", reason })
      return {
        ...provider,
        vaultSwaps: {
          ...vaultSwaps,
          encode: (request) =>
            request.sender.address === undefined ? Effect.fail(refusal) : vaultSwaps.encode(request),
        },
      }
    },
    fails: [makesBitcoin],
  },
]
