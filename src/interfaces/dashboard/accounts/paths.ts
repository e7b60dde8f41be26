import { path, type Url } from "../../pages/jsx-runtime.ts"

export const accountPath = (name: string): Url => path`/dashboard/accounts/${name}`

export const keysPath = (name: string): Url => path`/dashboard/accounts/${name}/keys`

/** The page of one of them. */
export const keyPath = (name: string, id: string): Url => path`/dashboard/accounts/${name}/keys/${id}`

/** The form for what payers of an account see. */
export const merchantPath = (name: string): Url => path`/dashboard/accounts/${name}/merchant`

export const routesPath = (name: string): Url => path`/dashboard/accounts/${name}/routes`

export const webhooksPath = (name: string): Url => path`/dashboard/accounts/${name}/webhooks`

/** The page of one of them. */
export const webhookPath = (name: string, id: string): Url => path`/dashboard/accounts/${name}/webhooks/${id}`
