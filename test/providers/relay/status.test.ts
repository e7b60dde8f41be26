import { assert, channelsOf, collectLogs, describe, it, TestClock } from "../support.ts"
import { BigDecimal, Effect, Option, Schema } from "effect"
import { Price, type SwapStatus } from "#exports/domain.ts"
import { capabilities } from "#providers/relay/conditions.ts"
import { judgeOutcome } from "#application/swapping/following/judgeOutcome.ts"
import { contradictionIn } from "#application/swapping/following/Progress.ts"
import { orderOfRequest, orderOfStatus, WireRequest } from "#providers/relay/requests.ts"
import { readStage } from "#providers/relay/status.ts"
import { recordedOf } from "../recorded.ts"
import {
  btc,
  currencies,
  depositAddress,
  eth,
  now,
  providerOver,
  quotedOutput,
  reasonOf,
  requestId,
  type Script,
  swapRequest,
} from "./fakeRelay.ts"

const other = `0x${"cd".repeat(32)}`
const third = `0x${"ef".repeat(32)}`
const updatedAt = "2026-11-21T06:00:00.000Z"

/** The status of a channel that was just opened, after the upstream answers by the script. */
const ask = (script: Script, key: "key" | "none" = "key", known?: SwapStatus) =>
  Effect.gen(function* () {
    const [provider, asked] = yield* providerOver(script, key === "key" ? {} : { key: Option.none() })
    const opened = yield* channelsOf(provider).open(swapRequest)
    yield* TestClock.setTime(Date.parse(updatedAt))
    const before = known ?? opened.status
    const found = yield* channelsOf(provider).status(opened.channel.id, before)
    const { others = [], status } = Option.getOrThrow(found)
    return { before, asked, status, others: others.map(({ status }) => status) }
  }).pipe(
    collectLogs,
    Effect.map(({ lines, value }) => ({ ...value, lines })),
  )

const inTx = (txHash: string) => ({ txHash, chainId: btc.chainId, status: "success" })
const outTx = (txHash: string, chainId: number, status = "success") => ({ txHash, chainId, status })

const wireRequest = (status: string, data: object = {}, members: object = {}) => ({
  id: requestId,
  status,
  recipient: swapRequest.destinationAddress,
  refundTo: swapRequest.refundAddress,
  supersededByRequestId: null,
  depositAddress: { address: depositAddress },
  data: { failReason: null, refundFailReason: "N/A", inTxs: [inTx("deposit")], outTxs: [], ...data },
  protocol: { deposit: { origin: { amount: "10000000", chainId: btc.chainId, currency: btc.address } } },
  updatedAt,
  ...members,
})

const requests = (...all: ReadonlyArray<unknown>): Script => ({ requests: { body: { requests: all } } })

const paidOut = (amount: string, currency: unknown = eth) => ({
  route: { actual: { destination: { outputCurrency: { currency, amount } } } },
})

const withoutKey = (body: object): Script => ({
  status: { body: { updatedAt: Date.parse(updatedAt), ...body } },
})

const success = (id: string) =>
  wireRequest("success", { outTxs: [outTx("payout", 1)], ...paidOut("5") }, { id })

