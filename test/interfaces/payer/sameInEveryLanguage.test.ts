import { assert, describe, it } from "@effect/vitest"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { GuidancePhase, type SwapPhase } from "#domain/swaps/Guidance.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { goodProvider } from "#application/guidance/facts.ts"
import { words } from "#application/guidance/words/renderGuidance.ts"
import { payerTold } from "#application/guidance/textValues.ts"
import { path } from "#interfaces/pages/jsx-runtime.ts"
import { payerPage } from "#interfaces/payer/payerPage.tsx"
import { languages, type PageLanguage } from "#interfaces/payer/words/languages.ts"
import { pageTextOf } from "#interfaces/payer/parts.tsx"
import { readLink } from "#test/domain/swaps/payment/support/parsers.ts"
import { readCode } from "#test/domain/swaps/payment/support/readCode.ts"
import { Dice, now } from "#test/domain/swaps/payment/support/deposits.ts"
import { randomSwap } from "#test/support/randomSwap.ts"
import { statusIn } from "#test/support/swap.ts"

const isOfSwap = (phase: GuidancePhase): phase is SwapPhase => phase in words
const phases = GuidancePhase.literals.filter(isOfSwap)

type Swap = ReturnType<typeof randomSwap>

const shop = {
  name: "Acme",
  logo: undefined,
  colours: undefined,
  support: "help@acme.example",
  returnUrl: "https://acme.example/orders",
}

const pageIn = (language: PageLanguage, { network, status }: Swap, phase: SwapPhase): string =>
  `${
    payerPage({
      writer: pageTextOf(language),
      host: "swap.example",
      shop,
      here: path`/pay/token`,
      shown: {
        id: SwapRecordId.make(4812),
        clock,
        status,
        network,
        guidance: { phase, since: now, now, told: payerTold(status, { provider: goodProvider, now }) },
      },
    })
  }`

/** The time by our clock, while simulated networks are behind it. */
const clock = EpochMillis.make(now + 10_800_000)

/** All that must not depend on the language: numbers, texts that are copied, places and times. */
const factsIn = (page: string): ReadonlyArray<string> =>
  [
    /<data value="[^"]*"/g,
    /<code>[\s\S]*?<\/code>/g,
    /href="(?!\/pay\/token\?lang=)[^"]*"/g,
    /datetime="[^"]*"/g,
    /data-left="[^"]*"/g,
    /<path[^>]* d="[^"]*"/g,
  ].flatMap((form) => page.match(form) ?? []).toSorted()

/** How many swaps are shown in each phase. */
const swapsOfPhase = 6

