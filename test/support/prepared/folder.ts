import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of one run of the suite, for what its files make once and share. */
    readonly preparedFolder: string
  }
}

/** Makes the folder before the run and removes it afterwards; what is in it is made by who first needs it. */
export default async (project: TestProject) => {
  const folder = await Deno.makeTempDir({ prefix: "swap-broker-prepared-" })
  project.provide("preparedFolder", folder)
  return () => Deno.remove(folder, { recursive: true })
}
