import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"
import { type Address, checkAddress } from "#domain/chains/Address.ts"
import { type Chain, chainFacts, Network, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import { MalformedBody } from "#domain/ProviderError.ts"
import { BlockIndex, type EpochMillis } from "#domain/Time.ts"
import { accountText, inOwnForm } from "#domain/chains/address/accountBytes.ts"

/** The digits of a channel's number: 52 bits, which fit into a double without loss. */
const channelIdHexDigits = 13

const toChannelNumber = (depositAddress: string): number =>
  Number.parseInt(bytesToHex(sha256(utf8ToBytes(depositAddress))).slice(0, channelIdHexDigits), 16)

const blockAt = (time: EpochMillis): number => Math.floor(time / stateChainBlockMillis)

/** Made-up coordinates: whole state-chain blocks since the epoch, and a part of the address's hash. */
export const toChannelId = (network: Chain, depositAddress: string, issuedAt: EpochMillis): ChannelId => ({
  issuedBlock: blockAt(issuedAt),
  network,
  channelId: toChannelNumber(depositAddress),
})

/** Whole blocks between the epoch and the expiry, where heights are unknown; it only orders a chain's channels. */
export const toExpiryBlock = (network: Chain, expiry: EpochMillis): number =>
  Math.floor(expiry / chainFacts(network).blockMillis)

/** `<state-chain blocks since the epoch>-0`, where the domain wants an index and the upstream has none. */
export const toBlockIndex = (time: EpochMillis): BlockIndex => BlockIndex.make(`${blockAt(time)}-0`)

/** Milliseconds from a deposit's transaction to its last confirmation: half a block, then the confirmations. */
export const confirmationMillis = (chain: Chain, confirmations: number): number =>
  chainFacts(chain).blockMillis / 2 + chainFacts(chain).blockMillis * confirmations

/** Whether both texts are the same address of the chain, however it is written. */
export const isSameAddress = (chain: Chain, one: string, other: string): boolean =>
  one === other || accountText(chain, one) === accountText(chain, other)

/** The address at `path` of an answer, in the chain's form. An address of another chain is refused. */
export const addressAt = (
  path: string,
  chain: Chain,
  text: string,
  networks: ReadonlyArray<Network> = Network.literals,
): Result.Result<Address, MalformedBody> =>
  Result.mapError(
    checkAddress(chain, networks, inOwnForm(chain, text)),
    (fault) => new MalformedBody({ detail: `${path} ${fault}`, reached: true }),
  )

/** A link to a channel by the operator's template (decision 26). */
export const toExplorerUrl = (
  template: string,
  { issuedBlock, network, channelId }: ChannelId,
  depositAddress: Address,
): string =>
  template
    .replaceAll("{issuedBlock}", `${issuedBlock}`)
    .replaceAll("{network}", network)
    .replaceAll("{channelId}", `${channelId}`)
    .replaceAll("{depositAddress}", depositAddress)
