import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { withBroker } from "#test/contract/support/call.ts"
import {
  bitsOf,
  type Exchange,
  exchanges,
  javaScript,
  type Key,
  keys,
  partsOf,
  signedAt,
  signedHeaders,
  verifier,
  withBit,
} from "./support/signedAnswers.ts"

/** Changes every bit of every exchange, and counts those that still hold. */
const driver = `
import json, sys

def exchange(parts, bit=None):
    parts = [bytearray(part) for part in parts]
    at = 0 if bit is None else bit >> 3
    for part in parts if bit is not None else []:
        if at < len(part):
            part[at] ^= 1 << (bit & 7)
            break
        at -= len(part)
    method, target, sent, key_id, idempotency_key, status, body, *headers = parts
    text = lambda part: part.decode("latin1")
    return ({"method": text(method), "target": text(target), "body": bytes(sent), "key_id": text(key_id),
             "idempotency_key": text(idempotency_key) or None},
            {"status": text(status), "body": bytes(body),
             "headers": {name: text(value) for name, value in zip(given["headers"], headers)}})

given = json.load(sys.stdin)
tried = holding = whole = 0
for parts, now in given["exchanges"]:
    parts = [bytes(part) for part in parts]
    whole += is_signed(*exchange(parts), given["keys"], now)
    for bit in range(8 * sum(len(part) for part in parts)):
        tried += 1
        holding += is_signed(*exchange(parts, bit), given["keys"], now)
print(json.dumps([whole, tried, holding]))
`

/** Runs Python; undefined where it, or the package that the verifier needs, is not there. */
const python = async (code: string, input: string): Promise<string | undefined> => {
  try {
    const child = new Deno.Command("python3", {
      args: ["-c", code],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn()
    const sent = ReadableStream.from([new TextEncoder().encode(input)]).pipeTo(child.stdin).catch(() =>
      undefined
    )
    const { code: exit, stderr, stdout } = await child.output()
    await sent
    const said = new TextDecoder().decode(stderr)
    if (/No module named 'cryptography/.test(said)) return undefined
    assert.strictEqual(exit, 0, said)
    return new TextDecoder().decode(stdout)
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined
    throw error
  }
}

const inPython = (all: ReadonlyArray<Exchange>, known: ReadonlyArray<Key>) =>
  python(
    `${verifier("python")}${driver}`,
    JSON.stringify({
      keys: known,
      headers: signedHeaders,
      exchanges: all.map((whole) => [partsOf(whole).map((part) => [...part]), signedAt(whole)]),
    }),
  )

/** `deno task hostile` takes twelve exchanges, the suite two. */
const isWhole = Deno.env.get("HOSTILE") === "all"

withBroker()("every bit of signed answers and of what was sent", (it) => {
  it.effect("counts, for both verifiers", function* () {
    const isSigned = yield* Effect.promise(javaScript)
    const known = yield* keys
    const all = isWhole ? [...yield* exchanges, ...yield* exchanges] : (yield* exchanges).slice(0, 2)
    const bits = all.reduce((sum, whole) => sum + bitsOf(whole), 0)
    assert.isAbove(bits, isWhole ? 100_000 : 10_000)
    const told = yield* Effect.promise(() => inPython(all, known))
    if (told !== undefined) assert.deepStrictEqual(JSON.parse(told), [all.length, bits, 0])
    for (const whole of all) {
      const now = signedAt(whole)
      assert.isTrue(yield* Effect.promise(() => isSigned(whole.sent, whole.answer, known, now)))
      const holding = yield* Effect.promise(async () => {
        for (let bit = 0; bit < bitsOf(whole); bit++) {
          const { answer, sent } = withBit(whole, bit)
          if (await isSigned(sent, answer, known, now)) return bit
        }
        return undefined
      })
      assert.isUndefined(holding, whole.sent.target)
    }
  }, 600_000)
})
