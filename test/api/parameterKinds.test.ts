import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { KeyLabel } from "#api/OperatorBodies.ts"
import { SwitchReason } from "#api/Providers.ts"

const hidden = [
  ["a NUL", "\u0000"],
  ["a line feed", "\n"],
  ["a control character of C1", "\u009b"],
  ["a soft hyphen", "\u00ad"],
  ["an Arabic letter mark", "\u061c"],
  ["a zero-width space", "\u200b"],
  ["a zero-width joiner", "\u200d"],
  ["a mark of direction", "\u200f"],
  ["a line separator", "\u2028"],
  ["a paragraph separator", "\u2029"],
  ["an override of direction", "\u202e"],
  ["an isolate", "\u2066"],
  ["a word joiner", "\u2060"],
  ["a byte order mark", "\ufeff"],
  ["a tag character", "\u{e0041}"],
  ["half a character", "\ud800"],
] as const

const kinds = [["the label of a key", KeyLabel], ["the reason of a switch", SwitchReason]] as const

describe.each(kinds)("%s", (_, kind) => {
  const read = Schema.decodeUnknownOption(kind)

  it.each(hidden)("holds nothing that is not seen, such as %s", (_, character) => {
    assert.isTrue(Option.isNone(read(`bot${character}live`)))
  })

  it.each(["bot (live)", "سيرفر", "Größe 5 µm", "機器人", "🤖 bot"])("may be in any script: %s", (text) => {
    assert.deepStrictEqual(read(text), Option.some(text))
  })
})