describe("A swap of Relay's on one chain", () => {
  const usdc = { chainId: 1, address: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" }
  const body = JSON.stringify(recordedOf("relay")("relay-request-same-chain-success-2026-08-09").body)
    .replaceAll("8453", "1").replaceAll("0xc1cba3fcea344f92d9239c08c0568f6f2f0ee452", usdc.address)
    .replaceAll("0x1111111111111111111111111111111111111111", `${swapRequest.destinationAddress}`)
  const read = Schema.decodeSync(
    Schema.fromJsonString(Schema.Struct({ requests: Schema.Tuple([WireRequest]) })),
  )

  const statusOf = (members: Partial<SwapStatus>, wire = read(body).requests[0]) =>
    Effect.map(
      Effect.flatMap(providerOver({}), ([provider]) => channelsOf(provider).open(swapRequest)),
      ({ status }) => {
        const known = { ...status, sourceAsset: "eth.eth", destinationAsset: "usdc.eth", ...members } as const
        assert.isDefined(known.depositChannel)
        const context = {
          known,
          depositChannel: known.depositChannel,
          currencies,
          now: known.depositChannel.createdAt,
        }
        return { context, order: orderOfRequest(wire, context) }
      },
    )

  it.effect("has arrived by the transaction that took its deposit up, with what came out there", function* () {
    const { order } = yield* statusOf({})
    assert.strictEqual(order.amountOut, 1_101_293_561_931_134n)
    assert.isFalse(order.isOutPromised)
    assert.strictEqual(
      order.payoutTransaction,
      "0x109b0a9fb58d23d50cfeed6322d9116dc72aea3778760f511b1e4165fc23f52c",
    )
    assert.strictEqual(order.depositedAmount, 1_366_348_234_320_898n)
    assert.strictEqual(readStage(order)?.state, "completed")
  })

  it.effect("has not, where the swap is between two chains or has not succeeded", function* () {
    const between = yield* statusOf({ destinationAsset: "btc.btc" })
    assert.isUndefined(between.order.payoutTransaction)
    assert.strictEqual(readStage(between.order)?.state, "sending")
    const { order } = yield* statusOf({}, { ...read(body).requests[0], status: "submitted" })
    assert.strictEqual(readStage(order)?.state, "sending")
  })

  it.effect("is told without a key by the same transaction, with what was promised", function* () {
    const { context } = yield* statusOf({})
    const order = orderOfStatus({ status: "success", inTxHashes: ["0xabc"] }, context)
    assert.deepStrictEqual([order.payoutTransaction, order.isOutPromised], ["0xabc", true])
    const other = { ...context, known: { ...context.known, destinationAsset: "btc.btc" as const } }
    assert.isUndefined(orderOfStatus({ status: "success", inTxHashes: ["0xabc"] }, other).payoutTransaction)
  })
})

describe("Requests of further deposits to a Relay address", () => {
  const refunded = (id: string, transaction: string, members: object = {}) =>
    wireRequest("refund", {
      failReason: "DOUBLE_SPEND",
      inTxs: [inTx(transaction)],
      outTxs: [outTx(`back-${transaction}`, btc.chainId)],
      refundCurrencyData: { currency: btc, amount: "9999000" },
    }, { id, ...members })

  it.effect("are told beside ours, each by its own name", function* () {
    const { others, status, before } = yield* ask(
      requests(success(requestId), refunded(other, "second"), refunded(third, "third")),
    )
    assert.strictEqual(status.state, "completed")
    assert.deepStrictEqual(others.map(({ swapId }) => swapId), [other, third])
    assert.deepStrictEqual(others.map(({ deposit }) => deposit?.transactionReference), ["second", "third"])
    assert.deepStrictEqual(others.map(({ depositChannel }) => depositChannel?.reference), [other, third])
    for (const one of others) {
      assert.deepStrictEqual([one.state, contradictionIn(before, one)], ["completed", undefined])
      assert.strictEqual(one.refundEgress?.amount, 9_999_000n)
    }
  })

  it.effect("are none while they may be what becomes of our deposit", function* () {
    const waiting = wireRequest("waiting", { inTxs: [] }, { protocol: null })
    for (const ours of [waiting, wireRequest("pending", {}, { supersededByRequestId: other })]) {
      const { others } = yield* ask(requests(ours, refunded(other, "deposit")))
      assert.deepStrictEqual(others, [])
    }
    const { others } = yield* ask(requests(success(requestId), refunded(other, "deposit")))
    assert.deepStrictEqual(others, [])
  })

  it.effect("are one where one took the place of another", function* () {
    const { others } = yield* ask(requests(
      success(requestId),
      refunded(other, "second", { status: "pending", supersededByRequestId: third }),
      refunded(third, "second"),
    ))
    assert.deepStrictEqual(others.map(({ state, swapId }) => [swapId, state]), [[other, "completed"]])
  })

  it.effect("do not keep ours from being told where they cannot be read, and the log says so", function* () {
    const { lines, others, status } = yield* ask(
      requests(success(requestId), { ...refunded(other, "second"), data: { inTxs: 5 } }),
    )
    assert.deepStrictEqual([status.state, others], ["completed", []])
    assert.isTrue(lines.some((line) => `${line}`.includes("cannot be read, and no swap is recorded of it")))
  })

  it.effect("are found by the payer's own transaction, too", function* () {
    const { others } = yield* ask(requests(
      success(requestId),
      refunded(other, "sweep", { depositAddress: { address: depositAddress, depositTxHash: "second" } }),
    ))
    assert.strictEqual(others[0]?.deposit?.transactionReference, "second")
    assert.deepStrictEqual(others[0]?.deposit?.otherTransactionReferences, ["sweep"])
  })
})

describe("Relay's states with a key", () => {
  const states: ReadonlyArray<readonly [wire: string, ours: SwapStatus["state"]]> = [
    ["waiting", "waiting"],
    ["depositing", "receiving"],
    ["pending", "receiving"],
    ["submitted", "sending"],
    ["delayed", "sending"],
    ["failure", "failed"],
  ]

  it.effect.each(states)("%s is %s", function* ([wire, ours]) {
    const { status } = yield* ask(requests(wireRequest(wire)))
    assert.strictEqual(status.state, ours)
  })

  it.effect("success is completed with what was paid, and with every fee that is told", function* () {
    const { lines, status } = yield* ask(requests(wireRequest("success", {
      outTxs: [outTx("failed", 1, "failure"), outTx("payout", 1)],
      ...paidOut("2990000000000000000"),
      appFees: { actual: [{ amount: "25000" }], currency: btc },
      fees: {
        quoted: { execution: { amount: "2100" }, platform: { amount: "-100" } },
        currency: btc,
      },
    })))
    assert.strictEqual(status.state, "completed")
    assert.strictEqual<bigint | undefined>(status.swapEgress?.amount, 2_990_000_000_000_000_000n)
    assert.strictEqual(status.swapEgress?.transactionReference, "payout")
    assert.strictEqual(status.deposit?.transactionReference, "deposit")
    assert.deepStrictEqual<unknown>(status.fees, [
      { type: "network", asset: "btc.btc", amount: 2_000n },
      { type: "broker", asset: "btc.btc", amount: 25_000n },
    ])
    assert.deepStrictEqual(lines, [])
  })

  it.effect("a success of a deposit of 0 is none, and one of 5 units for 0.1 BTC neither", function* () {
    const minimumPrice = Price.make(BigDecimal.fromBigInt(29n))
    const limited = (status: SwapStatus): SwapStatus =>
      status.fillOrKill === undefined
        ? status
        : { ...status, fillOrKill: { ...status.fillOrKill, minimumPrice } }
    const judged = (amount: string, output: string) =>
      Effect.map(
        ask(requests(wireRequest("success", { outTxs: [outTx("payout", 1)], ...paidOut(output) }, {
          protocol: { deposit: { origin: { amount, chainId: btc.chainId, currency: btc.address } } },
        }))),
        ({ before, status }) => judgeOutcome(limited(before), limited(status), capabilities.ends)._tag,
      )
    assert.strictEqual(yield* judged("0", "2990000000000000000"), "Disputed")
    assert.strictEqual(yield* judged("10000000", "2990000000000000000"), "Plausible")
    assert.strictEqual(yield* judged("10000000", "5"), "Disputed")
  })

  it.effect("the fees of a success come to what went in and did not come out, also where a pool gave more", function* () {
    const quoted = (swap: string, execution: string, platform: string) =>
      Effect.map(
        ask(requests(wireRequest("success", {
          outTxs: [outTx("payout", 1)],
          ...paidOut("5"),
          appFees: { actual: [], currency: btc },
          fees: {
            quoted: {
              swap: { amount: swap },
              execution: { amount: execution },
              platform: { amount: platform },
            },
            currency: btc,
          },
        }))),
        ({ status }) => status.fees,
      )
    assert.deepStrictEqual<unknown>(yield* quoted("35000", "140292", "524999"), [
      { type: "network", asset: "btc.btc", amount: 665_291n },
      { type: "liquidity", asset: "btc.btc", amount: 35_000n },
    ])
    assert.deepStrictEqual<unknown>(yield* quoted("-35000", "140292", "0"), [
      { type: "network", asset: "btc.btc", amount: 105_292n },
    ])
    assert.deepStrictEqual<unknown>(yield* quoted("35000", "-40000", "10000"), [
      { type: "liquidity", asset: "btc.btc", amount: 5_000n },
    ])
  })

  it.effect("fees that are not told are not 0: the commission is as it was compared, and a line says so", function* () {
    const untold = { swap: null, execution: null, platform: null, app: null, sponsored: null }
    const { lines, status } = yield* ask(requests(wireRequest("success", {
      outTxs: [outTx("payout", 1)],
      ...paidOut("5"),
      appFees: { quoted: [], actual: null, currency: btc },
      fees: { quoted: untold, actual: untold, currency: btc },
    })))
    assert.deepStrictEqual<unknown>(status.fees, [
      { type: "broker", asset: "btc.btc", amount: 25_000n, isEstimate: true },
    ])
    assert.deepStrictEqual(lines, ["Relay does not report the network fees of this request"])
  })

  it.effect("takes no empty text for a transaction, and needs no time of its last change", function* () {
    const { updatedAt: _, ...request } = wireRequest("submitted", {
      inTxs: [inTx("")],
      outTxs: [outTx("", 1)],
    })
    const { status } = yield* ask(requests(request))
    assert.strictEqual(status.state, "sending")
    const { status: keyless } = yield* ask(
      withoutKey({ status: "pending", inTxHashes: [""], txHashes: [""] }),
      "none",
    )
    assert.strictEqual(keyless.state, "receiving")
    assert.isUndefined(keyless.deposit?.transactionReference)
  })

  it.effect("waits with no more than a status, as an answer has it before the deposit", function* () {
    const { status } = yield* ask(
      { status: { body: recordedOf("relay")("status-waiting-2026-10-01").body } },
      "none",
    )
    assert.strictEqual(status.state, "waiting")
    assert.notProperty(status, "deposit")
  })

  it.effect("success without a transaction is not completed, and logged", function* () {
    const { lines, status } = yield* ask(requests(wireRequest("success", paidOut("1"))))
    assert.strictEqual(status.state, "sending")
    assert.deepStrictEqual(lines, [
      "Relay says success without an amount and a transaction; not completed yet",
    ])
  })

  it.effect("an amount in another asset is not taken for the payout's", function* () {
    const { before, status } = yield* ask(
      requests(wireRequest("success", { outTxs: [outTx("payout", 1)], ...paidOut("7", btc) })),
    )
    assert.strictEqual<bigint | undefined>(status.swapEgress?.amount, quotedOutput)
    assert.isDefined(contradictionIn(before, status))
  })

  it.effect("a refund is completed with its amount, and of two transactions the first", function* () {
    const { status } = yield* ask(requests(wireRequest("refund", {
      failReason: "SLIPPAGE",
      outTxs: [outTx("refund", btc.chainId), outTx("settlement", btc.chainId)],
      refundCurrencyData: { currency: btc, amount: "9998600" },
    })))
    assert.strictEqual(status.state, "completed")
    assert.strictEqual(status.refundEgress?.transactionReference, "refund")
    assert.strictEqual<bigint | undefined>(status.refundEgress?.amount, 9_998_600n)
    assert.notProperty(status, "swapEgress")
    assert.deepStrictEqual<unknown>(status.fees, [{ type: "refund", asset: "btc.btc", amount: 1_400n }])
  })

  it.effect("what was deposited above the amount is refunded beside the payout", function* () {
    const { status } = yield* ask(requests(wireRequest("success", {
      outTxs: [outTx("payout", 1), outTx("surplus", btc.chainId)],
      ...paidOut(`${quotedOutput}`),
      refundCurrencyData: { currency: btc, amount: "998600" },
    }, {
      protocol: { deposit: { origin: { amount: "11000000", chainId: btc.chainId, currency: btc.address } } },
    })))
    assert.strictEqual(status.state, "completed")
    assert.strictEqual<bigint | undefined>(status.deposit?.amount, 11_000_000n)
    assert.strictEqual<bigint | undefined>(status.swap?.originalInputAmount, 10_000_000n)
    assert.strictEqual(status.refundEgress?.transactionReference, "surplus")
  })

  it.effect.each<readonly [name: string, state: string, data: object, message: RegExp]>([
    ["a refund that could not be sent", "refund", {
      failReason: "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
      refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND",
    }, /could not send the deposit back: AMOUNT_TOO_LOW_TO_REFUND/],
    ["a wallet that is blocked", "failure", { failReason: "BLOCKED_WALLET" }, /holds the deposit/],
    ["any other", "failure", { failReason: "EXECUTION_REVERTED" }, /says EXECUTION_REVERTED/],
    ["one without a reason", "failure", {}, /gives no reason/],
  ])("%s is a failure that says so", function* ([, state, data, message]) {
    const { status } = yield* ask(requests(wireRequest(state, data)))
    assert.strictEqual(status.state, "failed")
    assert.match(`${status.deposit?.failure?.reason.message}`, message)
  })
})

describe("A request of Relay's that another takes the place of", () => {
  const superseded = (by: string, id = requestId) =>
    wireRequest("pending", {}, { id, supersededByRequestId: by })
  it.effect("is followed to the one that owns the money", function* () {
    const { status } = yield* ask(requests(success(third), superseded(other), superseded(third, other)))
    assert.strictEqual(status.state, "completed")
    assert.strictEqual<bigint | undefined>(status.swapEgress?.amount, 5n)
  })

  it.effect("stays as it is where that one is not told, or they go round", function* () {
    assert.strictEqual((yield* ask(requests(superseded(other)))).status.state, "receiving")
    const round = requests(superseded(other), superseded(requestId, other))
    assert.strictEqual((yield* ask(round)).status.state, "receiving")
  })

  it.effect("contradicts the opening where the other one is somebody else's", function* () {
    const stolen = { ...success(other), recipient: `0x${"1".repeat(40)}` }
    const { before, status } = yield* ask(requests(superseded(other), stolen))
    assert.match(`${contradictionIn(before, status)}`, /a different destination address/)
  })

  it.effect("is none of its children that did not take its place", function* () {
    const second = wireRequest("refund", { failReason: "DOUBLE_SPEND" }, { id: other })
    const { status } = yield* ask(requests(second, success(requestId)))
    assert.strictEqual(status.state, "completed")
  })
})

describe("What Relay tells without a key", () => {
  it.effect("a success is completed with what was promised", function* () {
    const { asked, status } = yield* ask(
      withoutKey({ status: "success", inTxHashes: ["deposit"], txHashes: ["payout"] }),
      "none",
    )
    assert.strictEqual(status.state, "completed")
    assert.strictEqual<bigint | undefined>(status.swapEgress?.amount, quotedOutput)
    assert.isTrue(status.swapEgress?.isPromised)
    assert.isTrue(status.deposit?.isExpected)
    const { status: told } = yield* ask(requests(success(requestId)), "key", status)
    assert.strictEqual(told.state, "completed")
    assert.notProperty(told.swapEgress ?? {}, "isPromised")
    assert.notProperty(told.deposit ?? {}, "isExpected")
    assert.strictEqual(status.swapEgress?.transactionReference, "payout")
    assert.deepStrictEqual<unknown>(status.fees, [
      { type: "broker", asset: "btc.btc", amount: 25_000n, isEstimate: true },
    ])
    // The request tells no app fees either: they are never left out.
    assert.deepStrictEqual(told.fees.filter(({ type }) => type === "broker"), status.fees)
    assert.isFalse(
      asked.some(({ headers, url }) => "x-api-key" in headers || url.pathname === "/requests/v3"),
    )
  })

  it.effect("a refund is a failure that names its transaction, until a key tells the amount", function* () {
    const { status: keyless } = yield* ask(
      withoutKey({ status: "refund", inTxHashes: ["deposit"], txHashes: ["refund", "settlement"] }),
      "none",
    )
    assert.strictEqual(keyless.state, "failed")
    assert.strictEqual(
      keyless.deposit?.failure?.reason.message,
      "The provider has sent the deposit back in refund, without saying how much of it",
    )
    assert.notProperty(keyless, "refundEgress")
    const told = wireRequest("refund", {
      outTxs: [outTx("refund", btc.chainId)],
      refundCurrencyData: { currency: btc, amount: "9998600" },
    })
    const { status } = yield* ask(requests(told), "key", keyless)
    assert.strictEqual(status.state, "completed")
    assert.isUndefined(contradictionIn(keyless, status))
  })
})

describe("A status of Relay's", () => {
  it.effect("is asked for by the request's id, with the key", function* () {
    const { asked } = yield* ask(requests(wireRequest("waiting")))
    const { headers, url } = asked.at(-1) ?? { headers: {}, url: new URL("http://nowhere.test") }
    assert.strictEqual(url.href, `http://relay.test/requests/v3?id=${requestId}&includeChildRequests=true`)
    assert.deepInclude(headers, { "x-api-key": "the-key-of-the-tests" })
  })

  it.effect("is how far it is where the request is not in the list (yet)", function* () {
    const { status } = yield* ask({
      ...requests(),
      ...withoutKey({ status: "pending", inTxHashes: ["deposit"] }),
    })
    assert.strictEqual(status.state, "receiving")
    assert.strictEqual(status.deposit?.transactionReference, "deposit")
  })

  it.effect("is the last one where the state is unknown, which is logged", function* () {
    const { before, lines, status } = yield* ask(requests(wireRequest("rebalancing")))
    assert.deepStrictEqual(status, before)
    assert.deepStrictEqual(lines, ["Kept the state waiting: rebalancing is unknown"])
  })

  it.effect("is nothing for a request that is not known, and for a record without one", function* () {
    const [provider] = yield* providerOver({
      ...requests(),
      status: { status: 404, body: { message: "Request not found" } },
    })
    const { channel, status } = yield* channelsOf(provider).open(swapRequest)
    assert.isTrue(Option.isNone(yield* channelsOf(provider).status(channel.id, status)))
    const { depositChannel: _, ...bare } = status
    assert.isTrue(Option.isNone(yield* channelsOf(provider).status(channel.id, bare)))
  })

  it.effect("that does not fit names the place, and shows nothing of it", function* () {
    const [provider] = yield* providerOver(requests({ id: requestId, status: "success", data: "secret" }))
    const { channel, status } = yield* channelsOf(provider).open(swapRequest)
    const reason = yield* reasonOf(channelsOf(provider).status(channel.id, status))
    assert.isTrue(reason._tag === "MalformedBody" && /^requests\[0\]\.data: /.test(reason.detail))
  })

  it.effect("is expired from the end of its channel on and not before", function* () {
    const [provider] = yield* providerOver(requests(wireRequest("waiting")))
    const { channel, status } = yield* channelsOf(provider).open(swapRequest)
    const end = status.depositChannel?.estimatedExpiryTime ?? now
    for (const [time, isExpired] of [[end - 1, false], [end, true]] as const) {
      yield* TestClock.setTime(time)
      const found = Option.getOrThrow(yield* channelsOf(provider).status(channel.id, status))
      assert.strictEqual(found.status.depositChannel?.isExpired, isExpired)
    }
  })
})
