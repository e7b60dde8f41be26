import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { acts, pages } from "#interfaces/dashboard/registry.ts"
import { call } from "#test/contract/support/call.ts"
import { textAt } from "#test/contract/support/Json.ts"
import { during, swapParameters } from "#test/contract/support/swaps.ts"
import { issue, newAccount } from "#test/contract/support/operator.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { seed, seededDatabases } from "./support/seed.ts"
import { cookieOf, ownForm, request, send, signIn } from "./support/signIn.ts"
import { visits } from "./support/visits.ts"

/** Signs in by a link to an account. */
const enter = Effect.fnUntraced(function* (account: string) {
  const answer = yield* call("POST", `/operator/accounts/${account}/portal-link`)
  const code = textAt(answer.body, "url").split("#")[1] ?? ""
  return cookieOf(yield* send("/dashboard/enter", { code }))
})

const get = (path: string, cookie: string) => request(path, { headers: { cookie } })

const visitsOf = (path: string): ReadonlyArray<string> => visits[path]?.(seed) ?? []

/** Values for the parameters of a form's path. */
const pathOf = (path: string): string => path.replace(":name", seed.account).replaceAll(/:[a-z]+/g, "1")

layer(brokerInProcess({}, seededDatabases), { excludeTestServices: true })(
  "viewers of the dashboard",
  (it) => {
    it.effect("who are integrators see the pages that are made for them, and no other page", function* () {
      const cookie = yield* enter(seed.account)
      for (const { path, integrator } of pages) {
        for (const visit of visitsOf(path)) {
          const { status } = yield* get(visit, cookie)
          if (integrator === undefined) assert.strictEqual(status, 404, visit)
          else assert.include([200, 404], status, visit)
        }
      }
    })

    it.effect("who are integrators find no link to a page that is not for them", function* () {
      const cookie = yield* enter(seed.account)
      const looked = pages.flatMap(({ integrator, path }) => [
        ...(integrator === undefined ? [] : visitsOf(path)),
        ...(integrator === undefined || path.includes(":") ? [] : [path]),
      ])
      const linked = new Map<string, string>()
      for (const visit of looked) {
        const { status, text } = yield* get(visit, cookie)
        if (status !== 200) continue
        for (const [, to = ""] of text.matchAll(/href="(\/dashboard[^"#]*)/g)) linked.set(to, visit)
      }
      assert.isAbove(linked.size, 20)
      for (const [to, from] of linked) {
        const { status } = yield* get(to.replaceAll("&amp;", "&"), cookie)
        assert.strictEqual(status, 200, `${to}, linked from ${from}`)
      }
    })

    it.effect("who are operators get every list as a file, and integrators none of theirs", function* () {
      const [operator, integrator] = [yield* signIn(), yield* enter(seed.account)]
      const lists = pages.flatMap(({ csv, path }) => {
        const at = path.replace(":name", seed.account)
        return csv === undefined || at.includes(":") ? [] : [{ csv, path: at }]
      })
      const own = ["keys", "routes", "webhooks"].map((name) => `accounts/${seed.account}/${name}`)
      assert.includeMembers(
        lists.map(({ path }) => path),
        [
          "accounts",
          "alerts",
          "all-webhooks",
          "audit",
          "failed",
          "money/affiliates",
          "providers",
          "swaps",
          ...own,
        ].map((name) => `/dashboard/${name}`),
      )
      for (const { csv, path } of lists) {
        const { headers, status, text } = yield* get(`${path}?format=csv`, operator)
        assert.strictEqual(status, 200, path)
        assert.match(headers.get("content-type") ?? "", /^text\/csv/, path)
        assert.match(text, /^[A-Za-z]+(?:,[A-Za-z0-9]+)+\r\n/, path)
        assert.notInclude(text, "sbk_", path)
        if (csv?.integrator !== undefined) continue
        assert.notMatch(
          (yield* get(`${path}?format=csv`, integrator)).headers.get("content-type") ?? "",
          /csv/,
          path,
        )
      }
    })

    it.effect("are told of the sandbox also where there is no page, or nobody is signed in", function* () {
      const nowhere = "/dashboard/nothing/of/it"
      for (const headers of [{}, { cookie: yield* signIn() }]) {
        const { status, text } = yield* request(nowhere, { headers })
        assert.strictEqual(status, 404)
        assert.include(text, 'Sandbox<span class="rest">: no money moves')
      }
      assert.include((yield* request("/dashboard/login")).text, 'Sandbox<span class="rest">: no money moves')
    })

    it.effect("see what became of a completed swap's quote, and only there", function* () {
      for (const cookie of [yield* enter(seed.account), yield* signIn()]) {
        const { text } = yield* get(`/dashboard/swaps/${seed.swaps.completed}`, cookie)
        const said = text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")
        assert.include(said, "Against the quote −0.17 % quoted 4.5200 ETH, at least 4.4748")
        for (const other of [seed.swaps.waiting, seed.swaps.refunded, seed.swaps.failed]) {
          assert.notInclude((yield* get(`/dashboard/swaps/${other}`, cookie)).text, "Against the quote")
        }
      }
    })

    it.effect("who are operators see the openings with an unknown outcome, and can check one", function* () {
      const lost = yield* during(
        { operation: "open", kind: "malformed" },
        call("GET", "/swap", { query: swapParameters() }),
      )
      const [id = ""] = /[0-9]+$/.exec(textAt(lost.body, "detail")) ?? []
      const cookie = yield* signIn()
      const operators = (yield* get("/dashboard/swaps?view=unknown", cookie)).text
      assert.match(operators, new RegExp(`>\\s*${id}\\s*<`))
      assert.match((yield* get("/dashboard/swaps", cookie)).text, /Opening unknown\s*<span class="n warn">2</)
      const { text } = yield* get(`/dashboard/swaps/${id}`, cookie)
      assert.include(text, `action="/dashboard/swaps/${id}/check"`)
      assert.match(text, /Refund address<\/dt>\s*<dd>/)
      const own = yield* enter(seed.account)
      assert.notInclude((yield* get("/dashboard/swaps?view=unknown", own)).text, "Opening unknown")
      assert.strictEqual((yield* get(`/dashboard/swaps/${id}`, own)).status, 404)
    })

    it.effect("who are integrators find nothing of another account, by list, filter or id", function* () {
      const own = yield* enter(seed.account)
      const { hostile, long, stalled } = seed.swaps
      for (const id of [hostile, long]) {
        assert.strictEqual((yield* get(`/dashboard/swaps/${id}`, own)).status, 404)
        assert.strictEqual(
          (yield* get(`/dashboard/swaps/${id}/journal/${seed.longEntry}`, own)).status,
          404,
        )
      }
      assert.strictEqual((yield* get(`/dashboard/swaps/${stalled}`, own)).status, 200)
      const lists = [
        "",
        `?account=${seed.hostileAccount}`,
        `?offset=${long}`,
        "?view=stalled",
        `?find=${hostile}`,
      ]
      for (const query of lists) {
        const { status, text } = yield* get(`/dashboard/swaps${query}`, own)
        assert.strictEqual(status, 200, query)
        assert.notInclude(
          text,
          seed.hostileAccount === query.split("=")[1] ? "failed</span>" + hostile : seed.hostileAccount,
        )
        assert.notMatch(text, new RegExp(`/dashboard/swaps/(?:${hostile}|${long})"`), query)
      }
      const strangers = yield* enter(yield* newAccount())
      const { text } = yield* get("/dashboard/swaps", strangers)
      assert.notMatch(text, /\/dashboard\/swaps\/\d/)
      assert.notMatch((yield* get("/dashboard", strangers)).text, /\/dashboard\/swaps\/\d/)
    })

    it.effect("who are integrators are not told what an upstream said, nor of other accounts", function* () {
      const cookie = yield* enter(seed.account)
      for (const { path, integrator } of pages) {
        if (integrator === undefined) continue
        for (const visit of visitsOf(path)) {
          const { text } = yield* get(visit, cookie)
          assert.notMatch(text, /What the upstream said|’s response<|compared with our record/)
          assert.notInclude(text, seed.hostileAccount)
          assert.notInclude(text, ">default<")
        }
      }
    })

    it.effect("who are integrators change nothing, and operators nothing from another site", function* () {
      const integrator = yield* enter(seed.account)
      const operator = yield* signIn()
      for (const { path } of acts) {
        const place = pathOf(path)
        const fields = { account: seed.hostileAccount }
        const own = yield* send(place, fields, { ...ownForm, cookie: integrator })
        assert.strictEqual(own.status, 404, place)
        const foreign = [
          { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
          { "sec-fetch-site": "same-site", origin: "https://evil.example" },
          { origin: "null" },
          {},
        ]
        for (const headers of foreign) {
          const answer = yield* send(place, fields, { ...headers, cookie: operator })
          assert.strictEqual(answer.status, 403, place)
        }
        const asText = yield* request(place, {
          method: "POST",
          body: "account=wallet-two",
          headers: { ...ownForm, cookie: operator, "content-type": "text/plain" },
        })
        assert.strictEqual(asText.status, 400, place)
        assert.strictEqual((yield* send(place, fields)).status, 303, "who is not signed in")
        const shown = yield* get(place, operator)
        assert.include(pages.some((page) => page.path === path) ? [200, 303] : [405], shown.status, place)
      }
      const { text } = yield* call("GET", "/operator/audit", { query: { limit: "500" } })
      assert.notInclude(text, "swap.moved")
    })

    it.effect("who are operators move a swap, and read why one cannot be looked for again", function* () {
      const cookie = yield* signIn()
      const headers = { ...ownForm, cookie }
      const { waiting } = seed.swaps
      const moved = yield* send(
        `/dashboard/swaps/${waiting}/move`,
        { account: seed.hostileAccount },
        headers,
      )
      assert.deepStrictEqual([moved.status, moved.headers.get("location")], [
        303,
        `/dashboard/swaps/${waiting}?done=moved`,
      ])
      const { text } = yield* get(`/dashboard/swaps/${waiting}?done=moved`, cookie)
      assert.include(text, "Swap moved to the other account.")
      assert.include(text, seed.hostileAccount)
      const back = yield* send(`/dashboard/swaps/${waiting}/move`, { account: seed.account }, headers)
      assert.strictEqual(back.status, 303)
      const nobody = yield* send(`/dashboard/swaps/${waiting}/move`, { account: "nobody" }, headers)
      assert.deepStrictEqual([nobody.status, nobody.text.includes("No account has this name")], [
        404,
        true,
      ])
      const { status } = yield* send(`/dashboard/swaps/${waiting}/reindex`, {}, headers)
      assert.isAbove(status, 302)
    })

    it.effect("who are operators accept the end of a disputed swap, as they were shown it", function* () {
      const cookie = yield* signIn()
      const headers = { ...ownForm, cookie }
      const list = yield* get(`/dashboard/swaps?find=${seed.contradicted}`, cookie)
      const here = list.headers.get("location") ?? assert.fail("the search does not open it")
      const shown = yield* get(here, cookie)
      assert.include(shown.text, "The deposit was of another amount before")
      assert.include(shown.text, `href="${here}/accept"`)
      const asked = yield* get(`${here}/accept`, cookie)
      assert.match(asked.text, /Payout transaction[\s\S]+data-copy/)
      const entry = asked.text.match(/name="entry" value="(\d+)"/)?.[1] ?? assert.fail("no form")
      const accept = (entry: string) => send(`${here}/accept`, { entry }, headers)
      for (
        const [wrong, said] of [
          ["", "names no result of this swap"],
          ["1", `in entry ${entry} of the journal`],
        ] as const
      ) {
        const refused = yield* accept(wrong)
        assert.deepStrictEqual([refused.status, refused.text.includes(said)], [409, true], wrong)
      }
      const idle = `/dashboard/swaps/${seed.swaps.waiting}`
      assert.strictEqual((yield* send(`${idle}/accept`, { entry }, headers)).status, 409)
      assert.notInclude((yield* get(`${idle}/accept`, cookie)).text, 'name="entry"')
      for (let times = 0; times < 2; times++) {
        const accepted = yield* accept(entry)
        assert.deepStrictEqual([accepted.status, accepted.headers.get("location")], [
          303,
          `${here}?done=accepted`,
        ])
      }
      const { text } = yield* get(`${here}?done=accepted`, cookie)
      assert.include(text, "Result accepted")
      assert.include(text, "The operator accepted the result")
      assert.notInclude(text, `href="${here}/accept"`)
      const { text: audit } = yield* get("/dashboard/audit", cookie)
      assert.include(audit, "swap.accepted")
    })

    it.effect("find a stuck swap's cause two clicks from the overview", function* () {
      const cookie = yield* signIn()
      const overview = yield* get("/dashboard", cookie)
      const stuck = `/dashboard/swaps/${seed.swaps.stalled}`
      assert.include(overview.text, `href="${stuck}"`)
      const { text } = yield* get(stuck, cookie)
      assert.include(text, "should have ended")
    })

    it.effect("say nothing that a link makes up", function* () {
      const cookie = yield* signIn()
      const { text } = yield* get("/dashboard?done=Send%20money%20to%20me", cookie)
      assert.notInclude(text, "Send money")
    })

    it.effect("are told of failures without a code", function* () {
      const cookie = yield* signIn()
      const { key } = yield* issue(yield* newAccount())
      for (
        const path of ["/dashboard/swaps/999999", "/dashboard/swaps?state=nonsense", "/dashboard/nothing"]
      ) {
        const { headers, text } = yield* get(path, cookie)
        assert.match(headers.get("content-type") ?? "", /^text\/html/)
        assert.notMatch(text, /"code"|[a-z]+_[a-z]+_[a-z]+/)
      }
      const refused = yield* send("/dashboard/login", { key })
      assert.include(refused.text, "operate")
    })
  },
)
