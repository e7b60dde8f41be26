import { assert, describe, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { brokerOfTwo } from "#test/contract/support/accounts.ts"
import { genesis } from "#test/contract/support/call.ts"
import { find, integerAt, type Json, parseJson, textAt } from "#test/contract/support/Json.ts"
import { issue, newAccount, operate, setRoute } from "#test/contract/support/operator.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { answerOf, ask, begin, callTool, refusalOf, send } from "./support/agent.ts"
import { openChannels, opening, prepare } from "./support/opening.ts"

const settings = { SANDBOX_GENESIS: genesis, PROVIDERS: "chainflip" }
const live = { excludeTestServices: true } as const

const elicits = { capabilities: { elicitation: {} } }
const agreed = { action: "accept", content: { agree: true } }

/** Asks by 2026-07-28: the question, and the call with an answer to it. */
const askAbout = Effect.fnUntraced(function* (prepared: Json) {
  const asked = yield* callTool("open_swap", opening(prepared), elicits)
  assert.strictEqual(textAt(asked, "resultType"), "input_required")
  assert.strictEqual(textAt(asked, "inputRequests", "agreement", "method"), "elicitation/create")
  assert.strictEqual(
    textAt(asked, "inputRequests", "agreement", "params", "message"),
    textAt(prepared, "summary"),
  )
  const requestState = textAt(asked, "requestState")
  return (agreement: unknown) =>
    callTool("open_swap", opening(prepared), elicits, { inputResponses: { agreement }, requestState })
})

/** The messages of a stream, as they come. */
const messages = async function* (response: Response) {
  let rest = ""
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    rest += chunk
    const lines = rest.split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      if (line.startsWith("data: ")) yield parseJson(line.slice("data: ".length))
    }
  }
}

/** How a swap is opened in a session, besides with the agreement. */
interface InSession {
  readonly version?: string
  readonly key?: string
  /** What happens while the human thinks. */
  readonly meanwhile?: Effect.Effect<unknown, never, Effect.Services<ReturnType<typeof callTool>>>
}

/** Calls open_swap in a session of an older version, and answers the question that comes on the way. */
const openInSession = Effect.fnUntraced(function* (
  prepared: Json,
  agreement: unknown,
  { key = testKey, meanwhile = Effect.void, version = "2025-11-25" }: InSession = {},
) {
  const session = yield* begin({ version, key, ...elicits })
  const url = new URL("/mcp", yield* brokerUrl)
  const pass = Effect.runPromiseWith(yield* Effect.context<Effect.Services<typeof meanwhile>>())
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-session-id": session.id,
    "mcp-protocol-version": version,
  }
  const post = (message: unknown) => fetch(url, { method: "POST", headers, body: JSON.stringify(message) })
  return yield* Effect.promise(async () => {
    await post({ jsonrpc: "2.0", method: "notifications/initialized" }).then((response) => response.text())
    const call = { name: "open_swap", arguments: opening(prepared) }
    const response = await post({ jsonrpc: "2.0", id: 7, method: "tools/call", params: call })
    assert.strictEqual(response.headers.get("x-accel-buffering"), "no")
    const asked: Array<Json> = []
    for await (const message of messages(response)) {
      const result = find(message, "result")
      if (result !== undefined) return { asked, result }
      asked.push(message)
      await pass(meanwhile)
      const id = find(message, "id")
      const answer = await post({
        jsonrpc: "2.0",
        id: Number(JSON.parse(JSON.stringify(id)).text ?? id),
        result: agreement,
      })
      await answer.text()
    }
    throw new Error("The stream ended without a result")
  })
})