describe("the page of a payer", () => {
  it("has the same amounts, addresses, links, hashes and times in every language", () => {
    const dice = new Dice(20_261_125)
    let facts = 0
    for (const phase of phases) {
      for (let index = 0; index < swapsOfPhase; index++) {
        const swap = randomSwap(dice)
        const [first = [], ...others] = languages.map((language) => factsIn(pageIn(language, swap, phase)))
        for (const other of others) assert.deepStrictEqual(other, first, phase)
        facts += first.length
      }
    }
    assert.isAbove(facts, phases.length * swapsOfPhase * 10)
  })

  it("says in its head which language it is in, and leads to the others", () => {
    const swap = randomSwap(new Dice(1))
    for (const language of languages) {
      const page = pageIn(language, swap, "swapping")
      assert.include(page, `<html lang="${language.tag}">`)
      const led = [...page.matchAll(/\?lang=([a-z]+)"/g)].map(([, tag]) => tag)
      assert.sameMembers(led, languages.map(({ tag }) => tag).filter((tag) => tag !== language.tag))
    }
  })

  it("says whom to ask, and leads back to the merchant, in every phase", () => {
    const dice = new Dice(20_261_129)
    for (const phase of phases) {
      for (const language of languages) {
        const page = pageIn(language, randomSwap(dice), phase)
        assert.include(page, `href="mailto:${shop.support}?subject=Swap%204812"`, phase)
        assert.include(page, `href="${shop.returnUrl}"`, phase)
      }
    }
  })

  it("tells of a refund what was sent, what was taken off it, what came back once, and of nothing that would be received", () => {
    const refundEgress = { amount: NativeAmount.make(149_000_000n), transactionReference: "ab".repeat(32) }
    const deposit = { amount: NativeAmount.make(150_000_000n) }
    const status = { ...statusIn("failed"), deposit, refundEgress }
    for (const language of languages) {
      const { backTo, networkFee, receive, youGotBack } = language.words.page
      const page = pageIn(language, { network: "mainnet", status }, "refunded")
      const rows = [
        ...page.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>\s*(?:−\s)?<span class="am">\s*<data value="([^"]*)"/g),
      ]
      assert.deepStrictEqual(rows.slice(1).map(([, ...row]) => row), [[networkFee, "0.01"]])
      assert.include(page, `>${youGotBack}</h1>`)
      assert.strictEqual(page.split('<data value="1.49">').length - 1, 1)
      assert.notInclude(page, receive)
      assert.strictEqual(page.split(refundEgress.transactionReference).length - 1, 2, "value and link")
      const failed = { ...status, refundEgress: { ...refundEgress, failedAt: now } }
      const other = pageIn(language, { network: "mainnet", status: failed }, "refund_failed")
      for (const word of [`${youGotBack}</h1>`, networkFee, backTo]) assert.notInclude(other, word)
    }
  })

  it("tells of a payment that is too small the least that is taken", () => {
    const status = statusIn("failed", { deposit: { amount: NativeAmount.make(40_000n), failedAt: now } })
    if (status.depositChannel === undefined) assert.fail("There is no channel")
    const minimumDeposit = NativeAmount.make(69_000n)
    const limited = { ...status, depositChannel: { ...status.depositChannel, minimumDeposit } }
    for (const language of languages) {
      const page = pageIn(language, { network: "mainnet", status: limited }, "deposit_too_small")
      assert.include(page, `>${language.words.page.tooSmall}</h1>`)
      assert.match(page, /<data value="0.0004">[^]*<data value="0.00069">/)
    }
  })

  it("tells that it is too late before that nothing is heard of the swap, and leads to a new address", () => {
    const status = statusIn("waiting")
    if (status.depositChannel === undefined) assert.fail("There is no channel")
    const closed = { ...status, depositChannel: { ...status.depositChannel, estimatedExpiryTime: now } }
    for (const language of languages) {
      const { expired, newSwap, stop, tooLate } = language.words.page
      const page = pageIn(language, { network: "mainnet", status: closed }, "provider_silent")
      for (const word of [expired, newSwap.split("{")[0] ?? "", tooLate]) assert.include(page, word)
      assert.notInclude(page, `>${stop}</h1>`)
      const { depositAddress } = closed.depositChannel
      assert.include(page, `${depositAddress.slice(0, 6)}…${depositAddress.slice(-6)}`)
      assert.notInclude(page, depositAddress)
      const [, outage = ""] = /^([^{]*?)\n/.exec(language.words.phases.provider_silent) ?? []
      assert.include(page, outage.trim())
    }
  })

  it("gives a deadline that its countdown ends at, by our clock", () => {
    const status = statusIn("waiting")
    if (status.depositChannel === undefined) assert.fail("There is no channel")
    const estimatedExpiryTime = EpochMillis.make(now + 7_200_000)
    const open = { ...status, depositChannel: { ...status.depositChannel, estimatedExpiryTime } }
    for (const language of languages) {
      const page = pageIn(language, { network: "sandbox", status: open }, "waiting_for_deposit")
      const [, left, until] = /data-left="(\d+)"[^]*?datetime="([^"]+)"/.exec(page) ?? []
      assert.closeTo(Date.parse(until ?? ""), clock + Number(left) * 1_000, 1_000)
    }
  })

  it("tells of a payment when it was seen, and once it is confirmed when that was", () => {
    const deposit = { amount: NativeAmount.make(150_000_000n), witnessedAt: now }
    for (const language of languages) {
      const { confirmed, paid } = language.words.page
      for (
        const [state, phase, title] of [["receiving", "deposit_seen", paid], [
          "swapping",
          "swapping",
          confirmed,
        ]] as const
      ) {
        const page = pageIn(language, { network: "mainnet", status: statusIn(state, { deposit }) }, phase)
        const [list = ""] = /<ol class="time">[^]*?<\/ol>/.exec(page) ?? []
        const steps = [...list.matchAll(/<b>([^<]*)<\/b>/g)].map(([, step]) => step)
        assert.deepStrictEqual(steps, [title])
      }
    }
  })

  it("opens a wallet with what the code says, and no wallet from a sandbox", () => {
    const status = statusIn("waiting")
    const [english] = languages
    if (status.depositChannel === undefined || english === undefined) assert.fail("There is no channel")
    const depositAddress = Address.make("bc1pxw0scc8aj8mjmf8yxvpj3y5sx3a3v4y0nvqxp6hq4fxdnr6zjvrq6wz9uh")
    const depositChannel = {
      ...status.depositChannel,
      depositAddress,
      estimatedExpiryTime: EpochMillis.make(now + 3_600_000),
      expectedDepositAmount: NativeAmount.make(150_000_000n),
    }
    const pageOn = (network: "mainnet" | "sandbox") =>
      pageIn(english, { network, status: { ...status, depositChannel } }, "waiting_for_deposit")
    const linkOf = (page: string) => /href="(bitcoin:[^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&")
    const link = readLink(linkOf(pageOn("mainnet")) ?? "")
    assert.deepStrictEqual(readLink(readCode(pageOn("mainnet"))), link)
    assert.strictEqual(link.payee, depositAddress)
    assert.isUndefined(linkOf(pageOn("sandbox")))
    assert.strictEqual(readLink(readCode(pageOn("sandbox"))).payee, depositAddress)
  })

  it("shows how far a swap is in four steps, and what goes wrong where it does", () => {
    const deposit = { amount: NativeAmount.make(150_000_000n) }
    const egress = { amount: NativeAmount.make(149_000_000n), transactionReference: "ab".repeat(32) }
    const [english] = languages
    if (english === undefined) assert.fail("There is no language")
    const barOf = (status: SwapStatus, phase: SwapPhase) => {
      const [bar = ""] = /<ol class="bar">[\s\S]*?<\/ol>/.exec(
        pageIn(english, { network: "mainnet", status }, phase),
      ) ?? []
      return [...bar.matchAll(/<li(?: class="(\w+)")?/g)].map(([, sign]) => sign)
    }
    const bars: ReadonlyArray<readonly [SwapStatus, SwapPhase, ReadonlyArray<string | undefined>]> = [
      [statusIn("receiving", { deposit }), "deposit_seen", ["ok", "now", undefined, undefined]],
      [statusIn("swapping", { deposit }), "swapping", ["ok", "ok", "now", undefined]],
      [statusIn("sending", { deposit, swapEgress: egress }), "payout_sent", ["ok", "ok", "ok", "now"]],
      [statusIn("completed", { deposit, swapEgress: egress }), "completed", ["ok", "ok", "ok", "ok"]],
      [statusIn("failed", { deposit, refundEgress: egress }), "refunded", ["ok", "ok", "back", "back"]],
      [
        statusIn("completed", { deposit, swapEgress: egress, refundEgress: egress }),
        "refunded_partly",
        ["ok", "ok", "back", "ok", "back"],
      ],
      [
        statusIn("failed", { deposit: { ...deposit, failedAt: now } }),
        "deposit_ignored",
        ["ok", "no"],
      ],
      [
        statusIn("failed", { deposit, swapEgress: { ...egress, failedAt: now } }),
        "payout_failed",
        ["ok", "ok", "ok", "no"],
      ],
    ]
    for (const [status, phase, bar] of bars) assert.deepStrictEqual(barOf(status, phase), bar, phase)
    assert.deepStrictEqual(barOf(statusIn("waiting"), "waiting_for_deposit"), [])
  })

  it("tells about what comes out where no provider has quoted it, in few digits", () => {
    const status = statusIn("waiting")
    const estimatedOutput = NativeAmount.make(8_440_703_537_448_385_147n)
    if (status.depositChannel === undefined) assert.fail("There is no channel")
    const estimated = { ...status, depositChannel: { ...status.depositChannel, estimatedOutput } }
    const { fillOrKill: _, ...free } = estimated
    for (const language of languages) {
      const pageOf = (status: SwapStatus) =>
        pageIn(language, { network: "mainnet", status }, "waiting_for_deposit")
      assert.include(pageOf(free), language.words.page.noMinimum)
      assert.notInclude(pageOf(estimated), language.words.page.noMinimum)
      const page = pageIn(language, { network: "mainnet", status: estimated }, "waiting_for_deposit")
      assert.include(page, language.words.page.receiveAbout)
      assert.include(page, `<data value="8.440703537448385147">8${language.point}4407</data>`)
      assert.notInclude(page, language.words.page.orBack.replace(/\{\w+\}/, ""))
    }
  })

  it("tells what may have gone wrong only after ten minutes without a payment", () => {
    const status = statusIn("waiting")
    if (status.depositChannel === undefined) assert.fail("There is no channel")
    for (const [minutes, tells] of [[9, false], [11, true]] as const) {
      const createdAt = EpochMillis.make(now - minutes * 60_000)
      const waited = { ...status, depositChannel: { ...status.depositChannel, createdAt } }
      for (const language of languages) {
        const page = pageIn(language, { network: "mainnet", status: waited }, "waiting_for_deposit")
        const { payAndWait } = language.words.phrases
        const [help = ""] = typeof payAndWait === "string" ? [] : payAndWait.true?.split("{") ?? []
        assert.strictEqual(page.includes(help), tells, `${language.tag} ${minutes}`)
      }
    }
  })

  it("draws commas that are no part of an amount", () => {
    const status = statusIn("swapping", {
      deposit: { amount: NativeAmount.make(123_456_700_012_345_678n) },
    })
    const [english] = languages
    if (english === undefined) assert.fail("There is no language")
    const page = pageIn(english, { network: "mainnet", status }, "swapping")
    assert.include(
      page,
      '<data value="1234567000.12345678">1<span class="k">234</span><span class="k">567</span>',
    )
    assert.include(page.replaceAll(/<[^>]*>/g, ""), "1234567000.12345678\u00a0BTC Bitcoin")
  })
})
