import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "#test/durability/eventually.ts"
import { receiver } from "#test/application/webhooks/support/receiver.ts"
import { call, withBroker } from "./support/call.ts"
import { integerAt, type Json, parseJson, textAt } from "./support/Json.ts"
import { assertFailure } from "./support/problem.ts"
import { listen } from "./support/stream.ts"
import { deposit, openSwap, passUntil } from "./support/swaps.ts"

const look = (path: string, accepted?: string) =>
  call("GET", path, accepted === undefined ? {} : { headers: { "accept-language": accepted } })

const said = (body: Json) => textAt(body, "guidance", "text")

/** The first words of a text, by language, while a channel waits and once its swap is done. */
const waits = {
  en: /^Waiting for the deposit: /,
  de: /^Warten auf die Einzahlung: /,
  es: /^A la espera del depósito: /,
}
const done = { en: /^Completed: /, de: /^Abgeschlossen\. /, es: /^Completado\. / }

const completed = Effect.gen(function* () {
  const opened = yield* openSwap({ sourceAsset: "eth.arb" })
  yield* deposit(opened, "1000000000000000001")
  yield* passUntil(opened, "completed")
  return integerAt(opened, "id")
})

withBroker()("guidance", (it) => {
  it.effect("is in the language that the caller accepts, and says so", function* () {
    const path = `/status-by-id?swapId=${integerAt(yield* openSwap(), "id")}`
    const spellings: ReadonlyArray<readonly [accepted: string | undefined, language: keyof typeof waits]> = [
      [undefined, "en"],
      ["de", "de"],
      ["de-AT", "de"],
      ["ES-mx,es;q=0.9,en;q=0.8", "es"],
      ["fr, de;q=0.7, es;q=0.71", "es"],
      ["de;q=0, *", "en"],
      ["en;q=0, *;q=0.1", "de"],
      ["fr", "en"],
      ["de;q=0", "en"],
      [";;;,q=,\u00fc<script>", "en"],
      [`${"x,".repeat(2_000)}es`, "es"],
    ]
    const phases = new Set<string>()
    for (const [accepted, language] of spellings) {
      const answer = yield* look(path, accepted)
      assert.strictEqual(answer.status, 200, accepted)
      assert.match(said(answer.body), waits[language], accepted)
      assert.strictEqual(answer.headers.get("content-language"), language, accepted)
      assert.include(answer.headers.get("vary") ?? "", "accept-language")
      phases.add(textAt(answer.body, "guidance", "phase"))
    }
    assert.lengthOf([...phases], 1)
    assert.isNull((yield* look("/status-by-id?swapId=0", "de")).headers.get("content-language"))
  })

  it.effect("of a swap that has ended is in each caller's language, whoever asks first", function* () {
    for (const order of [["de", "en", "es", "de"], ["en", "es", "de", "en"]] as const) {
      const path = `/status-by-id?swapId=${yield* completed}`
      for (const language of order) assert.match(said((yield* look(path, language)).body), done[language])
    }
  })

  it.effect("of a journal and of a stream is in the language of the request", function* () {
    const id = yield* completed
    const journal = yield* look(`/swaps/${id}/journal`, "es")
    assert.match(textAt(journal.body, 0, "guidance", "text"), waits.es)
    assert.strictEqual(journal.headers.get("content-language"), "es")
    for (
      const [path, language] of [
        [`/status-stream?swapId=${id}&language=es`, "es"],
        [`/status-stream?swapId=${id}`, "de"],
        [`/swaps/events?lastEventId=0&language=es`, "es"],
      ] as const
    ) {
      const stream = yield* listen(path, { headers: { "accept-language": "de" } })
      const [first] = yield* stream.events(1)
      const words = first?.event === "swap.waiting" ? waits : done
      assert.match(textAt(first?.data ?? null, "data", "guidance", "text"), words[language], path)
    }
    const refused = yield* look(`/status-stream?swapId=${id}&language=fr`)
    assertFailure(refused, 400)
    assert.include(refused.text, "en, de, es")
  })

  it.effect("of a webhook is in its language, which can be changed", function* () {
    const endpoint = yield* receiver()
    const body = { url: endpoint.url, language: "de" }
    const made = yield* call("POST", "/webhooks", { body })
    assert.strictEqual(textAt(made.body, "language"), "de", made.text)
    const path = `/webhooks/${textAt(made.body, "id")}`
    const told = (count: number) =>
      eventually(Effect.sync(endpoint.told), (all) => all.length >= count).pipe(
        Effect.map((all) => parseJson(all.at(-1)?.body ?? "")),
      )
    yield* openSwap()
    const german = yield* told(1)
    assert.match(textAt(german, "data", "guidance", "text"), waits.de)
    const changed = yield* call("PATCH", path, { body: { language: "es" } })
    assert.strictEqual(textAt(changed.body, "language"), "es", changed.text)
    assert.strictEqual(textAt((yield* look(path)).body, "language"), "es")
    yield* openSwap()
    const spanish = yield* told(2)
    assert.match(textAt(spanish, "data", "guidance", "text"), waits.es)
    assert.strictEqual(
      textAt(spanish, "data", "guidance", "phase"),
      textAt(german, "data", "guidance", "phase"),
    )
    for (const language of ["fr", "DE", "", 1]) {
      const refused = yield* call("POST", "/webhooks", { body: { url: endpoint.url, language } })
      assertFailure(refused, 400)
      assert.include(refused.text, "en, de, es")
    }
    const usual = yield* call("POST", "/webhooks", { body: { url: endpoint.url } })
    assert.strictEqual(textAt(usual.body, "language"), "en", usual.text)
  })
})
