import { assert, describe, it } from "@effect/vitest"
import { contract } from "#tools/client/packages.ts"
import { operationsOf } from "#interfaces/http/docs/operations.tsx"
import { readCurl } from "#test/interfaces/docs/support/readCurl.ts"

const values = { URL: "http://broker.test", KEY: "a-key" }

const programs = operationsOf(contract()).flatMap(({ id, samples }) => {
  const sourceOf = (language: string) => samples.find((sample) => sample.language === language)?.source ?? ""
  return samples.length === 0
    ? []
    : [{ id, sh: sourceOf("sh"), js: sourceOf("js"), python: sourceOf("python") }]
})

/** What the command of an operation asks for. */
const wanted = programs.map(({ id, sh }) => {
  const { body, headers, method, url } = readCurl(sh, values)
  const key = headers["x-api-key"]
  return { id, method, url: new URL(url).href, key, body: body === undefined ? undefined : JSON.parse(body) }
})

describe("the samples of requests", () => {
  it("ask in JavaScript for what they ask in a shell", async () => {
    const asked: Array<unknown> = []
    for (const { id, js } of programs) {
      const fetch = (url: string, { body, headers = {}, method = "GET" }: RequestInit = {}) => {
        const key = new Headers(headers).get("x-api-key") ?? undefined
        asked.push({
          id,
          method,
          url: new URL(url).href,
          key,
          body: body === undefined ? undefined : JSON.parse(`${body}`),
        })
        return new Response("{}")
      }
      const run = new Function("fetch", "url", "key", "console", `return (async () => { ${js} })()`)
      await run(fetch, values.URL, values.KEY, { log: () => undefined })
    }
    assert.deepStrictEqual(asked, wanted)
  })

  it("ask in Python for what they ask in a shell", async () => {
    const stub = `
import json, sys, urllib.parse
URL, KEY, asked = "${values.URL}", "${values.KEY}", []
class Response:
    text, status_code = "", 200
    def json(self): return {}
    def iter_lines(self, decode_unicode): return []
class Requests:
    def __getattr__(self, method):
        def send(url, params=None, headers={}, json=None, stream=False):
            query = "" if params is None else "?" + urllib.parse.urlencode(params)
            asked.append({"method": method.upper(), "url": url + query, "key": headers.get("X-API-Key"), "body": json})
            return Response()
        return send
sys.modules["requests"] = Requests()
for program in json.load(sys.stdin):
    exec(program, {"URL": URL, "KEY": KEY, "print": lambda *_: None})
json.dump(asked, sys.stdout)
`
    const python = new Deno.Command("python3", { args: ["-c", stub], stdin: "piped", stdout: "piped" })
      .spawn()
    const writer = python.stdin.getWriter()
    await writer.write(new TextEncoder().encode(JSON.stringify(programs.map(({ python }) => python))))
    await writer.close()
    const { stdout } = await python.output()
    const asked: ReadonlyArray<{ readonly url: string }> = JSON.parse(new TextDecoder().decode(stdout))
    assert.deepStrictEqual(
      asked.map((one) => ({ ...one, url: new URL(one.url).href })),
      wanted.map(({ body, id: _, key, ...one }) => ({ ...one, key: key ?? null, body: body ?? null })),
    )
  })
})
