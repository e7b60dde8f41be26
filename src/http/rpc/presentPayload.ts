import { Match } from "effect"
import type { EvmPayload, TronPayload, VaultSwapPayload } from "../../domain/VaultSwap.ts"

/** What calls on EVM chains and on Tron have in common. */
const call = ({ calldata, network, sourceTokenAddress, to, value }: EvmPayload | TronPayload) => ({
  chain: network,
  calldata,
  value: `0x${value.toString(16)}`,
  to,
  ...(sourceTokenAddress === undefined ? {} : { source_token_address: sourceTokenAddress }),
})

const evm = (payload: EvmPayload) => call(payload)

/** The result of `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */
export const presentPayload = (payload: VaultSwapPayload): object =>
  Match.value(payload).pipe(
    Match.withReturnType<object>(),
    Match.discriminatorsExhaustive("network")({
      Bitcoin: ({ depositAddress, network, nulldataPayload }) => ({
        chain: network,
        nulldata_payload: nulldataPayload,
        deposit_address: depositAddress,
      }),
      Ethereum: evm,
      Arbitrum: evm,
      Solana: ({ accounts, data, network, programId }) => ({
        chain: network,
        program_id: programId,
        data,
        accounts: accounts.map(({ isSigner, isWritable, pubkey }) => ({
          pubkey,
          is_signer: isSigner,
          is_writable: isWritable,
        })),
      }),
      Tron: (payload) => ({ ...call(payload), note: payload.note }),
    }),
  )
