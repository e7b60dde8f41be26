import { UpstreamFailed } from "../../../domain/ProviderError.ts"
import type { RpcError } from "../client/JsonRpc.ts"
import type { Endpoint } from "./httpAnswer.ts"
import { upstreamText } from "../../upstream/upstreamText.ts"

/** An error reply that has no meaning of its own for the call. */
export const unclassified = (endpoint: Endpoint, { code, message }: RpcError): UpstreamFailed =>
  new UpstreamFailed({ detail: `The ${endpoint} answered error ${code}: ${upstreamText(message)}` })
