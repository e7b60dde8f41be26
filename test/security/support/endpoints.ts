import { Api } from "#api/Api.ts"
import { SandboxApi } from "#interfaces/http/Sandbox.ts"
import type { Scope } from "#domain/accounts/Key.ts"

/** One endpoint as the HttpApi has it, with the parameters of its path filled in. */
export interface Endpoint {
  /** Such as `GET /operator/accounts/:name/keys`. */
  readonly name: string
  readonly method: string
  /** Leads to nothing that is there, so that a call that is let in does no harm. */
  readonly path: string
}

/** What stands for a parameter of a path. */
const nobody: Readonly<Record<string, string>> = { ":name": "nobody", ":id": "aaaaaaaaaaaaaaaa" }

/** Has its key in the path, and a scope for each call in its body: a matrix of its own, in rpcAuthorisation.long.test.ts. */
const keyInPath = "/rpc/:apiKey"

/** Every other endpoint that the service has in sandbox mode, from the contract itself. */
export const endpoints: ReadonlyArray<Endpoint> = Object.values(Api.addHttpApi(SandboxApi).groups).flatMap(
  ({ endpoints }) =>
    Object.values(endpoints).filter(({ path }) => path !== keyInPath).map(({ method, path }) => ({
      name: `${method} ${path}`,
      method,
      path: path.replaceAll(/:\w+/g, (parameter: string) => nobody[parameter] ?? "nothing"),
    })),
)

/** Who may call an endpoint: anybody, anybody with a key, or only with a key of a scope, or of several. */
export type Access = "anybody" | "any key" | Scope | ReadonlyArray<Scope>

/**
 * Who may call what, written down a second time and not taken from the contract: the first row that a name fits holds, so
 * that exceptions come before what they are exceptions to. An endpoint of a new kind, or that lost its scope, fits none.
 */
const rules: ReadonlyArray<readonly [names: RegExp, access: Access]> = [
  [/^GET \/(?:assets|networks|logos\/:name|health\/providers|livez|readyz)$/, "anybody"],
  [/^GET \/\.well-known\/swap-broker-case-keys$/, "anybody"],
  [/ \/(?:account|providers\/:name\/history)$/, "any key"],
  [/ \/sandbox(?:\/|$)/, "any key"],
  [/^GET \/(?:limits$|quotes?(?:-native)?(?:\/|$))/, "quote"],
  [/ \/(?:swap|tx-payload)(?:\/|$)/, "swap"],
  [/^GET \/(?:swaps|commission|errors)$/, "history"],
  [/^GET \/(?:swaps\/|status-)/, "status"],
  [/^GET \/webhooks(?:\/|$)/, "history"],
  [/ \/webhooks(?:\/|$)/, ["swap", "history"]],
  [/^POST \/operator\/treasury\//, ["operate", "withdraw"]],
  [/ \/(?:operator\/|providers(?:$|\/:name\/switch$))/, "operate"],
]

/** The number of the rule that an endpoint fits; -1 where there is none. */
export const ruleOf = (name: string): number => rules.findIndex(([names]) => names.test(name))

export const ruleCount = rules.length

/** Who may call an endpoint: by no rule, nobody but an operator. */
export const accessOf = (name: string): Access => rules[ruleOf(name)]?.[1] ?? "operate"
