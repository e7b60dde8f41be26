export interface ReleasePlan {
  readonly version: string
  readonly tag: string | undefined
  readonly changelog: string
  /** What `git status --porcelain` prints. */
  readonly changes: string
}

/** The section of a version in the changelog, without its heading. */
export const notesOf = (changelog: string, version: string): string | undefined =>
  changelog.split(/^## /m).find((section) => section.split("\n", 1)[0]?.trim() === version)
    ?.split("\n").slice(1).join("\n").trim()

/** Why nothing can be released, in a sentence; `undefined` if nothing is in the way. */
export const refusal = ({ changelog, changes, tag, version }: ReleasePlan): string | undefined => {
  if (tag !== undefined && tag !== `v${version}`) {
    return `The tag ${tag} is not v${version}, the version of the service.`
  }
  if (!notesOf(changelog, version)) return `src/api/CHANGELOG.md says nothing of version ${version}.`
  if (changes.trim() !== "") {
    return "The work tree has changes that no commit has: commit them, or say --rehearsal."
  }
  return undefined
}
