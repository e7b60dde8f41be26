import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { brokerInProcess } from "#test/support/broker.ts"
import { newAccount } from "#test/contract/support/operator.ts"
import { endedAt, seed, seededDatabases } from "../support/seed.ts"
import { enterAs as enter, ownForm, request, send, signIn } from "../support/signIn.ts"

const get = (path: string, cookie: string) => request(path, { headers: { cookie } })

/** The ids of the swaps of a list, in their order. */
const idsIn = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/href="\/dashboard\/swaps\/(\d+)"/g)].map(([, id]) => Number(id))

/** What a page says, without its tags. */
const saidIn = (text: string): string => text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

const { swaps } = seed

layer(brokerInProcess({}, seededDatabases), { excludeTestServices: true })(
  "the swaps of the dashboard",
  (it) => {
    it.effect("are in the views of what became of them", function* () {
      const cookie = yield* signIn()
      const dayOf = (at: number) => Math.floor(at / 86_400_000)
      const wasYesterday = dayOf(endedAt) === dayOf(Date.now()) - 1
      const views = {
        underway: [14, 13, 12, 11, swaps.stalled, swaps.swapping, swaps.receiving],
        // Stalled for the longest first.
        stalled: [swaps.stalled, 11, 12, 13, 14, swaps.hostile],
        disputed: [swaps.disputed],
        refunded: [swaps.refunded],
        "refunded-yesterday": wasYesterday ? [swaps.refunded] : [],
        failed: [swaps.long, swaps.hostile, swaps.failed],
        completed: [swaps.completed],
        unknown: [seed.unknownOpening],
      }
      for (const [view, ids] of Object.entries(views)) {
        const { status, text } = yield* get(`/dashboard/swaps?view=${view}`, cookie)
        assert.deepStrictEqual([status, idsIn(text)], [200, ids], view)
      }
      const { text } = yield* get("/dashboard/swaps", cookie)
      assert.include(
        saidIn(text),
        "All 14 Under way 7 Waiting 0 Stalled 6 Opening unknown 1 Disputed 1 Refunded 1 Refunded yesterday " +
          `${wasYesterday ? 1 : 0} Failed 3 Expired 1 Completed 1 `,
      )
      assert.strictEqual((yield* get("/dashboard/swaps?view=nonsense", cookie)).status, 400)
    })

    it.effect("are filtered by the words of their pills, and each filter can be taken off", function* () {
      const cookie = yield* signIn()
      const words = {
        receiving: [11, swaps.receiving],
        completed: [swaps.completed],
        refunded: [swaps.refunded],
        partlyRefunded: [],
        expired: [swaps.expired],
        stalled: [14, 13, 12, 11, swaps.hostile, swaps.stalled],
        unknown: [seed.unknownOpening],
      }
      for (const [word, ids] of Object.entries(words)) {
        const { status, text } = yield* get(`/dashboard/swaps?state=${word}`, cookie)
        assert.deepStrictEqual([status, idsIn(text)], [200, ids], word)
      }
      const { text } = yield* get("/dashboard/swaps?state=refunded&platform=chainflip", cookie)
      assert.match(saidIn(text), /State: Refunded ×[^×]+Provider: Chainflip ×/)
      assert.include(text, 'href="/dashboard/swaps?platform=chainflip"')
    })

    it.effect("are opened by a search that finds one alone", function* () {
      const cookie = yield* signIn()
      for (const [text, to] of [[seed.contradicted, 14], [`${seed.unknownOpening}`, 15]] as const) {
        const { headers, status } = yield* get(`/dashboard/swaps?find=${text}`, cookie)
        assert.deepStrictEqual([status, headers.get("location")], [303, `/dashboard/swaps/${to}`])
      }
      const own = yield* get(`/dashboard/swaps?find=${seed.unknownOpening}`, yield* enter(seed.account))
      assert.strictEqual(own.status, 200)
    })

    it.effect("count and list what other filters leave, and an integrator's own alone", function* () {
      const cookie = yield* signIn()
      const narrowed = saidIn(
        (yield* get(`/dashboard/swaps?view=failed&account=${seed.account}`, cookie)).text,
      )
      assert.include(narrowed, "Stalled 5 ")
      assert.include(narrowed, "Failed 1 ")
      const own = yield* enter(seed.account)
      const { text } = yield* get("/dashboard/swaps?view=failed", own)
      assert.deepStrictEqual(idsIn(text), [swaps.failed])
      assert.include(saidIn(text), "Stalled 5 Disputed 1")
      const strangers = saidIn((yield* get("/dashboard/swaps", yield* enter(yield* newAccount()))).text)
      assert.include(strangers, "Stalled 0 Disputed 0 Refunded 0")
    })

    it.effect("have dollars, expected and in no sum where nothing was paid in", function* () {
      const said = saidIn((yield* get("/dashboard/swaps", yield* signIn())).text)
      assert.match(said, /expected \$[\d,]+/)
      assert.match(said, /1–14 of 14 · \$[\d,]+ deposited, \$0\.38 commission on this page/)
    })

    it.effect("are a table for spreadsheets, with the filters of the page, of their own account", function* () {
      const csv = Effect.fnUntraced(function* (query: string, cookie: string) {
        const { headers, text } = yield* get(`/dashboard/swaps?format=csv${query}`, cookie)
        assert.match(headers.get("content-type") ?? "", /^text\/csv/)
        assert.match(headers.get("content-disposition") ?? "", /^attachment/)
        return text.trim().split("\r\n").slice(1).map((line) => line.split(",").slice(0, 2).join())
      })
      const all = yield* csv("&view=failed", yield* signIn())
      assert.deepStrictEqual(all, ["wallet-two,10", "wallet-two,9", "wallet-one,7"])
      assert.deepStrictEqual(yield* csv("&view=failed&account=wallet-two", yield* enter(seed.account)), [
        "wallet-one,7",
      ])
      assert.notMatch((yield* get("/dashboard/swaps?format=csv", "")).text, /wallet/)
    })

    it.effect("say of their money what adds up to the cent", function* () {
      const said = saidIn((yield* get(`/dashboard/swaps/${swaps.completed}`, yield* signIn())).text)
      assert.include(said, "adds up to the cent")
      const table = said.slice(said.indexOf("Where the money went"), said.indexOf("What Chainflip says"))
      const cents = [...table.matchAll(/(−?)\$([\d,]+\.\d\d)/g)]
        .map(([, sign, sum = ""]) => Number(sum.replaceAll(/[,.]/g, "")) * (sign === "−" ? -1 : 1))
      const paidOut = cents.pop() ?? 0
      assert.strictEqual(cents.length, 5)
      assert.strictEqual(cents.reduce((sum, part) => sum + part, 0), paidOut)
      assert.strictEqual(paidOut, 9_656_420)
    })

    it.effect("say what the upstream says beside what is held, and what is not believed", function* () {
      const cookie = yield* signIn()
      const said = saidIn((yield* get(`/dashboard/swaps/${swaps.disputed}`, cookie)).text)
      assert.include(said, "Chainflip’s result contradicts our records")
      assert.match(said, /Payout 4\.512345678901234567 ETH Ethereum none Only at Chainflip/)
      assert.match(said, /State swapping .{0,3}Swapping Differs/)
    })

    it.effect("say of a stalled one what can be done, and how the last one ended", function* () {
      const cookie = yield* signIn()
      const said = saidIn((yield* get(`/dashboard/swaps/${swaps.stalled}`, cookie)).text)
      assert.match(said, /Sending for 1 h \d+ min, 1 h( \d+ min)? over the limit of 5 min/)
      assert.match(
        said,
        /No contact of Chainflip support is set\. Attach the case file.+New swaps Switch off new swaps at Chainflip/,
      )
      const { text } = yield* get(`/dashboard/swaps/${swaps.receiving + 8}`, cookie)
      assert.include(text, "/dashboard/providers/chainflip?set=false&amp;of=open#switch")
      assert.include(saidIn(text), "Ask for a refund")
      const own = yield* get(`/dashboard/swaps/${swaps.stalled}`, yield* enter(seed.account))
      assert.notMatch(saidIn(own.text), /last stalled swap|earlier stalled swap|Switch off new swaps/)
    })

    it.effect("have the reason and the next check of an unknown opening on their cards", function* () {
      const { text } = yield* get("/dashboard/swaps?view=unknown", yield* signIn())
      assert.match(text, /<td data-l="reason">(?:<bdi>)?[^<]/)
      assert.match(text, /<td class="r" data-l="next check">/)
    })

    it.effect("say of an expired one which deposits are still looked for", function* () {
      const said = saidIn((yield* get(`/dashboard/swaps/${swaps.expired}`, yield* signIn())).text)
      assert.match(said, /(?:Checking for a|No) deposit from before the expiry/)
      assert.notInclude(said, "Still looking")
    })

    it.effect("say nothing of the times of a simulated network beside ours", function* () {
      const { text } = yield* get(`/dashboard/swaps/${swaps.completed}`, yield* signIn())
      assert.notMatch(text, /Seen <time|Expires/)
    })

    it.effect("are kept as case files, by whom they belong to", function* () {
      const file = `/dashboard/swaps/${swaps.completed}?format=json`
      for (const cookie of [yield* signIn(), yield* enter(seed.account)]) {
        const { headers, text } = yield* get(file, cookie)
        assert.match(
          text,
          new RegExp(`^\\{"case":\\{"format":"swap-broker-case/1".*"id":${swaps.completed},`),
        )
        assert.strictEqual(
          headers.get("content-disposition"),
          `attachment; filename="swap-${swaps.completed}-case.json"`,
        )
      }
      const other = yield* get(file, yield* enter(seed.hostileAccount))
      assert.deepStrictEqual([other.status, other.text.includes('"case"')], [404, false])
      const opening = yield* get(`/dashboard/swaps/${seed.unknownOpening}?format=json`, yield* signIn())
      assert.include(opening.text, '"outcome":"unknown"')
    })

    it.effect("are asked for again, and shown to who pays by a new link, by operators alone", function* () {
      const headers = { ...ownForm, cookie: yield* signIn() }
      const here = `/dashboard/swaps/${swaps.receiving}`
      const asked = yield* send(`${here}/ask`, {}, headers)
      assert.strictEqual(asked.status, 303)
      assert.match(
        asked.headers.get("location") ?? "",
        new RegExp(`^${here}\\?done=(?:answered|unanswered)$`),
      )
      const made = yield* send(`${here}/pay-link`, {}, headers)
      const link = /https?:\/\/[^<]+(\/pay\/[\w-]+)/.exec(made.text)?.[1] ?? assert.fail("no link")
      assert.strictEqual((yield* get(link, "")).status, 200)
      const update = { cookie: "", "sec-fetch-dest": "empty" }
      assert.strictEqual((yield* request(link, { headers: update })).status, 200)
      assert.match(
        saidIn((yield* get(here, headers.cookie)).text),
        /Payer’s page opened 1 time, last at \d\d:\d\d/,
      )
      yield* get(link, "")
      assert.match(
        saidIn((yield* get(here, headers.cookie)).text),
        /Payer’s page opened 2 times, last at \d\d:\d\d/,
      )
      const own = { ...ownForm, cookie: yield* enter(seed.account) }
      for (const act of ["ask", "pay-link", "reindex", "move", "accept"]) {
        assert.strictEqual((yield* send(`${here}/${act}`, {}, own)).status, 404, act)
      }
      assert.strictEqual((yield* send("/dashboard/swaps/999999/ask", {}, headers)).status, 404)
    })
  },
)
