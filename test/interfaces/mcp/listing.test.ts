import { assert, describe, it, layer } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { serverDocument } from "#interfaces/mcp/serverJson.ts"
import { version } from "#infrastructure/platform/version.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { genesis, withOwnTwoAccounts } from "#test/contract/support/call.ts"
import {
  at,
  find,
  integerAt,
  isList,
  isObject,
  type Json,
  JsonNumber,
  listAt,
  parseJson,
  textAt,
} from "#test/contract/support/Json.ts"
import { answerOf, ask, askIn, begin, callTool, resultOf, send } from "./support/agent.ts"
import { misfits } from "./support/conforms.ts"
import { opening, prepare, wish } from "./support/opening.ts"

/** The most characters of the answer to `tools/list`, which every model that connects has to keep in mind. */
const mostCharacters = 24_000

/** Every member of a JSON value with its name and what stands beside it. */
const members = (json: Json): ReadonlyArray<readonly [name: string, value: Json, beside: Json]> => {
  if (isList(json)) return json.flatMap(members)
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([name, value]) => [[name, value, json] as const, ...members(value)])
}

const isoForm = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+\+00:00$/
const relativeForm = /^(?:now|in .+|.+ ago)$/

const isMillis = (value: Json): boolean => value instanceof JsonNumber && /^[12][0-9]{12}$/.test(value.text)
const isIso = (value: Json): boolean => typeof value === "string" && isoForm.test(value)

/** The answers of every tool to calls that fit, by tool. */
const answers = Effect.gen(function* () {
  const { amount, destinationAsset, sourceAsset } = wish
  const quotes = answerOf(yield* callTool("get_quotes", { sourceAsset, destinationAsset, amount }))
  const prepared = yield* prepare()
  const opened = answerOf(yield* callTool("open_swap", opening(prepared)))
  const swapId = integerAt(opened, "id")
  const paid = answerOf(yield* callTool("get_payment", { swapId }))
  const advanced = yield* callTool("sandbox_advance", {
    swapId,
    depositAmount: amount,
    advanceSeconds: 7_200,
  })
  return new Map([
    ["list_assets", answerOf(yield* callTool("list_assets"))],
    ["get_limits", answerOf(yield* callTool("get_limits", { sourceAsset, destinationAsset }))],
    ["get_quotes", quotes],
    ["prepare_swap", prepared],
    ["open_swap", opened],
    ["get_payment", paid],
    ["sandbox_advance", answerOf(advanced)],
    ["get_swap", answerOf(yield* callTool("get_swap", { swapId }))],
    ["list_swaps", answerOf(yield* callTool("list_swaps"))],
    ["explain_swap", answerOf(yield* callTool("explain_swap", { swapId }))],
  ])
})

describe("what agents are told of the tools", () => {
  withOwnTwoAccounts()("in a list", (it) => {
    it.effect("is no longer than it takes, in every version of the protocol", function* () {
      const replies = [yield* ask("tools/list")]
      for (const version of ["2025-11-25", "2025-06-18"]) {
        replies.push(yield* askIn(yield* begin({ version }), "tools/list"))
      }
      const longest = Math.max(...replies.map(({ text }) => text.length))
      yield* Effect.logInfo(`tools/list has ${longest} characters`)
      assert.isAtMost(longest, mostCharacters)
    })

    it.effect("gives assets by their form and every other choice by its values", function* () {
      for (const tool of listAt(yield* resultOf("tools/list"), "tools")) {
        const properties = at(tool, "inputSchema", "properties")
        for (const name of ["sourceAsset", "destinationAsset"]) {
          const pattern = find(properties, name, "pattern")
          if (find(properties, name) === undefined) continue
          assert.isTrue(new RegExp(`${pattern}`).test("btc.btc"))
          assert.isUndefined(find(properties, name, "enum"))
        }
      }
      const tools = JSON.stringify(yield* resultOf("tools/list"))
      for (const value of ["fastest", "transaction", "Dogecoin", "descending"]) {
        assert.include(tools, `"${value}"`)
      }
    })

    it.effect("is the form of what they answer, and each answer is readable", function* () {
      const schemas = new Map(
        listAt(yield* resultOf("tools/list"), "tools").map((
          tool,
        ) => [textAt(tool, "name"), at(tool, "outputSchema")]),
      )
      const told = yield* answers
      assert.sameMembers([...told.keys()], [...schemas.keys()])
      for (const [name, answer] of told) {
        assert.deepStrictEqual(misfits(answer, schemas.get(name) ?? null), [], name)
        for (const [member, value, beside] of members(answer)) {
          if (isMillis(value)) assert.match(textAt(beside, `${member}Date`), isoForm, `${name} ${member}`)
          if (isIso(value) && !member.endsWith("Date")) {
            assert.match(textAt(beside, `${member}Relative`), relativeForm, `${name} ${member}`)
          }
        }
      }
      assert.match(textAt(told.get("prepare_swap") ?? null, "expiresAtRelative"), /^in 1 min/)
      const [quote] = listAt(told.get("get_quotes") ?? null, "quotes")
      assert.match(textAt(quote ?? null, "reliability", "text"), /unknown/)
    })

    it.effect("has the texts beside times as of each answer, also of one that is kept", function* () {
      const prepared = yield* prepare()
      const first = answerOf(yield* callTool("open_swap", opening(prepared)))
      const again = answerOf(yield* callTool("open_swap", opening(prepared)))
      for (const answer of [first, again]) assert.match(textAt(answer, "expiresAtRelative"), relativeForm)
      const read = yield* resultOf("resources/read", { uri: `broker://swaps/${integerAt(first, "id")}` })
      assert.match(
        textAt(parseJson(textAt(read, "contents", 0, "text")), "swap", "openedAtRelative"),
        relativeForm,
      )
    })
  })

  const published = "https://swaps.example.org/broker"

  layer(brokerInProcess({ PUBLIC_URL: published, SANDBOX_GENESIS: genesis }), { excludeTestServices: true })(
    "in a registry",
    (it) => {
      it.effect("is where the service is, in its one version, with a key that clients ask for", function* () {
        const { body, headers, status } = yield* send({ method: "GET", path: "/mcp/server.json", key: null })
        assert.strictEqual(status, 200)
        assert.match(headers.get("content-type") ?? "", /^application\/json/)
        assert.strictEqual(textAt(body, "name"), "org.example.swaps/swap-broker")
        assert.strictEqual(textAt(body, "version"), version)
        assert.strictEqual(textAt(body, "remotes", 0, "url"), `${published}/mcp`)
        assert.strictEqual(find(body, "remotes", 0, "headers", 0, "isSecret"), true)
        const { version: told } = yield* Effect.map(
          begin(),
          ({ reply }) => ({ version: textAt(reply.body, "result", "serverInfo", "version") }),
        )
        assert.strictEqual(told, version)
      })
    },
  )
})

describe("the document for the registry", () => {
  it("has what the registry asks for, and asks for the host where none is published", () => {
    for (const url of [Option.none(), Option.some(new URL("https://broker.example.org"))]) {
      const { description, name, remotes: [remote], version: told } = serverDocument(url, "/mcp")
      assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
      assert.isAtMost(description.length, 100)
      assert.strictEqual(told, version)
      assert.match(
        remote?.url ?? "",
        Option.isSome(url) ? /^https:\/\/broker\.example\.org\/mcp$/ : /^https:\/\/\{host\}\/mcp$/,
      )
      assert.strictEqual(remote !== undefined && "variables" in remote, Option.isNone(url))
    }
  })
})
