import { path, type Url } from "../../pages/jsx-runtime.ts"

/** The page of an account. */
export const accountPath = (name: string): Url => path`/dashboard/accounts/${name}`

/** The page of an account's keys. */
export const keysPath = (name: string): Url => path`/dashboard/accounts/${name}/keys`

/** The page of one of them. */
export const keyPath = (name: string, id: string): Url => path`/dashboard/accounts/${name}/keys/${id}`

/** The form for what payers of an account see. */
export const merchantPath = (name: string): Url => path`/dashboard/accounts/${name}/merchant`

/** The page of an account's routes. */
export const routesPath = (name: string): Url => path`/dashboard/accounts/${name}/routes`

/** The page of an account's webhooks. */
export const webhooksPath = (name: string): Url => path`/dashboard/accounts/${name}/webhooks`

/** The page of one of them. */
export const webhookPath = (name: string, id: string): Url => path`/dashboard/accounts/${name}/webhooks/${id}`
