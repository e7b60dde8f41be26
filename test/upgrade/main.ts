import { Effect } from "effect"
import { upgrade } from "./campaign.ts"

/**
 * `deno task upgrade OLD_FOLDER`: upgrades a service from the version of another checkout to this one while it serves, on
 * the Postgres server of TEST_DATABASE_URL, and prints what it saw. It ends with 1 where anything is lost or doubled.
 */
const [oldFolder] = Deno.args
const server = Deno.env.get("TEST_DATABASE_URL")
if (oldFolder === undefined || server === undefined) {
  console.error(
    "Set TEST_DATABASE_URL to a Postgres server, and name the folder with a checkout of the old version",
  )
  Deno.exit(2)
}

const say = (line: string) => Effect.sync(() => console.log(`${new Date().toISOString()} ${line}`))
const { breaches } = await Effect.runPromise(upgrade(oldFolder, server, say))
for (const breach of breaches.slice(0, 50)) console.log(`BREACH: ${breach}`)
console.log(breaches.length === 0 ? "Nothing lost, nothing doubled" : `${breaches.length} breaches`)
Deno.exit(breaches.length === 0 ? 0 : 1)
