import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { createHmac } from "node:crypto"
import { guides } from "#api/document/guides.ts"
import { delays } from "#application/webhooks/schedule.ts"
import { partsOf, programOf } from "./support/programOf.ts"

const key = Buffer.from("shown once and never again")
const secret = `whsec_${key.toString("base64")}`
const body = '{"type":"swap.completed"}'
const time = `${Math.floor(Date.now() / 1000)}`
const signature = createHmac("sha256", key).update(`evt_42.${time}.${body}`).digest("base64")

const headersWith = (signature: string, timestamp = time) => ({
  "webhook-id": "evt_42",
  "webhook-timestamp": timestamp,
  "webhook-signature": `v1,${Buffer.from("another").toString("base64")} v1,${signature}`,
})

/** Headers, and whether they are those of the body. */
const cases = [
  [headersWith(signature), true],
  [headersWith(Buffer.alloc(32).toString("base64")), false],
  [headersWith(signature, "1785333864"), false],
] as const

describe("the guide to webhooks", () => {
  it("verifies signatures in JavaScript", async () => {
    const [verifier] = partsOf("Webhooks and events", "js")
    const source = `${verifier}\nexport default isValidSignature`
    const { default: isValid } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
    for (const [headers, expected] of cases) assert.strictEqual(isValid(headers, body, secret), expected)
  })

  it("receives events in JavaScript, and refuses others", async () => {
    const source = programOf("Webhooks and events", "js").replace(
      "server.listen(3000)",
      "export default server",
    )
      .replace("process.env", JSON.stringify({ WEBHOOK_SECRET: secret }))
      .replace('appendFileSync("events.jsonl", ', "String(")
    const { default: server } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    for (const [headers, expected] of cases) {
      const { status } = await fetch(`http://127.0.0.1:${server.address().port}`, {
        method: "POST",
        headers,
        body,
      })
      assert.strictEqual(status, expected ? 204 : 401)
    }
    server.close()
  })

  it("verifies signatures in Python", async () => {
    const asked = JSON.stringify(cases.map(([headers]) => headers))
    const program = `${programOf("Webhooks and events", "python")}
import json
print(json.dumps([is_valid_signature(one, ${
      JSON.stringify(body)
    }.encode(), "${secret}") for one in json.loads('${asked}')]))`
    const { stdout } = await new Deno.Command("python3", { args: ["-c", program] }).output()
    assert.deepStrictEqual(
      JSON.parse(new TextDecoder().decode(stdout)),
      cases.map(([, expected]) => expected),
    )
  })

  it("lists the time before each attempt", () => {
    const { description = "" } = guides.find(({ name }) => name === "Webhooks and events") ?? {}
    const [, waits = ""] = /the service retries: after\s+([^.]*)\. After/.exec(description) ?? []
    const units = { second: 1_000, minute: 60_000, hour: 3_600_000 }
    const millis = [...waits.matchAll(/\d+/g)].map(({ index, 0: count }) => {
      const [, unit] = /(second|minute|hour)s/.exec(waits.slice(index)) ?? []
      return Number(count) * (Object.entries(units).find(([name]) => name === unit)?.[1] ?? 0)
    })
    assert.deepStrictEqual(millis, delays.map((delay) => Duration.toMillis(delay)))
  })
})
