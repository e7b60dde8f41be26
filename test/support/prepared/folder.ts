import type { TestProject } from "vitest/node"
import { dropTemplates } from "./template.ts"

/** Servers on which the run makes databases. */
const servers = ["TEST_DATABASE_URL", "TEST_BROKER_DATABASE_URL"]

/** Makes the folder before the run; afterwards removes it, and what processes of the run left on a server. */
export default async (project: TestProject) => {
  const folder = await Deno.makeTempDir({ prefix: "swap-broker-prepared-" })
  project.provide("preparedFolder", folder)
  return async () => {
    await dropTemplates(folder, new Set(servers.flatMap((name) => Deno.env.get(name) ?? [])))
    await Deno.remove(folder, { recursive: true })
  }
}
