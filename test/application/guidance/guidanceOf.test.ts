import { assert, describe, it } from "@effect/vitest"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { GuidancePhase } from "#domain/swaps/Guidance.ts"
import { JournalEntryId, JournalNote } from "#domain/swaps/Journal.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { Egress, SwapState, SwapStatus } from "#domain/swaps/Swap.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import { goodProvider, type GuidanceFacts, type ProviderFacts } from "#application/guidance/facts.ts"
import {
  guidanceOf,
  guidanceOfEntry,
  guidanceOfOpening,
  payerGuidanceOf,
} from "#application/guidance/guidanceOf.ts"
import { renderGuidance } from "#application/guidance/words/renderGuidance.ts"
import { contactSetting } from "#providers/Registry.ts"
import { statusIn } from "#test/support/swap.ts"

const platform = ProviderName.make("chainflip")
const at = EpochMillis.make(1_000_000)
const index = BlockIndex.make("7-0")
const facts: GuidanceFacts = { now: at, changedAt: at, provider: goodProvider }
const amount = NativeAmount.make(12_345_678n)

/** What an upstream may write wherever it writes: nothing of it may be in a text. */
const hostile = "<b>send 1 BTC to bc1qthief</b> {now}"

const failure = (mode: string, code = hostile) => ({
  failure: { failedAt: at, failedBlockIndex: index, mode, reason: { code, message: hostile } },
  failedAt: at,
  failedBlockIndex: index,
})
const egress = (more: Partial<Egress> = {}): Egress => ({ amount, scheduledAt: at, ...more })
const paid = egress({ transactionReference: "ab".repeat(32), witnessedAt: at })
const deposit = { amount, transactionReference: "cd".repeat(32) }
const chunk = {
  inputAmount: amount,
  scheduledAt: at,
  scheduledBlockIndex: index,
  retryCount: 1,
  latestSwapRescheduledReason: hostile,
}
const swap = {
  originalInputAmount: amount,
  remainingInputAmount: amount,
  swappedInputAmount: NativeAmount.make(0n),
  swappedIntermediateAmount: NativeAmount.make(0n),
  swappedOutputAmount: NativeAmount.make(0n),
  execution: { _tag: "regular" as const, chunk },
}

interface Row {
  readonly phase: GuidancePhase
  readonly state: SwapState
  readonly more?: Partial<SwapStatus>
  readonly facts?: Partial<GuidanceFacts>
}

const { depositChannel } = statusIn("waiting")
if (depositChannel === undefined) throw new Error("A waiting swap without a channel")

const long = 30 * 86_400_000
const later = { now: EpochMillis.make(at + long) }
const early = { now: EpochMillis.make(0) }

/** The forms that no simulated network brings about, and what distinguishes them. */
const rows: ReadonlyArray<Row> = [
  {
    phase: "waiting_for_exact_deposit",
    state: "waiting",
    more: { depositChannel: { ...depositChannel, exactAmount: amount } },
    facts: early,
  },
  {
    phase: "waiting_for_deposit_with_memo",
    state: "waiting",
    more: { depositChannel: { ...depositChannel, memo: "=:ETH.ETH:0x11" } },
    facts: early,
  },
  { phase: "deposit_late", state: "receiving", more: { deposit }, facts: later },
  { phase: "swap_retrying", state: "swapping", more: { deposit, swap } },
  { phase: "swap_late", state: "swapping", more: { deposit: { ...deposit, witnessedAt: at } }, facts: later },
  { phase: "payout_late", state: "sending", more: { deposit, swapEgress: egress() }, facts: later },
  { phase: "refund_late", state: "sending", more: { deposit, refundEgress: egress() }, facts: later },
  { phase: "completed_promised", state: "completed", more: { swapEgress: { ...paid, isPromised: true } } },
  {
    phase: "deposit_ignored",
    state: "failed",
    more: { deposit: { ...deposit, ...failure("DEPOSIT_IGNORED") } },
  },
  {
    phase: "deposit_rejected",
    state: "failed",
    more: { deposit: { ...deposit, ...failure("DEPOSIT_REJECTED") } },
  },
  // A part of a swap that was given up went back.
  {
    phase: "deposit_rejected",
    state: "failed",
    more: { deposit: { ...deposit, ...failure("GIVEN_UP") }, refundEgress: egress({ witnessedAt: at }) },
  },
  {
    phase: "refund_unproven",
    state: "failed",
    more: { deposit: { ...deposit, ...failure("DEPOSIT_REJECTED", "REFUNDED") } },
  },
  {
    phase: "fallback_failed",
    state: "failed",
    more: {
      swapEgress: egress(failure("SENDING_FAILED")),
      fallbackEgress: egress({ destinationAddress: Address.make(hostile), ...failure("SENDING_FAILED") }),
    },
  },
  { phase: "failed_unexplained", state: "failed" },
  { phase: "deposit_stalled", state: "receiving", more: { deposit }, facts: { stalledSince: at } },
  { phase: "swap_stalled", state: "swapping", more: { deposit, swap }, facts: { stalledSince: at } },
  { phase: "payout_stalled", state: "sent", more: { swapEgress: egress() }, facts: { stalledSince: at } },
  {
    phase: "refund_stalled",
    state: "sending",
    more: { refundEgress: egress() },
    facts: { stalledSince: at },
  },
]

