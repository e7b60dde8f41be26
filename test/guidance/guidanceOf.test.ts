import { assert, describe, it } from "@effect/vitest"
import { Address } from "../../src/domain/Address.ts"
import { NativeAmount } from "../../src/domain/Amount.ts"
import { GuidancePhase } from "../../src/domain/Guidance.ts"
import { JournalEntryId, JournalNote } from "../../src/domain/Journal.ts"
import { ProviderName } from "../../src/domain/ProviderName.ts"
import type { Egress, SwapState, SwapStatus } from "../../src/domain/Swap.ts"
import { BlockIndex, EpochMillis } from "../../src/domain/Time.ts"
import { goodProvider, type GuidanceFacts } from "../../src/guidance/facts.ts"
import { guidanceOf, guidanceOfEntry, guidanceOfOpening, words } from "../../src/guidance/guidanceOf.ts"
import { tell } from "../../src/guidance/told.ts"
import { statusIn } from "../support/swap.ts"

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

describe("guidance", () => {
  for (const { facts: more, phase, state, more: members = {} } of rows) {
    it(`is of its form: ${phase}`, () => {
      const guidance = guidanceOf(
        { platform, status: { ...statusIn(state), ...members, swapId: hostile } },
        { ...facts, ...more },
      )
      assert.strictEqual(guidance.phase, phase, guidance.text)
      assertClean(sentences(guidance))
    })
  }

  it("has a text of its own for every form, whatever is absent", () => {
    const texts = GuidancePhase.literals.map((phase) => {
      const bare = words[phase](tell({ facts: { provider: goodProvider } }))
      assertClean(sentences(bare))
      return bare.text
    })
    assert.lengthOf(new Set(texts), texts.length)
    assert.isAtLeast(texts.length, 60)
  })

  it("has every amount and address of the record in full, and nothing that an upstream wrote", () => {
    for (const phase of GuidancePhase.literals) {
      const status = {
        ...statusIn("failed"),
        swapId: hostile,
        deposit: { ...deposit, transactionReference: hostile, ...failure(hostile) },
        swap,
        swapEgress: egress({ transactionReference: hostile, ...failure(hostile) }),
        refundEgress: egress({ transactionReference: hostile, ...failure(hostile) }),
        fallbackEgress: egress({ transactionReference: hostile, ...failure(hostile) }),
      }
      assertClean(sentences(words[phase](tell({ platform, status, facts: { provider: goodProvider } }))))
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
