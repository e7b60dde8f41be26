import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { begins, ends, service } from "#test/application/alerts/support/service.ts"
import { request, signIn } from "#test/interfaces/dashboard/support/signIn.ts"
import { eventually } from "#test/durability/eventually.ts"
import { ask, list, members } from "#test/interfaces/http/asking.ts"

const settings = { PROVIDERS: "chainflip", WIRE_WITNESS_INTERVAL: "500 millis", WIRE_WITNESS_QUESTIONS: "40" }

/** The last round of the witness, as soon as it is as it should be. */
const roundWith = (isRight: (drift: number) => boolean) =>
  eventually(
    Effect.map(ask("GET", "/providers"), ({ body }) => {
      const [{ wire } = {}] = list(body)
      return wire === undefined ? undefined : members(wire)
    }),
    (round) => round !== undefined && isRight(list(round.drift).length),
  )

const sectionOfPage = Effect.fn(function* (id: "wire" | "drift") {
  const { text } = yield* request("/dashboard/providers/chainflip", { headers: { cookie: yield* signIn() } })
  return new RegExp(`<section[^>]*id="${id}"([\\s\\S]*?)</section>`).exec(text)?.[1] ?? ""
})

layer(service(settings), { excludeTestServices: true })("A service with a witness of the wires", (it) => {
  it.effect("tells in an alert, on the page and in the list where an upstream's answers have changed", function* () {
    const before = yield* roundWith((places) => places === 0)
    assert.isAbove(Number(before?.exchanges), 0)
    assert.include(yield* sectionOfPage("wire"), "all responses match")

    yield* ask("PUT", "/sandbox/faults", { provider: "chainflip", operation: "quote", kind: "malformed" })
    const place = {
      operation: "quote",
      call: "GET /chainflip/backend/v2/quote",
      member: "body",
      expected: "array",
      came: "an object",
    }
    assert.deepInclude(yield* begins("wire_drift", "chainflip"), {
      type: "wire_drift",
      provider: "chainflip",
      ...place,
    })
    const during = yield* roundWith((places) => places > 0)
    assert.deepInclude(list(during?.drift).find(({ operation }) => operation === "quote"), place)
    assert.include(yield* sectionOfPage("drift"), place.call)

    yield* ask("DELETE", "/sandbox/faults")
    yield* roundWith((places) => places === 0)
    yield* ends("wire_drift", "chainflip")
  })
})
