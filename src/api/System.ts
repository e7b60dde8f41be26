import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Schema } from "effect"
import { version } from "#infrastructure/platform/version.ts"
import { about } from "./endpoint.ts"
import { ServiceUnavailable } from "./Problems.ts"

const Alive = Schema.Struct({
  status: Schema.Literal("ok"),
  version: Schema.String.annotate({ description: "Version of the service (semantic).", examples: [version] }),
})

/** Whether the process is alive, and whether it should get requests (decision 27). No key needed. */
export class SystemGroup extends HttpApiGroup.make("system").add(
  HttpApiEndpoint.get("livez", "/livez", { success: Alive })
    .annotateMerge(about(
      "getLiveness",
      "Check that the process runs",
      "For a probe that restarts the process. Says nothing of the database or of upstreams. Needs no key.",
    )),
  HttpApiEndpoint.get("readyz", "/readyz", { success: Alive, error: ServiceUnavailable })
    .annotateMerge(about(
      "getReadiness",
      "Check that the process can serve",
      "The database responds and is up to date, and the process is not stopping. For a probe that " +
        "decides whether requests are sent here. Needs no key.",
    )),
).annotateMerge(OpenApi.annotations({ title: "System", description: "For the operator's probes." })) {}
