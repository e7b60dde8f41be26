import { assert, describe, it } from "@effect/vitest"
import { paths } from "#interfaces/http/router.ts"
import { endpoints } from "#test/security/support/endpoints.ts"

/** What is served besides the endpoints that have their access in `security/support/endpoints.ts`. */
const besides: Readonly<Record<string, ReadonlyArray<string>>> = {
  ...Object.fromEntries(
    [
      "/openapi.json",
      "/",
      "/docs",
      "/docs/try",
      "/docs/try/accessible.js",
      "/docs/try/document.json",
      "/docs/try/scalar.js",
      "/docs/style.css",
      "/docs/script.js",
      "/docs/icon.svg",
      "/docs/:topic",
      "/docs/:topic/:part",
      "/metrics",
    ].map((path) => [path, ["GET"]]),
  ),
  "/rpc/:apiKey": ["POST"],
}

const isOfSandbox = (path: string): boolean => /^\/sandbox(?:\/|$)/.test(path)

const contractWithSandbox = endpoints.reduce((paths, { name }) => {
  const [method = "", path = ""] = name.split(" ")
  return { ...paths, [path]: [...paths[path] ?? [], method] }
}, besides)

const contract = Object.fromEntries(
  Object.entries(contractWithSandbox).filter(([path]) => !isOfSandbox(path)),
)

const methods = (sandboxUrl: URL | undefined) =>
  Object.fromEntries([...paths(sandboxUrl)].map(([path, { methods }]) => [path, methods]))

const pathsWith = (fact: "beginsSwap" | "isClosed" | "headers") =>
  [...paths(undefined)].flatMap(([path, facts]) => facts[fact] ? [path] : [])

describe("paths", () => {
  it("has every path of the contract with its methods", () => {
    assert.deepStrictEqual<unknown>(methods(undefined), contract)
  })

  it("has the sandbox's controls only where there is a sandbox", () => {
    assert.isAbove(Object.keys(contractWithSandbox).filter(isOfSandbox).length, 5)
    assert.deepStrictEqual<unknown>(methods(new URL("http://127.0.0.1:9944")), contractWithSandbox)
  })

  it("says which paths begin a swap, so that no HEAD does", () => {
    assert.deepStrictEqual(pathsWith("beginsSwap"), [
      "/swap",
      "/tx-payload/bitcoin",
      "/tx-payload/evm",
      "/tx-payload/solana",
      "/tx-payload/tron",
      "/tx-payload/xrpl",
    ])
  })

  it("closes the operator's paths and the figures to pages, and no others", () => {
    const closed = Object.keys(contract).filter((path) =>
      /^\/(?:operator|providers(?!\/:name\/history)|metrics)(?:\/|$)/.test(path)
    )
    assert.isAbove(closed.length, 15)
    assert.sameMembers(pathsWith("isClosed"), closed)
  })

  it("says of deprecated paths what comes after them", () => {
    assert.deepStrictEqual(pathsWith("headers"), ["/quote", "/quote-native"])
  })
})
