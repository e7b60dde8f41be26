import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { request, signIn } from "./signIn.ts"

/** A page as the operator gets it, and what it says, without its marks. */
export const pageAt = Effect.fnUntraced(function* (path: string) {
  const { status, text } = yield* request(path, { headers: { cookie: yield* signIn() } })
  assert.strictEqual(status, 200, path)
  return { html: text, said: text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ") }
})