const sentences = ({ text, whatYouCanDo }: { text: string; whatYouCanDo: ReadonlyArray<string> }) => [
  text,
  ...whatYouCanDo,
]

const assertClean = (said: ReadonlyArray<string>): void => {
  for (const sentence of said) {
    assert.match(sentence, /^[A-Z0-9].*[.]$/s)
    assert.notMatch(sentence, /undefined|NaN|\[object|<|\{|thief| {2}/)
  }
}

const readers = ["en", "de", "es", "operator"] as const

/** Everything that an upstream can write, hostile, beside amounts and addresses of our own record. */
const hostileStatus: SwapStatus = {
  ...statusIn("failed"),
  swapId: hostile,
  deposit: { ...deposit, transactionReference: hostile, ...failure(hostile) },
  swap,
  swapEgress: egress({ transactionReference: hostile, ...failure(hostile) }),
  refundEgress: egress({ transactionReference: hostile, ...failure(hostile) }),
  fallbackEgress: egress({ transactionReference: hostile, ...failure(hostile) }),
}

describe("guidance", () => {
  for (const { facts: more, phase, state, more: members = {} } of rows) {
    it(`is of its form: ${phase}`, () => {
      const guidance = guidanceOf(
        { platform, status: { ...statusIn(state), ...members, swapId: hostile } },
        { ...facts, ...more },
      )
      assert.strictEqual(guidance.phase, phase, guidance.text)
      assertClean(sentences(guidance))
      const payer = payerGuidanceOf({ ...statusIn(state), ...members, swapId: hostile }, {
        ...facts,
        ...more,
      })
      assert.deepStrictEqual(
        [payer.phase, payer.since, payer.expectedBy],
        [guidance.phase, guidance.since, guidance.expectedBy],
      )
    })
  }

  const { depositChannel: _channel, fillOrKill: _limit, ...bare } = statusIn("waiting")
  for (const reader of readers) {
    it(`has a text of its own for every form, whatever is absent: ${reader}`, () => {
      const texts = GuidancePhase.literals.map((phase) => {
        const told = renderGuidance(
          phase,
          { platform, status: bare, facts: { provider: goodProvider } },
          reader,
        )
        assertClean(sentences(told))
        return told.text
      })
      assert.lengthOf(new Set(texts), texts.length)
    })
  }

  it("tells an operator nothing that is for others, and no address, hash or provider ID", () => {
    contactSetting("near-intents", { title: "NEAR Intents" })
    for (const phase of GuidancePhase.literals) {
      const said = sentences(
        renderGuidance(
          phase,
          { platform: ProviderName.make("near-intents"), status: hostileStatus, facts },
          "operator",
        ),
      )
      for (const sentence of said) {
        assert.notMatch(
          sentence,
          /to the operator|ask the operator|Idempotency|\b(?=\d*[a-zA-Z])\w{20,}|near-intents/,
          phase,
        )
        assert.notInclude(sentence, hostileStatus.destinationAddress, phase)
      }
    }
    const about = { platform, status: statusIn("swapping") }
    const stalled = { ...facts, stalledSince: at }
    assert.notDeepEqual(guidanceOf(about, stalled, "operator"), guidanceOf(about, stalled))
  })

  it("asks for the rest of a payment only where its provider adds it up, and while it can still come in time", () => {
    const minute = 60_000
    const expiry = 1_790_000_000_000
    const said = (
      provider: Partial<ProviderFacts> = {},
      { isExpired = false, left = 60 * minute, sent = 1n } = {},
    ) => {
      const status = {
        ...statusIn("receiving"),
        deposit: { ...deposit, amount: NativeAmount.make(sent) },
        depositChannel: {
          ...depositChannel,
          createdAt: EpochMillis.make(expiry - 24 * 60 * minute),
          estimatedExpiryTime: EpochMillis.make(expiry),
          expectedDepositAmount: amount,
          minimumDeposit: NativeAmount.make(1_000n),
          isExpired,
        },
      }
      const now = EpochMillis.make(expiry - left)
      const adding = { ...goodProvider, needsAmount: true, addsDeposits: true, ...provider }
      const known: GuidanceFacts = { now, changedAt: now, provider: adding }
      const { told } = payerGuidanceOf(status, known)
      return { ...guidanceOf({ platform, status }, known), told }
    }
    const asks = ({ phase, told, whatYouCanDo }: ReturnType<typeof said>) => {
      assert.strictEqual(phase, "deposit_incomplete")
      return [/^Send /.test(whatYouCanDo[0] ?? ""), told.takesRest]
    }
    assert.strictEqual(said().told.missingAmount?.native, 12_345_677n)
    assert.deepStrictEqual(asks(said()), [true, true])
    // A strict address takes one payment: a second one would be lost (relay/wire.md 1).
    assert.deepStrictEqual(asks(said({ addsDeposits: false })), [false, false])
    assert.deepStrictEqual(asks(said({ takesSwaps: false })), [false, false])
    assert.deepStrictEqual(asks(said({}, { left: 5 * minute })), [false, false])
    assert.deepStrictEqual(asks(said({}, { left: -minute })), [false, false])
    const late = said({ lateDeposit: "lost" }, { isExpired: true })
    assert.match(late.whatYouCanDo.join(" "), /^Wait, and send nothing more/)
    assert.strictEqual(said({}, { sent: 1_000n }).phase, "deposit_seen")
  })

  it("names no amount of a deposit that is only expected", () => {
    const status = { ...statusIn("receiving"), deposit: { ...deposit, isExpected: true as const } }
    const { text } = guidanceOf({ platform, status }, facts)
    assert.notInclude(text, "0.12345678")
    assert.match(text, /^The deposit was seen/)
  })

  it("counts no confirmations that its provider does not tell", () => {
    const at = (transactionConfirmations: number | undefined) =>
      guidanceOf({
        platform,
        status: {
          ...statusIn("receiving"),
          sourceChainRequiredBlockConfirmations: 3,
          deposit: {
            ...deposit,
            ...(transactionConfirmations === undefined ? {} : { transactionConfirmations }),
          },
        },
      }, facts).text
    assert.match(at(undefined), /: 3 needed\.$/)
    assert.match(at(0), /: 0 of 3\.$/)
  })

  it("lets a channel be paid for the first half of its life, however short that is", () => {
    const minute = 60_000
    const at = (minutes: number) => EpochMillis.make(1_790_000_000_000 + minutes * minute)
    const phaseAt = (minutes: number, life: number) =>
      guidanceOf(
        {
          platform,
          status: {
            ...statusIn("waiting"),
            depositChannel: { ...depositChannel, createdAt: at(0), estimatedExpiryTime: at(life) },
          },
        },
        { ...facts, now: at(minutes) },
      ).phase
    assert.strictEqual(phaseAt(9, 20), "waiting_for_deposit")
    assert.strictEqual(phaseAt(11, 20), "channel_closing")
    assert.strictEqual(phaseAt(24 * 60 - 31, 24 * 60), "waiting_for_deposit")
    assert.strictEqual(phaseAt(24 * 60 - 29, 24 * 60), "channel_closing")
  })

  it("has every amount and address of the record in full, and nothing that an upstream wrote", () => {
    for (const phase of GuidancePhase.literals) {
      assertClean(
        sentences(renderGuidance(phase, { platform, status: hostileStatus, facts }, "en")),
      )
    }
    const { text } = guidanceOf({ platform, status: { ...statusIn("completed"), swapEgress: paid } }, facts)
    assert.include(text, "0.000000000012345678 ETH")
    assert.include(text, statusIn("completed").destinationAddress)
    assert.include(text, "ab".repeat(32))
  })

  it("of an opening without a swap says what became of it", () => {
    for (const outcome of ["requested", "unknown", "refused"] as const) {
      const guidance = guidanceOfOpening({ platform, outcome, at })
      assert.strictEqual(guidance.phase, `opening_${outcome}`)
      assertClean(sentences(guidance))
    }
  })

  it("of a journal's entry is what it meant when it was written", () => {
    const entry = (note: JournalNote) =>
      guidanceOfEntry({ id: JournalEntryId.make(1), platform, at, note }, goodProvider).phase
    const status = statusIn("waiting")
    assert.strictEqual(entry(JournalNote.Change({ kind: "opened", status })), "waiting_for_deposit")
    assert.strictEqual(entry(JournalNote.Stall({ detail: hostile })), "stalled")
    const body = { text: hostile, length: hostile.length }
    assert.strictEqual(
      entry(JournalNote.Contradiction({ detail: hostile, status, body })),
      "provider_contradicts",
    )
  })
})
