import { assert, layer } from "#test/support/it.ts"
import { Context, Effect, Layer } from "effect"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { at, integerAt, isList, type Json, listAt, parseJson, textAt } from "#test/contract/support/Json.ts"
import { request, signIn } from "#test/interfaces/dashboard/support/signIn.ts"
import { answerOf, callTool } from "#test/interfaces/mcp/support/agent.ts"
import { opening, prepare, wish } from "#test/interfaces/mcp/support/opening.ts"
import { eventually } from "#test/durability/eventually.ts"
import { brokerInProcess, testKey } from "#test/support/broker.ts"
import { defaultOptions } from "#test/sandbox/support.ts"
import { ask } from "./asking.ts"

/** A service in sandbox mode whose Relay is set to a place of its own, as one is that is not simulated. */
const mixed = Layer.unwrap(Effect.gen(function* () {
  const { url } = Context.get(yield* Layer.build(Sandbox.layer(defaultOptions)), Sandbox)
  return brokerInProcess({
    SANDBOX_URL: url.origin,
    RELAY_URL: `${url.origin}/relay/`,
    PROVIDERS: "chainflip,relay",
  })
}))

/** What each provider's payments must say, or must not. */
const providers = [["chainflip", true], ["relay", false]] as const

const read = ({ text }: { readonly text: string }): Json => parseJson(text)

const simulation = /simulation/i

const warns = (payment: Json): boolean => listAt(payment, "warnings").some((one) => simulation.test(`${one}`))

layer(mixed, { excludeTestServices: true })("Sandbox mode with a provider that is not simulated", (it) => {
  it.effect("calls payments to the simulated one a simulation, and to the other never", function* () {
    const cookie = yield* signIn()
    for (const [platform, isSimulated] of providers) {
      const sent = { ...wish, platform }
      const open = ask("POST", "/swap", sent, testKey, { "idempotency-key": `mixed-${platform}` })
      const opened = yield* open
      assert.strictEqual(opened.status, 200, opened.text)
      assert.strictEqual(opened.headers.get("x-broker-mode"), "mixed")
      const swapId = integerAt(read(opened), "id")
      const again = yield* open
      const status = yield* ask("GET", `/status-by-id?swapId=${swapId}`)
      const swaps = read(yield* ask("GET", "/swaps?status=waiting"))
      const listed = (isList(swaps) ? swaps : []).find((swap) => integerAt(swap, "id") === swapId)
      const paid = answerOf(yield* callTool("get_payment", { swapId }))
      const payments = {
        opened: at(read(opened), "payment"),
        again: at(read(again), "payment"),
        status: at(read(status), "status", "depositChannel", "payment"),
        listed: at(listed ?? null, "status", "depositChannel", "payment"),
        agent: at(paid, "payment"),
      }
      for (const [face, payment] of Object.entries(payments)) {
        assert.strictEqual(warns(payment), isSimulated, `${platform}: ${face}`)
      }
      const prepared = yield* prepare({}, { platform })
      const byAgent = answerOf(yield* callTool("open_swap", opening(prepared)))
      assert.strictEqual(warns(at(byAgent, "payment")), isSimulated, platform)

      const link = yield* ask("POST", `/swap/${swapId}/pay-link`)
      const page = yield* request(new URL(textAt(read(link), "url")).pathname)
      assert.strictEqual(page.status, 200)
      assert.strictEqual(simulation.test(page.text), isSimulated, `the payer's page of ${platform}`)
      assert.strictEqual(page.text.includes("no money moves"), isSimulated)
      const shown = yield* request(`/dashboard/swaps/${swapId}`, { headers: { cookie } })
      assert.strictEqual(shown.status, 200)
      assert.include(shown.text, "real money may move")
      assert.notInclude(shown.text, "no money moves")
    }
  })

  it.effect("links real transactions to explorers wherever they stand, and simulated ones nowhere", function* () {
    for (const [platform, isSimulated] of providers) {
      const opened = read(yield* ask("POST", "/swap", { ...wish, platform }))
      const swapId = integerAt(opened, "id")
      const address = textAt(opened, "address")
      yield* ask("POST", "/sandbox/deposits", { address, amountNative: "25000000" })
      const find = ask("GET", `/status-by-id?swapId=${swapId}`)
      const found = yield* eventually(
        Effect.andThen(ask("POST", "/sandbox/time", { advanceSeconds: 600 }), find),
        (answer) => textAt(read(answer), "status", "state") === "completed",
      )
      const status = at(read(found), "status")
      assert.strictEqual(textAt(status, "depositChannel", "explorerUrl"), textAt(opened, "explorerUrl"))
      const links = [
        `https://mempool.space/tx/${textAt(status, "deposit", "transactionReference")}`,
        `https://etherscan.io/tx/${textAt(status, "swapEgress", "transactionReference")}`,
      ]
      const link = yield* ask("POST", `/swap/${swapId}/pay-link`)
      const faces = {
        status: found.text,
        list: (yield* ask("GET", "/swaps?status=completed&limit=1")).text,
        csv: (yield* ask("GET", "/swaps?limit=1", undefined, testKey, { accept: "text/csv" })).text,
        operator: (yield* ask("GET", "/operator/swaps?limit=1&status=completed")).text,
        timeline: (yield* ask("GET", `/swaps/${swapId}/journal`)).text,
        case: (yield* ask("GET", `/swaps/${swapId}/case`)).text,
        stream: (yield* ask("GET", `/status-stream?swapId=${swapId}`)).text,
        agent: JSON.stringify(answerOf(yield* callTool("get_swap", { swapId }))),
        payer: (yield* request(new URL(textAt(read(link), "url")).pathname)).text,
      }
      for (const [face, text] of Object.entries(faces)) {
        assert.deepStrictEqual(
          links.filter((link) => text.includes(link)),
          isSimulated ? [] : links,
          `${platform}: ${face}`,
        )
      }
    }
  })
})
