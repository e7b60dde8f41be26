import { codes, ProblemCode } from "#domain/ProblemCode.ts"
import { RankBy, rankPolicies } from "#domain/quotes/QuoteRank.ts"
import accounts from "./guides/accounts.md" with { type: "text" }
import affiliates from "./guides/affiliates.md" with { type: "text" }
import agents from "./guides/agents.md" with { type: "text" }
import boostAndDca from "./guides/boost-and-dca.md" with { type: "text" }
import caseFiles from "./guides/case-files.md" with { type: "text" }
import chainflip from "./guides/chainflip.md" with { type: "text" }
import errors from "./guides/errors.md" with { type: "text" }
import idempotency from "./guides/idempotency.md" with { type: "text" }
import opening from "./guides/opening.md" with { type: "text" }
import parameters from "./guides/parameters.md" with { type: "text" }
import quickstart from "./guides/quickstart.md" with { type: "text" }
import quotes from "./guides/quotes.md" with { type: "text" }
import rateLimits from "./guides/rate-limits.md" with { type: "text" }
import signedResponses from "./guides/signed-responses.md" with { type: "text" }
import states from "./guides/states.md" with { type: "text" }
import wallet from "./guides/wallet.md" with { type: "text" }
import webhooks from "./guides/webhooks.md" with { type: "text" }
import moved from "./movedTopics.json" with { type: "json" }
import { meanings } from "./webhooks.ts"

/** A guide for readers to read before the endpoints: the description of a tag. */
interface Guide {
  readonly name: string
  readonly description: string
}

/** The rows of a table of the guides, the first cell of each as code. */
const rowsOf = (rows: ReadonlyArray<readonly [name: string, ...cells: ReadonlyArray<string | number>]>) =>
  rows.map(([name, ...cells]) => `| \`${name}\` | ${cells.join(" | ")} |`).join("\n")

const tables = {
  codes: rowsOf(ProblemCode.literals.map((code) => [code, codes[code].status, codes[code].when])),
  ranks: rowsOf(RankBy.literals.map((by) => [by, rankPolicies[by].name, rankPolicies[by].sortsBy])),
  events: rowsOf(Object.entries(meanings)),
}

/** The guide of the operator, who reads it before the endpoints of the operator. */
export const operatorGuide = "Accounts, keys and routes"

/** The guides, in the order of reading. Tests run the programs in them as they stand there. */
export const guides: ReadonlyArray<Guide> = [
  { name: "Quickstart", description: quickstart },
  { name: "Build a wallet", description: wallet },
  { name: "Quotes and best price", description: quotes.replace("{ranks}", () => tables.ranks) },
  { name: "Opening a swap", description: opening },
  { name: "Swap states", description: states },
  { name: "Webhooks and events", description: webhooks.replace("{events}", () => tables.events) },
  { name: "Idempotency", description: idempotency },
  { name: "Parameters and lists", description: parameters },
  { name: "Errors", description: errors.replace("{codes}", () => tables.codes) },
  { name: "Boost and DCA", description: boostAndDca },
  { name: "Affiliates and commission", description: affiliates },
  { name: "Rate limits", description: rateLimits },
  { name: "Signed responses", description: signedResponses },
  { name: "Case files", description: caseFiles },
  { name: "AI agents", description: agents },
  { name: "Chainflip SDK and RPC", description: chainflip },
  { name: operatorGuide, description: accounts },
].map(({ name, description }) => ({ name, description: description.trim() }))

/** The name of a topic as a part of a path: `swap-states`. */
export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

/** The topics that had another slug before, by it. */
export const movedTopics: ReadonlyMap<string, string> = new Map(Object.entries(moved))
