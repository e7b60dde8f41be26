import type { Answer } from "../Connection.ts"
import { wireForm } from "../Connection.ts"
import type { Target } from "../load.ts"
import type { RunningService } from "../../support/process.ts"
import { quoteUrl } from "../quoteUrl.ts"

/** The name in answers of the provider behind each gate. */
export const platforms = { chainflip: "chainflip", nearIntents: "near-intents" } as const

export type Provider = keyof typeof platforms

export const otherThan = (provider: Provider): Provider =>
  provider === "chainflip" ? "nearIntents" : "chainflip"

/** Whether an answer holds quotes of a provider. */
export const quotes = ({ body, status }: Answer, provider: Provider): boolean =>
  status === 200 && body.includes(`"platform":"${platforms[provider]}"`)

/** So many that no answer of before can be used again. */
const amounts = Array.from({ length: 20_000 }, (_, index) => `1.${`${index}`.padStart(5, "0")}`)

/** Requests for quotes of another amount each. */
export const quoteTarget = ({ apiKey, url }: RunningService): Target => ({
  url,
  requests: amounts.map((amount) => wireForm(quoteUrl(url, amount), apiKey)),
})
