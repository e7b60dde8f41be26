import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Duration, Effect, Option, Result, Schedule, Struct } from "effect"
import type { ProviderErrorReason, RequestRefused } from "#domain/ProviderError.ts"
import type { Address } from "#domain/chains/Address.ts"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, Network, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { accountBytes, accountText } from "#domain/chains/address/accountBytes.ts"
import { encodeCall, transferFunction } from "#domain/chains/payload/abi.ts"
import { noAmount } from "#domain/money/Amount.ts"
import {
  type EncodedPayload,
  type EvmPayload,
  kindOf,
  type OutputRole,
  PayloadMark,
  type VaultSwapPayload,
  type VaultSwapRequest,
} from "#domain/swaps/VaultSwap.ts"
import { checkOpening, limitNotMet } from "../Capabilities.ts"
import type { VaultSwaps } from "../Provider.ts"
import { addressAt, isSameAddress } from "../upstream/openedOrder.ts"
import { malformed } from "../upstream/values.ts"
import { beforeOpening, refused } from "../upstream/failures.ts"
import { limitOf, toWire } from "./amounts.ts"
import { type Client, failAs, noContract, notBelieved, notEnough } from "./client.ts"
import { checkOutput, checkPair, type Conditions, payingOf } from "./conditions.ts"
import { inMemo, type MemoTerms, readMemo, writeMemo } from "./memo.ts"
import { type Family, isByContract } from "./networks.ts"
import { inquire, type Inquiry, type Offer, totalOf } from "./quotes.ts"
import type { Options } from "./settings.ts"
import { haltOf, type Vaults } from "./vaults.ts"

type Reasoned<A> = Result.Result<A, ProviderErrorReason>

interface Receiver {
  readonly vault: Address
  readonly router?: Address
}

