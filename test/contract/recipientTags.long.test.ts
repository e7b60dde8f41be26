import { withBroker } from "./support/call.ts"
import { treatsNames } from "./support/recipientTags.ts"

withBroker()("a tag of the recipient or the refund, by every kind of name (decision 51)", (it) => {
  treatsNames(it, 500, 600_000)
})
