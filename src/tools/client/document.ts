import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "#api/Api.ts"
import { type Contract, contractIn } from "#api/document/Contract.ts"
import { shared } from "#api/document/shared.ts"
import { SandboxApi } from "#interfaces/http/Sandbox.ts"

/** The contract of this code, sandbox included, as the service serves it. */
export const contract = (): Contract =>
  contractIn(JSON.stringify(shared({ ...OpenApi.fromApi(Api.addHttpApi(SandboxApi)) })))
