import { assert, channelsOf, describe, it } from "../support.ts"
import { Effect } from "effect"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { type Answer, plain, providerOver, reasonOf, rpcError } from "./fakeChainflip.ts"
import { swapRequest } from "./requests.ts"

const brokerMethod = "broker_request_swap_deposit_address"

const openFault = (answer: Answer, request = swapRequest) =>
  Effect.flatMap(
    providerOver({ [brokerMethod]: answer }),
    ([provider]) => reasonOf(channelsOf(provider).open(request)),
  )

const detail = (_tag: ProviderErrorReason["_tag"], detail: string) => ({ _tag, detail })

describe("What the broker's errors mean (chainflip/wire.md 2.6)", () => {
  const deployments: ReadonlyArray<
    readonly [name: string, write: (pallet: string, error: string) => Answer]
  > = [
    [
      "inside the node",
      (pallet, error) =>
        rpcError(-32024, `KnownModuleError { pallet: "${pallet}", name: "${error}", error: "…docs…" }`),
    ],
    [
      "standing alone",
      (pallet, error) =>
        rpcError(
          -32020,
          `The transaction failed: Module error ‘${error}‘ from pallet ‘${pallet}‘: ‘…docs…‘`,
        ),
    ],
  ]

  const refusals: ReadonlyArray<readonly [error: string, errors: unknown]> = [
    ["InvalidDestinationAddress", {
      destinationAddress: ["destinationAddress is not an address that the network can pay out to"],
    }],
    ["InvalidRefundAddress", {
      refundAddress: ["refundAddress is not an address that the network can refund to"],
    }],
    ["RetryDurationTooHigh", {
      retryDurationInBlocks: ["retryDurationInBlocks must be at most 600 blocks now"],
    }],
    ["ZeroNumberOfChunksNotAllowed", { numberOfChunks: ["numberOfChunks must be at least 1"] }],
    ["ChunkIntervalTooLow", {
      chunkIntervalBlocks: ["chunkIntervalBlocks is too low for the network now"],
    }],
    ["SwapRequestDurationTooLong", {
      numberOfChunks: [
        "numberOfChunks makes the swap too long: (numberOfChunks − 1) × chunkIntervalBlocks must be at most " +
        "14400 blocks now",
      ],
    }],
    ["InvalidDcaParameters", {
      numberOfChunks: ["numberOfChunks does not make a valid DCA swap with chunkIntervalBlocks"],
    }],
    ["BoostFeeTooHigh", { boostFee: ["boostFee is higher than the network allows"] }],
    ["BrokerFeeTooHigh", { commissionBps: ["commissionBps is higher than the network allows"] }],
    ["BrokerCommissionBpsTooHigh", {
      commissionBps: ["commissionBps is, with the affiliates' commissions, higher than the network allows"],
    }],
    ["AffiliateFeeTooHigh", {
      affiliate1CommissionBps: ["affiliate1CommissionBps may be higher than the network allows"],
    }],
    ["AffiliateNotRegisteredForBroker", {
      affiliate1: ["affiliate1 may not be registered as an affiliate of this broker"],
    }],
    ["InvalidCcm", { ccmPayload: ["ccmPayload is not a message that the destination chain can carry"] }],
    ["CcmUnsupportedForTargetChain", {
      ccmPayload: ["ccmPayload is not supported for this destination chain"],
    }],
    ["CcmUnsupportedForRefundChain", { ccmPayload: ["ccmPayload is not supported for this source chain"] }],
  ]

  const channelErrors = [
    "DepositChannelCreationDisabled",
    "ChannelIdsExhausted",
    "ChainDeprecated",
    "MissingBitcoinVault",
    "SolanaAddressDerivationError",
  ]

  describe.each(deployments)("by a broker %s", (_, write) => {
    it.effect.each(refusals)("Swapping.%s is a fault of the request", function* ([error, errors]) {
      assert.deepStrictEqual(plain(yield* openFault(write("Swapping", error))), {
        _tag: "RequestRefused",
        errors,
      })
    })

    it.effect.each(channelErrors)("BitcoinIngressEgress.%s opens no channel", function* (error) {
      assert.deepStrictEqual(
        plain(yield* openFault(write("BitcoinIngressEgress", error))),
        detail(
          "DepositChannelFailed",
          `The deposit channel could not be opened: the network reports ${error}`,
        ),
      )
    })

    it.effect.each(["NoPrivateChannelExistsForBroker", "InsufficientFunds", "PoolDoesNotExist", "Novelty"])(
      "Swapping.%s is the upstream's own failure",
      function* (error) {
        const reason = yield* openFault(write("Swapping", error))
        assert.isTrue(reason._tag === "UpstreamFailed" && reason.detail.includes(error))
      },
    )
  })

  const failed = (why: string) =>
    detail("DepositChannelFailed", `The deposit channel could not be opened: ${why}`)
  const refused = (parameter: string, chain: string) => ({
    _tag: "RequestRefused",
    errors: { [parameter]: [`${parameter} is not an address of the ${chain} chain`] },
  })
  it.effect.each<readonly [code: number, message: string, reason: unknown]>([
    [-32603, "Internal error while processing request.", failed("the broker reports an internal error")],
    [
      -32020,
      "The transaction is invalid: Inability to pay some fees",
      failed("the broker's transaction is invalid"),
    ],
    [-32024, "The transaction is invalid: stale", failed("the broker's transaction is invalid")],
    [-32020, "Unexpected end of stream", failed("the broker lost its connection to the network")],
    [
      -32020,
      "Timed out waiting for finality",
      {
        _tag: "TimedOut",
        detail: "The broker gave up waiting for the network",
        reached: true,
      },
    ],
    [-32020, "Failed to parse refund address: bad checksum", refused("refundAddress", "source")],
    [-32020, "Invalid Ethereum address", refused("destinationAddress", "destination")],
    [
      -32021,
      "DispatchError: Destination address and asset are on different chains.",
      refused("destinationAddress", "destination"),
    ],
    [
      -32020,
      "Cannot assign requested address (os error 99)",
      detail(
        "UpstreamFailed",
        "The broker answered error -32020: Cannot assign requested address (os error 99)",
      ),
    ],
    [
      -32021,
      "DispatchError: Something new",
      {
        ...detail("UpstreamFailed", "The broker answered error -32021: DispatchError: Something new"),
        isOfRequest: true,
      },
    ],
    [
      -32601,
      "Method not found",
      detail("UpstreamFailed", "The broker answered error -32601: Method not found"),
    ],
    [-32602, "Invalid params", {
      ...detail("UpstreamFailed", "The broker answered error -32602: Invalid params"),
      isOfRequest: true,
    }],
    [
      -32022,
      "Application error: gone",
      detail("UpstreamFailed", "The broker answered error -32022: Application error: gone"),
    ],
    [
      -32020,
      "The swap service is currently unavailable due to maintenance",
      detail("SwappingMaintenance", "Swaps are in maintenance. Try again later"),
    ],
    [
      -32020,
      "too many channels",
      detail("TooManyChannels", "The maximum of open deposit channels is reached. Try again later"),
    ],
  ])("%i %s", function* ([code, message, reason]) {
    assert.deepStrictEqual(plain(yield* openFault(rpcError(code, message))), reason)
  })

  it.effect("an error counts more than the HTTP status that carries it", function* () {
    const reason = yield* openFault((asked) => ({
      ...rpcError(-32603, "Internal error")(asked),
      status: 500,
    }))
    assert.strictEqual(reason._tag, "DepositChannelFailed")
  })

  it.effect("an error without an id answers the call that could not be read", function* () {
    const body = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } }
    assert.deepStrictEqual(
      plain(yield* openFault({ body })),
      detail("UpstreamFailed", "The broker answered error -32700: Parse error"),
    )
  })

  it.effect.each<readonly [status: number, message: string, tag: string]>([
    [403, "pair is not enabled", "UpstreamFailed"],
    [429, "slow down", "RateLimited"],
    [499, "client closed request", "RequestCancelled"],
    [503, "Quoting is currently unavailable due to maintenance", "QuotingMaintenance"],
    [503, "Asset Btc is disabled", "AssetDisabled"],
    [401, "unauthorised", "UpstreamFailed"],
    [400, "too many channels", "TooManyChannels"],
  ])("HTTP %i %s did not open a channel", function* ([status, message, tag]) {
    const reason = yield* openFault({ status, body: { message } })
    assert.strictEqual(reason._tag, tag)
    assert.notProperty(reason, "reached")
  })
})
