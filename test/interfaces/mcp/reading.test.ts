import { guides } from "#api/document/guides.ts"
import { assert, describe, layer } from "#test/support/it.ts"
import { brokerInProcess, testKey } from "#test/support/broker.ts"
import { at, find, integerAt, listAt, numberAt, pick, textAt } from "#test/contract/support/Json.ts"
import { otherKey } from "#test/contract/support/accounts.ts"
import { genesis, get, withOwnTwoAccounts } from "#test/contract/support/call.ts"
import { deposit, during, openSwap, passUntil } from "#test/contract/support/swaps.ts"
import { answerOf, ask, askIn, begin, callTool, refusalOf, resultOf, send } from "./support/agent.ts"

const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }

describe("tools that read", () => {
  withOwnTwoAccounts()("for agents", (it) => {
    it.effect("are listed with schemas, hints and titles, in one order for every version", function* () {
      const tools = listAt(yield* resultOf("tools/list"), "tools")
      for (const tool of tools) {
        assert.strictEqual(textAt(tool, "inputSchema", "type"), "object")
        assert.strictEqual(find(tool, "inputSchema", "additionalProperties"), false)
        assert.strictEqual(textAt(tool, "outputSchema", "type"), "object")
        assert.isAbove(textAt(tool, "title").length, 5)
        assert.notInclude(JSON.stringify(tool).toLowerCase(), "apikey")
      }
      for (const version of ["2025-11-25", "2025-06-18"]) {
        const session = yield* begin({ version })
        assert.strictEqual(textAt(session.reply.body, "result", "protocolVersion"), version)
        const { body } = yield* askIn(session, "tools/list")
        const names = listAt(body, "result", "tools").map((tool) => textAt(tool, "name"))
        assert.deepStrictEqual(names, tools.map((tool) => textAt(tool, "name")))
      }
    })

    it.effect("give a model no example that it could take for the human's word", function* () {
      for (const tool of listAt(yield* resultOf("tools/list"), "tools")) {
        assert.notInclude(JSON.stringify(find(tool, "inputSchema")), '"examples"')
      }
    })

    it.effect("describe their arguments and amounts as they are here, with their units", function* () {
      const tools = listAt(yield* resultOf("tools/list"), "tools")
      const described = (name: string, side: string, member: string) =>
        textAt(
          pick(tools, (tool) => textAt(tool, "name") === name),
          side,
          "properties",
          member,
          "description",
        )
      for (
        const [name, side, member, words] of [
          ["prepare_swap", "inputSchema", "refundAddress", /human's own/],
          ["prepare_swap", "inputSchema", "minimumPrice", /above 0/],
          ["list_swaps", "inputSchema", "limit", /10 when absent/],
          ["list_swaps", "inputSchema", "platform", /^List the swaps of this provider/],
          ["get_quotes", "inputSchema", "rank", /net \(most output; the default\)/],
          ["get_swap", "outputSchema", "full", /status-by-id of \/openapi.json/],
          ["prepare_swap", "inputSchema", "amountNative", /smallest unit/],
          ["sandbox_advance", "inputSchema", "depositAmount", /^Deposits/],
          ["prepare_swap", "outputSchema", "quotedAmount", /human units of the destination asset/],
          ["prepare_swap", "outputSchema", "minimumAmount", /highest boost fee/],
          ["open_swap", "outputSchema", "exactAmount", /to the last digit/],
          ["open_swap", "outputSchema", "minimumDeposit", /a smaller one can be lost/i],
          ["get_payment", "outputSchema", "sourceAsset", /all amounts here are of it/],
          ["open_swap", "outputSchema", "sourceAsset", /all amounts here are of it/],
        ] as const
      ) {
        assert.match(described(name, side, member), words, `${name} ${member}`)
      }
    })

    it.effect("tell assets and quotes with amounts as text, short or whole", function* () {
      const { assets } = {
        assets: listAt(answerOf(yield* callTool("list_assets", { network: "Bitcoin" })), "assets"),
      }
      assert.strictEqual(assets.length, 1)
      assert.match(textAt(assets, 0, "minimalAmount"), /^[0-9.]+$/)
      assert.isUndefined(find(assets, 0, "assetLogo"))
      const slim = answerOf(yield* callTool("get_quotes", { ...pair, amount: "0.25" }))
      assert.strictEqual(textAt(slim, "quotes", 0, "ingressAmountNative"), "25000000")
      assert.strictEqual(find(slim, "quotes", 0, "canPrepare"), true)
      assert.isUndefined(find(slim, "quotes", 0, "poolInfo"))
      assert.isUndefined(find(slim, "full"))
      const rest = yield* get("/quotes", { ...pair, amount: "0.25" })
      const full = answerOf(
        yield* callTool("get_quotes", { ...pair, amountNative: 25_000_000, detail: "full" }),
      )
      assert.strictEqual(listAt(full, "full").length, listAt(rest).length)
      assert.strictEqual(textAt(full, "full", 0, "egressAmount"), numberAt(rest, 0, "egressAmount"))
    })

    it.effect("give the limits of a pair as GET /limits does, without paths of REST", function* () {
      const told = listAt(answerOf(yield* callTool("get_limits", pair)), "limits")
      const rest = listAt(yield* get("/limits", pair), "limits")
      assert.isNotEmpty(rest)
      assert.deepStrictEqual(
        told.map((
          one,
        ) => [textAt(one, "platform"), find(one, "minimumAmount"), find(one, "minimumAmountNative")]),
        rest.map((one) => [
          textAt(one, "platform"),
          find(one, "minimumAmount") === undefined ? undefined : numberAt(one, "minimumAmount"),
          find(one, "minimumAmountNative"),
        ]),
      )
      assert.isUndefined(find(told[0] ?? null, "startPaths"))
      const refusal = refusalOf(
        yield* callTool("get_limits", { ...pair, destinationAsset: pair.sourceAsset }),
      )
      assert.strictEqual(integerAt(refusal, "status"), 400)
    })

    it.effect("tell every issue of a call, and refuse arguments that they do not have", function* () {
      const refusal = refusalOf(
        yield* callTool("get_quotes", {
          ...pair,
          sourceAsset: "doge",
          amount: 0.1234567890123456,
          apiKey: testKey,
        }),
      )
      assert.strictEqual(integerAt(refusal, "status"), 400)
      assert.sameMembers(Object.keys({ ...Object(at(refusal, "errors")) }), [
        "sourceAsset",
        "amount",
        "apiKey",
      ])
      assert.notInclude(JSON.stringify(refusal), testKey)
      const mistaken = refusalOf(
        yield* callTool("get_quotes", { ...pair, amount: "1", sourceaset: "btc.btc", [testKey]: "1" }),
      )
      const long = `(a name of ${testKey.length} characters, too long to repeat)`
      assert.sameMembers(Object.keys({ ...Object(at(mistaken, "errors")) }), ["sourceaset", long])
      assert.include(textAt(mistaken, "errors", long, 0), "takes sourceAsset, destinationAsset")
      assert.notInclude(JSON.stringify(mistaken), testKey)
      // Nothing else of the call is lost: its other names, also those beyond the number that is repeated, and its values.
      const others = Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`other${at}`, "1"]))
      const many = refusalOf(
        yield* callTool("get_quotes", {
          ...pair,
          sourceAsset: "doge",
          [`x${"_".repeat(5_000)}`]: "1",
          ...others,
        }),
      )
      const told = Object.keys({ ...Object(at(many, "errors")) })
      assert.strictEqual(told.length, 22)
      assert.includeMembers(told, [
        "sourceAsset",
        "(a name of 5001 characters, too long to repeat)",
        "other18",
        "(3 further)",
      ])
      const near = refusalOf(
        yield* callTool("get_quotes", {
          ...pair,
          amount: "1",
          [`source${"_".repeat(5_000)}aset`]: "btc.btc",
        }),
      )
      assert.match(
        textAt(near, "errors", "(a name of 5010 characters, too long to repeat)", 0),
        /use sourceAsset/,
      )
      const both = refusalOf(yield* callTool("get_quotes", { ...pair, amount: "1", amountNative: "1" }))
      assert.match(textAt(both, "detail"), /cannot be used together/)
      const neither = refusalOf(yield* callTool("get_quotes", pair))
      assert.match(textAt(neither, "detail"), /is required/)
    })

    it.effect("follow a swap by each of its names, and explain it, for its own account alone", function* () {
      const opened = yield* openSwap(pair)
      const swapId = integerAt(opened, "id")
      const waiting = answerOf(yield* callTool("explain_swap", { swapId }))
      assert.strictEqual(textAt(waiting, "swap", "state"), "waiting")
      assert.strictEqual(textAt(waiting, "swap", "depositAddress"), textAt(opened, "address"))
      assert.include(textAt(waiting, "guidance", "phase"), "waiting_for")
      assert.isAbove(textAt(waiting, "guidance", "text").length, 20)
      const transaction = yield* deposit(opened, "100000000")
      yield* passUntil(opened, "completed")
      const depositChannel = textAt(waiting, "swap", "depositChannel")
      for (const name of [{ swapId }, { depositChannel }, { transaction }]) {
        const found = answerOf(yield* callTool("get_swap", name))
        assert.strictEqual(integerAt(found, "swap", "id"), swapId)
        assert.strictEqual(textAt(found, "swap", "state"), "completed")
        assert.strictEqual(textAt(found, "swap", "deposit", "amountNative"), "100000000")
        const foreign = refusalOf(yield* callTool("get_swap", name, { key: otherKey }))
        assert.strictEqual(integerAt(foreign, "status"), 404)
      }
      const explained = answerOf(yield* callTool("explain_swap", { swapId }))
      assert.isTrue(listAt(explained, "journal").length > 2)
      assert.strictEqual(textAt(explained, "guidance", "phase"), "completed")
      const listed = answerOf(yield* callTool("list_swaps", { status: ["completed"] }))
      assert.include(listAt(listed, "swaps").map((swap) => integerAt(swap, "id")), swapId)
      assert.deepStrictEqual(
        listAt(answerOf(yield* callTool("list_swaps", {}, { key: otherKey })), "swaps"),
        [],
      )
      const read = yield* ask("resources/read", { uri: `broker://swaps/${swapId}` })
      assert.include(textAt(read.body, "result", "contents", 0, "text"), '"state":"completed"')
      const foreign = yield* ask("resources/read", { uri: `broker://swaps/${swapId}` }, { key: otherKey })
      assert.strictEqual(textAt(foreign.body, "error", "message"), "No such swap")
      const whole = answerOf(yield* callTool("get_swap", { swapId, detail: "full" }))
      assert.isDefined(find(whole, "full", "status", "swap", "swappedOutputAmount"))
      const names = refusalOf(yield* callTool("get_swap", { swapId, transaction }))
      assert.match(textAt(names, "detail"), /only one/)
    })

    it.effect("tell why each provider has no quote, without a code and in words of ours", function* () {
      const refusal = refusalOf(
        yield* during(
          { operation: "quote", code: "insufficient_liquidity" },
          callTool("get_quotes", { ...pair, amount: "0.25" }),
        ),
      )
      assert.strictEqual(integerAt(refusal, "status"), 400)
      assert.match(textAt(refusal, "detail"), /enough liquidity/)
      assert.strictEqual(textAt(refusal, "providers", 0, "platform"), "chainflip")
      assert.strictEqual(find(refusal, "retryable"), false)
      const away = refusalOf(
        yield* during(
          { operation: "quote", kind: "http_500" },
          callTool("get_quotes", { ...pair, amount: "0.25" }),
        ),
      )
      assert.isAtLeast(integerAt(away, "status"), 500)
    })

    it.effect("have the code of a payment as a resource, for as long as anybody should scan it", function* () {
      const opened = yield* openSwap(pair)
      const swapId = integerAt(opened, "id")
      const shown = yield* callTool("get_payment", { swapId })
      const uri = textAt(shown, "content", 1, "resource", "uri")
      const read = yield* resultOf("resources/read", { uri })
      assert.strictEqual(textAt(read, "contents", 0, "mimeType"), "image/svg+xml")
      assert.strictEqual(textAt(read, "contents", 0, "text"), textAt(shown, "content", 1, "resource", "text"))
      const templates = listAt(yield* resultOf("resources/templates/list"), "resourceTemplates")
      assert.deepStrictEqual(templates.map((one) => textAt(one, "uriTemplate")), [
        "broker://swaps/{swapId}",
        "broker://swaps/{swapId}/qr.svg",
      ])
      const foreign = yield* ask("resources/read", { uri }, { key: otherKey })
      assert.strictEqual(textAt(foreign.body, "error", "message"), "No such swap")
      yield* deposit(opened, "100000000")
      yield* passUntil(opened, "completed")
      const paid = yield* ask("resources/read", { uri })
      assert.isDefined(find(paid.body, "error"), paid.text)
    })

    it.effect("have resources and prompts", function* () {
      const listed = listAt(yield* resultOf("resources/list"), "resources").map((one) => textAt(one, "uri"))
      assert.deepStrictEqual(listed, ["broker://guide", "broker://errors", "broker://assets"])
      for (const uri of listed) {
        const { body } = yield* ask("resources/read", { uri })
        assert.isAbove(textAt(body, "result", "contents", 0, "text").length, 200)
      }
      const prompts = listAt(yield* resultOf("prompts/list"), "prompts").map((one) => textAt(one, "name"))
      assert.deepStrictEqual(prompts, ["swap-assistant", "why-is-my-swap-stuck"])
      const prompt = yield* resultOf("prompts/get", {
        name: "why-is-my-swap-stuck",
        arguments: { swapId: "7" },
      })
      assert.include(textAt(prompt, "messages", 0, "content", "text"), "swapId 7")
    })
  })

  withOwnTwoAccounts()("for models that look around", (it) => {
    it.effect("are named under /llms.txt, without a key", function* () {
      const { headers, status, text } = yield* send({ method: "GET", path: "/llms.txt", key: null })
      assert.strictEqual(status, 200)
      assert.match(headers.get("content-type") ?? "", /^text\/plain/)
      const names = listAt(yield* resultOf("tools/list"), "tools").map((tool) => textAt(tool, "name"))
      for (const name of names.filter((name) => name !== "sandbox_advance")) assert.include(text, name)
      const paths = [...text.matchAll(/\]\((\/docs\/[a-z-]+\.md)\)/g)].map(([, path = ""]) => path)
      assert.lengthOf(paths, guides.length + 1, "the guides and the changelog")
    })
  })

  layer(brokerInProcess({ MCP: "off", SANDBOX_GENESIS: genesis }), { excludeTestServices: true })(
    "with MCP=off",
    (it) => {
      it.effect("are not there", function* () {
        assert.strictEqual((yield* ask("tools/list")).status, 404)
      })
    },
  )
})
