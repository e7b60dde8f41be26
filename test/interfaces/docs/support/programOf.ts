import { assert } from "@effect/vitest"
import { guides } from "#api/document/guides.ts"

/** The parts of the program in a language that a guide shows, in their order. */
export const partsOf = (name: string, language: string): ReadonlyArray<string> => {
  const { description = "" } = guides.find((guide) => guide.name === name) ?? {}
  const parts = [...description.matchAll(new RegExp(`\`\`\`${language}\\b.*\\n([\\s\\S]*?)\`\`\``, "g"))]
    .map(([, part = ""]) => part)
  return parts.length > 0 ? parts : assert.fail(`${name} has no ${language}`)
}

/** The whole program. */
export const programOf = (name: string, language: string): string => partsOf(name, language).join("")