describe("a client that can ask its human", () => {
  layer(brokerOfTwo(settings), live)("is asked before a swap is opened", (it) => {
    it.effect("and opens only what the human agrees to, once", function* () {
      const before = yield* openChannels
      const answer = yield* askAbout(yield* prepare())
      assert.strictEqual(yield* openChannels, before)
      const opened = answerOf(yield* answer(agreed))
      assert.strictEqual(yield* openChannels, before + 1)
      assert.deepStrictEqual(answerOf(yield* answer(agreed)), opened)
      assert.strictEqual(yield* openChannels, before + 1)
    })

    it.effect("and never opens what the human declined, whatever they are said to say later", function* () {
      const before = yield* openChannels
      for (const no of [{ action: "decline" }, { action: "accept", content: { agree: false } }]) {
        const prepared = yield* prepare()
        const answer = yield* askAbout(prepared)
        assert.strictEqual(integerAt(refusalOf(yield* answer(no)), "status"), 409)
        assert.match(textAt(refusalOf(yield* answer(agreed)), "detail"), /declined this swap/)
        // Not even a client that says that it cannot ask.
        refusalOf(yield* callTool("open_swap", opening(prepared)))
      }
      assert.strictEqual(yield* openChannels, before)
    })

    it.effect("and may ask once more where the human closed the question, or nobody filled in the form", function* () {
      const answer = yield* askAbout(yield* prepare())
      for (
        const nothing of [{ action: "cancel" }, { action: "accept" }, {
          action: "accept",
          content: { agree: "yes" },
        }]
      ) {
        assert.match(textAt(refusalOf(yield* answer(nothing)), "detail"), /did not reply/)
      }
      answerOf(yield* answer(agreed))
    })

    it.effect("and is asked again where it brings no answer back, and heard among answers to others", function* () {
      const before = yield* openChannels
      const prepared = yield* prepare()
      const first = yield* callTool("open_swap", opening(prepared), elicits)
      const requestState = textAt(first, "requestState")
      const call = (more: Readonly<Record<string, unknown>>) =>
        callTool("open_swap", opening(prepared), elicits, more)
      for (
        const more of [{ requestState }, { requestState, inputResponses: { other: agreed } }, {
          inputResponses: {},
        }]
      ) {
        assert.deepStrictEqual(yield* call(more), first)
      }
      assert.strictEqual(yield* openChannels, before)
      answerOf(
        yield* call({ requestState, inputResponses: { other: { action: "decline" }, agreement: agreed } }),
      )
      assert.strictEqual(yield* openChannels, before + 1)
    })

    it.effect("and the state of one question counts for no other, which the client itself is told", function* () {
      const before = yield* openChannels
      const one = yield* callTool("open_swap", opening(yield* prepare()), elicits)
      const other = yield* prepare()
      const own = textAt(yield* callTool("open_swap", opening(other), elicits), "requestState")
      const inputResponses = { agreement: agreed }
      for (
        const more of [
          { inputResponses, requestState: textAt(one, "requestState") },
          { inputResponses, requestState: `${own}-changed` },
          { inputResponses },
          { requestState: `${own}-changed` },
        ]
      ) {
        const call = { name: "open_swap", arguments: opening(other), ...more }
        const { body } = yield* ask("tools/call", call, elicits)
        assert.strictEqual(integerAt(body, "error", "code"), -32602, JSON.stringify(more))
        assert.match(textAt(body, "error", "message"), /does not belong to a question/)
      }
      for (const wrong of [7, null, { agreement: 7 }, { agreement: null }]) {
        const call = {
          name: "open_swap",
          arguments: opening(other),
          inputResponses: wrong,
          requestState: own,
        }
        const { body } = yield* ask("tools/call", call, elicits)
        assert.strictEqual(integerAt(body, "error", "code"), -32602, JSON.stringify(wrong))
      }
      assert.strictEqual(yield* openChannels, before)
    })

    for (const version of ["2025-11-25", "2025-06-18"]) {
      it.effect(`over the connection of its session in ${version}`, function* () {
        const before = yield* openChannels
        const prepared = yield* prepare()
        const { asked, result } = yield* openInSession(prepared, agreed, { version })
        assert.strictEqual(asked.length, 1)
        assert.strictEqual(textAt(asked, 0, "params", "message"), textAt(prepared, "summary"))
        answerOf(result)
        assert.strictEqual(yield* openChannels, before + 1)
        const declined = yield* prepare()
        const refused = yield* openInSession(declined, { action: "decline" }, { version })
        assert.match(textAt(refusalOf(refused.result), "detail"), /declined this swap/)
        const closed = yield* openInSession(yield* prepare(), { action: "cancel" }, { version })
        assert.match(textAt(refusalOf(closed.result), "detail"), /did not reply/)
        assert.strictEqual(yield* openChannels, before + 1)
      })
    }

    it.effect("and opens nothing that the account may not have any more once the human has answered", function* () {
      const before = yield* openChannels
      const changes: ReadonlyArray<readonly [(account: string) => InSession["meanwhile"], number, RegExp]> = [
        [(account) => operate("PATCH", `/accounts/${account}`, { suspended: true }), 403, /suspended/],
        [
          (account) => operate("PATCH", `/accounts/${account}`, { commissionBps: 50 }),
          409,
          /terms have changed/,
        ],
        [
          (account) => setRoute(account, "btc.btc", "eth.eth", false),
          403,
          /not enabled for this account/,
        ],
      ]
      for (const [change, status, detail] of changes) {
        const account = yield* newAccount()
        const { key } = yield* issue(account)
        const prepared = yield* prepare({ key })
        const meanwhile = change(account) ?? Effect.void
        const refusal = refusalOf((yield* openInSession(prepared, agreed, { key, meanwhile })).result)
        assert.strictEqual(integerAt(refusal, "status"), status)
        assert.match(textAt(refusal, "detail"), detail)
      }
      assert.strictEqual(yield* openChannels, before)
    })

    it.effect("and nobody else can answer for it", function* () {
      const stranger = yield* begin()
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: agreed })
      const before = yield* openChannels
      yield* prepare()
      const { status } = yield* send({
        body,
        headers: { "mcp-session-id": stranger.id, "mcp-protocol-version": stranger.version },
      })
      assert.strictEqual(status, 202)
      assert.strictEqual(yield* openChannels, before)
    })
  })
})
