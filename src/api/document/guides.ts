import { codes, ProblemCode } from "#domain/ProblemCode.ts"
import accounts from "./guides/accounts.md" with { type: "text" }
import agents from "./guides/agents.md" with { type: "text" }
import caseFiles from "./guides/case-files.md" with { type: "text" }
import errors from "./guides/errors.md" with { type: "text" }
import idempotency from "./guides/idempotency.md" with { type: "text" }
import limits from "./guides/limits.md" with { type: "text" }
import messages from "./guides/messages.md" with { type: "text" }
import quickstart from "./guides/quickstart.md" with { type: "text" }
import requests from "./guides/requests.md" with { type: "text" }
import signedAnswers from "./guides/signed-answers.md" with { type: "text" }
import states from "./guides/states.md" with { type: "text" }
import upstreamClients from "./guides/upstream-clients.md" with { type: "text" }

/** A guide for readers to read before the endpoints: the description of a tag. */
interface Guide {
  readonly name: string
  readonly description: string
}

const codeRows = ProblemCode.literals.map((code) =>
  `| \`${code}\` | ${codes[code].status} | ${codes[code].when} |`
).join("\n")

/** The guides, in the order of reading. Tests run the programs in them as they stand there. */
export const guides: ReadonlyArray<Guide> = [
  { name: "Quickstart", description: quickstart },
  { name: "States of a swap", description: states },
  { name: "Errors", description: errors.replace("{codes}", () => codeRows) },
  { name: "Requests and answers", description: requests },
  { name: "Sending it again", description: idempotency },
  { name: "Being told", description: messages },
  { name: "Limits", description: limits },
  { name: "Accounts, keys and routes", description: accounts },
  { name: "Case files", description: caseFiles },
  { name: "Signed answers", description: signedAnswers },
  { name: "For clients of the upstream", description: upstreamClients },
  { name: "For agents", description: agents },
].map(({ name, description }) => ({ name, description: description.trim() }))
