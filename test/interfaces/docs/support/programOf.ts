import { assert } from "@effect/vitest"
import { guides } from "#api/document/guides.ts"

/** The program in a language that a guide shows. */
export const programOf = (name: string, language: string): string => {
  const { description = "" } = guides.find((guide) => guide.name === name) ?? {}
  const [, program] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(description) ?? []
  return program ?? assert.fail(`${name} has no ${language}`)
}
