import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { type Answer, providerOver, reasonOf, rpcError } from "./fakeChainflip.ts"
import { requests } from "./vaultRequests.ts"

const method = "broker_request_swap_parameter_encoding"

const faultOf = (answer: Answer) =>
  Effect.flatMap(
    providerOver({ [method]: answer }),
    ([provider]) =>
      reasonOf(provider.vaultSwaps?.encode(requests.ether) ?? Effect.die("It has no vault swaps")),
  )

/** Texts of the runtime (chainflip/wire.md 2.6), and the parameter that each is about. */
const refusals: ReadonlyArray<readonly [text: string, parameter: string]> = [
  ["Broker commission is too low", "commissionBps"],
  ["Broker commission bps is limited to 1000 points.", "commissionBps"],
  ["The broker fee is too large to fit in a u8.", "commissionBps"],
  ["The affiliate fee is too large to fit in a u8.", "affiliate1CommissionBps"],
  ["The affiliate id is not registered for the broker.", "affiliate1"],
  ["Too many affiliates", "affiliate3"],
  ["The given boost fee is too large to fit in a u8.", "boostFee"],
  ["Swap Retry duration is set above the max allowed.", "retryDurationInBlocks"],
  ["The number of DCA chunks must be greater than 0.", "numberOfChunks"],
  ["The chunk interval must be greater than the swap delay (2).", "chunkIntervalBlocks"],
  ["The total duration of a DCA swap request must be less then the max allowed.", "numberOfChunks"],
  ["Invalid DCA parameters.", "numberOfChunks"],
  ["The provided address could not be decoded.", "destinationAddress"],
  ["Destination address and asset are on different chains.", "destinationAddress"],
  ["The provided Refund address cannot be decoded into ForeignChainAddress.", "refundAddress"],
  ["The target chain does not support CCM.", "ccmPayload"],
  ["Failed to open deposit channel because the CCM message is invalid.", "ccmPayload"],
  ["RetryDurationTooHigh", "retryDurationInBlocks"],
  ["BoostFeeTooHigh", "boostFee"],
  ["InvalidDestinationAddress", "destinationAddress"],
  ["Incompatible or unsupported source_asset and extra_parameters", "sourceAsset"],
]

const others: ReadonlyArray<readonly [string, Answer, tag: string, detail?: RegExp]> = [
  [
    "no private channel for Bitcoin",
    rpcError(-32021, "DispatchError: The Broker does not have an open private channel."),
    "AssetDisabled",
    /has opened no private Bitcoin channel$/,
  ],
  [
    "the same by its name alone, as mainnet told it in August 2026",
    rpcError(-32021, "DispatchError: NoPrivateChannelExistsForBroker"),
    "AssetDisabled",
  ],
  ["an unknown dispatch error", rpcError(-32021, "DispatchError: unknown DispatchError"), "UpstreamFailed"],
  [
    "an internal error",
    rpcError(-32603, "Internal error while processing request."),
    "DepositChannelFailed",
    /^The payload could not be made/,
  ],
  [
    "maintenance",
    rpcError(-32020, "The swap service is currently unavailable due to maintenance"),
    "SwappingMaintenance",
  ],
  ["a disabled asset", rpcError(-32020, "Asset Eth is disabled"), "AssetDisabled"],
  ["too many channels", rpcError(-32020, "too many channels"), "TooManyChannels"],
  ["HTTP 429", { status: 429, headers: { "retry-after": "7" }, body: "" }, "RateLimited"],
  ["HTTP 500", { status: 500, body: "" }, "Unreachable"],
  ["HTTP 503", { status: 503, body: "" }, "Unreachable"],
  ["no JSON", { body: "<html>" }, "MalformedBody"],
]

describe("What the broker's errors to an encoding mean (chainflip/wire.md 2.6)", () => {
  it.effect.each(refusals)("%s", function* ([text, parameter]) {
    const reason = yield* faultOf(rpcError(-32021, `DispatchError: ${text}`))
    assert.strictEqual(reason._tag, "RequestRefused")
    if (reason._tag === "RequestRefused") assert.deepStrictEqual(Object.keys(reason.errors), [parameter])
  })

  it.effect.each(others)("%s", function* ([, answer, tag, detail = /./]) {
    const reason = yield* faultOf(answer)
    assert.strictEqual(reason._tag, tag)
    if ("detail" in reason) assert.match(reason.detail, detail)
    if ("reached" in reason) assert.isTrue(reason.reached)
  })
})
