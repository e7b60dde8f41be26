import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  DepositAccepted,
  DepositCommand,
  FaultRule,
  FaultsView,
  NetworkCommand,
  SandboxView,
  TimeCommand,
  TimeView,
} from "../domain/SandboxControl.ts"
import { VaultSwapCommand } from "../domain/SandboxVaultSwap.ts"
import { Authorization } from "./Authorization.ts"
import { BadRequest, ServiceUnavailable } from "./Problems.ts"

const error = [BadRequest, ServiceUnavailable] as const

/** The controls of the simulated networks; only in sandbox mode (operation.md). */
export class SandboxGroup extends HttpApiGroup.make("sandbox").add(
  HttpApiEndpoint.get("view", "/sandbox", { success: SandboxView, error })
    .annotate(OpenApi.Summary, "Simulated time, pools, open channels and faults"),
  HttpApiEndpoint.post("deposit", "/sandbox/deposits", {
    payload: DepositCommand,
    success: DepositAccepted.pipe(HttpApiSchema.status(202)),
    error,
  }).annotate(OpenApi.Summary, "Send a deposit to an open channel"),
  HttpApiEndpoint.post("vaultSwap", "/sandbox/vault-swaps", {
    payload: VaultSwapCommand,
    success: DepositAccepted.pipe(HttpApiSchema.status(202)),
    error,
  }).annotate(OpenApi.Summary, "Send a transaction that was made of an answer of `/tx-payload/*`"),
  HttpApiEndpoint.post("time", "/sandbox/time", { payload: TimeCommand, success: TimeView, error })
    .annotate(OpenApi.Summary, "Travel in time"),
  HttpApiEndpoint.put("setFaults", "/sandbox/faults", { payload: FaultRule, success: FaultsView, error })
    .annotate(OpenApi.Summary, "Let an upstream misbehave"),
  HttpApiEndpoint.delete("clearFaults", "/sandbox/faults", { success: FaultsView, error })
    .annotate(OpenApi.Summary, "Let the upstreams behave again"),
  HttpApiEndpoint.patch("network", "/sandbox/network", {
    payload: NetworkCommand,
    success: SandboxView,
    error,
  }).annotate(OpenApi.Summary, "Change the simulated world"),
).middleware(Authorization).annotateMerge(
  OpenApi.annotations({ title: "Sandbox", description: "Simulated networks. No money moves here." }),
) {}
