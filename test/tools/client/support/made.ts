import { stripTypeScriptTypes } from "node:module"
import { npmName, packages } from "#tools/client/packages.ts"

/** The text of the client as it is made now. */
export const clientText = packages().typescript[`${npmName}.ts`] ?? ""

type Method = (input: object, options?: object) => Promise<unknown>

/** The client as a program has it that knows no types: the methods that tests call. */
export interface MadeClient {
  readonly getQuotes: Method
  readonly openSwap: Method
  readonly openSwapByPost: Method
  readonly createWebhook: Method
  readonly getCaseFile: Method
  readonly getAccount: Method
  readonly getCaseKeys: Method
  readonly getStatusById: Method
}

interface Made {
  readonly SwapBroker: new (options: object) => MadeClient
  readonly verifyCaseFile: (file: string, keys: unknown) => Promise<void>
}

/** The client, without its types and without a file. */
export const madeClient = async (): Promise<Made> => {
  const made: Made = await import(
    `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(clientText))}`
  )
  return made
}