const hexOf = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`

/** An address of an EVM chain or of Tron as a word of a call. */
const wordOf = (chain: "Ethereum" | "Tron", address: string): bigint =>
  Result.match(accountBytes(chain, address), {
    onSuccess: (bytes) => BigInt(hexOf(bytes)),
    onFailure: () => 0n,
  })

/** The contract's function that takes a payment with a memo, and none after a time (thorchain/wire.md 3). */
export const depositFunction = "depositWithExpiry(address,address,uint256,string,uint256)"

interface Payment {
  readonly request: VaultSwapRequest
  readonly receiver: Receiver
  readonly memo: string
  /** Seconds since the epoch, by the network's clock. */
  readonly expiry: number
}

const toEvm = (
  family: Family,
  network: EvmPayload["network"],
  { expiry, memo, receiver: { router, vault }, request }: Payment,
): Reasoned<VaultSwapPayload> => {
  const { amount, sourceAsset } = request
  const token = factsOf(sourceAsset).contractAddress
  const bytes = utf8ToBytes(memo)
  if (!isByContract(family, sourceAsset)) {
    return Result.succeed({ _tag: "evm", network, to: vault, calldata: hexOf(bytes), value: amount })
  }
  if (router === undefined) return Result.fail(noContract(sourceAsset))
  const calldata = hexOf(encodeCall(depositFunction, [
    wordOf("Ethereum", vault),
    token === undefined ? 0n : wordOf("Ethereum", token),
    amount,
    bytes,
    BigInt(expiry),
  ]))
  return Result.map(
    token === undefined ? Result.succeed(undefined) : addressAt("token", network, token),
    (token) => ({
      _tag: "evm",
      network,
      to: router,
      calldata,
      value: token === undefined ? amount : noAmount,
      ...(token === undefined ? {} : { sourceTokenAddress: token, spender: router }),
    }),
  )
}

const toTron = ({ memo, receiver: { vault }, request }: Payment): Reasoned<VaultSwapPayload> => {
  const { amount, sourceAsset } = request
  const token = factsOf(sourceAsset).contractAddress
  const note = hexOf(utf8ToBytes(memo))
  if (token === undefined) {
    return Result.succeed({ _tag: "tron", network: "Tron", to: vault, calldata: "0x", value: amount, note })
  }
  const calldata = hexOf(encodeCall(transferFunction, [wordOf("Tron", vault), amount]))
  return Result.map(addressAt("token", "Tron", token), (sourceTokenAddress) => ({
    _tag: "tron",
    network: "Tron",
    to: vault,
    calldata,
    value: noAmount,
    note,
    sourceTokenAddress,
  }))
}

/** Outputs as nodes advise: change goes back to the sender of the first input, who also gets what is sent back. */
const outputs: ReadonlyArray<typeof OutputRole.Type> = ["deposit", "change", "nulldata"]

const toUtxo = (network: Chain, { memo, receiver: { vault }, request }: Payment): VaultSwapPayload => ({
  _tag: "bitcoin",
  network,
  depositAddress: vault,
  nulldataPayload: hexOf(utf8ToBytes(memo)),
  amountNative: request.amount,
  outputs,
})

const toXrpl = (network: Chain, { memo, receiver: { vault }, request }: Payment): VaultSwapPayload => ({
  _tag: "xrpl",
  network,
  depositAddress: vault,
  amountNative: request.amount,
  memoData: bytesToHex(utf8ToBytes(memo)).toUpperCase(),
})

/** The transaction of a payment: the amount is the one that was asked for, to the last digit. */
const toPayload = (family: Family, payment: Payment): Reasoned<VaultSwapPayload> => {
  const chain = chainOf(payment.request.sourceAsset)
  const kind = family.sources.includes(chain) ? kindOf(chain) : undefined
  if (kind === "bitcoin") return Result.succeed(toUtxo(chain, payment))
  if (kind === "xrpl") return Result.succeed(toXrpl(chain, payment))
  if (kind === "evm") return toEvm(family, chain, payment)
  if (kind === "tron") return toTron(payment)
  return Result.fail(refused("sourceAsset", `cannot begin a swap at ${family.name}`))
}

const allBps = 10_000n

/** The memo's limit. Per chunk it holds before commission and sending fee, so both come on top (thorchain/wire.md 3). */
const memoLimit = (request: VaultSwapRequest, sendingFee: bigint): bigint => {
  const { amount, commissionBps, dca, minimumPrice } = request
  const limit = limitOf(request, amount, minimumPrice)
  if (dca === undefined || limit === 0n) return limit
  const kept = allBps - BigInt(commissionBps)
  return ((limit + sendingFee) * allBps + kept - 1n) / kept
}

/** The terms of a request's memo. The fee for sending is in the network's units of the output. */
export const termsFor = (
  request: VaultSwapRequest,
  affiliate: Options["affiliate"],
  sendingFee: bigint = 0n,
): MemoTerms => ({
  destinationAsset: request.destinationAsset,
  destination: request.destinationAddress,
  refundAddress: request.refundAddress,
  limit: memoLimit(request, sendingFee),
  ...(request.dca === undefined ? {} : { dca: request.dca }),
  ...(request.commissionBps === 0 || Option.isNone(affiliate)
    ? {}
    : { share: { affiliate: affiliate.value, bps: request.commissionBps } }),
})

export const memoFor = (
  family: Family,
  request: VaultSwapRequest,
  affiliate: Options["affiliate"],
  sendingFee: bigint = 0n,
): Result.Result<PayloadMark, RequestRefused> => {
  const source = chainOf(request.sourceAsset)
  const written = writeMemo(family, source, termsFor(request, affiliate, sendingFee))
  return "memo" in written ? Result.succeed(PayloadMark.make(written.memo)) : Result.fail(refused(
    "destinationAddress",
    `leaves no room in a transaction on ${source}: ${family.name} needs ${written.tooLong} bytes for this swap`,
  ))
}

/** Whether a vault is an account of the caller's own, on whichever chain: a payment there is not swapped. */
const isOfCaller = (vault: string, request: Receiving): boolean => {
  const { destinationAddress, destinationAsset, refundAddress, sender, sourceAsset } = request
  const source = chainOf(sourceAsset)
  return [
    accountText(source, refundAddress),
    accountText(chainOf(destinationAsset), destinationAddress),
    ...(sender.address === undefined ? [] : [accountText(source, sender.address)]),
  ].includes(accountText(source, vault))
}

/** What of a request says where its payment may go. */
type Receiving = Pick<
  VaultSwapRequest,
  "sourceAsset" | "destinationAsset" | "destinationAddress" | "refundAddress" | "sender"
>

/** The vault to pay: the quote's, if listed as at work now. A payment to a retired vault can be lost. */
export const receiverOf = (
  vaults: Vaults,
  request: Receiving,
  { inbound_address: quoted, router }: { readonly inbound_address?: string; readonly router?: string },
  networks: ReadonlyArray<Network>,
): Reasoned<Receiver> =>
  Result.gen(function* () {
    const halt = haltOf(vaults, request, true)
    if (halt !== undefined) return yield* Result.fail(halt)
    const chain = chainOf(request.sourceAsset)
    const listed = vaults.byChain.get(chain)
    const disbelief = listed?.fault ?? listed?.doubt
    if (disbelief !== undefined) return yield* Result.fail(notBelieved(request.sourceAsset, disbelief))
    if (listed === undefined || quoted === undefined || !isSameAddress(chain, listed.address, quoted)) {
      return yield* malformed("inbound_address: expected the vault that is listed now, got another")
    }
    if (isOfCaller(listed.address, request)) {
      return yield* malformed("inbound_address: expected a vault, got an address of the request")
    }
    const said = router === undefined || router === "" ? undefined : router
    if (listed.router === undefined && said === undefined) {
      return { vault: yield* addressAt("inbound_address", chain, listed.address, networks) }
    }
    if (listed.router === undefined || said === undefined || !isSameAddress(chain, listed.router, said)) {
      return yield* malformed("router: expected the contract that is listed now, got another")
    }
    return {
      vault: yield* addressAt("inbound_address", chain, listed.address, networks),
      router: yield* addressAt("router", chain, listed.router, networks),
    }
  })

/** A limit that the network does not meet now only brings the money back, less what that costs. */
const meetsLimit = (
  request: VaultSwapRequest,
  { output, wire: { max_streaming_quantity } }: Offer,
): Reasoned<void> => {
  const { amount, dca, destinationAsset, minimumPrice } = request
  const limit = limitOf(request, amount, minimumPrice)
  if (output === noAmount) return Result.fail(notEnough)
  if (toWire(destinationAsset, output) < limit) return Result.fail(limitNotMet)
  return dca === undefined || dca.numberOfChunks <= (max_streaming_quantity ?? 1) ? Result.void : Result.fail(
    refused(
      "numberOfChunks",
      `is more than the network makes of this amount: at most ${max_streaming_quantity ?? 1}`,
    ),
  )
}

const toInquiry = (request: VaultSwapRequest, memo: string): Inquiry => {
  const refund = inMemo(chainOf(request.sourceAsset), request.refundAddress)
  return {
    ...Struct.pick(request, ["sourceAsset", "destinationAsset", "amount", "commissionBps", "dca"]),
    addresses: {
      destination: inMemo(chainOf(request.destinationAsset), request.destinationAddress),
      // The node refuses one that the memo has no room for.
      ...(memo.includes(`/${refund}:`) ? { refund } : {}),
    },
  }
}

/** Where two nodes name different vaults, one of them may be some blocks behind: so often both are asked again. */
const secondLooks = 2
const betweenLooks = Duration.millis(stateChainBlockMillis)

/** Payments with a memo, and the swaps that come of them. Making one only reads: nothing is opened or reserved. */
export const makeVaultSwaps = (
  client: Client,
  family: Family,
  conditions: Conditions,
  options: Options,
  lookUps: Pick<VaultSwaps, "list" | "status">,
): VaultSwaps => {
  /** The quote of a payment with the vaults of the same time. */
  const look = (request: VaultSwapRequest, inquiry: Inquiry) =>
    Effect.all([inquire(client, family, options, inquiry), conditions.vaults], { concurrency: "unbounded" })
      .pipe(Effect.repeat({
        times: secondLooks,
        schedule: Schedule.spaced(betweenLooks),
        while: ([, { byChain }]) =>
          byChain.get(chainOf(request.sourceAsset))?.doubt?._tag === "MalformedBody",
      }))

  const encode = Effect.fnUntraced(
    function* (request: VaultSwapRequest): Effect.fn.Return<EncodedPayload, ProviderErrorReason> {
      yield* Effect.fromResult(checkOpening(payingOf(family, options.affiliate), request))
      yield* Effect.fromResult(checkPair(family, yield* conditions.current, request, true))
      const draft = yield* Effect.fromResult(memoFor(family, request, options.affiliate))
      const [offer, vaults] = yield* look(request, toInquiry(request, draft))
      const receiver = yield* Effect.fromResult(
        receiverOf(vaults, request, offer.wire, options.networks ?? Network.literals),
      )
      yield* Effect.fromResult(meetsLimit(request, offer))
      yield* Effect.fromResult(checkOutput({ vaults }, request.destinationAsset, offer.output))
      const memo = yield* Effect.fromResult(
        memoFor(family, request, options.affiliate, offer.wire.fees.outbound ?? 0n),
      )
      return {
        payload: yield* Effect.fromResult(
          toPayload(family, { request, receiver, memo, expiry: offer.contractExpiry }),
        ),
        mark: memo,
        recipientChanges: true,
        // Where the memo has no room for an address the network refunds the sender (thorchain/wire.md 3).
        refundsTo: readMemo(family, memo)?.refundAddress === undefined ? "sender" : "address",
        expiresAt: offer.expiresAt,
        minimumDeposit: offer.minimumDeposit,
        estimatedDuration: totalOf(offer.durations),
        fees: offer.fees,
      }
    },
  )
  return {
    chains: family.sources,
    encode: Effect.fn(`${family.span}.encode`)(
      (request) => beforeOpening(encode(request)),
      failAs(family)("encode"),
    ),
    ...lookUps,
  }
}
