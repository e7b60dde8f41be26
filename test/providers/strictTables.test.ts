import { assert, describe, it } from "@effect/vitest"
import { documents, modules } from "#test/architecture/support/source.ts"

/** What refusals of an adapter's source name: the last part of each member's path. */
const membersRefused = (text: string): ReadonlyArray<string> => {
  const paths = [
    // `member: expected …`, also behind a path that is put together, such as `result.`.
    ...text.matchAll(/["'`}.]([A-Za-z_][\w.]*(?:\[[^\]`"']*\][\w.]*)*): expected/g),
    // Rules of bytes and addresses, by the member that they are of.
    ...text.matchAll(/\b(?:all|isOn)\(\s*[`"]([\w.]+)/g),
    ...text.matchAll(/\b(?:addressOn\((?:\w+|"\w+"), |assetAt\()"([\w.]+)"/g),
    ...text.matchAll(/^ {4}\["([\w.]+)", (?:isCurrency|isSameAddress|details\.)/gm),
  ]
  return paths.map(([, path = ""]) => path.replaceAll(/\[[^\]]*\]/g, "").split(".").at(-1) ?? "")
    .filter((name) => !["", "body", "result"].includes(name))
}

/** The first cells of the rows of "What an answer has to equal". */
const rowsOf = (provider: string): ReadonlyArray<string> => {
  const text = documents.find(({ path }) => path.startsWith(`src/providers/${provider}/wire`))?.text ?? ""
  const table = text.slice(text.indexOf("What an answer has to equal"))
  const [rows = ""] = /(?:^\|.*\n)+/m.exec(table) ?? []
  return rows.split("\n").slice(2).map((row) => row.split("|")[1] ?? "")
}

describe("each refusal of an answer is listed, with why", () => {
  for (const provider of ["chainflip", "near-intents", "relay", "thorchain"]) {
    it(`among the facts of the wire of ${provider}`, () => {
      const refused = modules.filter(({ path }) => path.startsWith(`src/providers/${provider}/`))
        .flatMap(({ path, text }) => membersRefused(text).map((member) => ({ member, path })))
      assert.isNotEmpty(refused)
      const rows = rowsOf(provider)
      const missing = refused.filter(({ member }) =>
        !rows.some((row) => new RegExp(`(?<![A-Za-z_])${member}(?![A-Za-z_])`).test(row))
      )
      assert.deepStrictEqual(missing, [])
    })
  }
})
