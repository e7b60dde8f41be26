import { path, type Url } from "../../pages/Url.ts"

/** The page of an account. */
export const accountPath = (name: string): Url => path`/dashboard/accounts/${name}`

/** The page of an account's webhooks. */
export const webhooksPath = (name: string): Url => path`/dashboard/accounts/${name}/webhooks`
